"""What staff do with a case besides deciding it: reviewing and assigning it, notes, looking at what was not for
everyone (entered in the audit log before anything is shown), and appeals against what was decided.

Others see who reviews a case, and cannot decide it in the meantime. A review lapses after a while. When a moderator
may no longer open the cases on their desk, these go back into their queues. An appeal is a conversation on the case,
which waits in the queue until it is answered.
"""

from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from accounts.models import UserInfo
from accounts.people.viewer import Viewer
from accounts.permissions import JUNIOR, is_junior, permissions_of_role
from moderation.cases.changes import change_case, join_case, lay_on_desk
from moderation.cases.effects import AlreadyUndone, notice, undone
from moderation.cases.limits import must_answer_appeals
from moderation.cases.reads import (
    CLAIM_MINUTES,
    THE_SITE,
    CaseId,
    CaseMoved,
    OwnCase,
    SeenCase,
    id_of,
    is_free_for,
    is_open,
    kinds_open_to,
    languages_of_report,
    must_outrank,
    permission_for,
    read_case,
    read_case_and_role,
    waiting_in,
)
from moderation.cases.rounds import is_left_to_others, others_answer, settle_appeal
from moderation.log.writes import record, record_made
from moderation.models import (
    WITHOUT_APPEAL,
    Appeal,
    Case,
    CaseAction,
    CaseKind,
    CaseMessage,
    CaseNote,
    Queue,
    Strike,
)
from socialsite.clock import utc_now, utc_now_iso
from socialsite.due.work import plan
from socialsite.site_settings.site_setup import SERIOUS
from socialsite.table import (
    AlreadyExists,
    Change,
    Check,
    Conflict,
    Create,
    Key,
    NotFound,
    TableError,
    WriteAction,
    access_pattern,
    as_model,
    change,
    escalated_index_name,
    fetch,
    get,
    ids,
    key_of,
    keys,
    query_index,
    reading,
    row,
    transact,
    write_optimistically,
)
from socialsite.web.limits import LOOKS_AT_PICTURES, hit


class Claimed(Conflict):
    """Another moderator is reviewing the case."""


class LeftToOthers(Conflict):
    """The moderator made the decision that is appealed, and others may answer."""


class CannotHave(CaseMoved):
    """The moderator's role does not open such cases, or changes at this moment."""


@access_pattern
def claim_case(*, by: Viewer, case_id: CaseId) -> None:
    """Starts the moderator's review of an open case, or extends it. Raises `Claimed`, `LeftToOthers`, `NotFound`.

    One UpdateItem on the condition that nobody else reviews it and that no appeal waits, 2 write units (the index holds
    a copy). If that fails a GetItem, what `is_left_to_others` costs, and once more the UpdateItem.
    """
    until = (utc_now() + timedelta(minutes=CLAIM_MINUTES)).isoformat()
    actions = [Case.claimed_by.set(by.user_id), Case.claimed_until.set(until)]
    free = Case.escalated_to.exists() & is_free_for(by.user_id)
    if is_junior(by):
        free &= Case.raised.does_not_exist()
    no_appeal = free & Case.appealed.does_not_exist()
    try:
        change(Case, case_id.key, actions, condition=no_appeal, otherwise=Claimed)
    except Claimed:
        case = read_case(case_id)
        if not is_open(case):
            raise NotFound("the case is closed") from None
        if not case.appealed:
            raise
        if is_left_to_others(by, case):
            raise LeftToOthers from None
        as_read = free & (Case.appealed == case.appealed)
        change(Case, case_id.key, actions, condition=as_read, otherwise=Claimed)


@access_pattern
def leave_case(*, by: Viewer, case_id: CaseId) -> None:
    """Ends the viewer's review of the case. Safe to repeat. One UpdateItem, 2 write units."""
    actions = [Case.claimed_by.remove(), Case.claimed_until.remove()]
    with suppress(NotFound):
        change(Case, case_id.key, actions, condition=Case.claimed_by == by.user_id)


@access_pattern
def assign_case(*, by: Viewer, case_id: CaseId, moderator_id: str) -> None:
    """Assigns an open case to a moderator whose role opens it, or returns it to its queue if none is given. Raises
    `CaseMoved`, `CannotHave`, `NotFound`.

    One consistent GetItem, then a transaction with the audit log, 8 write units. To assign it, a consistent GetItem of
    the moderator, that of a role of the site's own, and 2 write units more, so that the role is what was read. In all 8
    or 10 write units and 2 or 3 read units.
    """
    case = read_case(case_id)
    if not is_open(case):
        raise NotFound("the case is closed")
    actions = lay_on_desk(moderator_id, otherwise=waiting_in(case, case.queue))
    moved: Change = change_case(case, actions, by=by.user_id)
    record(
        *([may_have(moderator_id, case)] if moderator_id else []),
        moved,
        by=by.user_id,
        action="assign" if moderator_id else "put back",
        case=str(case_id),
        person_id=case.person_id,
        detail={"to": moderator_id} if moderator_id else None,
    )


