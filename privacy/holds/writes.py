"""Asking for a legal hold, confirming it, renewing it and releasing it early.

Two different people have to want a hold, and each longer end of it; one is enough to release it. The operator, at the
command line, counts as one of them, which is how a site with one administrator has two. Each step is one transaction
with its entry in the audit log. Nobody takes part in a hold on their own account.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from accounts.models import Credentials, UserInfo
from accounts.people.cards import is_held
from moderation.cases.held import HOLD_ENDS
from moderation.cases.reads import CaseId
from moderation.log.writes import record
from moderation.models import Case, CaseKind
from privacy.erasure.writes import ERASE, RESUME, moment_of
from privacy.models import Erasure, Hold, Receipt
from socialsite.clock import utc_now
from socialsite.due.models import Due
from socialsite.due.work import cancel, plan
from socialsite.streams import Job, JobKind
from socialsite.table import (
    Change,
    Conflict,
    Create,
    Delete,
    Erase,
    NotFound,
    TableError,
    WriteAction,
    access_pattern,
    as_model,
    fetch,
    ids,
    keys,
    reading,
    row,
)

ACCOUNT = "account"  # the kind of a hold that is no case's
MOST = timedelta(days=366)
LONGEST_REASON = 1000  # characters


class SamePerson(TableError):
    """The one who asked cannot confirm: two people have to want it."""


class OwnAccount(TableError):
    """Nobody decides about their own account."""


class ThereAlready(Conflict):
    """There is one already: renew it."""


class WrongEnd(TableError):
    """The end is over, later than a year from now, or no later than the present one."""


class HoldMoved(Conflict):
    """Someone else changed the hold since it was read."""


@dataclass(frozen=True, slots=True)
class Target:
    """What is held: an account, or a case with the person it is about."""

    kind: str
    subject_id: str
    person_id: str

    @property
    def case(self) -> str:
        """Returns the case as the audit log names it, nothing for an account."""
        return "" if self.kind == ACCOUNT else str(CaseId(CaseKind(self.kind), self.subject_id))


@access_pattern
def ask_hold(*, by: str, target: Target, until: datetime, reason: str) -> None:
    """Asks for a hold, which begins once another person confirms it. `by` is the id of the person, or `OPERATOR`.
    Raises `ThereAlready`, `OwnAccount`, `WrongEnd`, `NotFound`.

    One consistent BatchGetItem, 1 read unit, and one TransactWriteItems with the audit log, 6 write units.
    """
    _may_act(by, target.person_id)
    end = _end(until)
    subject = _key_of(target)
    if subject not in fetch([subject], consistent=True):
        raise NotFound("there is nothing to hold any more")
    hold = Hold.new(
        kind=target.kind,
        subject_id=target.subject_id,
        person_id=target.person_id,
        reason=reason,
        until=end,
        asked_by=by,
        asked_at=_now(),
    )
    _enter(hold, "ask hold", by, [Create(hold, ThereAlready)], until=end, text=reason)


@access_pattern
def confirm_hold(*, by: str, hold: Hold) -> None:
    """Confirms a hold, or its renewal, as it was read. From then on the account is not erased, nothing of the case
    ends, and the worker moves the ends of what has one. An erasure that waits for the end before a renewal
    waits for the new one. Raises `SamePerson`, `OwnAccount`, `HoldMoved`, `NotFound`.

    Two consistent BatchGetItem, 2 read units, and one TransactWriteItems of the hold, what it holds, its end, the job,
    the receipt of a closing account, what waits and the audit log, 18 write units.
    """
    _may_act(by, hold.person_id)
    is_renewed = bool(hold.confirmed_by)
    asked_by = hold.renewal_by if is_renewed else hold.asked_by
    end = hold.renewal if is_renewed else hold.until
    if not end or not asked_by:
        raise HoldMoved("nothing waits for a second person")
    if asked_by == by:
        raise SamePerson("another person has to confirm it")
    if not is_held(end):
        raise WrongEnd("its end is over")
    as_read = Hold.until == hold.until
    if is_renewed:
        as_read &= Hold.renewal == hold.renewal
        said = [Hold.until.set(end), Hold.renewal.remove(), Hold.renewal_by.remove()]
    else:
        as_read &= Hold.confirmed_by.does_not_exist()
        said = [Hold.confirmed_by.set(by), Hold.confirmed_at.set(_now())]
    ends_then = [cancel(HOLD_ENDS, moment=moment_of(hold.until), subject=_subject(hold))]
    actions: list[WriteAction] = [
        Change(Hold, hold.key, said, as_read, HoldMoved),
        _mark(hold, end),
        *([*ends_then, *_what_waited(hold, moment_of(end))] if is_renewed else []),
        plan(HOLD_ENDS, moment=moment_of(end), subject=_subject(hold), **_facts(hold)),
        Create(_job(JobKind.HOLD, hold, end)),
        *_on_receipt(hold, end),
    ]
    _enter(hold, "renew hold" if is_renewed else "confirm hold", by, actions, until=end)


@access_pattern
def ask_renewal(*, by: str, hold: Hold, until: datetime) -> None:
    """Asks for a later end of a hold, which another person confirms as they did the hold. Raises `WrongEnd`,
    `OwnAccount`, `HoldMoved`. One TransactWriteItems with the audit log, 6 write units and 1 read unit."""
    _may_act(by, hold.person_id)
    end = _end(until)
    if end <= hold.until:
        raise WrongEnd("the end has to be later than the present one")
    said = [Hold.renewal.set(end), Hold.renewal_by.set(by)]
    as_read = Hold.confirmed_by.exists() & (Hold.until == hold.until)
    _enter(hold, "ask renewal", by, [Change(Hold, hold.key, said, as_read, HoldMoved)], until=end)


@access_pattern
def release_hold(*, by: str, hold: Hold) -> None:
    """Ends a hold, early or because its time has come, or takes back one that nobody confirmed. What waited for its end
    goes on: an erasure, and the terms of evidence. Raises `OwnAccount`, `HoldMoved`.

    One consistent BatchGetItem, 2 read units, and one TransactWriteItems of the hold, what it held, its end, the job,
    what waited and the audit log, 14 write units.
    """
    _may_act(by, hold.person_id)
    gone = Delete(hold.key, Hold.until == hold.until, otherwise=HoldMoved)
    if not hold.confirmed_by:
        gone = Delete(
            hold.key,
            (Hold.until == hold.until) & Hold.confirmed_by.does_not_exist(),
            otherwise=HoldMoved,
        )
        _enter(hold, "take hold back", by, [gone])
        return
    subject = _key_of(_target(hold))
    is_there = subject in fetch([subject], consistent=True)
    actions: list[WriteAction] = [
        gone,
        *([_mark(hold, "")] if is_there else []),
        cancel(HOLD_ENDS, moment=moment_of(hold.until), subject=_subject(hold)),
        Create(_job(JobKind.END_HOLD, hold, "")),
        *_on_receipt(hold, ""),
        *_what_waited(hold, utc_now()),
    ]
    _enter(hold, "release hold", by, actions)


@access_pattern
def get_hold(kind: str, subject_id: str) -> Hold:
    """Returns a hold as it is now. One consistent GetItem, 1 read unit. Raises `NotFound`."""
    return reading.get(Hold, keys.hold(kind, subject_id), consistent=True)


def get_hold_as_seen(kind: str, subject_id: str, *, seen: str) -> Hold:
    """Returns a hold if its end, and the later one asked for, are those that a page showed. Raises `HoldMoved`, and
    costs as `get_hold`."""
    hold = get_hold(kind, subject_id)
    if seen != shown_ends(hold):
        raise HoldMoved("not as it was shown")
    return hold


def shown_ends(hold: Hold) -> str:
    """Returns what a page shows of a hold's ends, for the form that acts on it."""
    return f"{hold.until} {hold.renewal or ''}".strip()


