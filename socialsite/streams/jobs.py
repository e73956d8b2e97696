"""Jobs: work too long for one batch of the stream, done in steps.

Creating a job and moving its cursor are changes, and so records of the stream; each record makes the next step. So a
job needs no queue of its own, survives whatever is killed (a step done twice changes nothing, and moves the cursor
once), and lets other records through between its steps.
"""

from collections.abc import Callable
from dataclasses import dataclass

from socialsite.models import RETIRED_JOBS, Job
from socialsite.streams.change import Change
from socialsite.streams.dispatch import on
from socialsite.streams.ledger import Ledger
from socialsite.table.actions import Delete
from socialsite.table.errors import NotFound
from socialsite.table.writing import change as change_item
from socialsite.table.writing import transact


@dataclass(frozen=True, slots=True)
class Step:
    """What a step did: how many, and where the next begins (None: the job is done)."""

    done: int
    cursor: str | None


class StepTaken(NotFound):
    """The step was done before: the job's cursor is further on, or the job is gone."""


def _end(job: Job) -> Step:
    """A job that an older site entered, of a kind that is gone."""
    return Step(0, None)


STEPS: dict[str, Callable[[Job], Step]] = dict.fromkeys(RETIRED_JOBS, _end)


def job_step(kind: str) -> Callable[[Callable[[Job], Step]], Callable[[Job], Step]]:
    """Registers how a kind of job makes a step. It must be safe to run twice."""

    def register(step: Callable[[Job], Step]) -> Callable[[Job], Step]:
        STEPS[kind] = step
        return step

    return register


@on(Job, "INSERT", "MODIFY")
def continue_job(change: Change, ledger: Ledger) -> None:
    """A job was created or went on: makes its next step.

    Twice is safe: a step writes items with fixed keys, and the cursor moves only from where the step began.
    """
    job = change.item
    assert isinstance(job, Job)
    step = STEPS[job.kind](job)
    here = Job.cursor == job.cursor
    try:
        if step.cursor is None:
            transact(Delete(job.key, condition=here, otherwise=StepTaken))
        else:
            further = [Job.cursor.set(step.cursor), Job.done.set(int(job.done) + step.done)]
            change_item(Job, job.key, further, condition=here, otherwise=StepTaken)
    except StepTaken:
        pass
    ledger.note_effect()
