"""Naming circles from before they had ids, so that the composer offers them."""

from collections.abc import Iterable
from functools import partial
from operator import or_

from accounts.circles import is_new
from relations.models import Relation, RelationType
from relations.relation import is_in_force
from relations.services.circles import change_names
from socialsite.table import reading
from socialsite.table.reading import RawItem


def name_circles(relations: Iterable[RawItem]) -> None:
    """Names the circles of these friendships after themselves if they have no name. Safe to repeat.

    One GetItem for each person with such circles, 1 read unit, and at most one UpdateItem.
    """
    used: dict[str, dict[str, str]] = {}
    for raw in relations:
        is_friend = reading.number(raw, Relation.relation_type) == RelationType.FRIEND
        old = {tag: tag for tag in reading.texts(raw, Relation.tags) if not is_new(tag)}
        if old and is_friend and is_in_force(raw):
            used.setdefault(reading.text(raw, Relation.user_id), {}).update(old)
    for user_id, old in used.items():
        change_names(user_id, partial(or_, old))
