"""Brings a post to the timelines of its author's followers.

Up to 500 followers get it at once. For more, a job goes step by step, so that a post to many does not delay others.
Then the post comes into the short list of its author's newest (`big_authors.py`). Other timelines are built when their
owner returns (`rebuild_step` in `stream.py`). People who mute the author get none.

Posts for friends or a circle go only to them, whether or not they follow the author, and leave again if the author
chooses another audience. Replies to others go to those who follow both, and to the person answered: the shorter of the
two lists of followers is walked; of the longer one, the part between two followers is read, or single followers if it
is very much longer. Above 500 followers a job does it step by step. If both have more than 5,000, the reply comes into
no timeline: it is read in its thread. Posts for everyone stand in the local timeline, as long as they are for everyone.

Above 5,000 followers nothing is fanned out any more, and readers merge the posts in. The change happens in an order in
which nobody misses a post:

1. the author's `reading` becomes `crossing`: from now on a new follower learns to pull (`backfill_timeline`), and posts
   come into the list of the newest;
2. a job goes through all followers and lets each learn to pull; posts are still fanned out meanwhile, and a timeline
   shows a post that comes both ways once;
3. `reading` becomes `pulled`: fan-out stops. It never goes back by itself.

Likes of posts that they publish from step 1 on are spread over partitions from the start (`publish_post`).
"""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import islice

from django.conf import settings

from accounts.models import CROSSING, PULLED, UserCount, UserInfo
from feed.posts.models import Audience, Post, Repost
from feed.posts.reads import (
    Pointer,
    answers_another,
    goes_out,
    pointer_of,
    pointer_of_post,
    timeline_end,
)
from feed.posts.writes import earlier
from feed.timelines.big_authors import heard_at, mend_recent, note_recent
from feed.timelines.local import DAYS, day_of, shard_of
from feed.timelines.models import PublicEntry
from feed.timelines.writes import enter, let_pull, listening, present, present_followers
from relations.models import Follower, Relation, RelationType
from relations.relation import is_in_force
from socialsite.clock import utc_now
from socialsite.news import News, tell_pages
from socialsite.streams import Change, Job, JobKind, Ledger, Step, job_step, on
from socialsite.streams.jobs import size_of_step
from socialsite.table import (
    Item,
    NotFound,
    RawItem,
    TableError,
    change,
    fetch,
    get,
    ids,
    keys,
    query,
    reading,
    row,
    write_batch,
)


class Crossed(TableError):
    """The author's posts are already pulled, or the account is gone."""


def begin_crossing(author_id: str, followers: int, ledger: Ledger) -> None:
    """Sets the author's state and enters the job, unless that is already done. Safe to run twice: the state is the
    same, and the job has a fixed key."""
    not_over = UserInfo.reading.does_not_exist() | (UserInfo.reading == CROSSING)
    crossing = [UserInfo.reading.set(CROSSING)]
    try:
        change(UserInfo, keys.user_info(author_id), crossing, condition=not_over, otherwise=Crossed)
    except Crossed:
        get(UserInfo, keys.user_info(author_id), consistent=True)  # raises if they are gone
        return
    ledger.create(
        Job.new(kind=JobKind.CROSS_TO_PULL, job_id=author_id, subject_id=author_id, total=followers)
    )


