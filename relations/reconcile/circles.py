"""Naming circles from before they had ids, so that the composer offers them."""

from collections.abc import Iterable
from functools import partial
from operator import or_

from accounts.circles import is_new
from relations.models import Relation, RelationType
from relations.relation import is_in_force
from relations.services.circles import change_circles
from socialsite.table.reading import RawItem
from socialsite.table.row import row


def name_circles(relations: Iterable[RawItem]) -> None:
    """Names the circles of these friendships after themselves if they have no name. Safe to repeat.

    One GetItem for each person with such circles, 1 read unit, and at most one UpdateItem.
    """
    used: dict[str, dict[str, str]] = {}
    for raw in relations:
        relation = row(Relation, raw)
        is_friend = relation.relation_type == RelationType.FRIEND
        old = {tag: tag for tag in relation.tags if not is_new(tag)}
        if old and is_friend and is_in_force(raw):
            used.setdefault(relation.user_id, {}).update(old)
    for user_id, old in used.items():
        change_circles(user_id, partial(or_, old))
