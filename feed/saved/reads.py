"""Reads of saved posts, and finding them by their words: in the post, in its author's name, or in the note. Only the
person themselves asks; what they may see of each post is decided live.

`UserSettings.folders` holds the folders' names by id, as it does for circles, so they come with the viewer and cost no
call. A saved post holds the folder's id. So a new name touches no saved post, and neither does deleting a folder,
however many posts are in it: an id without a name is no folder, and its posts are saved without one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple

from django.utils import timezone
from django.utils.translation import get_language

from accounts.people.viewer import Viewer
from feed.cards.muting import OF_ONES_OWN
from feed.cards.post_card import PostCard
from feed.cards.reads import get_posts
from feed.posts.reads import Pointer
from feed.saved.models import SavedPost
from feed.searching import Found, Searched, fit, look_through, mark_in, texts_of, words_of
from socialsite.table import Page, RawItem, Source, access_pattern, fetch, keys, query_merged, row
from socialsite.texts import isolated
from socialsite.web.preferences import short_date

MOST_FOLDERS = 20
LONGEST_FOLDER = 30  # characters


class Folder(NamedTuple):
    folder_id: str
    name: str


def folders_of(viewer: Viewer) -> tuple[Folder, ...]:
    """Returns the viewer's folders in the order of their names."""
    folders = (Folder(folder_id, isolated(name)) for folder_id, name in viewer.folder_names)
    return tuple(sorted(folders, key=lambda folder: (folder.name.casefold(), folder.folder_id)))


def folder_of(viewer: Viewer, folder_id: str) -> Folder | None:
    """Returns one of the viewer's folders, None if they have none with this id."""
    return next((one for one in folders_of(viewer) if one.folder_id == folder_id), None)


def find_folder(names: dict[str, str], name: str) -> str:
    """Returns the id of the folder with this name, whatever its case; empty if there is none."""
    folded = name.casefold()
    return next((one for one, other in names.items() if other.casefold() == folded), "")


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
    posts as in any list: one BatchGetItem of at most 5 keys a post. In all 1 + 50 read units. Raises `BadCursor`.
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
    cards = get_posts(pointers, viewer=viewer, quiet=OF_ONES_OWN) if pointers else []
    posts = {card.post_id: card for card in cards}
    return [replace(one, post=posts.get(one.post_id)) for one in saved]


LOOKED_AT = 200  # saved posts for one page: each takes the reading of its post and author


@access_pattern
def search_saved_posts(
    viewer: Viewer, text: str, *, folder_id: str = "", cursor: str | None = None
) -> Found[Saved]:
    """Returns saved posts that have all words of a text, newest post first. Looks at 200 saved posts, so a page may be
    short or empty and still go on.

    One Query of the shelf, 0.5 read units per 4 KB. For each 50 looked at one BatchGetItem of posts and authors, at
    most 50 read units, and one of at most 5 keys a post for each 20 that fit. In all at most 200 read units to look,
    and 2.5 for each post that fits. It ends with the 20th that is shown. What the viewer may no longer see is found by
    its note alone, so that a search tells nothing of it. Raises `BadCursor`.
    """
    words = words_of(text)

    def show(raws: Sequence[RawItem]) -> list[Saved]:
        found = show_saved(raws, viewer)
        return [_marked(one, words) for one in found if one.post or fit(words, [one.note])]

    saved = Searched(
        keys.shelf(viewer.user_id),
        scope_of(viewer, folder_id),
        LOOKED_AT,
        _say,
        show,
        keys.saved_bounds(folder_id),
    )
    return look_through(saved, words, cursor=cursor)


def _say(raws: Sequence[RawItem]) -> Iterator[tuple[RawItem, list[str]]]:
    for raw, texts in texts_of(raws):
        yield raw, [row(SavedPost, raw).note or "", *texts]


def _marked(one: Saved, words: Sequence[str]) -> Saved:
    return replace(one, post=mark_in(one.post, words)) if one.post else one
