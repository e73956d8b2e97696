"""What of cases is kept longer than its term: by a legal hold (`privacy/holds/`), and while an urgent case about a
person who was erased is not decided. Every item has its `ttl` moved, on condition that it is still there: DynamoDB
deletes what is past its `ttl` at any moment, and nothing brings it back."""

from contextlib import suppress
from datetime import datetime, timedelta

from accounts.people.cards import is_held
from accounts.people.viewer import Viewer
from moderation.cases.reads import THE_SITE, CaseId, is_open, read_case
from moderation.log.writes import record
from moderation.models import Case, CaseOutcome, CaseReport
from socialsite.clock import utc_now
from socialsite.due.work import plan
from socialsite.site_settings.site_setup import URGENT
from socialsite.table import (
    AlreadyExists,
    Item,
    Key,
    NotFound,
    RawItem,
    access_pattern,
    change,
    key_of,
    keys,
    query,
    row,
    transact,
)

KEEP_URGENT = "keep-urgent-case"  # the kind of the due item
HOLD_ENDS = "hold-ends"  # that of the end of a legal hold
TERM = timedelta(days=180)  # of evidence, after the erasure and after the decision
LOOKED_AT = timedelta(days=30)  # before its end
SHORTEST = timedelta(days=14)  # that is left of what was held


def elsewhere(case_id: CaseId, raw: RawItem) -> list[Key]:
    """Returns the keys of what other partitions hold of a part of the case."""
    match raw["type"]["S"]:
        case CaseReport.__name__ if (reporter := row(CaseReport, raw).reporter_id) != THE_SITE:
            return [keys.report_trace(reporter, case_id.kind, case_id.subject_id)]
        case CaseOutcome.__name__:
            at = row(CaseOutcome, raw).decided_at
            return [keys.closed_case(at[:7], at, case_id.kind, case_id.subject_id)]
    return []


def let_end(key: Key, until: datetime) -> None:
    """Gives an item its end, if it is still there. 1 write unit."""
    with suppress(NotFound):
        change(Item, key, [Item.ttl.set(until)])


@access_pattern
def move_end(case_id: CaseId, until: datetime) -> int:
    """Moves the end of everything of a case that has one, with its traces. Returns how many items. Safe to repeat. One
    consistent Query, 1 read unit for each 4 KB, and 1 write unit for each item."""
    found = query(keys.case_partition(case_id.kind, case_id.subject_id), consistent=True)
    ending = [raw for raw in list(found) if "ttl" in raw]
    for raw in ending:
        for key in (*elsewhere(case_id, raw), key_of(raw)):
            let_end(key, until)
    return len(ending)


@access_pattern
def keep_case(case_id: CaseId, until: datetime) -> int:
    """Keeps what is left of a case until the end of a legal hold, and notes when it would have ended. Returns how many
    items. Safe to repeat. One consistent GetItem, 1 read unit, and what `move_end` costs if it has an end."""
    with suppress(NotFound):
        case = read_case(case_id)
        if case.ttl is None or case.ttl >= until:
            return 0
        before = case.ttl.isoformat(timespec="seconds")
        change(Case, case_id.key, [Case.ends_before.set(Case.ends_before | before)])
        return move_end(case_id, until)
    return 0


@access_pattern
def end_keeping(case_id: CaseId) -> int:
    """Gives what a hold kept of a case its end back, with two weeks left at least, and half a year while it waits for a
    decision. Returns how many items. Safe to repeat. Costs as `keep_case`, and 1 write unit."""
    with suppress(NotFound):
        case = read_case(case_id)
        if case.ttl is None or not case.ends_before or is_held(case.held_until):
            return 0
        until = max(
            datetime.fromisoformat(case.ends_before),
            utc_now() + (TERM if is_open(case) else SHORTEST),
        )
        moved = move_end(case_id, until)
        change(Case, case_id.key, [Case.ends_before.remove()])
        return moved
    return 0


def term_of(case: Case, until: datetime) -> datetime:
    """Returns when what is left of a case ends: at this moment, or with its hold if that is later."""
    held = datetime.fromisoformat(case.held_until) if is_held(case.held_until) else until
    return max(until, held)


@access_pattern
def keep_while_urgent(case: Case, until: datetime) -> None:
    """Plans to look once more, a month before the end, at an open urgent case of someone who was erased. Safe to
    repeat. 2 write units, nothing for any other case."""
    if not is_open(case) or int(case.severity) != URGENT:
        return
    what = {"case_kind": str(case.kind), "case_subject": case.subject_id}
    subject = f"{case.kind}-{case.subject_id}"
    with suppress(AlreadyExists):
        transact(plan(KEEP_URGENT, moment=until - LOOKED_AT, subject=subject, **what))


@access_pattern
def look_at_urgent(case_id: CaseId) -> None:
    """Keeps an urgent case for another half year if nobody has decided it, otherwise for half a year from the decision
    on. Safe to repeat. One consistent GetItem, 1 read unit, and what `move_end` and `keep_while_urgent` cost."""
    with suppress(NotFound):
        case = read_case(case_id)
        if case.ttl is None:
            return
        since = utc_now() if is_open(case) else datetime.fromisoformat(case.closed_at)
        until = since + TERM
        if until > case.ttl:
            move_end(case_id, until)
            keep_while_urgent(case, until)


@access_pattern
def look_at_held(*, by: Viewer, case_id: CaseId, person_id: str) -> None:
    """Notes in the audit log that a member of staff looks at a case that is held. One GetItem, 1 read unit, and one
    TransactWriteItems with the entry, 4 write units."""
    record(by=by.user_id, action="view held case", case=str(case_id), person_id=person_id)
