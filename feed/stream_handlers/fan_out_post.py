"""A post reaches the timelines of its author's followers.

Up to 500 followers at once; more by a job, a step at a time, so that a post to many blocks nobody else's; not at all
for authors above 5,000, whose posts readers merge in (`cross_to_pull.py`). Only people who were here in the last 30
days get an entry: a timeline that nobody reads is built when its owner returns (`rebuild_timeline.py`). Who mutes the
author gets none; a post for friends or a circle goes to those alone (`fan_out_to_friends.py`).
"""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from itertools import islice

from django.conf import settings

from accounts.models import PULLED, UserCount, UserInfo, UserSettings
from feed.models import Audience, Post, TimelineEntry
from feed.services.publish_post import timeline_end
from feed.stream_handlers.cross_to_pull import begin_crossing
from relations.models import Follower
from socialsite.clock import utc_now, utc_now_iso
from socialsite.models import Job, JobKind
from socialsite.streams.change import Change
from socialsite.streams.dispatch import on
from socialsite.streams.jobs import Step, job_step
from socialsite.streams.ledger import Ledger
from socialsite.table import ids, keys, reading
from socialsite.table.reading import RawItem, fetch, query
from socialsite.table.row import row
from socialsite.table.writing import write_batch


@on(Post, "INSERT")
def fan_out_post(change: Change, ledger: Ledger) -> None:
    """A post was published: points the followers' timelines at it, now or by a job.

    Reads author and followers consistently, so that a follow that committed before is never missed. Twice is safe:
    the entries have fixed keys, and so has the job.
    """
    post = change.item
    assert isinstance(post, Post)
    ledger.note_effect()
    if timeline_end(ids.time_of(post.post_id)) < utc_now():
        return
    if post.audience not in (None, Audience.FOLLOWERS):
        return
    info_key, count_key = keys.user_info(post.author_id), keys.user_count(post.author_id)
    author = fetch([info_key, count_key], consistent=True)
    followers = int(row(UserCount, author.get(count_key, {})).followers)
    state = row(UserInfo, author.get(info_key, {})).reading
    if state == PULLED:
        return
    if followers > settings.PULL_ABOVE:
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
        _point_at(post.post_id, post.author_id, chunk)


@job_step(JobKind.FAN_OUT)
def fan_out_step(job: Job) -> Step:
    """The next `FAN_OUT_STEP` followers: one Query, BatchGetItems of their settings, BatchWriteItems of entries."""
    author_id = str(job.author_id)
    partition = keys.followers(author_id)
    after = keys.Key(partition, job.cursor) if job.cursor else None
    edges = query(partition, after=after, consistent=True, limit=settings.FAN_OUT_STEP)
    chunk = list(islice(edges, settings.FAN_OUT_STEP))
    _point_at(job.subject_id, author_id, chunk)
    more = len(chunk) == settings.FAN_OUT_STEP
    return Step(len(chunk), reading.key_of(chunk[-1]).sk if more else None)


def _point_at(post_id: str, author_id: str, edges: Sequence[RawItem]) -> None:
    now = utc_now_iso()
    followers = (row(Follower, raw) for raw in edges)
    listening = [one.follower_id for one in followers if one.muted_until <= now]
    enter(post_id, author_id, present(listening))


def enter(post_id: str, author_id: str, user_ids: Iterable[str]) -> None:
    """Puts a pointer to a post into timelines: BatchWriteItems, 1 write unit each."""
    end = timeline_end(ids.time_of(post_id))
    entries = [
        TimelineEntry.new(user_id=user_id, post_id=post_id, author_id=author_id, ttl=end)
        for user_id in user_ids
    ]
    write_batch(puts=entries, threads=settings.FAN_OUT_THREADS, per_call=settings.FAN_OUT_BATCH)


def present(user_ids: Sequence[str]) -> list[str]:
    """Those who were here lately, by their settings, read consistently: who returns just now is seen here, or sees
    the post when their timeline is rebuilt."""
    oldest = (utc_now() - timedelta(days=settings.ABSENT_AFTER_DAYS)).date().isoformat()
    asked = map(keys.user_settings, user_ids)
    found = fetch(asked, consistent=True, per_call=settings.FAN_OUT_BATCH)
    return [
        user_id
        for user_id in user_ids
        if row(UserSettings, found.get(keys.user_settings(user_id), {})).seen >= oldest
    ]