@job_step(JobKind.CROSS_TO_PULL)
def cross_step(job: Job) -> Step:
    """Makes the next followers pull: one Query, one UpdateItem each, and BatchGetItems of their Following edges. The
    first step also sees to the list of the newest posts. After the last, fan-out stops."""
    if not job.cursor:
        mend_recent(job.subject_id)
    partition = keys.followers(job.subject_id)
    after = keys.Key(partition, job.cursor) if job.cursor else None
    size = max(1, settings.FAN_OUT_STEP // 5)
    edges = list(islice(query(partition, after=after, consistent=True, limit=size), size))
    let_pull((row(Follower, raw).follower_id, job.subject_id) for raw in edges)
    if len(edges) == size:
        return Step(size, reading.key_of(edges[-1]).sk)
    change(UserInfo, keys.user_info(job.subject_id), [UserInfo.reading.set(PULLED)])
    return Step(len(edges), None)


@on(Post, "INSERT", "MODIFY")
def fan_out_post(change: Change, ledger: Ledger) -> None:
    """Points the followers' timelines at a new post, or at one that is for them now, by its author's choice, at once or
    by a job. What is not for followers any more stays in their timelines, and each read holds it back.

    Reads author and followers consistently, so that no earlier follow is missed. Safe to run twice: the entries and the
    job have fixed keys.

    One TimelineEntry for each follower who was here in the last 30 days: BatchWriteItems of 25, 1 write unit each, up
    to 500 at once, more by a job of 1,000 a step. `Follower.seen` says when they were here; 1 read unit reads the
    settings of each whose edge has no day of these. Nobody is fanned out to above 5,000 followers: the post gets a
    place in the list of its author's newest 20, 1 read unit and 1 to 4 write units. So does a post of a person who is
    in someone's list. Of a story the first post alone comes into timelines.
    """
    post = change.item
    assert isinstance(post, Post)
    if not _is_for_followers(post) or _is_for_followers(change.old):
        return
    ledger.note_effect()
    _fan_out(pointer_of_post(post), ledger, ends=post.ttl, for_all=not post.audience)


@on(Repost, "INSERT")
def fan_out_repost(change: Change, ledger: Ledger) -> None:
    """Points the followers' timelines at a new repost, as at a post. As `fan_out_post`. Safe to run twice for the same
    reason."""
    repost = change.item
    assert isinstance(repost, Repost)
    ledger.note_effect()
    _fan_out(pointer_of_post(repost), ledger, ends=None, for_all=True)


def _is_for_followers(post: Item | None) -> bool:
    if not isinstance(post, Post) or not goes_out(post):
        return False
    return post.audience in (None, Audience.FOLLOWERS)


def _fan_out(post: Pointer, ledger: Ledger, *, ends: datetime | None, for_all: bool) -> None:
    if earlier(timeline_end(ids.time_of(post.post_id)), ends) < utc_now():
        return
    info_key, count_key = keys.user_info(post.author_id), keys.user_count(post.author_id)
    author = fetch([info_key, count_key], consistent=True)
    followers = int(row(UserCount, author.get(count_key, {})).followers)
    info = row(UserInfo, author.get(info_key, {}))
    state = info.reading
    crosses = state != PULLED and followers > settings.PULL_ABOVE
    if state or crosses or info.listed:
        note_recent(post, ends=ends)
        those = [True, False] if for_all else [True]
        tell_pages(News.POSTS, [heard_at(post.author_id, follows=one) for one in those])
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


MUCH_LONGER = 25  # times: then single followers cost less than the part between


@on(Post, "INSERT")
def fan_out_reply(change: Change, ledger: Ledger) -> None:
    """Points timelines at a new reply to someone else, now or by a job above 500. It walks the shorter list of
    followers and reads the part of the longer one between them, 1 read unit for 4 KB, and writes an entry for each who
    follows both, 1 write unit; none if both have more than 5,000. Safe to run twice: entries and job have fixed
    keys."""
    post = change.item
    assert isinstance(post, Post)
    if not answers_another(post):
        return
    ledger.note_effect()
    if timeline_end(ids.time_of(post.post_id)) < utc_now():
        return
    _bring_to_answered(post)
    shorter, _ = _by_length(post)
    if shorter.followers > settings.PULL_ABOVE:
        return
    if shorter.followers <= settings.FAN_OUT_INLINE:
        _bring_to_next(post, after="", size=settings.FAN_OUT_STEP)
        return
    ledger.create(
        Job.new(
            kind=JobKind.FAN_OUT_REPLY,
            job_id=post.post_id,
            subject_id=post.post_id,
            author_id=post.author_id,
            total=shorter.followers,
        )
    )


@job_step(JobKind.FAN_OUT_REPLY)
def fan_out_reply_step(job: Job) -> Step:
    """Brings the reply to the next `FAN_OUT_STEP` followers of the person with fewer. Ends if it was deleted."""
    try:
        post = get(Post, keys.post(str(job.author_id), job.subject_id), consistent=True)
    except NotFound:
        return Step(0, None)
    return _bring_to_next(post, after=job.cursor, size=size_of_step(settings.FAN_OUT_STEP))


def _bring_to_answered(post: Post) -> None:
    edge = keys.follower(post.author_id, str(post.reply_to_author_id))
    found = fetch([edge], consistent=True)
    enter(pointer_of_post(post), present_followers(listening(found.values())), ends=post.ttl)


def _by_length(post: Post) -> list[UserCount]:
    """Returns the follower counts of the reply's author and of the person answered, the smaller first."""
    people = [post.author_id, str(post.reply_to_author_id)]
    found = fetch(map(keys.user_count, people), consistent=True)
    counts = [
        row(UserCount, found.get(keys.user_count(one), {"user_id": {"S": one}})) for one in people
    ]
    return sorted(counts, key=lambda count: count.followers)


def _bring_to_next(post: Post, *, after: str, size: int) -> Step:
    shorter, longer = _by_length(post)
    partition = keys.followers(shorter.user_id)
    start = keys.Key(partition, after) if after else None
    edges = query(partition, after=start, consistent=True, limit=size)
    chunk = list(islice(edges, size))
    if chunk:
        both = _of_both(chunk, longer)
        enter(pointer_of_post(post), present_followers(both), ends=post.ttl)
    more = len(chunk) == size
    return Step(len(chunk), reading.key_of(chunk[-1]).sk if more else None)


def _of_both(chunk: Sequence[RawItem], longer: UserCount) -> list[Follower]:
    """Returns rows of those edges in `chunk` whose followers also follow the other person, and mute neither."""
    follower_ids = [row(Follower, raw).follower_id for raw in chunk]
    wanted = [keys.follower(longer.user_id, one) for one in follower_ids]
    if longer.followers > MUCH_LONGER * len(chunk):
        others = list(fetch(wanted, consistent=True).values())
    else:
        between = wanted[0].sk, wanted[-1].sk
        others = list(query(keys.followers(longer.user_id), between=between, consistent=True))
    hear_the_other = {one.follower_id for one in listening(others)}
    return [one for one in listening(chunk) if one.follower_id in hear_the_other]


@on(Post, "INSERT", "MODIFY")
def fan_out_to_friends(change: Change, ledger: Ledger) -> None:
    """Points the timelines of its readers at a post that is for friends or a circle, since it was published or by its
    author's choice. Takes one that is not any more out of the timelines of those who do not follow its author.

    One Query over the author's friends, at most 1,000, BatchGetItems of their settings and mutes, or of their follow
    edges, BatchWriteItems of entries. Safe to run twice: the entries have fixed keys. Each read checks again who is a
    friend.
    """
    post = change.item
    assert isinstance(post, Post)
    now, before = _circle_of(post), _circle_of(change.old)
    if now == before:
        return
    ledger.note_effect()
    if earlier(timeline_end(ids.time_of(post.post_id)), post.ttl) < utc_now():
        return
    if now is None:
        _take_out(post)
        return
    friends = (
        row(Relation, raw).other_id
        for raw in _friends(post.author_id)
        if is_in_force(raw) and (not now or now in row(Relation, raw).tags)
    )
    while chunk := list(islice(friends, settings.FAN_OUT_STEP)):
        enter(
            pointer_of_post(post),
            present(_listening(post.author_id, chunk)),
            ends=post.ttl,
        )


def _circle_of(post: Item | None) -> str | None:
    """Returns the circle that a post is for, empty if it is for all friends, None if it is for neither."""
    if not isinstance(post, Post) or not goes_out(post):
        return None
    if post.audience not in (Audience.FRIENDS, Audience.CIRCLE):
        return None
    return post.circle or ""


def _take_out(post: Post) -> None:
    # Former friends too, whose entries stayed. What a followed tag brings comes later, because tags build on this room.
    readers = (row(Relation, raw).other_id for raw in _friends(post.author_id))
    while chunk := list(islice(readers, settings.FAN_OUT_STEP)):
        edges = {user_id: keys.follower(post.author_id, user_id) for user_id in chunk}
        found = fetch(edges.values(), consistent=True)
        write_batch(
            deletes=[
                keys.timeline_entry(user_id, post.post_id, post.author_id)
                for user_id in chunk
                if edges[user_id] not in found
            ]
        )


def _friends(author_id: str) -> Iterator[RawItem]:
    bounds = keys.relation_bounds(RelationType.FRIEND)
    return query(keys.relations(author_id), between=bounds, consistent=True)


def _listening(author_id: str, user_ids: Sequence[str]) -> list[str]:
    mutes = {user_id: keys.relation(user_id, RelationType.MUTE, author_id) for user_id in user_ids}
    found = fetch(mutes.values(), consistent=True)
    return [user_id for user_id in user_ids if not is_in_force(found.get(mutes[user_id]))]


@on(Post, "INSERT", "MODIFY")
def list_in_public(change: Change, ledger: Ledger) -> None:
    """Adds a post that is for everyone now to the local timeline, but no replies, and takes it out once it is for some.
    One BatchWriteItem, 1 write unit. Safe to run twice: the entry has a fixed key, and both images of the post
    decide."""
    post = change.item
    assert isinstance(post, Post)
    if _is_listed(change.old) == _is_listed(post):
        return
    entry = PublicEntry.new(
        day=day_of(post.post_id),
        shard=shard_of(post.post_id),
        post_id=post.post_id,
        author_id=post.author_id,
        ttl=earlier(ids.time_of(post.post_id) + timedelta(days=DAYS + 1), post.ttl),
    )
    if not _is_listed(post):
        write_batch(deletes=[entry.key])
    elif entry.ttl > utc_now():
        write_batch(puts=[entry])
    ledger.note_effect()


def _is_listed(post: Item | None) -> bool:
    return isinstance(post, Post) and not (post.audience or post.root_id or post.imported)
