"""What each action does to a person and their posts, and how it is undone: the writes that go into the transaction.

What is there is read before, and each write is held to what was read: what changed meanwhile makes the service try
again.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from pynamodb.expressions.condition import Condition
from pynamodb.expressions.update import Action

from accounts.models import UserCount, UserInfo
from accounts.standing import FOR_EVER, UNTIL, Restriction
from feed.models import Post, Withheld
from moderation.cases import CaseMoved
from moderation.models import ActionKind
from socialsite.table import keys, reading
from socialsite.table.actions import Change, WriteAction
from socialsite.table.keys import Key
from socialsite.table.reading import RawItem, fetch

RESTRICTIONS = {
    ActionKind.LIMIT: Restriction.LIMITED,
    ActionKind.FREEZE: Restriction.FROZEN,
    ActionKind.SUSPEND: Restriction.SUSPENDED,
    ActionKind.DECLINE: Restriction.SUSPENDED,
}
ON_POSTS = {ActionKind.SENSITIVE, ActionKind.HIDE, ActionKind.RELEASE, ActionKind.REFUSE}
IS_SHOWN = Post.withheld.does_not_exist()
IS_HELD = Post.withheld == Withheld.HELD
IS_HIDDEN = Post.withheld == Withheld.HIDDEN


@dataclass(frozen=True, slots=True)
class Target:
    """Whom an action is about, with which of their posts."""

    person_id: str
    posts: tuple[str, ...] = ()


def effects_of(kind: ActionKind, target: Target, until: str = "") -> list[WriteAction]:
    """What the action writes. Posts that are gone, or are so already, are passed over.

    One consistent BatchGetItem where it is about posts.
    """
    person = keys.user_info(target.person_id)
    match kind:
        case ActionKind.SENSITIVE:
            posts = [key for key, raw in _posts(target) if "sensitive" not in raw]
            return [_post(key, Post.sensitive.set("yes")) for key in posts]
        case ActionKind.HIDE:
            hidden = Post.withheld.set(Withheld.HIDDEN)
            states = {key: _withheld(raw) for key, raw in _posts(target)}
            shown = [key for key, state in states.items() if not state]
            held = [key for key, state in states.items() if state == Withheld.HELD]
            return [
                *(_post(key, hidden, IS_SHOWN) for key in shown),
                *(_post(key, hidden, IS_HELD) for key in held),
                *_count(target, -len(shown)),
            ]
        case ActionKind.RELEASE:
            return _shown_again(target, Withheld.HELD)
        case ActionKind.REFUSE:
            hidden = Post.withheld.set(Withheld.HIDDEN)
            held = [key for key, raw in _posts(target) if _withheld(raw) == Withheld.HELD]
            return [_post(key, hidden, IS_HELD) for key in held]
        case ActionKind.LIMIT | ActionKind.FREEZE | ActionKind.SUSPEND:
            return [Change(UserInfo, person, [UNTIL[RESTRICTIONS[kind]].set(until or FOR_EVER)])]
        case ActionKind.APPROVE:
            return [Change(UserInfo, person, [UserInfo.waiting.remove()])]
        case ActionKind.DECLINE:
            ended = [UserInfo.suspended_until.set(FOR_EVER), UserInfo.waiting.remove()]
            return [Change(UserInfo, person, ended)]
    return []


def effects_of_undoing(kind: ActionKind, target: Target) -> list[WriteAction]:
    """What undoing the action writes."""
    match kind:
        case ActionKind.SENSITIVE:
            posts = [key for key, raw in _posts(target) if "sensitive" in raw]
            return [_post(key, Post.sensitive.remove()) for key in posts]
        case ActionKind.HIDE | ActionKind.REFUSE:
            return _shown_again(target, Withheld.HIDDEN)
        case ActionKind.LIMIT | ActionKind.FREEZE | ActionKind.SUSPEND | ActionKind.DECLINE:
            person = keys.user_info(target.person_id)
            return [Change(UserInfo, person, [UNTIL[RESTRICTIONS[kind]].remove()])]
    return []


def _shown_again(target: Target, state: Withheld) -> list[WriteAction]:
    is_so = IS_HELD if state == Withheld.HELD else IS_HIDDEN
    posts = [key for key, raw in _posts(target) if _withheld(raw) == state]
    shown = [_post(key, Post.withheld.remove(), is_so) for key in posts]
    return [*shown, *_count(target, len(posts))]


def _posts(target: Target) -> Iterable[tuple[Key, RawItem]]:
    wanted = [keys.post(target.person_id, post_id) for post_id in target.posts]
    return fetch(wanted, consistent=True).items()


def _withheld(raw: RawItem) -> str:
    return reading.text(raw, Post.withheld)


def _post(key: Key, action: Action, condition: Condition | None = None) -> Change:
    return Change(Post, key, [action], condition, CaseMoved)


def _count(target: Target, change: int) -> list[WriteAction]:
    """Withheld posts are not counted."""
    count = keys.user_count(target.person_id)
    return [Change(UserCount, count, [UserCount.posts.add(change)])] if change else []
