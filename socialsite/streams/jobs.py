"""Long work, step by step, that gives way to readers."""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from socialsite.observing import metrics
from socialsite.streams.change import Change
from socialsite.streams.dispatch import on
from socialsite.streams.ledger import Ledger
from socialsite.streams.models import RETIRED_JOBS, Job
from socialsite.table import Change as ChangeItem
from socialsite.table import (
    Delete,
    NotFound,
    WriteAction,
    name_of,
    spent_by,
    transact,
    write_optimistically,
)
from socialsite.table import change as change_item
from socialsite.table.meter import JOB
from socialsite.table.resilience import paced

# Jobs give way to people.
#
# An engine on this machine does one call after another, so a page waits for the call that a fan-out has just
# sent. While pages are asked for, jobs send small calls and rest before each. The processes that serve pages
# tell the worker's by the time of a file in the data folder. On Amazon's DynamoDB, which serves all calls at
# once, nobody writes that file.

GetResponse = Callable[[HttpRequest], HttpResponse]

SERVED_WITHIN = 0.1  # seconds; most pages take less
SMALL = 8  # items in a call beside readers
REST = 0.005  # seconds before each of them
SHORTER = 4  # beside readers a step of a job handles a quarter


def note_request(get_response: GetResponse) -> GetResponse:
    """Middleware that notes when someone asks for a page. Takes 1 µs, and never fails a request."""
    file = _last_request()

    def middleware(request: HttpRequest) -> HttpResponse:
        with suppress(OSError):
            file.touch()
        return get_response(request)

    return middleware


def give_way(most: int) -> int:
    """The pace of jobs: returns `most` items for the next call, or few after a rest if someone has just asked for a
    page."""
    if not _is_someone_served():
        return most
    time.sleep(REST)
    return min(most, SMALL)


def size_of_step(most: int) -> int:
    """Returns how many items the next step of a job handles: fewer beside readers, because a step holds up the stream
    for as long as it takes."""
    return max(1, most // SHORTER) if _is_someone_served() else most


def _is_someone_served() -> bool:
    try:
        asked = _last_request().stat().st_mtime
    except OSError:  # no page was ever asked for
        return False
    return abs(time.time() - asked) < SERVED_WITHIN  # a clock may have been set back


def _last_request() -> Path:
    return Path(settings.DATA_DIR) / "last-request"


# Jobs: work that is too long for one batch of the stream, done in steps.
#
# Creating a job and moving its cursor are changes, and so records of the stream. Each record starts the next
# step. So a job needs no queue of its own, and lets other records through between its steps. It survives any
# killed process: a step that runs twice changes nothing, and moves the cursor once. What may not happen twice
# goes into the transaction that moves the cursor (`Step.writes`).


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
        write_optimistically(lambda: _take_step(job))
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
