"""Which posts are newer than an open page of the home timeline: what its pill counts, and what pressing it shows."""

from dataclasses import dataclass
from typing import Self
from urllib.parse import urlencode

from accounts.viewer import Viewer
from feed.access_patterns import timeline_page, timeline_posts
from feed.cards import PostCard
from feed.pointers import Pointer, pointer_of
from feed.pulled.news import get_news
from socialsite.table import keys
from socialsite.table.cursors import Place, write_cursor
from socialsite.table.meter import access_pattern
from socialsite.table.paging import PAGE_SIZE, Page
from socialsite.table.reading import RawItem


@dataclass(frozen=True, slots=True)
class Pill:
    """The number of new posts above a page. It counts from the cursor `since`; up to the cursor `counted` it has."""

    since: str
    counted: str = ""
    count: int = 0
    is_full: bool = False  # there are more than it counts
    follows_pulled: bool = False  # the timeline is merged from more than its own entries

    @classmethod
    def above(cls, viewer: Viewer, top: str | None) -> Self:
        """Returns the empty pill of a page, from the place of the page's first entry."""
        place = Place("previous", top or keys.pointer("", ""))
        since = write_cursor(keys.timeline(viewer.user_id), place)
        return cls(since, follows_pulled=bool(viewer.pulled))

    @property
    def count_text(self) -> str:
        return f"{self.count}+" if self.is_full else str(self.count)

    @property
    def show_url(self) -> str:
        return f"/new?{urlencode({'since': self.since, 'show': 1})}"

    @property
    def asked(self) -> str:
        """Returns the part of an address that asks for what is newer still; empty if more would change nothing."""
        if self.is_full:
            return ""
        pulled = {"pulled": 1} if self.follows_pulled else {}
        counted = {"counted": self.counted} if self.counted else {}
        return urlencode({"since": self.since, **counted, **pulled})


@access_pattern
def has_newer(viewer: Viewer, pill: Pill) -> bool:
    """Whether entries of others came that the pill has not counted, whether the viewer may see them or not.

    One Query, 0.5 read units; more if many own posts lie in between. Before it what `get_news` reads. Raises
    `BadCursor`.
    """
    news = get_news(viewer)
    cursor: str | None = pill.counted or pill.since
    while cursor:
        page = timeline_page(viewer, cursor, news)
        if _of_others(page, viewer):
            return True
        cursor = page.previous_cursor
    return False


def count_newer(viewer: Viewer, pill: Pill) -> Pill:
    """Returns the pill with the number of new posts that the viewer may see, as `list_newer` reads them."""
    page = list_newer(viewer, since=pill.since)
    counted = Pill.above(viewer, page.top).since if page.top else pill.since
    return Pill(
        pill.since, counted, len(page.items), bool(page.previous_cursor), bool(viewer.pulled)
    )


@access_pattern
def list_newer(viewer: Viewer, *, since: str, size: int = PAGE_SIZE) -> Page[PostCard]:
    """Returns at most `size` posts of others in the timeline that are newer than a cursor.

    What `get_news` reads, and one Query, 0.5 read units, if there are none, otherwise also one BatchGetItem. More only
    if many own posts lie in between. `top` is the place up to which it looked. Raises `BadCursor`.
    """
    others: list[Pointer] = []
    top = None
    news = get_news(viewer)
    cursor: str | None = since
    while cursor and len(others) < size:
        page = timeline_page(viewer, cursor, news, size)
        others = _of_others(page, viewer) + others
        top, cursor = page.top or top, page.previous_cursor
    posts = timeline_posts(others, viewer) if others else []
    return Page(posts, None, cursor, top)


def _of_others(page: Page[RawItem], viewer: Viewer) -> list[Pointer]:
    pointers = map(pointer_of, page.items)
    return [pointer for pointer in pointers if pointer.author_id != viewer.user_id]