def may_have(moderator_id: str, case: Case) -> Check:
    """Returns the check that the moderator still has the role which opens the case; that of a junior opens none about
    which a senior was asked. Raises `CannotHave`."""
    key = keys.user_info(moderator_id)
    role = reading.get(UserInfo, key, consistent=True).role
    if not role or permission_for(CaseKind(case.kind)) not in permissions_of_role(role):
        raise CannotHave
    if (role == JUNIOR and case.raised) or moderator_id == case.person_id:
        raise CannotHave
    return Check(key, UserInfo.role == role, CannotHave)


MOST_AT_ONCE = 50


@dataclass(frozen=True, slots=True)
class Result:
    done: int
    moved: int


@access_pattern
def take_cases(*, by: Viewer, cases: Iterable[SeenCase]) -> Result:
    """Assigns at most 50 cases to the moderator, each only if it is still open. Costs as `assign_case` for each."""
    wanted = list(cases)[:MOST_AT_ONCE]
    done = 0
    for seen in wanted:
        with suppress(Conflict, NotFound):
            assign_case(by=by, case_id=seen.case_id, moderator_id=by.user_id)
            done += 1
    return Result(done, len(wanted) - done)


AT_ONCE = 25


@access_pattern
def clear_desk_by_role(moderator_id: str) -> int:
    """Puts back what someone's role does not open, all of it without a role. Returns how many cases. Safe to repeat.
    One consistent GetItem, 1 read unit, that of a role of the site's own, and what `clear_desk` costs."""
    role = ""
    with suppress(NotFound):
        info = get(UserInfo, keys.user_info(moderator_id), consistent=True)
        role = info.role or ""
    kinds = kinds_open_to(permissions_of_role(role))
    return clear_desk(moderator_id, keeping=kinds, keeps_raised=role != JUNIOR)


@access_pattern
def clear_desk(
    moderator_id: str, *, keeping: Collection[CaseKind] = (), keeps_raised: bool = True
) -> int:
    """Puts the open cases of a desk, but those of the kinds `keeping`, back into their queues, and without
    `keeps_raised` also those about which a senior was asked. Returns how many. Safe
    to repeat. A Query of `escalatedIndex` for every 25 cases, 0.5 read units per 4 KB, and what `put_back_from_desk`
    costs for each. In all 6 write units and 2 read units for each case."""
    low, high = keys.queue_bounds()
    done = 0
    while found := query_index(
        escalated_index_name,
        keys.desk(moderator_id),
        between=(low, high),
        forward=True,
        limit=AT_ONCE,
    ):
        for raw in found:
            case = row(Case, raw)
            if CaseKind(case.kind) not in keeping or (case.raised and not keeps_raised):
                done += put_back_from_desk(key_of(raw), moderator_id)
        low = row(Case, found[-1]).escalated_at + " "
    return done


@access_pattern
def put_back_from_desk(key: Key, moderator_id: str) -> bool:
    """Puts an open case from a desk back into its queue, in the name of the site. Returns whether it was there: the
    index may lag. Safe to repeat. One consistent BatchGetItem and a GetItem of the log's head, 2 read units, and one
    TransactWriteItems with the audit log, 6 write units."""

    def attempt() -> bool:
        case = as_model(Case, fetch([key], consistent=True)[key])
        if case.assigned_to != moderator_id:
            return False
        waiting = lay_on_desk("", otherwise=waiting_in(case, case.queue))
        record(
            change_case(case, waiting),
            by=THE_SITE,
            action="put back",
            case=str(id_of(case)),
            person_id=case.person_id,
        )
        return True

    return write_optimistically(attempt, moved=CaseMoved)


@access_pattern
def add_note(*, by: Viewer, case_id: CaseId, text: str) -> str:
    """Leaves a note and returns its id. As `read_case_and_role`, one consistent GetItem of the log's head, then one
    TransactWriteItems, 6 write units. In all 6 write units and 3 read units. Raises `NotFound`, `Outranked`."""
    case, role = read_case_and_role(case_id)
    must_outrank(by, role)
    note_id = ids.new_id()
    key = keys.case_note(case.kind, case.subject_id, note_id)
    note = CaseNote(*key, note_id=note_id, moderator_id=by.user_id, text=text, ttl=case.ttl)
    record(Create(note), by=by.user_id, action="note", case=str(case_id), person_id=case.person_id)
    return note_id


