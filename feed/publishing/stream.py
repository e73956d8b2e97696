"""Clears what belonged to a deleted post, deletes a post at its end, as DynamoDB may take days for that, and limits all
past posts of a person who asked for it, by a job.

Photos of a post that was deleted or has ended by itself are deleted. They are taken back from everyone when their post
is closed, and shown when it is opened. When a person locks or opens their older posts, the photos of replies to them
follow, because a reply is for those whom its thread is for. Every handler may run twice.
"""

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from itertools import islice

from accounts.models import UserInfo
from accounts.people.restrictions import FOR_EVER, end_of
from feed.likes.models import Like
from feed.likes.reads import like_partitions
from feed.polls.writes import clear_all_votes, key_of_closing
from feed.posts.models import Post, Reply, Reposter
from feed.posts.writes import PostCount, clear_gate, clear_reposts
from feed.publishing.changes import show_to
from feed.publishing.photos import CLEAR_PHOTOS, settle_photos
from feed.publishing.reads import is_for_everyone
from feed.publishing.writes import END_POST, key_of_ending
from feed.timelines.local import day_of, shard_of
from feed.timelines.models import MediaEntry
from socialsite.clock import utc_now
from socialsite.due.models import Due
from socialsite.due.work import done, due_work, plan
from socialsite.streams import Change, Job, JobKind, Ledger, Step, job_step, on
from socialsite.table import (
    AlreadyExists,
    Create,
    Delete,
    NotFound,
    Unavailable,
    access_pattern,
    as_model,
    fetch,
    ids,
    key_of,
    keys,
    query,
    reading,
    row,
    transact,
    write_batch,
)

CHUNK = 250


@on(Post, "REMOVE")
def clear_post(change: Change, ledger: Ledger) -> None:
    """Deletes a deleted post's likes, reposts and votes with their traces, the list of its quotes, its own pointers,
    what it said before its edits, the planned end of a poll and of the post, and the gate of a thread without replies.

    A post that ended by itself leaves its counts too. Pointers in followers' timelines then lead nowhere, and expire.
    Safe to run twice: it deletes by key.

    Queries of what hung on it, 1 read unit for 4 KB, and BatchWriteItems of 25, 1 write unit each.
    """
    post = change.item
    assert isinstance(post, Post)
    for partition in like_partitions(post.post_id, int(post.like_shards or 0)):
        likes = query(partition, consistent=True)
        while chunk := list(islice(likes, CHUNK)):
            likers = [row(Like, raw).user_id for raw in chunk]
            write_batch(
                deletes=[
                    *map(reading.key_of, chunk),
                    *(keys.like_trace(who, post.post_id) for who in likers),
                ]
            )
    reposts = query(keys.reposters(post.post_id), consistent=True)
    while chunk := list(islice(reposts, CHUNK)):
        clear_reposts(row(Reposter, raw) for raw in chunk)
    quotes = query(keys.quotes(post.post_id), consistent=True)
    while chunk := list(islice(quotes, CHUNK)):
        write_batch(deletes=map(reading.key_of, chunk))
    if post.poll:
        clear_all_votes(post.post_id)
    if post.version:
        versions = query(keys.history(post.post_id), consistent=True)
        while chunk := list(islice(versions, CHUNK)):
            write_batch(deletes=map(reading.key_of, chunk))
    day, shard = day_of(post.post_id), shard_of(post.post_id)
    write_batch(
        deletes=[
            keys.timeline_entry(post.author_id, post.post_id, post.author_id),
            keys.public_entry(day, shard, post.post_id, post.author_id),
            *([keys.quote(post.quote_of, post.post_id)] if post.quote_of else []),
            *([key_of_closing(post)] if post.poll else []),
            *([keys.like_count(post.post_id), key_of_ending(post)] if post.ttl else []),
        ]
    )
    if not post.root_id:
        clear_gate(post.post_id)
    ledger.note_effect()


class GoneBefore(NotFound):
    """DynamoDB, the author or a moderator was quicker."""


class NotOver(Unavailable):
    """The end of the post has not come."""


