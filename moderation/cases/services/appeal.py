"""Appealing against an action: a conversation on the case, which waits in the queue until it is answered."""

from collections.abc import Sequence

from accounts.viewer import Viewer
from moderation.audit.record import record_made
from moderation.cases.case_permissions import must_outrank, read_case_and_role
from moderation.cases.cases import CaseId, CaseMoved, change_case, join_case, read_case
from moderation.cases.lists.languages import languages_of_report
from moderation.cases.open_appeals import others_answer, settle_appeal
from moderation.cases.services.decide import OwnCase
from moderation.cases.services.undone import AlreadyUndone, notice, undone
from moderation.models import (
    WITHOUT_APPEAL,
    Appeal,
    Case,
    CaseAction,
    CaseKind,
    CaseMessage,
    Queue,
    Strike,
)
from socialsite.clock import utc_now
from socialsite.due.planning import plan
from socialsite.site.default_rules import SERIOUS
from socialsite.table import ids, keys, reading
from socialsite.table.actions import Change, Create, WriteAction
from socialsite.table.as_read import write_as_read
from socialsite.table.errors import AlreadyExists, TableError
from socialsite.table.meter import access_pattern
from socialsite.table.writing import transact

TELL_OF_APPEAL = "tell-of-appeal"  # `stream_handlers/notify_of_appeal.py`


class OwnDecision(TableError):
    """The moderator who decided does not answer the appeal while another one may."""


class AlreadyAnswered(AlreadyExists):
    """No appeal is possible: it was answered, or the action was undone or cannot be appealed."""


@access_pattern
def appeal(*, person_id: str, action_id: str, text: str, language: str = "") -> None:
    """Appeals against an action, or adds to an open appeal. `person_id` is the signed-in person, who may be locked out,
    and `language` the one in which they read the site.

    Two consistent GetItems, then one TransactWriteItems of strike, message and case, 7 write units. A new appeal plans
    that members of staff are told of it, 2 more. Raises `NotFound`, `AlreadyAnswered`.
    """

    def attempt() -> None:
        strike = reading.get(Strike, keys.strike(person_id, action_id), consistent=True)
        is_decided = strike.undone_at or strike.appeal not in (None, Appeal.OPEN)
        if is_decided or strike.kind in WITHOUT_APPEAL:
            raise AlreadyAnswered
        case_id = CaseId(CaseKind(strike.case_kind), strike.subject_id)
        case = read_case(case_id)
        asked = [Strike.appeal.set(Appeal.OPEN)]
        as_read = (
            Strike.appeal == Appeal.OPEN if strike.appeal else Strike.appeal.does_not_exist()
        ) & Strike.undone_at.does_not_exist()
        transact(
            Change(Strike, keys.strike(person_id, action_id), asked, as_read, CaseMoved),
            _message(case, action_id, person_id, text, is_staff=False),
            _waiting(case, action_id, language, is_new=strike.appeal is None),
            *([_told(case, action_id)] if strike.appeal is None else []),
        )

    write_as_read(attempt, moved=CaseMoved)


@access_pattern
def answer_appeal(
    *, by: Viewer, case_id: CaseId, action_id: str, text: str, version: int, grant: bool | None
) -> None:
    """Answers an appeal: grants it, which undoes the action, rejects it, or (None) asks a question and leaves it open.

    The case then waits for the answer to another appeal, goes back to its remaining reports, or closes. As
    `read_case_and_role`, three consistent GetItems and a Query of the person's strikes, for the moderator who decided
    as `list_staff`, then one TransactWriteItems with the audit log. Raises `NotFound`, `AlreadyAnswered`,
    `CaseMoved`, `OwnCase`, `Outranked`, `OwnDecision`.
    """
    case, role = read_case_and_role(case_id)
    if int(case.version) != version:
        raise CaseMoved("the case changed since it was shown")
    if case.person_id == by.user_id:
        raise OwnCase
    must_outrank(by, role)
    strike = reading.get(Strike, keys.strike(case.person_id, action_id), consistent=True)
    if strike.appeal != Appeal.OPEN:
        raise AlreadyAnswered
    key = keys.case_action(case.kind, case.subject_id, action_id)
    action = reading.get(CaseAction, key, consistent=True)
    if action.moderator_id == by.user_id and others_answer(
        by, case_id, case.person_id, action.kind
    ):
        raise OwnDecision
    words = {True: "grant appeal", False: "refuse appeal", None: "answer appeal"}
    try:
        record_made(
            lambda: _answer(by, case, action, text, grant),
            by=by.user_id,
            action=words[grant],
            case=str(case_id),
            person_id=case.person_id,
            detail={"text": text} if text else None,
        )
    except AlreadyUndone as error:
        raise AlreadyAnswered from error


def _waiting(case: Case, action_id: str, language: str, *, is_new: bool) -> Change:
    """Returns the change of the case: more words to an open appeal leave it where it is."""
    if not is_new and case.appealed:
        return change_case(case, [])
    return join_case(
        case,
        queue=Queue.APPEALS,
        severity=SERIOUS,
        languages=languages_of_report(language, ""),
        appealed=action_id,
    )


def _told(case: Case, action_id: str) -> Create:
    return plan(
        TELL_OF_APPEAL,
        moment=utc_now(),
        subject=action_id,
        action=action_id,
        case_kind=case.kind,
        case_of=case.subject_id,
    )


def _answer(
    by: Viewer, case: Case, action: CaseAction, text: str, grant: bool | None
) -> Sequence[WriteAction]:
    action_id = action.action_id
    message = [_message(case, action_id, by.user_id, text, is_staff=True)] if text else []
    if grant is None:
        notified = notice(case.person_id, action_id)
        return [*message, notified, change_case(case, [], by=by.user_id)]
    if not grant:
        settled = settle_appeal(case, action_id, answer=Appeal.REFUSED, by=by.user_id)
        return [*message, *_refused(case, action_id), *settled]
    return [
        *message,
        *undone(by.user_id, case, action, answers_appeal=True),
        *settle_appeal(case, action_id, answer=Appeal.GRANTED, by=by.user_id, undone=action),
    ]


def _refused(case: Case, action_id: str) -> list[WriteAction]:
    strike = keys.strike(case.person_id, action_id)
    refused, is_waiting = [Strike.appeal.set(Appeal.REFUSED)], Strike.appeal == Appeal.OPEN
    return [
        Change(Strike, strike, refused, is_waiting, AlreadyAnswered),
        notice(case.person_id, action_id),
    ]


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
