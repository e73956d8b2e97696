"""Appealing against what moderators did: a conversation on the case, which waits in the queue until it is answered."""

from collections.abc import Sequence

from accounts.viewer import Viewer
from moderation.audit import record_made
from moderation.cases import (
    CaseId,
    CaseMoved,
    change_case,
    close_case,
    is_open,
    join_case,
    put_in_queue,
    read_case,
    urgency,
)
from moderation.models import (
    ActionKind,
    Appeal,
    Case,
    CaseAction,
    CaseKind,
    CaseMessage,
    Queue,
    Strike,
)
from moderation.services.decide import OwnCase, notice
from moderation.services.undo import undone
from socialsite.table import ids, keys, reading
from socialsite.table.actions import Change, Create, WriteAction
from socialsite.table.errors import AlreadyExists, NotFound
from socialsite.table.ids import now_iso
from socialsite.table.meter import access_pattern
from socialsite.table.writing import transact

TRIES = 5
SECOND_SEVERITY = 2  # an appeal is serious: somebody waits who was restricted
WITHOUT_APPEAL = {ActionKind.DECLINE}


class AlreadyAnswered(AlreadyExists):
    """The appeal was answered, or the action undone: there is nothing to say any more."""


@access_pattern
def appeal(*, person_id: str, action_id: str, text: str) -> None:
    """Appeals against an action, or says more while the appeal is open. `person_id` is who is signed in, also where
    they are shut out.

    Two consistent GetItems, then one TransactWriteItems of strike, message and case, 8 write units. Raises `NotFound`,
    `AlreadyAnswered`.
    """
    for attempt in range(TRIES):
        strike = reading.get(Strike, keys.strike(person_id, action_id), consistent=True)
        if strike.undone_at or strike.appeal not in (None, Appeal.OPEN):
            raise AlreadyAnswered
        case_id = CaseId(CaseKind(strike.case_kind), strike.subject_id)
        case = read_case(case_id)
        asked = [Strike.appeal.set(Appeal.OPEN)]
        as_read = (
            Strike.appeal == Appeal.OPEN if strike.appeal else Strike.appeal.does_not_exist()
        ) & Strike.undone_at.does_not_exist()
        try:
            transact(
                Change(Strike, keys.strike(person_id, action_id), asked, as_read, CaseMoved),
                _message(case, action_id, person_id, text, is_staff=False),
                join_case(case, queue=Queue.APPEALS, severity=SECOND_SEVERITY, appealed=action_id),
            )
        except CaseMoved:
            if attempt == TRIES - 1:
                raise
            continue
        return


@access_pattern
def answer_appeal(
    *, by: Viewer, case_id: CaseId, action_id: str, text: str, version: int, grant: bool | None
) -> None:
    """Answers an appeal: grants it, which undoes the action, refuses it, or (None) asks back and leaves it open.

    The case then closes, or goes back to the reports that it still has. One TransactWriteItems with the audit log.
    Raises `NotFound`, `AlreadyAnswered`, `CaseMoved`, `OwnCase`.
    """
    case = read_case(case_id)
    if int(case.version) != version:
        raise CaseMoved("the case changed since it was shown")
    if case.person_id == by.user_id:
        raise OwnCase
    strike = reading.get(Strike, keys.strike(case.person_id, action_id), consistent=True)
    if strike.appeal != Appeal.OPEN:
        raise AlreadyAnswered
    words = {True: "grant appeal", False: "refuse appeal", None: "answer appeal"}
    record_made(
        lambda: _answer(by, case, action_id, text, grant),
        by=by.user_id,
        action=words[grant],
        case=str(case_id),
        person_id=case.person_id,
        detail={"text": text} if text else None,
    )


def _answer(
    by: Viewer, case: Case, action_id: str, text: str, grant: bool | None
) -> Sequence[WriteAction]:
    message = [_message(case, action_id, by.user_id, text, is_staff=True)] if text else []
    if grant is None:
        told = notice(case.person_id, action_id)
        return [*message, told, change_case(case, [], by=by.user_id)]
    return [*message, *_ended(by, case, action_id, grant), *_after(by, case, action_id, grant)]


def _ended(by: Viewer, case: Case, action_id: str, grant: bool) -> list[WriteAction]:
    strike = keys.strike(case.person_id, action_id)
    is_waiting = Strike.appeal == Appeal.OPEN
    if not grant:
        refused = [Strike.appeal.set(Appeal.REFUSED)]
        return [
            Change(Strike, strike, refused, is_waiting, AlreadyAnswered),
            notice(case.person_id, action_id),
        ]
    key = keys.case_action(case.kind, case.subject_id, action_id)
    action = reading.get(CaseAction, key, consistent=True)
    granted = [Strike.appeal.set(Appeal.GRANTED), Strike.undone_at.set(now_iso())]
    return [
        Change(Strike, strike, granted, is_waiting, AlreadyAnswered)
        if isinstance(write, Change) and write.key == strike
        else write
        for write in undone(by, case, action)
    ]


def _after(by: Viewer, case: Case, action_id: str, grant: bool) -> list[WriteAction]:
    if not is_open(case):
        raise NotFound("the case is closed")
    if not case.reports:
        decision = Appeal.GRANTED if grant else Appeal.REFUSED
        return close_case(case, decision=decision, action_id=action_id, by=by.user_id)
    severity = urgency(int(case.severity), int(case.reports))
    back = [
        Case.queue.set(Queue.REPORTS),
        Case.appealed.remove(),
        *put_in_queue(case, keys.queue(Queue.REPORTS), severity, case.opened_at),
    ]
    return [change_case(case, back, by=by.user_id)]


def _message(case: Case, action_id: str, writer_id: str, text: str, *, is_staff: bool) -> Create:
    message_id = ids.new_id()
    key = keys.case_message(case.kind, case.subject_id, message_id)
    return Create(
        CaseMessage(
            *key,
            message_id=message_id,
            action_id=action_id,
            writer_id=writer_id,
            is_staff=is_staff,
            text=text,
        )
    )
