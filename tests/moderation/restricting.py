"""What moderators decide, written straight onto people and posts, and until when."""

from datetime import UTC, datetime, timedelta

from accounts.models import UserInfo
from accounts.restrictions import FOR_EVER, UNTIL, Restriction
from accounts.viewer import Viewer
from feed.models import Post, Withheld
from socialsite.table import keys
from socialsite.table.writing import change

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


def withhold(author: Viewer, post_id: str, why: Withheld = Withheld.HIDDEN) -> None:
    change(Post, keys.post(author.user_id, post_id), [Post.withheld.set(why)])


def mark_sensitive(author: Viewer, post_id: str) -> None:
    change(Post, keys.post(author.user_id, post_id), [Post.sensitive.set("yes")])
