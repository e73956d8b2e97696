"""Fills the timeline after a follow, unless the follower mutes the person, and clears it after an unfollow, except for
posts that a friend still sees, or that a followed tag brings."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from itertools import islice

from django.conf import settings

from accounts.models import UserInfo
from feed.access_patterns import newest_posts
from feed.models import Audience, Post, TimelineEntry
from feed.pointers import entry_of, pointer_of, stands_in_lists
from feed.post_tags import listed_tags
from feed.pulled.recent import is_for_followers
from feed.stream_handlers.cross_to_pull import forget_to_pull, learn_to_pull
from relations.followed_tags import followed_tags_now
from relations.models import Following, Relation, RelationType
from relations.relation import blocks_either_way, is_in_force
from relations.services.mute import carry_mute_over
from socialsite.clock import utc_now
from socialsite.streams.change import Change
from socialsite.streams.dispatch import on
from socialsite.streams.leases.late_writes import Recent, remember
from socialsite.streams.ledger import Ledger
from socialsite.table import ids, keys
from socialsite.table.reading import RawItem, fetch, query
from socialsite.table.row import row
from socialsite.table.writing import write_batch

CHUNK = 500

Write = Callable[..., int]


@on(Following, "INSERT")
def backfill_timeline(change: Change, ledger: Ledger) -> None:
    """Puts a followed person's newest posts into the follower's timeline, or lets the follower pull them.

    If the follower mutes them, the new edge gets the mute's end, so that fan-out skips it, and posts that a fan-out
    brought before are taken out. Reads consistently, so that no earlier post is missed. Safe to run twice: the entries
    have fixed keys, and the edge gets the same end.
    """
    following = change.item
    assert isinstance(following, Following)
    user_id, author_id = following.user_id, following.followed_id
    remember(change, Recent.TIMELINE, user_id, author_id)
    if carry_mute_over(user_id, author_id):
        learn_if_pulled(user_id, author_id)
        clear_entries(user_id, author_id)
    else:
        fill_timeline(user_id, author_id)
    ledger.note_effect()


def fill_timeline(user_id: str, author_id: str, write: Write = write_batch) -> None:
    """Puts a person's newest posts into a timeline, or lets its owner pull them."""
    learn_if_pulled(user_id, author_id)
    write(puts=newest_entries(user_id, author_id))


def learn_if_pulled(user_id: str, author_id: str) -> None:
    """Lets someone pull a person's posts if they are not fanned out, or soon will not be."""
    info_key = keys.user_info(author_id)
    author = fetch([info_key], consistent=True).get(info_key, {})
    if row(UserInfo, author).reading:
        learn_to_pull(user_id, author_id)


@on(Following, "REMOVE")
def empty_timeline(change: Change, ledger: Ledger) -> None:
    """Takes an unfollowed person's posts out of the timeline, except for posts that a friend still sees, or that a
    followed tag brings.

    Safe to run twice: it deletes by key and puts entries with fixed keys. If they are followed again meanwhile, that
    change comes later in the stream and puts the posts back.
    """
    following = change.item
    assert isinstance(following, Following)
    user_id, author_id = following.user_id, following.followed_id
    remember(change, Recent.TIMELINE, user_id, author_id)
    forget_to_pull(user_id, author_id)
    clear_entries(user_id, author_id)
    ledger.note_effect()


def clear_entries(user_id: str, author_id: str, write: Write = write_batch) -> None:
    """Takes a person's posts out of a timeline. If its owner does not mute them, the newest `BACKFILL_POSTS` stay, or
    come back after a mute, that the owner sees as a friend, or that have a tag which the owner follows.

    One consistent BatchGetItem of mute, block and friendship, 3 read units, a consistent Query of the followed tags, a
    Query of the posts of the last 30 days, BatchWriteItems.
    """
    mute = keys.relation(user_id, RelationType.MUTE, author_id)
    block = keys.relation(user_id, RelationType.BLOCK, author_id)
    relationship = keys.relation(author_id, RelationType.FRIEND, user_id)
    found = fetch([mute, block, relationship], consistent=True)
    is_hidden = is_in_force(found.get(mute)) or blocks_either_way(found.get(block))
    friendship = None if is_hidden else found.get(relationship)
    tags: set[str] = set() if is_hidden else followed_tags_now(user_id)
    posts = _recent_posts(author_id)
    room = settings.BACKFILL_POSTS
    while chunk := list(islice(posts, CHUNK)):
        staying: list[TimelineEntry] = []
        leaving: list[keys.Key] = []
        for raw in chunk:
            tag = _tag_of(raw, tags)
            entry = entry_of(pointer_of(raw)._replace(tag=tag), user_id, ends=row(Post, raw).ttl)
            if len(staying) < room and (tag or _is_for_friend(raw, friendship)):
                staying.append(entry)
            else:
                leaving.append(entry.key)
        room -= len(staying)
        write(puts=staying, deletes=leaving)


def newest_entries(user_id: str, followed_id: str) -> list[TimelineEntry]:
    """Returns entries for the newest posts of a person, for a new follow or a rebuilt timeline."""
    oldest = utc_now() - timedelta(days=settings.TIMELINE_DAYS)
    return [
        _entry_of(raw, user_id)
        for raw in newest_posts(followed_id, count=settings.BACKFILL_POSTS)
        if ids.time_of(row(Post, raw).post_id) > oldest
    ]


def entries_since(user_id: str, author_id: str, moment: datetime) -> Iterator[TimelineEntry]:
    """Yields entries for all posts of a person for followers since a moment, but no older ones than timelines keep. One
    consistent Query."""
    return (
        _entry_of(raw, user_id) for raw in _recent_posts(author_id, moment) if is_for_followers(raw)
    )


def newest_entries_for_friend(
    user_id: str, author_id: str, friendship: RawItem | None
) -> list[TimelineEntry]:
    """Returns entries for a person's newest posts that someone sees as a friend, by the author's side of the
    friendship, none if it is over. One consistent Query of the posts of the last 30 days."""
    if not is_in_force(friendship):
        return []
    posts = (raw for raw in _recent_posts(author_id) if _is_for_friend(raw, friendship))
    return [_entry_of(raw, user_id) for raw in islice(posts, settings.BACKFILL_POSTS)]


def _entry_of(raw: RawItem, user_id: str) -> TimelineEntry:
    return entry_of(pointer_of(raw), user_id, ends=row(Post, raw).ttl)


def _recent_posts(author_id: str, since: datetime | None = None) -> Iterator[RawItem]:
    # Newest first, so that a post published meanwhile, and already brought to friends, is not taken out.
    oldest = utc_now() - timedelta(days=settings.TIMELINE_DAYS)
    first_id = ids.first_id_at(max(oldest, since or oldest))
    bounds = keys.post("", first_id).sk, keys.post("", "~").sk
    return query(keys.posts(author_id), between=bounds, forward=False, consistent=True)


def _tag_of(raw: RawItem, tags: set[str]) -> str:
    return min(listed_tags(row(Post, raw)) & tags, default="") if tags else ""


def _is_for_friend(raw: RawItem, friendship: RawItem | None) -> bool:
    if friendship is None or not is_in_force(friendship):
        return False
    post = row(Post, raw)
    if not stands_in_lists(post):
        return False
    match post.audience:
        case Audience.FRIENDS:
            return True
        case Audience.CIRCLE:
            return post.circle in row(Relation, friendship).tags
    return False