@access_pattern
def reveal_evidence(*, by: Viewer, case_id: CaseId, posts: Sequence[str]) -> None:
    """Notes that the moderator looks at posts that were not for everyone: reported ones, and those above a reported
    reply. Each look is a new entry, and the posts are shown only this time. Raises `NotFound`.

    A consistent GetItem of the case and one of the log's head, then one TransactWriteItems, 4 write units. In all 4
    write units and 2 read units.
    """
    record(
        by=by.user_id,
        action="view private post",
        case=str(case_id),
        person_id=read_case(case_id).person_id,
        detail={"posts": list(posts)},
    )


@access_pattern
def look_at_messages(*, by: Viewer, case_id: CaseId, messages: int) -> None:
    """Notes that the moderator looks at so many private messages, which someone reported or which stand beside those.
    Each look is a new entry, and their words are shown only this time. Raises `NotFound`.

    A consistent GetItem of the case and one of the log's head, then one TransactWriteItems, 4 write units. In all 4
    write units and 2 read units.
    """
    record(
        by=by.user_id,
        action="view messages",
        case=str(case_id),
        person_id=read_case(case_id).person_id,
        detail={"messages": messages},
    )


@access_pattern
def look_at_photo(
    *, by: Viewer, case_id: CaseId, post_id: str, photo_id: str, of_message: bool = False
) -> None:
    """Notes that the moderator looks at a photo of a reported or held post or of a reported private message, otherwise
    at a picture of a profile. Each look is a new entry, and counts among those of the moderator's day. Raises
    `NotFound`.

    A consistent GetItem of the case and one of the log's head, then one TransactWriteItems, 6 write units. In all 6
    write units and 2 read units.
    """
    shown_in: dict[str, Any] = {"posts": [post_id]} if post_id else {}
    if of_message:
        shown_in["messages"] = 1
    record(
        hit(LOOKS_AT_PICTURES, by.user_id, otherwise=Conflict),
        by=by.user_id,
        action="view photo",
        case=str(case_id),
        person_id=read_case(case_id).person_id,
        detail=shown_in | {"photo": photo_id},
    )


TELL_OF_APPEAL = "tell-of-appeal"  # the kind of the due item


class OwnDecision(TableError):
    """The moderator who decided does not answer the appeal while another one may."""


class AlreadyAnswered(AlreadyExists):
    """No appeal is possible: it was answered, or the action was undone or cannot be appealed."""


@access_pattern
def appeal(*, person_id: str, action_id: str, text: str, language: str = "") -> None:
    """Appeals against an action, or adds to an open appeal. `person_id` is the signed-in person, who may be locked out,
    and `language` the one in which they read the site.

    Two consistent GetItems, then one TransactWriteItems of strike, message and case, 7 write units. In all 9 write
    units and 2 read units. A new appeal plans that members of staff are told of it, 2 more. Raises `NotFound`,
    `AlreadyAnswered`.
    """

    def attempt() -> None:
        strike = reading.get(Strike, keys.strike(person_id, action_id), consistent=True)
        is_decided = strike.undone_at or strike.appeal not in (None, Appeal.OPEN)
        if is_decided or strike.kind in WITHOUT_APPEAL:
            raise AlreadyAnswered
        case_id = CaseId(CaseKind(strike.case_kind), strike.subject_id)
        case = read_case(case_id)
        asked = [Strike.appeal.set(Appeal.OPEN)]
        if strike.appeal is None:
            asked.append(Strike.appealed_at.set(utc_now_iso()))
        as_read = (
            Strike.appeal == Appeal.OPEN if strike.appeal else Strike.appeal.does_not_exist()
        ) & Strike.undone_at.does_not_exist()
        transact(
            Change(Strike, keys.strike(person_id, action_id), asked, as_read, CaseMoved),
            _message(case, action_id, person_id, text, is_staff=False),
            _waiting(case, action_id, language, is_new=strike.appeal is None),
            *([_told(case, action_id)] if strike.appeal is None else []),
        )

    write_optimistically(attempt, moved=CaseMoved)


@access_pattern
def answer_appeal(
    *, by: Viewer, case_id: CaseId, action_id: str, text: str, version: int, grant: bool | None
) -> None:
    """Answers an appeal: grants it, which undoes the action, rejects it, or (None) asks a question and leaves it open.

    The case then waits for the answer to another appeal, goes back to its remaining reports, or closes. As
    `read_case_and_role`, three consistent GetItems and a Query of the person's strikes, for the moderator who decided
    as `list_staff`, then one TransactWriteItems with the audit log. In all 11 write units to ask back, 17 to refuse, 23
    to grant that a suspension ends, and 5 to 9 read units. Raises `NotFound`, `AlreadyAnswered`, `CaseMoved`,
    `OwnCase`, `Outranked`, `OwnDecision`, `BeyondLimits`.
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
    must_answer_appeals(by, case, action.kind)
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
    refused = [Strike.appeal.set(Appeal.REFUSED), Strike.answered_at.set(utc_now_iso())]
    return [
        Change(Strike, strike, refused, Strike.appeal == Appeal.OPEN, AlreadyAnswered),
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
