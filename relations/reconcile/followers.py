"""Corrects follower counts, and the days in the edges of followers. Some follows are counted by their own transactions,
others by the worker."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial

from accounts.models import UserCount, UserSettings
from relations.models import Follower, Following
from relations.services.follow_edges import WORKER
from socialsite.streams.mend_count import mend_count
from socialsite.streams.unapplied import Unapplied
from socialsite.table import keys
from socialsite.table.errors import NotFound
from socialsite.table.reading import RawItem, fetch, key_of, query
from socialsite.table.row import row
from socialsite.table.writing import change


def mend_follower_count(user_id: str) -> Iterator[str]:
    """Sets a person's follower count to their follow edges, without those that the worker has not counted yet."""
    yield from mend_count(
        UserCount,
        keys.user_count(user_id),
        "followers",
        count=lambda: sum(1 for _ in query(keys.followers(user_id), consistent=True)),
        waiting=partial(_waiting, user_id),
    )


def mend_days(edges: Sequence[RawItem]) -> None:
    """Sets the day in an edge back to the follower's own where it is later: the site's clock stood ahead when they
    followed. A consistent BatchGetItem of the settings of followers, 1 read unit each, and 1 write unit a correction.
    """
    noted = [raw for raw in edges if "seen" in raw]
    settings = {key_of(raw): keys.user_settings(row(Follower, raw).follower_id) for raw in noted}
    found = fetch(dict.fromkeys(settings.values()), consistent=True)
    for raw in noted:
        day = row(Follower, raw).seen
        own = row(UserSettings, found.get(settings[key_of(raw)], {})).seen
        if own and own < day:
            with suppress(NotFound):  # the follow has ended, or a fan-out noted another day
                change(
                    Follower, key_of(raw), [Follower.seen.set(own)], condition=Follower.seen == day
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
