"""The effects of each action on a person and their posts, and their undoing, as writes for the transaction.

Items are read first, and each write needs the item as it was read. If it changed meanwhile, the service tries again.
An action is undone by Undo, by a granted appeal, and by the dismissal of reports for which the site acted by itself.
Undo ends its effects at once, and opens a case that it closed. The state before comes back: an earlier restriction is
in force again, and a held post or a sign-up waits again.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from functools import partial

from pynamodb.expressions.condition import Condition
from pynamodb.expressions.update import Action

from accounts.models import UserInfo, UserSettings
from accounts.people.restrictions import FOR_EVER, UNTIL, Restriction
from accounts.people.viewer import Viewer
from feed.posts.models import Post, Withheld
from feed.posts.writes import PostCount, change_copy, has_audience
from moderation.cases.changes import Step, after, as_grave_as, change_case, put_in_queue, state_of
from moderation.cases.evidence import put_back
from moderation.cases.limits import must_answer_appeals, must_be_within
from moderation.cases.packs import shown_again, withdrawn
from moderation.cases.reads import (
    FIRST_QUEUES,
    CaseId,
    CaseMoved,
    OwnCase,
    id_of,
    is_open,
    must_outrank,
    read_case_and_role,
)
from moderation.cases.removing import removal_undone, without_suspension
from moderation.cases.rounds import (
    acted_without,
    open_appeals,
    outcome_without,
    settle_appeal,
    severity_without,
)
from moderation.log.writes import record_made
from moderation.models import WITHOUT_EFFECT, ActionKind, Appeal, Case, CaseAction, CaseKind, Strike
from socialsite.clock import utc_now, utc_now_iso
from socialsite.site_settings.word_filters import DAYS_LIMITED
from socialsite.table import (
    AlreadyExists,
    Change,
    Delete,
    NotFound,
    RawItem,
    WriteAction,
    access_pattern,
    change,
    fetch,
    key_of,
    keys,
    query,
    reading,
    row,
    write_optimistically,
)

RESTRICTIONS = {
    ActionKind.NO_MESSAGES: Restriction.NO_MESSAGES,
    ActionKind.LIMIT: Restriction.LIMITED,
    ActionKind.FREEZE: Restriction.FROZEN,
    ActionKind.SUSPEND: Restriction.SUSPENDED,
    ActionKind.DECLINE: Restriction.SUSPENDED,
}
ON_POSTS = {ActionKind.SENSITIVE, ActionKind.HIDE, ActionKind.RELEASE, ActionKind.REFUSE}
HIDING = {ActionKind.HIDE, ActionKind.REFUSE, ActionKind.REMOVE}
SHOWN, HELD, HIDDEN, SECURED = "", Withheld.HELD, Withheld.HIDDEN, Withheld.SECURED
IS = {
    SHOWN: Post.withheld.does_not_exist(),
    HELD: Post.withheld == HELD,
    HIDDEN: Post.withheld == HIDDEN,
    SECURED: Post.withheld == SECURED,
}


@dataclass(frozen=True, slots=True)
class Target:
    """The person that an action is about, with the chosen posts and starter packs."""

    person_id: str
    posts: tuple[str, ...] = ()
    packs: tuple[str, ...] = ()


def effects_of(kind: ActionKind, target: Target, until: str = "") -> list[WriteAction]:
    """Returns what the action writes. Skips posts and packs that are gone or already in that state.

    One consistent BatchGetItem where it is about posts or packs.
    """
    person = keys.user_info(target.person_id)
    match kind:
        case ActionKind.SENSITIVE:
            posts = [raw for raw in _posts(target) if "sensitive" not in raw]
            return [write for raw in posts for write in _post(raw, Post.sensitive.set("yes"))]
        case ActionKind.HIDE | ActionKind.REFUSE | ActionKind.REMOVE:
            return turned(target, {SHOWN, HELD, SECURED}, HIDDEN)
        case ActionKind.RELEASE:
            return turned(target, {HELD}, SHOWN)
        case ActionKind.WITHDRAW:
            return withdrawn(target.person_id, target.packs)
        case ActionKind.APPROVE:
            return [Change(UserInfo, person, [UserInfo.waiting.remove()])]
        case ActionKind.DECLINE:
            ended = [UserInfo.suspended_until.set(FOR_EVER), UserInfo.waiting.remove()]
            return [Change(UserInfo, person, ended)]
        case _ if kind in RESTRICTIONS:
            return [Change(UserInfo, person, [UNTIL[RESTRICTIONS[kind]].set(until or FOR_EVER)])]
    return []


def effects_of_undoing(
    kind: ActionKind, target: Target, *, until: str = "", waits: bool = False
) -> list[WriteAction]:
    """Returns what undoing the action writes. `until` is the end of an earlier restriction, which is in force again.
    `waits` says that a held post or a sign-up waits for another decision.

    One consistent BatchGetItem where it is about posts or packs.
    """
    person = keys.user_info(target.person_id)
    match kind:
        case ActionKind.SENSITIVE:
            posts = [raw for raw in _posts(target) if "sensitive" in raw]
            return [write for raw in posts for write in _post(raw, Post.sensitive.remove())]
        case ActionKind.HIDE | ActionKind.REFUSE | ActionKind.REMOVE:
            return turned(target, {HIDDEN}, HELD if waits else SHOWN)
        case ActionKind.RELEASE:
            return turned(target, {SHOWN}, HELD) if waits else []
        case ActionKind.WITHDRAW:
            return shown_again(target.person_id, target.packs)
        case _ if kind in RESTRICTIONS:
            end = UNTIL[RESTRICTIONS[kind]]
            ended = [end.set(until) if until else end.remove()]
            return [Change(UserInfo, person, [*ended, *_waiting(waits)])]
        case ActionKind.APPROVE if waits:
            return [Change(UserInfo, person, _waiting(waits))]
    return []


def _waiting(waits: bool) -> list[Action]:
    return [UserInfo.waiting.set("yes")] if waits else []


def turned(target: Target, before: set[str], after: str) -> list[WriteAction]:
    """Moves posts from one state (shown, held, hidden, secured) to another. Withheld posts are not counted. One
    consistent BatchGetItem."""
    action = Post.withheld.set(after) if after else Post.withheld.remove()
    turned: list[WriteAction] = []
    count = PostCount(target.person_id)
    for raw in _posts(target):
        post = row(Post, raw)
        state = post.withheld
        if state in before:
            turned += _post(raw, action, IS[state] & has_audience(post))
            count.take(post)
            count.add(post, audience=post.audience, withheld=after)
    return [*turned, *count.writes()]


def _posts(target: Target) -> Iterable[RawItem]:
    wanted = [keys.post(target.person_id, post_id) for post_id in target.posts]
    return fetch(wanted, consistent=True).values()


def _post(raw: RawItem, action: Action, condition: Condition | None = None) -> list[WriteAction]:
    """Returns the change of a post, and of its copy in a thread."""
    change = Change(Post, key_of(raw), [action], condition, CaseMoved)
    return [change, *change_copy(row(Post, raw), [action], CaseMoved)]


WITH_NOTICE = set(ActionKind) - {*WITHOUT_EFFECT, ActionKind.RELEASE, ActionKind.APPROVE}


class AlreadyUndone(AlreadyExists):
    """Someone undid it before."""


def undone(
    by_id: str, case: Case, action: CaseAction, *, answers_appeal: bool = False
) -> list[WriteAction]:
    """Returns the writes that reverse the effects and mark action, strike and outcome as undone."""
    marks = marked_undone(by_id, case, action, answers_appeal=answers_appeal)
    return [*effects_undone(case, action), *marks, *outcome_without(case, action)]


def effects_undone(case: Case, action: CaseAction, *, waits: bool = False) -> list[WriteAction]:
    kind = ActionKind(action.kind)
    if kind == ActionKind.RESET:
        return put_back(case, action)
    others = _others_that_hide(case, action) if kind in HIDING else ()
    posts = {case.subject_id} if case.kind == CaseKind.POST else set(action.posts or ())
    posts -= {post_id for one in others for post_id in one.posts or ()}
    target = Target(case.person_id, tuple(sorted(posts)), tuple(sorted(action.packs or ())))
    before = _until_before(case, action)
    effects = effects_of_undoing(kind, target, until=before, waits=waits)
    if kind == ActionKind.REMOVE:
        effects = [*effects, *removal_undone(case, action, others)]
        return without_suspension(case.person_id, effects, before) if action.until else effects
    return effects


def _others_that_hide(case: Case, action: CaseAction) -> list[Strike]:
    """Returns the strikes of other actions that hid posts of the person and still stand. One consistent Query."""
    strikes = (row(Strike, raw) for raw in query(keys.strikes(case.person_id), consistent=True))
    return [
        one
        for one in strikes
        if one.kind in HIDING and not one.undone_at and one.action_id != action.action_id
    ]


def _until_before(case: Case, action: CaseAction) -> str:
    """Returns the end set by the newest other action of this kind that still stands, empty if there is none."""
    restriction = restriction_of(action.kind, action.until)
    if restriction is None:
        return ""
    strikes = query(keys.strikes(case.person_id), forward=False, consistent=True)
    others = (row(Strike, raw) for raw in strikes if _restricts(raw) == restriction)
    standing = (strike for strike in others if strike.action_id != action.action_id)
    return next((strike.until or FOR_EVER for strike in standing), "")


def _restricts(raw: RawItem) -> str | None:
    strike = row(Strike, raw)
    return None if strike.undone_at else restriction_of(strike.kind, strike.until)


def restriction_of(kind: str, until: str | None) -> Restriction | None:
    """Returns how an action restricts the account, None if it does not. Removing pictures suspends it where it names an
    end."""
    if kind == ActionKind.REMOVE:
        return Restriction.SUSPENDED if until else None
    return RESTRICTIONS.get(ActionKind(kind))


def marked_undone(
    by_id: str, case: Case, action: CaseAction, *, answers_appeal: bool = False
) -> list[WriteAction]:
    now = utc_now_iso()
    key = keys.case_action(case.kind, case.subject_id, action.action_id)
    marks = [CaseAction.undone_by.set(by_id), CaseAction.undone_at.set(now)]
    not_yet = CaseAction.undone_at.does_not_exist()
    actions: list[WriteAction] = [Change(CaseAction, key, marks, not_yet, AlreadyUndone)]
    if ActionKind(action.kind) not in WITH_NOTICE:
        return actions
    marked = [Strike.undone_at.set(now)]
    if answers_appeal:
        marked.append(Strike.appeal.set(Appeal.GRANTED))
    strike = keys.strike(case.person_id, action.action_id)
    return [*actions, Change(Strike, strike, marked), notice(case.person_id, action.action_id)]


def notice(person_id: str, action_id: str) -> Change:
    """Returns the action that shows the person a notice."""
    unread = [UserSettings.notice.set(action_id)]
    return Change(UserSettings, keys.user_settings(person_id), unread, otherwise=NotFound)


@access_pattern
def undo_action(*, by: Viewer, case_id: CaseId, action_id: str) -> None:
    """Undoes an action and tells the person. Safe to repeat. An appeal against the action is granted with it.

    As `read_case_and_role`, two consistent GetItems, for posts one BatchGetItem, for restrictions, hidden posts and
    appeals one Query of the person's strikes, for an outcome that names the action what `outcome_without` says, then
    one TransactWriteItems of the effects, action, strike, notice, case and audit log: 19 write units for a suspension,
    21 for a hidden post, 2 more for the outcome and 2 for the case among the closed ones. Of an action that left the
    case open and named a rule one more Query. In all 13 to 25 write units and 4 to 8 read units. Raises `NotFound`,
    `CaseMoved`, `OwnCase`, `Outranked`, `BeyondLimits`.
    """

    def attempt() -> None:
        case, role = read_case_and_role(case_id)
        if case.person_id == by.user_id:
            raise OwnCase
        key = keys.case_action(case.kind, case.subject_id, action_id)
        action = reading.get(CaseAction, key, consistent=True)
        if action.undone_at:
            return
        if action.kind not in WITHOUT_EFFECT:
            must_outrank(by, role)
            must_be_within(by, case, action.kind, str(action.until or ""))
        record_made(
            partial(_actions, by, case, action),
            by=by.user_id,
            action=f"undo {action.kind}",
            case=str(case_id),
            person_id=case.person_id,
        )

    with suppress(AlreadyUndone):
        write_optimistically(attempt, moved=CaseMoved)


def _actions(by: Viewer, case: Case, action: CaseAction) -> Sequence[WriteAction]:
    if action.action_id in open_appeals(case):
        must_answer_appeals(by, case, action.kind)
        ended = undone(by.user_id, case, action, answers_appeal=True)
        granted = Appeal.GRANTED
        return [
            *ended,
            *settle_appeal(case, action.action_id, answer=granted, by=by.user_id, undone=action),
        ]
    closed_it = not is_open(case) and case.decision == action.action_id
    if after(case, Step.UNDO_CLOSING if closed_it else Step.UNDO_EARLIER) is state_of(case):
        changed = [*acted_without(case, action), *_as_grave_without(case, action)]
        return [*undone(by.user_id, case, action), change_case(case, changed)]
    effects = effects_undone(case, action, waits=case.kind != CaseKind.PERSON)
    is_gone = case.kind == CaseKind.POST and not effects
    return [
        *effects,
        *marked_undone(by.user_id, case, action),
        *(_stays_closed(case, action) if is_gone else _reopened(case, action)),
    ]


def _as_grave_without(case: Case, action: CaseAction) -> list[Action]:
    """Returns the change of an open case that is as grave as the action said: it is again what the last other one says,
    otherwise what its reports do. As `severity_without`, if the action named a rule."""
    if not is_open(case) or not action.rule_id or action.round != case.round:
        return []
    return as_grave_as(case, severity_without(case, action.action_id))


def _stays_closed(case: Case, action: CaseAction) -> list[WriteAction]:
    return [change_case(case, []), *outcome_without(case, action)]


def _reopened(case: Case, action: CaseAction) -> list[WriteAction]:
    severity, reports = int(case.severity), int(case.reports)
    queue = FIRST_QUEUES[CaseKind(case.kind)]
    actions = [
        *put_in_queue(case, keys.queue(queue), severity, reports, case.opened_at),
        Case.queue.set(queue),
        Case.closed_at.remove(),
        Case.decision.remove(),
        *acted_without(case, action),
    ]
    case_id = id_of(case)
    closed_at = str(case.closed_at)
    # After an appeal that was refused the action closed a later round than its own, whose outcome names it too.
    of_earlier_round = int(action.round or 0) != int(case.round)
    return [
        change_case(case, actions),
        *(outcome_without(case, action) if of_earlier_round else ()),
        Delete(
            keys.case_outcome(case_id.kind, case_id.subject_id, int(case.round)),
            otherwise=CaseMoved,
        ),
        Delete(
            keys.closed_case(closed_at[:7], closed_at, case_id.kind, case_id.subject_id),
            otherwise=CaseMoved,
        ),
    ]


@access_pattern
def end_old_limit(raw: RawItem) -> None:
    """Lets the limit on an account end after the days of today's default, if it has no end and no strike that names it:
    nobody could appeal against it or undo it. Safe to repeat. For such an account one consistent Query of its strikes,
    then UpdateItem, 1 write unit."""
    info = row(UserInfo, raw)
    if info.limited_until != FOR_EVER:
        return
    strikes = query(keys.strikes(info.user_id), consistent=True)
    if any(_limits(strike) for strike in strikes):
        return
    end = (utc_now() + timedelta(days=DAYS_LIMITED)).isoformat(timespec="seconds")
    still = UserInfo.limited_until == FOR_EVER
    with suppress(NotFound):  # another moderator limited or freed them meanwhile
        ended = [UserInfo.limited_until.set(end)]
        change(UserInfo, keys.user_info(info.user_id), ended, condition=still)


def _limits(raw: RawItem) -> bool:
    strike = row(Strike, raw)
    limit = RESTRICTIONS[ActionKind.LIMIT]
    return not strike.undone_at and RESTRICTIONS.get(ActionKind(strike.kind)) == limit
