"""Reads of posts and likes: patterns 4 to 7 of the published design, and the local timeline.

Lists hold pointers. One BatchGetItem turns a page of them into cards, and `can_view` decides on each
(`visible_posts.py`).
"""

from collections.abc import Iterable, Sequence
from itertools import islice

from accounts.cards import PersonCard
from accounts.viewer import VISITOR, Viewer
from feed.cards import PostCard
from feed.cards.unseen import UnseenPost, liked_in_place
from feed.fetched import Fetched
from feed.like_shards import like_partitions
from feed.models import Like, LikeCount, LikeTrace, Post
from feed.pointers import Pointer, answers_another, is_plain, pointer_of, stands_in_lists
from feed.pulled.news import News, get_news
from feed.reposts.seen import carry, not_seen, seen_before
from feed.visibility import block_keys, sight_keys
from feed.visible_posts import get_posts, keys_of_page, people_in, visible_posts
from relations.access_patterns import list_people
from socialsite.table import keys, reading
from socialsite.table.errors import NotFound
from socialsite.table.meter import access_pattern
from socialsite.table.paging import PAGE_SIZE, Page, Source, query_merged
from socialsite.table.reading import BATCH_GET_LIMIT, RawItem, query
from socialsite.table.row import row

LOOKED_AT = 200  # posts of a person that are read at most to fill one page
# Keys of a post that leads to no other: the post, its author, its counts, the viewer's trace.
PLAIN_KEYS = 4


@access_pattern
def list_posts(
    author: PersonCard, *, viewer: Viewer = VISITOR, cursor: str | None = None
) -> Page[PostCard]:
    """Pattern 4, getPostListByUserID: returns a person's posts, newest first, without their replies to others.

    Query `PK = u#<id>#post`, then one BatchGetItem of like counts, the viewer's likes and their relationship with the
    author. After 200 posts that are all replies the page ends, and may be short.
    """
    page, cards = page_of_posts(source_of_posts(author.user_id), author, viewer, cursor)
    return page.with_items(cards)


@access_pattern
def list_replies(
    author: PersonCard, *, viewer: Viewer = VISITOR, cursor: str | None = None
) -> Page[PostCard]:
    """Returns a person's replies to others, newest first: as `list_posts`, and one BatchGetItem more of the threads, at
    most 3 keys a reply."""
    source = Source(
        keys.posts(author.user_id),
        place_of=_place_of_post,
        start_at=keys.post_of_pointer,
        wanted=lambda raw: answers_another(row(Post, raw)),
        look_at_most=LOOKED_AT,
    )
    page, cards = page_of_posts(source, author, viewer, cursor)
    return page.with_items(cards)


@access_pattern
def list_liked(
    author: PersonCard, *, viewer: Viewer = VISITOR, cursor: str | None = None
) -> Page[PostCard | UnseenPost]:
    """Returns the posts that a person likes, newest post first, for the person alone, with the places of those that
    they may not see now.

    Query `PK = u#<id>#trace`, `SK` beginning with `like#`, and one BatchGetItem of at most 5 keys a post. Traces of
    reposts alone are passed over, at most 200 for one page.
    """
    traces = Source(
        keys.traces(viewer.user_id),
        between=keys.like_trace_bounds(),
        wanted=lambda raw: not row(LikeTrace, raw).not_liked,
        look_at_most=LOOKED_AT,
    )
    page = query_merged([traces], scope=f"{traces.partition} like", cursor=cursor)
    pointers = [pointer_of(raw) for raw in page.items]
    return page.with_items(liked_in_place(pointers, get_posts(pointers, viewer=viewer), author))


def page_of_posts(
    source: Source, author: PersonCard, viewer: Viewer, cursor: str | None
) -> tuple[Page[RawItem], list[PostCard]]:
    """Returns a page of someone's posts as they are stored, and those of them that the viewer may see."""
    page = query_merged([source], scope=source.partition, cursor=cursor)
    who = [author.user_id]
    fetched = Fetched([author])
    fetched.put(page.items)
    pointers = [pointer_of(raw) for raw in page.items]
    reposted = [one.repost_of_author_id for one in pointers if one.repost_of]
    fetched.more(
        [
            *keys_of_page(pointers, viewer=viewer),
            *block_keys(viewer, [*who, *reposted]),
            *sight_keys(viewer, who),
        ]
    )
    return page, visible_posts(page.items, fetched, viewer=viewer)


