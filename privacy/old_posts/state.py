"""The standing wish about old posts, and how far the worker has got in deleting."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from accounts.viewer import Viewer
from privacy.models import OldPostsWish
from privacy.old_posts.choice import Choice
from socialsite.clock import utc_now
from socialsite.models import JobKind
from socialsite.table import keys
from socialsite.table.errors import NotFound
from socialsite.table.meter import access_pattern
from socialsite.table.reading import fetch, get
from socialsite.table.row import row


@dataclass(frozen=True, slots=True)
class OldPosts:
    """`days` is 0 while the wish is off. `is_running` says that posts are being deleted, by the wish or at once."""

    days: int
    choice: Choice
    next_run: datetime | None
    ran_at: datetime | None
    deleted: int
    is_running: bool

    @property
    def is_starting(self) -> bool:
        """Whether the wish waits for the worker, which looks every few seconds."""
        return self.next_run is not None and self.next_run <= utc_now()

    @property
    def is_busy(self) -> bool:
        return self.is_running or self.is_starting


@access_pattern
def get_old_posts(viewer: Viewer) -> OldPosts:
    """Returns what the viewer wants done with their old posts, and what came of it. A consistent BatchGetItem of
    OldPostsWish and the Job, 2 read units."""
    wish_key = keys.old_posts_wish(viewer.user_id)
    job_key = keys.job(JobKind.DELETE_POSTS, viewer.user_id)
    found = fetch([wish_key, job_key], consistent=True)
    wish = row(OldPostsWish, found.get(wish_key, {}))
    return OldPosts(
        days=int(wish.days or 0),
        choice=Choice.of(wish.chosen or ()),
        next_run=_moment(wish.next_run),
        ran_at=_moment(wish.ran_at),
        deleted=int(wish.deleted),
        is_running=job_key in found,
    )


def find_wish(user_id: str) -> OldPostsWish | None:
    """Returns the item for services and the worker. A consistent GetItem, 1 read unit."""
    with suppress(NotFound):
        return get(OldPostsWish, keys.old_posts_wish(user_id), consistent=True)
    return None


def _moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
