"""Corrects follower counts. Some follows are counted by their own transactions, others by the worker."""

from collections.abc import Iterator
from functools import partial

from accounts.models import UserCount
from relations.models import Following
from relations.services.follow_edges import WORKER
from socialsite.streams.mend_count import mend_count
from socialsite.streams.unapplied import Unapplied
from socialsite.table import keys
from socialsite.table.reading import query


def mend_follower_count(user_id: str) -> Iterator[str]:
    """Sets a person's follower count to their follow edges, without those that the worker has not counted yet."""
    yield from mend_count(
        UserCount,
        keys.user_count(user_id),
        "followers",
        count=lambda: sum(1 for _ in query(keys.followers(user_id), consistent=True)),
        waiting=partial(_waiting, user_id),
    )


def _waiting(user_id: str, unapplied: Unapplied) -> int:
    return sum(
        1 if change.event == "INSERT" else -1
        for change in unapplied.changes(Following)
        if change.event != "MODIFY"
        and isinstance(change.item, Following)
        and change.item.counted_by == WORKER
        and change.item.followed_id == user_id
    )