def _may_act(by: str, person_id: str) -> None:
    if by == person_id:
        raise OwnAccount("nobody decides about their own account")


def _end(until: datetime) -> str:
    now = utc_now()
    if not now < until <= now + MOST:
        raise WrongEnd("the end has to be within a year from now")
    return until.isoformat(timespec="seconds")


def _now() -> str:
    return utc_now().isoformat(timespec="seconds")


def _target(hold: Hold) -> Target:
    return Target(hold.kind, hold.subject_id, hold.person_id)


def _key_of(target: Target) -> keys.Key:
    if target.kind == ACCOUNT:
        return keys.user_info(target.subject_id)
    return keys.case(target.kind, target.subject_id)


def _mark(hold: Hold, until: str) -> Change:
    """Returns the change that says of what is held until when."""
    attribute = UserInfo.held_until if hold.kind == ACCOUNT else Case.held_until
    said = attribute.set(until) if until else attribute.remove()
    model = UserInfo if hold.kind == ACCOUNT else Case
    return Change(model, _key_of(_target(hold)), [said])


def _subject(hold: Hold) -> str:
    return f"{hold.kind}-{hold.subject_id}"


def _facts(hold: Hold) -> dict[str, str]:
    return {"held_kind": hold.kind, "held_id": hold.subject_id}


def _job(kind: JobKind, hold: Hold, until: str) -> Job:
    return Job.new(
        kind=kind,
        job_id=ids.new_id(),
        subject_id=hold.subject_id,
        tag=hold.kind,
        until=until or None,
    )


def _on_receipt(hold: Hold, until: str) -> Sequence[WriteAction]:
    """Returns what the receipt says of the hold, where an account is closing or its erasure has begun."""
    if hold.kind != ACCOUNT:
        return []
    own, erasure = keys.credentials(hold.subject_id), keys.erasure(hold.subject_id)
    found = fetch([own, erasure], consistent=True)
    receipt_id = row(Credentials, found.get(own, {})).receipt
    receipt_id = receipt_id or row(Erasure, found.get(erasure, {})).receipt_id
    if not receipt_id:
        return []
    said = Receipt.held_until.set(until) if until else Receipt.held_until.remove()
    return [Change(Receipt, keys.receipt(str(receipt_id)), [said])]


def _what_waited(hold: Hold, moment: datetime) -> Sequence[WriteAction]:
    """Returns what brings an erasure that waited for this end to another moment."""
    if hold.kind != ACCOUNT:
        return []
    then = moment_of(hold.until)
    waiting = fetch(
        [keys.due(then, kind, hold.subject_id) for kind in (ERASE, RESUME)], consistent=True
    )
    actions: list[WriteAction] = []
    for key, raw in waiting.items():
        due = as_model(Due, raw)
        actions += [
            Erase(key),
            plan(due.kind, moment=moment, subject=due.subject, **due.facts),
        ]
    return actions


def _enter(hold: Hold, action: str, by: str, actions: Sequence[WriteAction], **detail: str) -> None:
    record(
        *actions,
        by=by,
        action=action,
        case=_target(hold).case,
        person_id=hold.person_id,
        detail=detail or None,
    )
