"""Deletes posts of a person who asked for it or wished it, by a job, and begins such a job for each standing wish once
a day."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import islice

from pynamodb.expressions.update import Action

from feed.posts.models import LikeTrace, Post, Repost
from feed.posts.writes import PostCount
from feed.publishing.changes import are_pins
from feed.publishing.writes import deletion_of
from feed.sharing.writes import taking_back
from privacy.models import OldPostsWish
from privacy.old_posts.reads import (
    Choice,
    Going,
    Kept,
    Kind,
    find_wish,
    kind_of,
    newest_to_go,
    which_go,
)
from privacy.old_posts.writes import DUE, AlreadyDeleting, begun_now, is_planned, new_run
from socialsite.clock import utc_now
from socialsite.due.models import Due
from socialsite.due.work import AlreadyDone, done, due_work, plan
from socialsite.streams import Job, JobKind, Step, job_step
from socialsite.table import (
    IS_ABSENT,
    Change,
    Check,
    Delete,
    Moved,
    WriteAction,
    access_pattern,
    as_model,
    fetch,
    key_of,
    keys,
    query,
    row,
    transact,
)

POSTS_A_STEP = 20  # each is up to 4 of the 100 actions that a transaction has room for
PAGES_A_STEP = 10  # so many are looked at while nothing on them goes


@job_step(JobKind.DELETE_POSTS)
def delete_step(job: Job) -> Step:
    """Deletes the next posts of the job, the oldest first, as their author would one by one.

    Consistent Queries of 20 posts, replies and reposts up to `until`, until some of them go, at most 10; for each a
    BatchGetItem of pins and shelf, and one of the reposts' traces. What goes, the post count, how many it was and the
    cursor are written in one transaction, 6 write units for each post and 6 for these three, on condition that none of
    them was pinned or saved since. So each post is deleted and counted once, also by a worker that was frozen. What
    follows from a deletion follows from the record of each, as after `delete_post`. A person who is erased meanwhile
    ends the job.
    """
    user_id, choice = job.subject_id, Choice.of(job.chosen or ())
    if find_wish(user_id) is None:
        return Step(0, None)
    partition = keys.posts(user_id)
    rows = query(
        partition,
        after=keys.Key(partition, job.cursor),
        between=keys.posts_until(str(job.until)),
        consistent=True,
        limit=POSTS_A_STEP,
    )
    for number in range(1, PAGES_A_STEP + 1):
        looked_at = list(islice(rows, POSTS_A_STEP))
        going = which_go(user_id, looked_at, choice, consistent=True)
        if not going.person_is_there:
            return Step(0, None)
        is_last = len(looked_at) < POSTS_A_STEP
        if going.items or is_last or number == PAGES_A_STEP:
            break
    return Step(
        done=len(going.items),
        cursor=None if is_last else key_of(looked_at[-1]).sk,
        writes=list(_deletions(user_id, going, choice)) if going.items else (),
    )


def _deletions(user_id: str, going: Going, choice: Choice) -> Iterator[WriteAction]:
    posts = [as_model(Post, raw) for raw in going.items if kind_of(raw) != Kind.REPOSTS]
    reposts = [as_model(Repost, raw) for raw in going.items if kind_of(raw) == Kind.REPOSTS]
    for post in posts:
        yield from deletion_of(post)
    if Kept.SAVED in choice.kept:
        for post in posts:
            yield Check(keys.saved_post(user_id, post.post_id), IS_ABSENT, otherwise=Moved)
    yield from _taken_back(user_id, reposts)
    yield from _count(user_id, posts, going.pins)
    deleted = [OldPostsWish.deleted.add(len(going.items))]
    yield Change(OldPostsWish, keys.old_posts_wish(user_id), deleted, otherwise=Moved)


def _taken_back(user_id: str, reposts: list[Repost]) -> Iterator[WriteAction]:
    """Yields what takes the reposts back. One whose post is gone has no trace any more, and goes alone."""
    traces = {one.post_id: keys.like_trace(user_id, one.repost_of) for one in reposts}
    found = fetch(traces.values(), consistent=True) if traces else {}
    for one in reposts:
        raw = found.get(traces[one.post_id], {})
        if row(LikeTrace, raw).repost_id == one.post_id:
            yield from taking_back(as_model(LikeTrace, raw))
        else:
            yield Delete(one.key, otherwise=Moved)


def _count(user_id: str, posts: list[Post], pins: tuple[str, ...]) -> list[WriteAction]:
    """Returns the change of the post count, which stands for the pins too: they are as they were read."""
    count = PostCount(user_id)
    for post in posts:
        count.take(post)
    unchanged = are_pins(pins)
    check = Check(keys.user_count(user_id), unchanged, otherwise=Moved)
    return count.writes(only_if=unchanged) or [check]


EVERY = timedelta(days=1)


@due_work(DUE)
@access_pattern
def carry_out_wish(due: Due) -> None:
    """Starts a run over the posts that have reached their age, unless one is under way, and plans the next day.

    One consistent GetItem, 1 read unit, and one TransactWriteItems of OldPostsWish, the plan, the due item and the Job,
    8 write units. Safe to run twice: the transaction ends the due item. Nothing happens if the wish was ended or
    planned anew since, or the person is gone.
    """
    wish = find_wish(due.subject)
    planned = due.facts["planned"]
    if wish is None or wish.next_run != planned:
        return
    next_run = _next_after(datetime.fromisoformat(planned))
    later = plan(DUE, moment=next_run, subject=due.subject, planned=next_run.isoformat())
    moved = [OldPostsWish.next_run.set(next_run.isoformat())]
    run = new_run(
        due.subject,
        choice=Choice.of(wish.chosen or ()),
        until=newest_to_go(int(wish.days or 0)),
    )

    def wished(*also: Action) -> Change:
        actions = [*moved, *also]
        return Change(OldPostsWish, wish.key, actions, is_planned(wish), otherwise=AlreadyDone)

    try:
        transact(wished(*begun_now()), run, later, done(due))
    except AlreadyDeleting:
        transact(wished(), later, done(due))


def _next_after(planned: datetime) -> datetime:
    """Returns the next run at the same time of day. Days on which no worker ran are left out."""
    missed = max(utc_now() - planned, timedelta(0)) // EVERY
    return planned + (missed + 1) * EVERY
