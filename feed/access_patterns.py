"""Reads of posts and likes: patterns 4 to 7 of the published design, and the local timeline.

Lists hold pointers. One BatchGetItem turns a page of them into cards, and `can_view` decides on each.
"""

from collections.abc import Collection, Iterable, Sequence
from itertools import islice
from typing import NamedTuple

from django.conf import settings

from accounts.cards import PersonCard
from accounts.viewer import VISITOR, Viewer
from feed.cards import PostCard
from feed.like_shards import like_partitions
from feed.models import Like, LikeCount, Post, TimelineEntry
from feed.visibility import (
    block_keys,
    can_view,
    is_for_some,
    mute_keys,
    sight_keys,
    sight_of,
)
from relations.access_patterns import list_people
from relations.relation import is_in_force
from socialsite.table import keys, reading
from socialsite.table.errors import NotFound
from socialsite.table.keys import Key
from socialsite.table.meter import access_pattern
from socialsite.table.paging import PAGE_SIZE, Page, Source, query_merged, query_page
from socialsite.table.reading import RawItem, fetch, query
from socialsite.table.row import row

Found = dict[Key, RawItem]
NO_KEY = Key("", "")


class Pointer(NamedTuple):
    """The place of a post, in its author's partition."""

    post_id: str
    author_id: str


@access_pattern
def list_posts(
    author: PersonCard, *, viewer: Viewer = VISITOR, cursor: str | None = None
) -> Page[PostCard]:
    """Pattern 4, getPostListByUserID: returns a person's posts, newest first.

    Query `PK = u#<id>#post`, then one BatchGetItem of like counts, the viewer's likes and their relationship with the
    author.
    """
    page = query_page(keys.posts(author.user_id), cursor=cursor)
    pointers = [pointer_of(raw) for raw in page.items]
    state = [key for pointer in pointers for key in _state_keys(pointer, viewer)]
    who = [author.user_id]
    found = fetch([*block_keys(viewer, who), *sight_keys(viewer, who), *state])
    sight = sight_of(viewer, author.user_id, found)
    cards = [
        _card(raw, author, found, viewer)
        for raw in page.items
        if can_view(viewer, raw, author, sight)
    ]
    return page.with_items(cards)


@access_pattern
def get_post(post_id: str, author_id: str, *, viewer: Viewer = VISITOR) -> PostCard:
    """Returns one post with its author, count and the viewer's like: one BatchGetItem, 0.5 read units a key (4 keys).

    Raises `NotFound`, also if the viewer may not see the post.
    """
    cards = get_posts([Pointer(post_id, author_id)], viewer=viewer)
    if not cards:
        raise NotFound("no such post")
    return cards[0]


@access_pattern
def list_likers(
    post_id: str, *, shards: int = 0, viewer: Viewer = VISITOR, cursor: str | None = None
) -> Page[PersonCard]:
    """Pattern 5, getUserLikesByPostID: returns the people who like a post, oldest account first.

    Query `PK = p#<id>#likelist`, and of each of its shards, merged; then one BatchGetItem of their infos and the
    viewer's follow edges.
    """
    sources = [Source(partition) for partition in like_partitions(post_id, shards)]
    scope = keys.likes(post_id)
    page = query_merged(sources, scope=scope, cursor=cursor, newest_first=False)
    ids = [row(Like, raw).user_id for raw in page.items]
    return page.with_items(list_people(ids, viewer=viewer))


@access_pattern
def get_like_count(post_id: str) -> int:
    """Pattern 6, getLikeCountByPostID: GetItem `p#<id>#likecount`, 0.5 read units. Raises `NotFound`.

    Pages read this item with the post, in one BatchGetItem.
    """
    return int(reading.get(LikeCount, keys.like_count(post_id)).likes)


@access_pattern
def get_timeline(viewer: Viewer, *, cursor: str | None = None) -> Page[PostCard]:
    """Pattern 7, getTimelineByUserID: returns posts of the people someone follows, newest first.

    Query `PK = u#<id>#timeline`, then one BatchGetItem of posts, authors, like counts and own likes: at most 80 keys
    for 20 posts, at most 0.5 + 40 read units, whatever number of people they follow. One more Query for each followed
    author whose posts are not fanned out but pulled (at most 20).
    """
    page = _timeline_page(viewer, cursor)
    return page.with_items(_timeline_posts(map(pointer_of, page.items), viewer))


