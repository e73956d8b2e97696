"""Carries out the standing wish that a person's old posts are deleted (`services/wish_old_posts.py`), once a day."""

from datetime import datetime, timedelta

from pynamodb.expressions.update import Action

from privacy.models import OldPostsWish
from privacy.old_posts.choice import Choice
from privacy.old_posts.preview import newest_to_go
from privacy.old_posts.runs import AlreadyDeleting, begun_now, new_run
from privacy.old_posts.state import find_wish
from privacy.services.wish_old_posts import DUE, is_planned
from socialsite.clock import utc_now
from socialsite.due.planning import AlreadyDone, done, plan
from socialsite.due.work import due_work
from socialsite.models import Due
from socialsite.table.actions import Change
from socialsite.table.meter import access_pattern
from socialsite.table.writing import transact

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
