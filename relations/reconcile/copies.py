"""Bringing what relationships copied of profiles up to date, also from before the copies were folded."""

from collections.abc import Iterable
from contextlib import suppress

from accounts.models import UserInfo
from relations.models import COPYING, Relation
from relations.relation import IN_FORCE, copy_profile, is_in_force, profile_copies
from socialsite.table import keys
from socialsite.table.errors import NotFound
from socialsite.table.reading import RawItem, fetch, key_of, text
from socialsite.table.row import row
from socialsite.table.writing import change


def mend_copies(relations: Iterable[RawItem]) -> None:
    """Copies place and pronouns of the other person into these friendships and favourites. Safe to repeat.

    One BatchGetItem for 100 people, 1 read unit each, and one UpdateItem for each relationship that says something
    else.
    """
    copying = [
        raw for raw in relations if row(Relation, raw).relation_type in COPYING and is_in_force(raw)
    ]
    infos = fetch((keys.user_info(row(Relation, raw).other_id) for raw in copying), consistent=True)
    for raw in copying:
        info = infos.get(keys.user_info(row(Relation, raw).other_id))
        if info is None:
            continue
        location, gender = text(info, UserInfo.location), text(info, UserInfo.gender)
        wanted = profile_copies(location, gender)
        if wanted != {name: getattr(row(Relation, raw), name) for name in wanted}:
            with suppress(NotFound):  # ended meanwhile
                change(Relation, key_of(raw), copy_profile(location, gender), condition=IN_FORCE)
