"""Reads of saved posts. Only the person themselves asks; what they may see of each post is decided live."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.utils import timezone
from django.utils.translation import get_language

from accounts.viewer import Viewer
from feed.access_patterns import Pointer, get_posts
from feed.cards import PostCard
from feed.models import SavedPost
from feed.shelf.folders import Folder, folder_of
from socialsite.table import keys
from socialsite.table.meter import access_pattern
from socialsite.table.paging import Page, Source, query_merged
from socialsite.table.reading import RawItem, fetch
from socialsite.table.row import row
from socialsite.web.ago import short_date


@dataclass(frozen=True, slots=True)
class Saved:
    """A saved post as its owner sees it. `post` is None where it was not fetched, or may no longer be seen."""

    post_id: str
    author_id: str
    saved_at: str
    folder: Folder | None = None
    note: str = ""
    post: PostCard | None = None

    @classmethod
    def from_raw(cls, raw: RawItem, viewer: Viewer) -> "Saved":
        saved = row(SavedPost, raw)
        return cls(
            post_id=saved.post_id,
            author_id=saved.author_id,
            saved_at=saved.saved_at,
            folder=folder_of(viewer, saved.folder or ""),
            note=saved.note or "",
        )

    @property
    def since(self) -> str:
        """Returns the day on which it was saved, in words."""
        day = timezone.localdate(datetime.fromisoformat(self.saved_at))
        return short_date(day, get_language(), with_year=True)

    @property
    def remove_url(self) -> str:
        return f"/saved/{self.post_id}/remove"


@access_pattern
def list_saved_posts(
    viewer: Viewer, *, folder_id: str = "", cursor: str | None = None
) -> Page[Saved]:
    """Returns the viewer's saved posts, all or those of a folder, in the order of the posts, newest first.

    Query `PK = u#<id>#shelf`, `SK` beginning with `SAVED#all#` or `SAVED#<folder>#`, 0.5 read units per 4 KB, then the
    posts as in any list: one BatchGetItem of at most 5 keys a post. Raises `BadCursor`.
    """
    saved = Source(keys.shelf(viewer.user_id), between=keys.saved_bounds(folder_id))
    page = query_merged([saved], scope=scope_of(viewer, folder_id), cursor=cursor)
    return page.with_items(show_saved(page.items, viewer))


@access_pattern
def find_saved_post(post_id: str, *, viewer: Viewer, with_post: bool = False) -> Saved | None:
    """Returns where and with which note the viewer saved a post, None if they did not: BatchGetItem, 0.5 read units.

    `with_post` fetches the post too, with one more BatchGetItem.
    """
    key = keys.saved_post(viewer.user_id, post_id)
    found = list(fetch([key]).values())
    if with_post:
        return next(iter(show_saved(found, viewer)), None)
    return Saved.from_raw(found[0], viewer) if found else None


def scope_of(viewer: Viewer, folder_id: str) -> str:
    """Returns the list that a cursor is for."""
    low, _high = keys.saved_bounds(folder_id)
    return f"{keys.shelf(viewer.user_id)} {low}"


def show_saved(raws: Sequence[RawItem], viewer: Viewer) -> list[Saved]:
    """Returns raw `SavedPost`s with the posts that the viewer may still see. One BatchGetItem, as `get_posts`."""
    saved = [Saved.from_raw(raw, viewer) for raw in raws]
    pointers = [Pointer(one.post_id, one.author_id) for one in saved]
    posts = {card.post_id: card for card in get_posts(pointers, viewer=viewer)} if pointers else {}
    return [replace(one, post=posts.get(one.post_id)) for one in saved]