@due_work(END_POST)
@access_pattern
def end_post(due: Due) -> None:
    """Deletes a post whose end has come. The stream worker then clears what hung on it (`clear_post`), as after every
    deletion. Nothing happens if it is gone. Safe to run twice, and beside DynamoDB's own deletion: one of them finds
    the post.

    One TransactWriteItems of the post and the due item, 4 write units, and if the post is gone a consistent
    BatchGetItem, 1 read unit. Raises `NotOver`, and comes again then.
    """
    place = keys.post(due.facts["author_id"], due.subject)
    try:
        transact(Delete(place, Post.ttl <= utc_now(), otherwise=GoneBefore), done(due))
    except GoneBefore as error:
        if fetch([place], consistent=True):  # reads drop what is past its end
            raise NotOver("the post is there for longer") from error


POSTS_LIMITED_A_STEP = 40  # a transaction has room for 100 actions


@job_step(JobKind.LIMIT_POSTS)
def limit_step(job: Job) -> Step:
    """Shows the next older posts to the audience of the job alone, and counts them apart, newest first.

    One consistent Query of 40 posts, replies and reposts. The posts that are for everyone, the post count and the
    cursor are written in one transaction, 2 write units each: so each post is limited once, also by a worker that was
    frozen, and one that its author opens again later stays open. What follows from another audience follows from the
    record of each post, as after `change_audience`.
    """
    author_id, audience = job.subject_id, str(job.audience)
    partition = keys.posts(author_id)
    after = keys.Key(partition, job.cursor)
    rows = query(partition, after=after, forward=False, consistent=True, limit=POSTS_LIMITED_A_STEP)
    looked_at = list(islice(rows, POSTS_LIMITED_A_STEP))
    posts = [as_model(Post, raw) for raw in looked_at if is_for_everyone(raw)]
    count = PostCount(author_id)
    for post in posts:
        count.take(post)
        count.add(post, audience=audience, withheld="")
    writes = [write for post in posts for write in show_to(post, audience)]
    more = len(looked_at) == POSTS_LIMITED_A_STEP
    return Step(
        done=len(posts),
        cursor=key_of(looked_at[-1]).sk if more else None,
        writes=[*writes, *count.writes()],
    )


@on(Post, "REMOVE")
def clear_photos(change: Change, ledger: Ledger) -> None:
    """Deletes the photos of the post, and the pointer to it among its author's media. What follows from each photo
    deletes its files (`photos/stream_handlers.py`). 1 write unit each. Safe to run twice: it deletes by key."""
    post = change.item
    assert isinstance(post, Post)
    if not post.photos:
        return
    _clear(post.author_id, post.post_id, [photo.photo_id for photo in post.photos])
    ledger.note_effect()


@due_work(CLEAR_PHOTOS)
def clear_photos_at_the_end(due: Due) -> None:
    """Deletes the photos of a post that ends by itself, whenever TTL removes its item. Safe to run twice, and after the
    post was deleted."""
    _clear(due.facts["author_id"], due.subject, due.facts["photo_ids"].split())


def _clear(author_id: str, post_id: str, photo_ids: Sequence[str]) -> None:
    photos = [keys.photo(author_id, photo_id) for photo_id in photo_ids]
    write_batch(deletes=[keys.media_entry(author_id, post_id), *photos])


POSTS_A_STEP = 10
AGAIN = "settle-photos"  # the due work when a suspension ends


@on(Post, "INSERT")
def settle_photos_of_reply(change: Change, ledger: Ledger) -> None:
    """Shows the photos of a new reply to everyone, if its thread is for everyone. As `settle_photos`. Safe to run
    twice: all is read as it is now."""
    post = change.item
    assert isinstance(post, Post)
    if post.photos and post.root_id and not post.photos[0].public_secret:
        settle_photos(post.author_id, post.post_id)
        ledger.note_effect()


@on(Post, "MODIFY")
def settle_photos_of_post(change: Change, ledger: Ledger) -> None:
    """Gives the photos of a post copies for everyone, or takes them back, after another audience or a moderator's
    decision. As `settle_photos`. Safe to run twice: the post is read as it is now."""
    old, post = change.old, change.new
    assert isinstance(old, Post)
    assert isinstance(post, Post)
    if post.photos and (old.audience, old.withheld) != (post.audience, post.withheld):
        settle_photos(post.author_id, post.post_id)
        ledger.note_effect()