@access_pattern
def get_post(post_id: str, author_id: str, *, viewer: Viewer = VISITOR) -> PostCard:
    """Returns one post with its author, count and the viewer's like: one BatchGetItem, 0.5 read units a key (4 keys).

    Raises `NotFound`, also if the viewer may not see the post.
    """
    cards = get_posts([Pointer(post_id, author_id)], viewer=viewer)
    if not cards or cards[0].post_id != post_id:  # a repost has no page
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
def get_timeline(
    viewer: Viewer, *, cursor: str | None = None, news: News | None = None
) -> Page[PostCard]:
    """Pattern 7, getTimelineByUserID: returns posts of the people and with the tags that someone follows, newest first.

    Query `PK = u#<id>#timeline`, then one BatchGetItem of posts, authors, like counts and own likes: at most 80 keys
    for 20 posts, at most 0.5 + 40 read units, whatever number of people they follow. Replies take up to 3 keys more,
    reposts up to 4, posts that a tag brought 2; the page ends where its keys make 100. What earlier pages showed as a
    repost does not come again. Posts of authors who are not fanned out but pulled stand in the timeline too, or in the
    `news`, which are read (`get_news`) if the caller has not done so.
    """
    page = timeline_page(viewer, cursor, get_news(viewer) if news is None else news)
    seen = seen_before(keys.timeline(viewer.user_id), cursor)
    pointers = [pointer_of(raw) for raw in page.items]
    page = page.cut(_most_in_one_batch(pointers, viewer))
    fresh = not_seen(pointers[: len(page.items)], seen)
    return carry(page.with_items(timeline_posts(fresh, viewer)), seen)


def _most_in_one_batch(pointers: Sequence[Pointer], viewer: Viewer) -> int:
    """Returns how many of the posts one BatchGetItem can read. Replies take more keys than other posts."""
    count = len(pointers)
    if all(map(is_plain, pointers)) and count * PLAIN_KEYS <= BATCH_GET_LIMIT:
        return count
    while _keys_needed(pointers[:count], viewer) > BATCH_GET_LIMIT:
        count -= 1
    return count


def _keys_needed(pointers: Sequence[Pointer], viewer: Viewer) -> int:
    blocks_and_mutes = 2 * len(_answered(pointers, viewer) | _found_by_tag(pointers))
    return len(keys_of_page(pointers, viewer=viewer)) + blocks_and_mutes


def timeline_page(
    viewer: Viewer, cursor: str | None, news: News, size: int = PAGE_SIZE
) -> Page[RawItem]:
    """Returns a page of the viewer's timeline as it is stored, with the news among it: one Query."""
    entries = Source(keys.timeline(viewer.user_id))
    scope = entries.partition
    return query_merged([entries], scope=scope, cursor=cursor, size=size, beside=news.entries)


def timeline_posts(pointers: Iterable[Pointer], viewer: Viewer) -> list[PostCard]:
    """Returns the posts of timeline entries that the viewer may see and wants to: one BatchGetItem or more."""
    # Blocks end the follow, and mutes keep posts out of the fan-out. The worker clears what was there before, and
    # `hidden` names the people until then. Only posts that a followed tag brought were never checked. A reply also
    # leaves with the person answered, of whom the fan-out could not know later; so does a repost.
    hidden = set(viewer.hidden)
    wanted = [
        one
        for one in pointers
        if not (hidden and hidden & people_in(one))
        and not (one.repost_of and one.author_id in viewer.without_reposts)
    ]
    checked = _answered(wanted, viewer) | _found_by_tag(wanted)
    posts = get_posts(wanted, viewer=viewer, blocks_of=checked, mutes_of=checked)
    by_tag = {one.post_id for one in wanted if one.tag}
    return [one for one in posts if not (one.post_id in by_tag and one.author.is_limited)]


def _answered(pointers: Iterable[Pointer], viewer: Viewer) -> set[str]:
    """Returns the people whom replies of others answer, and whose posts others reposted."""
    of_others = (one for one in pointers if one.author_id != viewer.user_id and not is_plain(one))
    return {person for one in of_others for person in people_in(one)} - {
        one.author_id for one in pointers
    }


def _found_by_tag(pointers: Iterable[Pointer]) -> set[str]:
    """Returns the people whose posts a followed tag brought, and whom the viewer need not follow."""
    return {one.author_id for one in pointers if one.tag}


def newest_posts(author_id: str, *, count: int) -> list[RawItem]:
    """Returns a person's newest posts, read consistently, to fill a new follower's timeline. Looks at no more than 200,
    and leaves out their replies to others."""
    rows = query(keys.posts(author_id), forward=False, limit=count, consistent=True)
    posts = (raw for raw in islice(rows, LOOKED_AT) if stands_in_lists(row(Post, raw)))
    return list(islice(posts, count))


def source_of_posts(author_id: str) -> Source:
    """Returns a person's posts, without their replies to others, as a source to merge with others in the order of
    pointers."""
    return Source(
        keys.posts(author_id),
        place_of=_place_of_post,
        start_at=keys.post_of_pointer,
        wanted=lambda raw: stands_in_lists(row(Post, raw)),
        look_at_most=LOOKED_AT,
    )


def _place_of_post(raw: RawItem) -> str:
    post = row(Post, raw)
    return keys.pointer(post.post_id, post.author_id)
