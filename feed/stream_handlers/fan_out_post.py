"""Brings a post to the timelines of its author's followers.

Up to 500 followers get it at once. For more, a job goes step by step, so that a post to many does not delay others.
Above 5,000 followers nothing is fanned out, and readers merge the posts in (`cross_to_pull.py`). Then the post comes
into the short list of its author's newest (`feed/pulled/recent.py`). Only people who were
here in the last 30 days get an entry, as the follower's edge says, or their settings. Other timelines are built when
their owner returns (`rebuild_timeline.py`). People who mute the author get none. Posts for friends or a circle go only
to them (`fan_out_to_friends.py`), replies to others to those who follow both (`fan_out_reply.py`).
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from itertools import islice

from django.conf import settings

from accounts.models import PULLED, UserCount, UserInfo, UserSettings
from feed.expiring.moments import earlier
from feed.models import Audience, Post, Repost
from feed.pointers import (
    Pointer,
    entry_of,
    pointer_of,
    pointer_of_post,
    stands_in_lists,
    timeline_end,
)
from feed.pulled.recent import note_recent
from feed.stream_handlers.cross_to_pull import begin_crossing
from relations.models import Follower
from socialsite.clock import utc_now, utc_now_iso
from socialsite.models import Job, JobKind
from socialsite.streams.change import Change
from socialsite.streams.dispatch import on
from socialsite.streams.give_way import size_of_step
from socialsite.streams.jobs import Step, job_step
from socialsite.streams.ledger import Ledger
from socialsite.table import ids, keys, reading
from socialsite.table.errors import NotFound
from socialsite.table.item import Item
from socialsite.table.reading import RawItem, fetch, query
from socialsite.table.row import row
from socialsite.table.writing import change, write_batch

NOTED_AT_ONCE = 50  # days, so that a first fan-out over old edges is no slower than it was


@on(Post, "INSERT", "MODIFY")
def fan_out_post(change: Change, ledger: Ledger) -> None:
    """Points the followers' timelines at a new post, or at one that is for them now, by its author's choice, at once or
    by a job. What is not for followers any more stays in their timelines, and each read holds it back.

    Reads author and followers consistently, so that no earlier follow is missed. Safe to run twice: the entries and the
    job have fixed keys.
    """
    post = change.item
    assert isinstance(post, Post)
    if not _is_for_followers(post) or _is_for_followers(change.old):
        return
    ledger.note_effect()
    _fan_out(pointer_of_post(post), ledger, ends=post.ttl)


@on(Repost, "INSERT")
def fan_out_repost(change: Change, ledger: Ledger) -> None:
    """Points the followers' timelines at a new repost, as at a post. Safe to run twice for the same reason."""
    repost = change.item
    assert isinstance(repost, Repost)
    ledger.note_effect()
    _fan_out(pointer_of_post(repost), ledger, ends=None)


def _is_for_followers(post: Item | None) -> bool:
    if not isinstance(post, Post) or not stands_in_lists(post):
        return False
    return post.audience in (None, Audience.FOLLOWERS)


def _fan_out(post: Pointer, ledger: Ledger, *, ends: datetime | None) -> None:
    if earlier(timeline_end(ids.time_of(post.post_id)), ends) < utc_now():
        return
    info_key, count_key = keys.user_info(post.author_id), keys.user_count(post.author_id)
    author = fetch([info_key, count_key], consistent=True)
    followers = int(row(UserCount, author.get(count_key, {})).followers)
    state = row(UserInfo, author.get(info_key, {})).reading
    crosses = state != PULLED and followers > settings.PULL_ABOVE
    if state or crosses:
        note_recent(post, ends=ends)
    if state == PULLED:
        return
    if crosses:
        begin_crossing(post.author_id, followers, ledger)
    if followers > settings.FAN_OUT_INLINE:
        ledger.create(
            Job.new(
                kind=JobKind.FAN_OUT,
                job_id=post.post_id,
                subject_id=post.post_id,
                author_id=post.author_id,
                total=followers,
            )
        )
        return
    edges = query(keys.followers(post.author_id), consistent=True)
    while chunk := list(islice(edges, settings.FAN_OUT_STEP)):
        _point_at(post, chunk, ends=ends)


@job_step(JobKind.FAN_OUT)
def fan_out_step(job: Job) -> Step:
    """Fans out to the next `FAN_OUT_STEP` followers, or fewer beside readers: one GetItem of the post, one Query,
    BatchWriteItems of entries, and BatchGetItems of the settings of those whose edges say no day that is not long ago.
    Ends if the post was deleted."""
    author_id = str(job.author_id)
    key = keys.post(author_id, job.subject_id)
    post = fetch([key], consistent=True).get(key)
    if post is None:
        return Step(0, None)
    partition = keys.followers(author_id)
    after = keys.Key(partition, job.cursor) if job.cursor else None
    size = size_of_step(settings.FAN_OUT_STEP)
    edges = query(partition, after=after, consistent=True, limit=size)
    chunk = list(islice(edges, size))
    _point_at(pointer_of(post), chunk, ends=row(Post, post).ttl)
    more = len(chunk) == size
    return Step(len(chunk), reading.key_of(chunk[-1]).sk if more else None)


def _point_at(pointer: Pointer, edges: Sequence[RawItem], *, ends: datetime | None) -> None:
    enter(pointer, present_followers(listening(edges)), ends=ends)


def listening(edges: Iterable[RawItem]) -> list[Follower]:
    """Returns rows of those raw `Follower` edges whose follower does not mute the person followed."""
    now = utc_now_iso()
    followers = [row(Follower, raw) for raw in edges]
    return [one for one in followers if one.muted_until <= now]


def enter(pointer: Pointer, user_ids: Iterable[str], *, ends: datetime | None) -> None:
    """Puts a pointer to a post into timelines: BatchWriteItems, 1 write unit each. The entries are alike but for their
    partition, so they are made once. `ends` is the end of a post that does not stay."""
    entry = entry_of(pointer, "", ends=ends).serialize()
    entries = [entry | {"PK": {"S": keys.timeline(user_id)}} for user_id in user_ids]
    write_batch(puts=entries, at_once=settings.FAN_OUT_AT_ONCE)


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
