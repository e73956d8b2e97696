"""Dismissing a suggested person, and undoing it."""

from datetime import timedelta

from accounts.viewer import Viewer
from relations.models import Dismissal
from relations.relation import CannotRelateToYourself
from socialsite.clock import utc_now
from socialsite.table import keys
from socialsite.table.actions import Create, Delete
from socialsite.table.errors import AlreadyExists, NotFound
from socialsite.table.meter import access_pattern
from socialsite.table.writing import transact

HOLDS_FOR = timedelta(days=90)


class AlreadyDismissed(AlreadyExists):
    """The dismissal is already in force."""


class NotDismissed(NotFound):
    """There is no dismissal to undo."""


@access_pattern
def dismiss_suggestion(*, by: Viewer, user_id: str) -> None:
    """Stops suggesting a person for 90 days. Safe to repeat.

    One TransactWriteItems that puts `u#<id>#dismissal`, 2 write units. Every read of suggestions checks it, so it takes
    effect at once.
    """
    if by.user_id == user_id:
        raise CannotRelateToYourself
    ttl = utc_now() + HOLDS_FOR
    item = Dismissal.new(user_id=by.user_id, other_id=user_id, ttl=ttl)
    try:
        transact(Create(item, otherwise=AlreadyDismissed, over_expired=True))
    except AlreadyDismissed:
        return


@access_pattern
def restore_suggestion(*, by: Viewer, user_id: str) -> None:
    """Lets a person be suggested again; safe to repeat. One TransactWriteItems, 2 write units."""
    try:
        transact(Delete(keys.dismissal(by.user_id, user_id), otherwise=NotDismissed))
    except NotDismissed:
        return
