"""Deleting all of a person's posts at once, and the standing wish that they are deleted at some age. The stream worker
carries out both, the wish once a day. Each run has its job, and what is noted of it in the person's wish."""

from collections.abc import Sequence
from datetime import datetime

from pynamodb.expressions.condition import Condition
from pynamodb.expressions.update import Action

from accounts.people.viewer import Viewer
from privacy.models import OldPostsWish
from privacy.old_posts.reads import Choice, find_wish
from socialsite.clock import utc_now, utc_now_iso
from socialsite.due.work import cancel, plan
from socialsite.observing.logs import Event, note_event
from socialsite.streams import Job, JobKind
from socialsite.table import (
    IS_ABSENT,
    AlreadyExists,
    Change,
    Check,
    Create,
    Erase,
    Key,
    Moved,
    WriteAction,
    access_pattern,
    ids,
    keys,
    transact,
    write_batch,
    write_optimistically,
)


class AlreadyDeleting(AlreadyExists):
    """The worker is already deleting posts of this person."""


def job_key(user_id: str) -> Key:
    """Returns the key of the person's run: there is one at a time."""
    return keys.job(JobKind.DELETE_POSTS, user_id)


def new_run(user_id: str, *, choice: Choice, until: str, count: int = 0) -> Create:
    """Returns what starts a run over the person's posts up to the id `until`. `count` is how many were found, for the
    operators."""
    job = Job.new(
        kind=JobKind.DELETE_POSTS,
        job_id=user_id,
        subject_id=user_id,
        chosen=choice.names,
        until=until,
        cursor=keys.post(user_id, "").sk,
        total=count,
    )
    return Create(job, otherwise=AlreadyDeleting)


def begun_now() -> Sequence[Action]:
    """Returns what is noted in the wish when a run starts."""
    return [OldPostsWish.ran_at.set(utc_now_iso()), OldPostsWish.deleted.set(0)]


DUE = "old-posts"


@access_pattern
def wish_old_posts_gone(*, by: Viewer, days: int, choice: Choice) -> None:
    """Has the signed-in person's posts deleted when they are this many days old, from now on once a day. Safe to
    repeat.

    One consistent GetItem, 1 read unit, then one TransactWriteItems: writes OldPostsWish, checks that no posts are
    being deleted, and plans the first run for now, 6 write units; 2 more if a run was planned. Raises
    `AlreadyDeleting`.
    """

    def attempt() -> None:
        wish = find_wish(by.user_id)
        if wish and wish.days == days and wish.chosen == choice.names:
            return
        now = utc_now()
        transact(
            Check(job_key(by.user_id), IS_ABSENT, otherwise=AlreadyDeleting),
            _wish(by, wish, days, choice, now),
            plan(DUE, moment=now, subject=by.user_id, planned=now.isoformat()),
            *_without_plan(wish),
        )
        note_event(Event.OLD_POSTS_WISHED_GONE, account=by.user_id, days=days)

    write_optimistically(attempt)


@access_pattern
def keep_old_posts(*, by: Viewer) -> None:
    """Ends the wish, and what the worker is deleting for this person at the moment. Safe to repeat.

    One consistent GetItem, 1 read unit, then one TransactWriteItems of OldPostsWish, the planned run and the Job, 6
    write units.
    """

    def attempt() -> None:
        wish = find_wish(by.user_id)
        if wish is None or not wish.next_run:
            return
        of_wish = (OldPostsWish.days, OldPostsWish.chosen, OldPostsWish.next_run)
        ended = [attribute.remove() for attribute in of_wish]
        transact(
            Change(OldPostsWish, wish.key, ended, is_planned(wish), otherwise=Moved),
            *_without_plan(wish),
            Erase(job_key(by.user_id)),
        )

    write_optimistically(attempt)


def is_planned(wish: OldPostsWish) -> Condition:
    """The condition that the wish is as it was read: each change of it plans another run."""
    next_run = OldPostsWish.next_run
    return next_run == wish.next_run if wish.next_run else next_run.does_not_exist()


def _wish(
    by: Viewer, wish: OldPostsWish | None, days: int, choice: Choice, now: datetime
) -> WriteAction:
    if wish is None:
        fresh = OldPostsWish.new(user_id=by.user_id)
        fresh.days, fresh.chosen, fresh.next_run = days, choice.names, now.isoformat()
        return Create(fresh, otherwise=Moved)
    changes = [
        OldPostsWish.days.set(days),
        OldPostsWish.chosen.set(choice.names),
        OldPostsWish.next_run.set(now.isoformat()),
    ]
    return Change(OldPostsWish, keys.old_posts_wish(by.user_id), changes, is_planned(wish), Moved)


def _without_plan(wish: OldPostsWish | None) -> list[WriteAction]:
    if wish is None or not wish.next_run:
        return []
    moment = datetime.fromisoformat(wish.next_run)
    return [cancel(DUE, moment=moment, subject=wish.user_id)]


@access_pattern
def delete_old_posts(*, by: Viewer, choice: Choice, count: int = 0) -> None:
    """Asks the stream worker to delete the signed-in person's posts from before now, as far as they are chosen. `count`
    is how many were found, for the operators. Frozen people may delete, too.

    One consistent GetItem, 1 read unit, then one TransactWriteItems of the Job and OldPostsWish, 4 write units. One at
    a time for each person: raises `AlreadyDeleting`.
    """

    def attempt() -> None:
        run = new_run(by.user_id, choice=choice, until=ids.new_id(), count=count)
        if find_wish(by.user_id):
            noted: Change | Create = Change(
                OldPostsWish, keys.old_posts_wish(by.user_id), begun_now(), otherwise=Moved
            )
        else:
            fresh = OldPostsWish.new(user_id=by.user_id)
            fresh.ran_at = utc_now_iso()
            noted = Create(fresh, otherwise=Moved)
        transact(run, noted)

    write_optimistically(attempt)
    note_event(Event.POSTS_DELETED, account=by.user_id)


@access_pattern
def stop_deleting(*, by: Viewer) -> None:
    """Stops deleting the signed-in person's posts: the step that is being made now changes nothing any more. Safe to
    repeat. One BatchWriteItem, 1 write unit."""
    write_batch(deletes=[job_key(by.user_id)])
