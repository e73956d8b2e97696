"""Notifications of each new post of a favourite. Nobody else learns of it."""

from contextlib import suppress

from accounts.viewer import Viewer
from relations.models import PostSubscriber, Relation, RelationType
from relations.relation import IN_FORCE, NotRelated
from socialsite.table import keys
from socialsite.table.actions import Change, Erase, Put
from socialsite.table.errors import NotFound
from socialsite.table.meter import access_pattern
from socialsite.table.writing import transact


class NotAFavourite(NotRelated):
    """The person is not a favourite."""


@access_pattern
def subscribe(*, by: Viewer, user_id: str) -> None:
    """Has the stream worker notify the person of each new post of a favourite. Safe to repeat. Raises `NotAFavourite`.

    One TransactWriteItems of the favourite and its mirror in the author's partition, 5 write units.
    """
    key = keys.relation(by.user_id, RelationType.FAVOURITE, user_id)
    chosen = [Relation.subscribed.set(True)]
    transact(
        Change(Relation, key, chosen, condition=IN_FORCE, otherwise=NotAFavourite),
        Put(PostSubscriber.new(user_id=user_id, subscriber_id=by.user_id)),
    )


@access_pattern
def unsubscribe(*, by: Viewer, user_id: str) -> None:
    """Ends the notifications of a person's posts. Safe to repeat. One TransactWriteItems, 5 write units."""
    key = keys.relation(by.user_id, RelationType.FAVOURITE, user_id)
    with suppress(NotFound):  # never a favourite, so never subscribed
        transact(
            Change(Relation, key, [Relation.subscribed.remove()]),
            Erase(keys.post_subscriber(user_id, by.user_id)),
        )
