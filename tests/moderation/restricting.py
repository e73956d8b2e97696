"""What moderators decide, written straight onto people and posts, and until when."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from pynamodb.expressions.update import Action

from accounts.models import UserInfo
from accounts.people.restrictions import FOR_EVER, UNTIL, Restriction
from accounts.people.viewer import Viewer
from accounts.profile.writes import pause_account
from feed.posts.models import Post, Withheld
from feed.posts.writes import change_copy
from privacy.erasure.writes import close_account
from socialsite.table import actions, change, keys, reading, transact

TOMORROW, A_SECOND_AGO = timedelta(days=1), timedelta(seconds=-1)


def restrict(
    person: Viewer, restriction: Restriction, *, lasts: timedelta | None = TOMORROW
) -> None:
    """None lasts until a moderator changes it."""
    end = FOR_EVER if lasts is None else (datetime.now(UTC) + lasts).isoformat()
    change(UserInfo, keys.user_info(person.user_id), [UNTIL[restriction].set(end)])


def let_wait(person: Viewer) -> None:
    """As after signing up where a moderator approves."""
    change(UserInfo, keys.user_info(person.user_id), [UserInfo.waiting.set("yes")])


HIDDEN: dict[str, Callable[[Viewer], object]] = {
    "waiting": let_wait,
    "paused": lambda person: pause_account(by=person),
    "closing": lambda person: close_account(by=person),
}


def withhold(author: Viewer, post_id: str, why: Withheld = Withheld.HIDDEN) -> None:
    _mark(author, post_id, Post.withheld.set(why))


def mark_sensitive(author: Viewer, post_id: str) -> None:
    _mark(author, post_id, Post.sensitive.set("yes"))


def _mark(author: Viewer, post_id: str, action: Action) -> None:
    key = keys.post(author.user_id, post_id)
    post = reading.get(Post, key, consistent=True)
    transact(actions.Change(Post, key, [action]), *change_copy(post, [action]))
