"""What follows from a legal hold: the worker moves the ends of evidence, and the clock ends the hold when its time has
come."""

from collections.abc import Callable
from datetime import datetime

from moderation.cases.erasure import ABOUT_PEOPLE
from moderation.cases.held import HOLD_ENDS, end_keeping, keep_case, let_end
from moderation.cases.reads import THE_SITE, CaseId
from moderation.models import CaseKind, Strike
from privacy.holds.writes import ACCOUNT, get_hold, release_hold
from socialsite.clock import utc_now
from socialsite.due.models import Due
from socialsite.due.work import due_work
from socialsite.streams import Job, JobKind, Step, job_step
from socialsite.table import NotFound, key_of, keys, query, row


@job_step(JobKind.HOLD)
def keep_step(job: Job) -> Step:
    """Keeps the next case of what is held. 1 read unit, and 1 write unit for each item that has an end, with those of
    the strikes of a person. Safe to run twice: an end is set to one moment, and only of what is still there."""
    until = datetime.fromisoformat(str(job.until))
    return _next(job, lambda case_id: keep_case(case_id, until), until)


@job_step(JobKind.END_HOLD)
def end_step(job: Job) -> Step:
    """Gives the next case of what was held its end back. As `keep_step`."""
    return _next(job, end_keeping, None)


def _next(job: Job, do: Callable[[CaseId], int], until: datetime | None) -> Step:
    """The cursor is the last case's name, as the list may have lost one since."""
    case_id = next((one for one in _cases(job) if str(one) > str(job.cursor or "")), None)
    if case_id is None:
        return Step(0, None)
    done = do(case_id)
    if job.tag == ACCOUNT and until:
        done += _keep_strikes(job.subject_id, until)
    return Step(done, str(case_id))


def _cases(job: Job) -> list[CaseId]:
    """Returns the cases of what is held: of an account those about the person, and those of their strikes,
    in the order of their names."""
    if job.tag != ACCOUNT:
        return [CaseId(CaseKind(job.tag), job.subject_id)]
    strikes = query(keys.strikes(job.subject_id), consistent=True)
    of_strikes = {
        CaseId(CaseKind(row(Strike, raw).case_kind), row(Strike, raw).subject_id) for raw in strikes
    }
    own = {CaseId(kind, job.subject_id) for kind in ABOUT_PEOPLE}
    return sorted(own | of_strikes, key=str)


def _keep_strikes(user_id: str, until: datetime) -> int:
    """Moves the ends of strikes that have one. They are not moved back: they say less than the case."""
    ending = [
        raw
        for raw in list(query(keys.strikes(user_id), consistent=True))
        if "ttl" in raw and int(raw["ttl"]["N"]) < int(until.timestamp())
    ]
    for raw in ending:
        let_end(key_of(raw), until)
    return len(ending)


@due_work(HOLD_ENDS)
def end_when_due(due: Due) -> None:
    """Ends a hold whose time has come, unless it was renewed. As `release_hold`. Safe to run twice: a hold that is gone
    is left alone."""
    try:
        hold = get_hold(due.facts["held_kind"], due.facts["held_id"])
    except NotFound:
        return
    if hold.confirmed_by and datetime.fromisoformat(hold.until) <= utc_now():
        release_hold(by=THE_SITE, hold=hold)
