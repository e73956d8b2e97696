"""Counts replies and the further posts of a story, carries a new audience of a root into its thread, lets the posts of
a story stand for themselves once its first post is gone, and removes emptied places and gates of threads without
replies."""

from contextlib import suppress
from itertools import islice

from feed.posts.models import LikeCount, Post, Reply, Story
from feed.posts.reads import Pointer
from feed.posts.writes import GONE, clear_gate, copied_difference, has_places
from feed.threads.pages import path_of, places_above, read_story
from feed.threads.writes import bring_in_line
from socialsite.streams import Change, Job, JobKind, Ledger, Step, job_step, on
from socialsite.table import Delete, NotFound, actions, key_of, keys, query, row, transact


@on(Reply, "INSERT", "MODIFY", "REMOVE")
def count_reply(change: Change, ledger: Ledger) -> None:
    """Adds a reply to the count of the post that it answers once readers can see it, and takes it off when it is
    deleted or withheld, through the ledger, which counts each record once; a further post of a story also to the count
    of the first one. If the post is gone, so is the count. As `count_like`: 2 write units for each post answered in a
    batch."""
    reply = change.item
    assert isinstance(reply, Reply)
    if by := copied_difference(change.old, change.new):
        key = keys.like_count(reply.reply_to)
        ledger.add(LikeCount, key, LikeCount.replies, by, if_gone=_nothing)
        if reply.story:
            first = keys.like_count(reply.root_id)
            ledger.add(LikeCount, first, LikeCount.parts, by, if_gone=_nothing)


def _nothing() -> None:
    """The post was deleted, and its counts with it."""


REPLIES_A_STEP = 100


@on(Post, "MODIFY")
def carry_audience(change: Change, ledger: Ledger) -> None:
    """Enters a job for the replies of a root that got another audience, if it has any: a consistent Query of one.

    A reply that is written meanwhile asks, in its transaction, for the audience that it read. So all others stand in
    the thread before the job begins. Safe to run twice: the job has the name of the record.
    """
    old, root = change.old, change.new
    assert isinstance(old, Post)
    assert isinstance(root, Post)
    if root.root_id or (old.audience, old.circle) == (root.audience, root.circle):
        return
    ledger.note_effect()
    between = keys.branch_bounds("")
    places = query(keys.thread(root.post_id), between=between, consistent=True, limit=1)
    if next(places, None):
        job_id = f"{root.post_id}-{change.sequence}"
        where = {"subject_id": root.post_id, "author_id": root.author_id}
        ledger.create(Job.new(kind=JobKind.CARRY_AUDIENCE, job_id=job_id, **where))


@job_step(JobKind.CARRY_AUDIENCE)
def carry_audience_step(job: Job) -> Step:
    """Brings the next 100 replies of the thread in line: one consistent Query of their places, 1 read unit a reply, and
    for 20 that differ one TransactWriteItems (`bring_in_line`): 2 write units each, 2 for the count of its author and 2
    for the check of the root. What follows for timelines and tags comes with the record of each post that it changes.
    Safe to run twice: it sets the audience that the root has now."""
    partition = keys.thread(job.subject_id)
    rows = query(
        partition,
        after=keys.Key(partition, job.cursor) if job.cursor else None,
        between=keys.branch_bounds(""),
        consistent=True,
        limit=REPLIES_A_STEP,
    )
    step = list(islice(rows, REPLIES_A_STEP))
    places = [row(Reply, raw) for raw in step]
    replies = [keys.post(one.author_id, one.post_id) for one in places if not one.gone]
    bring_in_line(Pointer(job.subject_id, str(job.author_id)), replies)
    more = len(step) == REPLIES_A_STEP
    return Step(len(step), path_of(step[-1]) if more else None)


@on(Post, "REMOVE")
def free_parts(change: Change, ledger: Ledger) -> None:
    """Takes the mark off the further posts of a story whose first one is gone, each with its place in the thread. Then
    they are on their author's page, and `fan_out_post` brings them to followers. A part that is deleted meanwhile stays
    so. A Query, and 4 write units each. Safe to run twice."""
    first = change.item
    assert isinstance(first, Post)
    if first.story != Story.FIRST:
        return
    for raw in read_story(first.post_id):
        part = row(Reply, raw)
        with suppress(NotFound):
            transact(
                actions.Change(
                    Post, keys.post(part.author_id, part.post_id), [Post.story.remove()]
                ),
                actions.Change(Reply, key_of(raw), [Reply.story.remove()]),
            )
    ledger.note_effect()


@on(Reply, "MODIFY", "REMOVE")
def prune_thread(change: Change, ledger: Ledger) -> None:
    """Removes an emptied place without answers. Its removal is a change too, and removes the emptied place above. 2
    write units.

    Safe to run twice: a place is deleted on condition that its post is gone, and no reply can come below such a place.
    """
    reply = change.item
    assert isinstance(reply, Reply)
    if change.event == "REMOVE":
        for path in places_above(reply.path)[-2:]:
            _remove_if_empty(reply.root_id, path)
        clear_gate(reply.root_id)
    elif reply.gone:
        _remove_if_empty(reply.root_id, reply.path)
    else:
        return
    ledger.note_effect()


def _remove_if_empty(root_id: str, path: str) -> None:
    if has_places(root_id, keys.branch_bounds(path)):
        return
    with suppress(NotFound):  # it is not gone, or removed already
        transact(Delete(keys.reply_place(root_id, path), Reply.gone == GONE))
