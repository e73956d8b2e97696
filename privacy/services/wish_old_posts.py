"""The standing wish that a person's posts are deleted at some age. The stream worker carries it out once a day
(`privacy/stream_handlers/carry_out_wish.py`)."""

from datetime import datetime

from pynamodb.expressions.condition import Condition

from accounts.viewer import Viewer
from privacy.models import OldPostsWish
from privacy.old_posts.choice import Choice
from privacy.old_posts.runs import AlreadyDeleting, job_key
from privacy.old_posts.state import find_wish
from socialsite.clock import utc_now
from socialsite.due.planning import cancel, plan
from socialsite.table import keys
from socialsite.table.actions import IS_ABSENT, Change, Check, Create, Erase, WriteAction
from socialsite.table.as_read import Moved, write_as_read
from socialsite.table.meter import access_pattern
from socialsite.table.writing import transact
from socialsite.web.observing.security_log import Event, note_event

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

    write_as_read(attempt)


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

    write_as_read(attempt)


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
