"""Writing a note for the next shift, saving lists of the queue, and handing over a desk."""

from collections.abc import Callable
from contextlib import suppress

from accounts.people.viewer import Viewer
from moderation.cases.changes import change_case, lay_on_desk
from moderation.cases.queue_place import QueuePlace
from moderation.cases.reads import CaseMoved, id_of, waiting_in
from moderation.cases.writes import CannotHave, may_have
from moderation.desks.reads import LASTS
from moderation.log.writes import record
from moderation.models import Case, CaseNote
from moderation.staff.writes import TooMany
from socialsite.clock import utc_now
from socialsite.due.work import plan
from socialsite.models import Staff
from socialsite.table import (
    Change,
    Conflict,
    Create,
    Key,
    NotFound,
    Put,
    RawItem,
    WriteAction,
    access_pattern,
    as_model,
    escalated_index_name,
    fetch,
    ids,
    key_of,
    keys,
    query_index,
    reading,
    row,
    transact,
    write_optimistically,
)

END_NOTE, HAND_OVER = "end-shift-note", "hand-over"  # kinds of due work
MOST_FILTERS = 6
AT_ONCE = 25  # cases, in the request of who hands over, and in each step of the job


@access_pattern
def write_shift_note(*, by: Viewer, text: str) -> None:
    """Writes a note that everyone on the staff reads above the queue, in place of one before; an empty text takes it
    back. It ends after three days. Safe to repeat. Raises `NotFound` if they have just lost their role. One
    TransactWriteItems, 4 write units."""
    now = utc_now()
    key, at = keys.staff_member(by.user_id), now.isoformat()
    if not text:
        transact(Change(Staff, key, [Staff.shift_note.remove(), Staff.noted_at.remove()]))
        return
    ends = plan(END_NOTE, moment=now + LASTS, subject=by.user_id, noted_at=at)
    transact(
        Change(Staff, key, [Staff.shift_note.set(text), Staff.noted_at.set(at)]), Put(ends.item)
    )


class _Changed(Conflict):
    """The saved lists changed at this moment."""


@access_pattern
def save_filter(*, by: Viewer, name: str, place: QueuePlace) -> None:
    """Saves a list of the queue under a name, in place of another of that name. Safe to repeat. Raises `TooMany`,
    `NotFound`. One consistent GetItem, 1 read unit, and one TransactWriteItems, 2 write units."""

    def saved(kept: dict[str, str]) -> dict[str, str]:
        if name not in kept and len(kept) >= MOST_FILTERS:
            raise TooMany(MOST_FILTERS)
        return {**kept, name: place.query}

    _change_filters(by, saved)


@access_pattern
def remove_filter(*, by: Viewer, name: str) -> None:
    """Removes a saved list. Safe to repeat. Costs as `save_filter`. Raises `NotFound`."""
    _change_filters(by, lambda kept: {one: query for one, query in kept.items() if one != name})


def _change_filters(by: Viewer, changed: Callable[[dict[str, str]], dict[str, str]]) -> None:
    key = keys.staff_member(by.user_id)

    def attempt() -> None:
        stored = reading.get(Staff, key, consistent=True).filters
        before = dict(stored.as_dict()) if stored else {}
        after = changed(before)
        if after == before:
            return
        as_read = Staff.filters == before if before else Staff.filters.does_not_exist()
        action = Staff.filters.set(after) if after else Staff.filters.remove()
        transact(Change(Staff, key, [action], as_read, _Changed))

    write_optimistically(attempt, moved=_Changed)


@access_pattern
def hand_over(*, by: Viewer, moderator_id: str, text: str) -> int:
    """Gives the open cases on the viewer's desk to a colleague, or back to their queues if none is named, each with the
    note. Returns how many were handed over at once: 25, and the clock does the rest. What the colleague may not have
    goes back to its queue. Safe to repeat: an empty desk stays empty. Raises `NotFound`.

    A Query of `escalatedIndex`, 0.5 read units per 4 KB, one TransactWriteItems of the log with the job, 6 write units,
    and what `pass_on` costs for each case.
    """
    desk = _desk_of(by.user_id)
    if not desk:
        return 0
    job = plan(
        HAND_OVER,
        moment=utc_now(),
        subject=f"{by.user_id}.{ids.new_id()}",
        of=by.user_id,
        to=moderator_id,
        text=text,
    )
    record(
        *([job] if len(desk) > AT_ONCE else []),
        by=by.user_id,
        action="hand over",
        detail={"to": moderator_id} if moderator_id else None,
    )
    return sum(
        pass_on(key_of(raw), of=by.user_id, to=moderator_id, text=text) for raw in desk[:AT_ONCE]
    )


@access_pattern
def pass_all_on(*, of: str, to: str, text: str) -> int:
    """Passes on what lies on a desk, and returns how many cases. A Query of `escalatedIndex` for every 25 cases, 0.5
    read units per 4 KB, and what `pass_on` costs for each."""
    done = 0
    low, high = keys.queue_bounds()
    while found := query_index(
        escalated_index_name, keys.desk(of), between=(low, high), forward=True, limit=AT_ONCE
    ):
        done += sum(pass_on(key_of(raw), of=of, to=to, text=text) for raw in found)
        low = row(Case, found[-1]).escalated_at + " "
    return done


@access_pattern
def pass_on(key: Key, *, of: str, to: str, text: str) -> bool:
    """Passes one case from a desk on to a colleague, with the note, or back into its queue if they may not have it.
    Returns whether it lay there. Safe to repeat. Two consistent BatchGetItems and a GetItem of the log's head, 4 read
    units, and one TransactWriteItems with the audit log, 10 write units."""

    def attempt() -> bool:
        raw = fetch([key], consistent=True).get(key)
        case = as_model(Case, raw) if raw else None
        if case is None or case.assigned_to != of:
            return False
        target, checks = to, list[WriteAction]()
        try:
            checks = [may_have(to, case)] if to else []
        except (CannotHave, NotFound):
            target = ""
        moved = lay_on_desk(target, otherwise=waiting_in(case, case.queue))
        record(
            *checks,
            change_case(case, moved),
            *([_note(case, of, text)] if text else []),
            by=of,
            action="assign" if target else "put back",
            case=str(id_of(case)),
            person_id=case.person_id,
            detail={"to": target} if target else None,
        )
        return True

    with suppress(NotFound):
        return write_optimistically(attempt, moved=CaseMoved)
    return False


def _desk_of(user_id: str) -> list[RawItem]:
    between = keys.queue_bounds()
    return query_index(
        escalated_index_name, keys.desk(user_id), between=between, forward=True, limit=AT_ONCE + 1
    )


def _note(case: Case, by_id: str, text: str) -> Create:
    note_id = ids.new_id()
    key = keys.case_note(case.kind, case.subject_id, note_id)
    return Create(CaseNote(*key, note_id=note_id, moderator_id=by_id, text=text, ttl=case.ttl))
