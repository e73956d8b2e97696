"""The effects of each action on a person and their posts, and their undoing, as writes for the transaction.

Items are read first, and each write needs the item as it was read. If it changed meanwhile, the service tries again.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from pynamodb.expressions.condition import Condition
from pynamodb.expressions.update import Action

from accounts.models import UserInfo
from accounts.restrictions import FOR_EVER, UNTIL, Restriction
from feed.models import Post, Withheld
from feed.post_count import PostCount, has_audience
from feed.threads.copies import change_copy
from moderation.cases.cases import CaseMoved
from moderation.models import ActionKind
from socialsite.table import keys
from socialsite.table.actions import Change, WriteAction
from socialsite.table.reading import RawItem, fetch, key_of
from socialsite.table.row import row

RESTRICTIONS = {
    ActionKind.LIMIT: Restriction.LIMITED,
    ActionKind.FREEZE: Restriction.FROZEN,
    ActionKind.SUSPEND: Restriction.SUSPENDED,
    ActionKind.DECLINE: Restriction.SUSPENDED,
}
ON_POSTS = {ActionKind.SENSITIVE, ActionKind.HIDE, ActionKind.RELEASE, ActionKind.REFUSE}
SHOWN, HELD, HIDDEN = "", Withheld.HELD, Withheld.HIDDEN
IS = {
    SHOWN: Post.withheld.does_not_exist(),
    HELD: Post.withheld == HELD,
    HIDDEN: Post.withheld == HIDDEN,
}


@dataclass(frozen=True, slots=True)
class Target:
    """The person that an action is about, with the chosen posts."""

    person_id: str
    posts: tuple[str, ...] = ()


def effects_of(kind: ActionKind, target: Target, until: str = "") -> list[WriteAction]:
    """Returns what the action writes. Skips posts that are gone or already in that state.

    One consistent BatchGetItem where it is about posts.
    """
    person = keys.user_info(target.person_id)
    match kind:
        case ActionKind.SENSITIVE:
            posts = [raw for raw in _posts(target) if "sensitive" not in raw]
            return [write for raw in posts for write in _post(raw, Post.sensitive.set("yes"))]
        case ActionKind.HIDE | ActionKind.REFUSE:
            return _turned(target, {SHOWN, HELD}, HIDDEN)
        case ActionKind.RELEASE:
            return _turned(target, {HELD}, SHOWN)
        case ActionKind.LIMIT | ActionKind.FREEZE | ActionKind.SUSPEND:
            return [Change(UserInfo, person, [UNTIL[RESTRICTIONS[kind]].set(until or FOR_EVER)])]
        case ActionKind.APPROVE:
            return [Change(UserInfo, person, [UserInfo.waiting.remove()])]
        case ActionKind.DECLINE:
            ended = [UserInfo.suspended_until.set(FOR_EVER), UserInfo.waiting.remove()]
            return [Change(UserInfo, person, ended)]
    return []


def effects_of_undoing(
    kind: ActionKind, target: Target, *, until: str = "", waits: bool = False
) -> list[WriteAction]:
    """Returns what undoing the action writes. `until` is the end of an earlier restriction, which is in force again.
    `waits` says that a held post or a sign-up waits for another decision.

    One consistent BatchGetItem where it is about posts.
    """
    person = keys.user_info(target.person_id)
    match kind:
        case ActionKind.SENSITIVE:
            posts = [raw for raw in _posts(target) if "sensitive" in raw]
            return [write for raw in posts for write in _post(raw, Post.sensitive.remove())]
        case ActionKind.HIDE | ActionKind.REFUSE:
            return _turned(target, {HIDDEN}, HELD if waits else SHOWN)
        case ActionKind.RELEASE:
            return _turned(target, {SHOWN}, HELD) if waits else []
        case ActionKind.LIMIT | ActionKind.FREEZE | ActionKind.SUSPEND | ActionKind.DECLINE:
            end = UNTIL[RESTRICTIONS[kind]]
            ended = [end.set(until) if until else end.remove()]
            return [Change(UserInfo, person, [*ended, *_waiting(waits)])]
        case ActionKind.APPROVE if waits:
            return [Change(UserInfo, person, _waiting(waits))]
    return []


def _waiting(waits: bool) -> list[Action]:
    return [UserInfo.waiting.set("yes")] if waits else []


def _turned(target: Target, before: set[str], after: str) -> list[WriteAction]:
    """Moves posts from one state (shown, held, hidden) to another. Withheld posts are not counted."""
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