@access_pattern
def list_newer(viewer: Viewer, *, since: str, size: int = PAGE_SIZE) -> Page[PostCard]:
    """Returns at most `size` posts of others in the timeline that are newer than a cursor, for the "new posts" pill.

    One Query, 0.5 read units, if there are none, otherwise also one BatchGetItem. More only if many own posts lie in
    between. `top` is the place up to which it looked.
    """
    others: list[Pointer] = []
    top = None
    cursor: str | None = since
    while cursor and len(others) < size:
        page = _timeline_page(viewer, cursor, size)
        pointers = [pointer_of(raw) for raw in page.items]
        others = [pointer for pointer in pointers if pointer.author_id != viewer.user_id] + others
        top, cursor = page.top or top, page.previous_cursor
    posts = _timeline_posts(others, viewer) if others else []
    return Page(posts, None, cursor, top)


def _timeline_page(viewer: Viewer, cursor: str | None, size: int = PAGE_SIZE) -> Page[RawItem]:
    entries = Source(keys.timeline(viewer.user_id))
    pulled = map(source_of_posts, viewer.pulled[: settings.PULLED_AT_MOST])
    return query_merged([entries, *pulled], scope=entries.partition, cursor=cursor, size=size)


def _timeline_posts(pointers: Iterable[Pointer], viewer: Viewer) -> list[PostCard]:
    # Blocks end the follow, and mutes keep posts out of the fan-out. The worker clears what was there before, and
    # `hidden` names the people until then. Only pulled posts were never checked.
    wanted = [pointer for pointer in pointers if pointer.author_id not in viewer.hidden]
    pulled = {pointer.author_id for pointer in wanted} & set(viewer.pulled)
    return get_posts(wanted, viewer=viewer, blocks_of=pulled, mutes_of=pulled)


def get_posts(
    pointers: Iterable[Pointer],
    *,
    viewer: Viewer,
    blocks_of: Collection[str] | None = None,
    mutes_of: Collection[str] = (),
) -> list[PostCard]:
    """Returns cards of the posts that the viewer may see, in the given order. One BatchGetItem, at most 4 keys a post
    and one for each author in `blocks_of` (all by default) and in `mutes_of`; a second one of 2 keys an author if posts
    are not for everyone."""
    wanted = list(pointers)
    blocks = block_keys(
        viewer, (one.author_id for one in wanted) if blocks_of is None else blocks_of
    )
    mutes = mute_keys(viewer, mutes_of)
    found = fetch(
        [
            *(keys.post(pointer.author_id, pointer.post_id) for pointer in wanted),
            *(keys.user_info(pointer.author_id) for pointer in wanted),
            *(key for pointer in wanted for key in _state_keys(pointer, viewer)),
            *blocks,
            *mutes.values(),
        ]
    )
    authors = {
        pointer.author_id: PersonCard.from_raw(info, viewer_id=viewer.user_id)
        for pointer in wanted
        if (info := found.get(keys.user_info(pointer.author_id)))
    }
    posts = [
        (post, author)
        for pointer in wanted
        if (post := found.get(keys.post(pointer.author_id, pointer.post_id)))
        and (author := authors.get(pointer.author_id))
        and not is_in_force(found.get(mutes.get(pointer.author_id, NO_KEY)))
    ]
    closed = {author.user_id for post, author in posts if is_for_some(post, author)}
    if closed:
        found |= fetch(sight_keys(viewer, closed))
    return [
        _card(post, author, found, viewer)
        for post, author in posts
        if can_view(viewer, post, author, sight_of(viewer, author.user_id, found))
    ]


def newest_pointers(author_id: str, *, count: int) -> list[Pointer]:
    """Returns pointers to a person's newest posts, read consistently, to fill a new follower's timeline."""
    rows = query(keys.posts(author_id), forward=False, limit=count, consistent=True)
    return [pointer_of(raw) for raw in islice(rows, count)]


def source_of_posts(author_id: str) -> Source:
    """Returns a person's posts as a source, to merge with others in the order of pointers."""
    return Source(
        keys.posts(author_id),
        place_of=lambda raw: keys.pointer(*pointer_of(raw)),
        start_at=keys.post_of_pointer,
    )


def pointer_of(raw: RawItem) -> Pointer:
    """Returns the pointer of a raw `Post`, `TimelineEntry`, `PublicEntry` or `Like`, which all have both ids."""
    entry = row(TimelineEntry, raw)
    return Pointer(entry.post_id, entry.author_id)


def _state_keys(pointer: Pointer, viewer: Viewer) -> Sequence[Key]:
    # The viewer's own trace says whether they like it: its key does not depend on how the likes are spread.
    count = keys.like_count(pointer.post_id)
    if not viewer.is_authenticated:
        return (count,)
    return count, keys.like_trace(viewer.user_id, pointer.post_id)


def _card(post: RawItem, author: PersonCard, found: Found, viewer: Viewer) -> PostCard:
    post_id = row(Post, post).post_id
    return PostCard.from_raw(
        post,
        author=author,
        like_count=found.get(keys.like_count(post_id)),
        liked=keys.like_trace(viewer.user_id, post_id) in found,
        viewer=viewer,
    )