@on(UserInfo, "MODIFY")
def settle_photos_of_person(change: Change, ledger: Ledger) -> None:
    """Enters a job when someone locks or opens their older posts, or when nobody else can see them any more, or again,
    which takes 10 posts a step. Safe to run twice: the job has the id of the change."""
    old, new = change.old, change.new
    assert isinstance(old, UserInfo)
    assert isinstance(new, UserInfo)
    if _shown_of(old) == _shown_of(new) or not _has_media(new.user_id):
        return
    job_id = f"{new.user_id}-{change.sequence}"
    ledger.create(Job.new(kind=JobKind.SETTLE_PHOTOS, job_id=job_id, subject_id=new.user_id))
    if (until := end_of(new.suspended_until or "")) and until != FOR_EVER:
        moment = datetime.fromisoformat(until)
        with suppress(AlreadyExists):
            transact(plan(AGAIN, moment=moment, subject=new.user_id))


@due_work(AGAIN)
def settle_photos_later(due: Due) -> None:
    """Enters the job when a suspension ends. Safe to run twice: it ends the due item in the same transaction."""
    job_id = f"{due.subject}-{ids.new_id()}"
    transact(
        Create(Job.new(kind=JobKind.SETTLE_PHOTOS, job_id=job_id, subject_id=due.subject)),
        done(due),
    )


@job_step(JobKind.SETTLE_PHOTOS)
def settle_step(job: Job) -> Step:
    """Settles the next posts with photos, the newest first: one Query, and what `settle_photos` takes for each."""
    partition = keys.media(job.subject_id)
    after = keys.Key(partition, job.cursor) if job.cursor else None
    rows = query(partition, after=after, forward=False, consistent=True, limit=POSTS_A_STEP)
    entries = list(islice(rows, POSTS_A_STEP))
    for raw in entries:
        settle_photos(job.subject_id, row(MediaEntry, raw).post_id)
    more = len(entries) == POSTS_A_STEP
    return Step(len(entries), key_of(entries[-1]).sk if more else None)


def _shown_of(info: UserInfo) -> tuple[object, ...]:
    """Returns what decides who sees all posts of a person."""
    return (
        info.archived_before,
        info.suspended_until,
        bool(info.waiting),
        bool(info.paused),
        bool(info.closing),
    )


def _has_media(user_id: str) -> bool:
    return any(True for _ in query(keys.media(user_id), limit=1, consistent=True))


POSTS_OF_THREADS_A_STEP = 20


@on(UserInfo, "MODIFY")
def settle_threads_of_person(change: Change, ledger: Ledger) -> None:
    """Enters a job when the moment changes up to which someone's posts are locked. Safe to run twice: the job has the
    name of the record."""
    old, new = change.old, change.new
    assert isinstance(old, UserInfo)
    assert isinstance(new, UserInfo)
    if old.archived_before != new.archived_before:
        job_id = f"{new.user_id}-{change.sequence}"
        ledger.create(Job.new(kind=JobKind.SETTLE_THREADS, job_id=job_id, subject_id=new.user_id))


@job_step(JobKind.SETTLE_THREADS)
def settle_threads_step(job: Job) -> Step:
    """Settles the replies with photos in the threads of the next 20 posts, the newest first: one Query of the posts,
    one of each thread, and what `settle_photos` takes for each of these replies. Safe to run twice: it reads all as it
    is now."""
    partition = keys.posts(job.subject_id)
    after = keys.Key(partition, job.cursor) if job.cursor else None
    rows = query(
        partition, after=after, forward=False, consistent=True, limit=POSTS_OF_THREADS_A_STEP
    )
    posts = list(islice(rows, POSTS_OF_THREADS_A_STEP))
    for raw in posts:
        if raw["type"]["S"] == Post.__name__ and not row(Post, raw).root_id:
            _settle(row(Post, raw).post_id)
    more = len(posts) == POSTS_OF_THREADS_A_STEP
    return Step(len(posts), key_of(posts[-1]).sk if more else None)


def _settle(root_id: str) -> None:
    for raw in query(keys.thread(root_id), between=keys.branch_bounds(""), consistent=True):
        if "photos" in raw:
            settle_photos(row(Reply, raw).author_id, row(Reply, raw).post_id)
