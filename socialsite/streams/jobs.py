"""Jobs: work that is too long for one batch of the stream, done in steps.

Creating a job and moving its cursor are changes, and so records of the stream. Each record starts the next step. So a
job needs no queue of its own, and lets other records through between its steps. It survives any killed process: a step
that runs twice changes nothing, and moves the cursor once. What may not happen twice goes into the transaction that
moves the cursor (`Step.writes`).
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from socialsite.models import RETIRED_JOBS, Job
from socialsite.streams.change import Change
from socialsite.streams.dispatch import on
from socialsite.streams.give_way import give_way
from socialsite.streams.ledger import Ledger
from socialsite.table.actions import Change as ChangeItem
from socialsite.table.actions import Delete, WriteAction
from socialsite.table.as_read import write_as_read
from socialsite.table.errors import NotFound
from socialsite.table.resilience.pace import paced
from socialsite.table.writing import change as change_item
from socialsite.table.writing import transact
from socialsite.web.observing import metrics
from socialsite.web.observing.spending import JOB, name_of, spent_by


@dataclass(frozen=True, slots=True)
class Step:
    """The result of a step: how many items it handled, where the next begins (None: the job is done), and what is
    written with the cursor or not at all. Where such a write finds something else than was read, it raises `Moved`, and
    the step is made again."""

    done: int
    cursor: str | None
    writes: Sequence[WriteAction] = ()


class StepTaken(NotFound):
    """The step was already done: the job's cursor is further on, or the job is gone."""


def _end(job: Job) -> Step:
    """Ends a job of a kind that only older sites had."""
    return Step(0, None)


STEPS: dict[str, Callable[[Job], Step]] = dict.fromkeys(RETIRED_JOBS, _end)


def job_step(kind: str) -> Callable[[Callable[[Job], Step]], Callable[[Job], Step]]:
    """Registers the step function of a kind of job. It must be safe to run twice."""

    def register(step: Callable[[Job], Step]) -> Callable[[Job], Step]:
        STEPS[kind] = step
        return step

    return register


@on(Job, "INSERT", "MODIFY")
def continue_job(change: Change, ledger: Ledger) -> None:
    """Makes the next step of a job that was created or went on.

    Safe to run twice: a step writes items with fixed keys, and the cursor moves only from where the step began.
    """
    job = change.item
    assert isinstance(job, Job)
    with suppress(StepTaken), paced(give_way), spent_by(JOB, name_of(STEPS[job.kind], job.kind)):
        write_as_read(lambda: _take_step(job))
        metrics.JOB_STEPS.labels(job.kind).inc()
    ledger.note_effect()


def _take_step(job: Job) -> None:
    step = STEPS[job.kind](job)
    here = Job.cursor == job.cursor
    if step.cursor is None:
        transact(Delete(job.key, condition=here, otherwise=StepTaken), *step.writes)
        return
    further = [Job.cursor.set(step.cursor), Job.done.set(int(job.done) + step.done)]
    if step.writes:
        # The job comes first: where it went on, nothing else matters.
        transact(ChangeItem(Job, job.key, further, here, StepTaken), *step.writes)
    else:
        change_item(Job, job.key, further, condition=here, otherwise=StepTaken)
