"""Erases closed accounts: begins when the grace is over, then takes one phase after the other."""

from privacy.erasure.beginning import begin_erasure
from privacy.erasure.job import take_step
from privacy.services.close_account import ERASE
from socialsite.due.work import due_work
from socialsite.models import Due, Job, JobKind
from socialsite.streams.jobs import Step, job_step


@due_work(ERASE)
def begin_when_due(due: Due) -> None:
    """Begins the erasure unless the owner kept the account. Safe to run twice: it begins by deleting the
    credentials."""
    begin_erasure(due)


@job_step(JobKind.ERASE)
def erase_step(job: Job) -> Step:
    """Takes the next step of the phase that the job is in. Safe to run twice: a phase deletes what it still finds."""
    return take_step(job)
