"""Writes timelines: entries for a new post, and those of an author after a follow, an unfollow, a block or a mute. Only
people who were here in the last 30 days get an entry, as the follower's edge says, or their settings."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from itertools import islice

from django.conf import settings

from accounts.models import UserInfo, UserSettings
from feed.posts.models import Audience, Post, TimelineEntry
from feed.posts.reads import Pointer, entry_of, goes_out, listed_tags, pointer_of
from feed.timelines.big_authors import forget_to_pull, is_for_followers, learn_to_pull
from relations.models import Follower, Relation, RelationType
from relations.own_choices.writes import followed_tags_now
from relations.relation import blocks_either_way, is_in_force
from socialsite.clock import utc_now, utc_now_iso
from socialsite.due.models import Due
from socialsite.news import News, tell_pages
from socialsite.streams.late_writes import CLOCKS_DIFFER, Recent, settles
from socialsite.table import (
    NotFound,
    RawItem,
    change,
    fetch,
    ids,
    keys,
    query,
    row,
    write_as_made,
    write_batch,
)
from socialsite.table.writing import write_differing

NOTED_AT_ONCE = 50  # days, so that a first fan-out over old edges is no slower than it was


def listening(edges: Iterable[RawItem]) -> list[Follower]:
    """Returns rows of those raw `Follower` edges whose follower does not mute the person followed."""
    now = utc_now_iso()
    followers = [row(Follower, raw) for raw in edges]
    return [one for one in followers if one.muted_until <= now]


def enter(pointer: Pointer, user_ids: Iterable[str], *, ends: datetime | None) -> None:
    """Puts a pointer to a post into timelines, of each person once: BatchWriteItems, 1 write unit each. The entries are
    alike but for their partition, so they are made once. `ends` is the end of a post that does not stay. Open pages
    hear of it."""
    entry, people = entry_of(pointer, "", ends=ends).serialize(), list(user_ids)
    entries = (entry | {"PK": {"S": keys.timeline(user_id)}} for user_id in people)
    write_as_made(entries, at_once=settings.FAN_OUT_AT_ONCE)
    tell_pages(News.HOME, map(keys.user, people))


def present_followers(followers: Sequence[Follower]) -> list[str]:
    """Returns the ids of those followers who were here lately, by rows of their edges.

    The last day of a person only grows, so an edge with a day that is not long ago is enough. The settings of the
    others are read, and the day found is noted in the edge, at most `NOTED_AT_ONCE` a call, for 1 write unit each.
    """
    oldest = _oldest_day()
    long_ago = [one.follower_id for one in followers if one.seen < oldest]
    if not long_ago:
        return [one.follower_id for one in followers]
    days = _last_days(long_ago)
    found = [one for one in followers if days.get(one.follower_id, "") >= oldest]
    for one in found[:NOTED_AT_ONCE]:
        _note_day(one.user_id, one.follower_id, days[one.follower_id])
    return [one.follower_id for one in followers if days.get(one.follower_id, one.seen) >= oldest]


def present(user_ids: Sequence[str]) -> list[str]:
    """Returns the people who were here lately, from their settings, read consistently. People who return at this very
    moment are either included or get the post when their timeline is rebuilt."""
    oldest, days = _oldest_day(), _last_days(user_ids)
    return [user_id for user_id in user_ids if days[user_id] >= oldest]


def _oldest_day() -> str:
    return (utc_now() - timedelta(days=settings.ABSENT_AFTER_DAYS)).date().isoformat()


def _last_days(user_ids: Sequence[str]) -> dict[str, str]:
    """Returns the last day on which each of them used the site, empty if the account is gone. 1 read unit each."""
    asked = map(keys.user_settings, user_ids)
    found = fetch(asked, consistent=True)
    return {
        user_id: row(UserSettings, found.get(keys.user_settings(user_id), {})).seen
        for user_id in user_ids
    }


def _note_day(user_id: str, follower_id: str, day: str) -> None:
    earlier_day = Follower.seen.does_not_exist() | (Follower.seen < day)
    with suppress(NotFound):  # the follow has ended, or another fan-out noted a later day
        change(
            Follower,
            keys.follower(user_id, follower_id),
            [Follower.seen.set(day)],
            condition=earlier_day,
        )


NEWEST_LOOKED_AT = 200  # the same, to fill the timeline of a new follower


def newest_posts(author_id: str, *, count: int) -> list[RawItem]:
    """Returns a person's newest posts, read consistently, to fill a new follower's timeline. Looks at no more than 200,
    and leaves out their replies to others."""
    rows = query(keys.posts(author_id), forward=False, limit=count, consistent=True)
    posts = (raw for raw in islice(rows, NEWEST_LOOKED_AT) if goes_out(row(Post, raw)))
    return list(islice(posts, count))


CHUNK = 500

Write = Callable[..., int]


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


@settles(Recent.TIMELINE)
def settle_timeline(user_id: str, author_id: str) -> None:
    """Fills or clears the timeline by the present state. Repeats this if the state changed meanwhile, because another
    worker may have acted on the change in between.

    Two consistent BatchGetItems of the follow edge and the mute, 2 read units each, a Query of posts, BatchGetItems of
    the entries, 1 read unit each, and a write unit for each that is wrong. May run at any time.
    """
    holds = None
    while holds != (now := _what_holds(user_id, author_id)):
        holds = now
        follows, mutes = holds
        if follows and not mutes:
            fill_timeline(user_id, author_id, write_differing)
            continue
        if follows:
            learn_if_pulled(user_id, author_id)
        else:
            forget_to_pull(user_id, author_id)
        clear_entries(user_id, author_id, write_differing)


def _what_holds(user_id: str, author_id: str) -> tuple[bool, bool]:
    """Returns whether they follow and whether they mute the author."""
    edge = keys.following(user_id, author_id)
    mute = keys.relation(user_id, RelationType.MUTE, author_id)
    found = fetch([edge, mute], consistent=True)
    return edge in found, is_in_force(found.get(mute))


def let_pull(pairs: Iterable[tuple[str, str]]) -> None:
    """Lets readers pull authors whose posts are not fanned out, given as the ids of both. If one unfollows meanwhile,
    that is put right, unless the process dies in between: then `reconcile` does it. 1 write unit each, and consistent
    BatchGetItems of their Following edges, 1 read unit each."""
    edges = {
        (user_id, author_id): keys.following(user_id, author_id) for user_id, author_id in pairs
    }
    for user_id, author_id in edges:
        learn_to_pull(user_id, author_id)
    found = fetch(edges.values(), consistent=True)
    for (user_id, author_id), edge in edges.items():
        if edge not in found:
            settle_timeline(user_id, author_id)


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
    post = row(Post, raw)
    return min(listed_tags(post) & tags, default="") if tags and not post.imported else ""


def _is_for_friend(raw: RawItem, friendship: RawItem | None) -> bool:
    if friendship is None or not is_in_force(friendship):
        return False
    post = row(Post, raw)
    if not goes_out(post):
        return False
    match post.audience:
        case Audience.FRIENDS:
            return True
        case Audience.CIRCLE:
            return post.circle in row(Relation, friendship).tags
    return False


END_MUTE = "end-mute"  # the due work when a mute ends by itself


def subject_of_end(mute: Relation) -> str:
    return f"{mute.user_id}#{mute.other_id}"


def plan_end_of_mute(mute: Relation) -> None:
    """Plans that the newest posts come back when a mute for a time is over, and once more when it is over by every
    clock: until then a worker whose clock is behind passes the timeline over. Nothing for other relationships. 2 write
    units; safe to repeat, as the work has fixed keys."""
    if mute.relation_type != RelationType.MUTE or mute.delete_status or not mute.until:
        return
    pair = {"user_id": mute.user_id, "author_id": mute.other_id}
    end = datetime.fromisoformat(mute.until)
    write_batch(
        puts=[
            Due.new(kind=END_MUTE, moment=moment, subject=subject_of_end(mute), facts=pair)
            for moment in (end, end + CLOCKS_DIFFER)
        ]
    )
