"""The timeline of a list: the posts of the people in it, whether its owner follows them or not, merged when it is read
from the short list of each person's newest (`feed/timelines/big_authors.py`). The worker keeps one for everyone who is
in a list, as for widely followed authors. So a page costs the same few calls for 200 people, reaches back as far as the
newest 20 posts of each, and is never behind: who is in the list is what it says now.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import nlargest, nsmallest

from accounts.people.viewer import Viewer
from feed.cards.muting import AT_HOME
from feed.cards.post_card import PostCard
from feed.cards.reads import get_posts, keys_of_page, people_in
from feed.posts.reads import Pointer, pointer_of, sight_keys
from feed.timelines.big_authors import KEPT, NewestPosts, Noted, entry_of_noted, read_lists
from relations.lists.reads import OwnList
from relations.muted_words.reads import muted_keys
from socialsite.clock import utc_now
from socialsite.table import PAGE_SIZE, Page, access_pattern, keys, query_merged, read_cursor
from socialsite.table.reading import BATCH_GET_LIMIT


@dataclass(frozen=True, slots=True)
class ListPage:
    posts: Page[PostCard]
    is_short: bool  # someone in the list wrote more than is kept for it


@access_pattern
def get_list_timeline(viewer: Viewer, own: OwnList, *, cursor: str | None = None) -> ListPage:
    """Returns posts of the people in a list, newest first: of each the newest 20 that all followers may see.

    A BatchGetItem of each person's `RecentPosts`, at most 100 a call, so one or two, and one BatchGetItem of posts,
    authors, counts, own likes, blocks and mutes; the page ends where its keys make 100. In all 100 + 50 read units for
    200 people. For a list of up to 100 people one BatchGetItem more where posts are not for everyone. Raises
    `BadCursor`.
    """
    lists = read_lists(own.members)
    key = keys.person_list(own.user_id, own.list_id)
    scope = f"{key.pk} {key.sk}"
    noted = _near(_noted(lists), cursor, scope)
    entries = [entry_of_noted(one, viewer.user_id).serialize() for one in noted]
    page = query_merged([], scope=scope, cursor=cursor, beside=entries)
    pointers = [pointer_of(raw) for raw in page.items]
    sights = len(own.members) > BATCH_GET_LIMIT  # the calls of a long list are used up
    count = len(pointers)
    while count > 1 and _keys_needed(pointers[:count], viewer, sights) > BATCH_GET_LIMIT:
        count -= 1
    page = page.cut(count)
    posts = _posts(pointers[:count], viewer, sights)
    return ListPage(page.with_items(posts), any(len(one.posts) >= KEPT for one in lists))


def _noted(lists: Iterable[NewestPosts]) -> Iterator[Noted]:
    now = utc_now()
    for recent in lists:
        yield from (one for one in recent.posts if one.ends is None or one.ends > now)


def _near(noted: Iterable[Noted], cursor: str | None, scope: str) -> list[Noted]:
    """Returns the posts that a page can hold, and one more, so that the others need not become entries."""
    place = read_cursor(scope, cursor) if cursor else None
    if place and place.direction == "previous":
        return nsmallest(
            PAGE_SIZE + 1, (one for one in noted if _place_of(one) > place.sk), key=_place_of
        )
    older = (one for one in noted if place is None or _place_of(one) < place.sk)
    return nlargest(PAGE_SIZE + 1, older, key=_place_of)


def _place_of(noted: Noted) -> str:
    return keys.pointer(noted.pointer.post_id, noted.pointer.author_id)


def _keys_needed(pointers: Sequence[Pointer], viewer: Viewer, sights: bool) -> int:
    people = _people_in(pointers) - {viewer.user_id}
    each = 4 if sights else 2
    beside = each * len(people) + len(muted_keys(viewer))
    return len(keys_of_page(pointers, viewer=viewer)) + beside


def _people_in(pointers: Iterable[Pointer]) -> set[str]:
    return {person for one in pointers for person in people_in(one)}


def _posts(pointers: Sequence[Pointer], viewer: Viewer, sights: bool) -> list[PostCard]:
    people = _people_in(pointers)
    beforehand = sight_keys(viewer, people) if sights else ()
    return get_posts(
        pointers,
        viewer=viewer,
        blocks_of=people,
        mutes_of=people,
        quiet=AT_HOME,
        beforehand=beforehand,
    )
