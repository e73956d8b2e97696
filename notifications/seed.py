"""The notifications of demo people, as the stream worker would have written them."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import NamedTuple

from accounts.models import Bell
from feed.posts.reads import Pointer
from notifications.delivery import KEPT_DAYS, MOST_ACTORS, MOST_UNSEEN
from notifications.models import NO_POST, Notification, group_of
from socialsite.table import Item, ids, keys
from socialsite.telling import Kind, kind_of

NEW_FOR = timedelta(hours=12)


class Event(NamedTuple):
    """What one person did that another is notified of."""

    user_id: str
    kind: Kind
    actor: str
    moment: datetime
    subject_id: str = ""
    pointer: Pointer = NO_POST


def notification_items(events: Iterable[Event], now: datetime) -> Iterator[Item]:
    """Returns each person's notifications, grouped as the worker groups them, and their bell, which rings for what is
    younger than 12 hours and for requests."""
    by_person: dict[str, dict[str, list[Event]]] = defaultdict(lambda: defaultdict(list))
    for one in events:
        if one.user_id != one.actor and one.moment > now - timedelta(days=KEPT_DAYS):
            group = group_of(one.kind, one.subject_id)
            by_person[one.user_id][group].append(one)
    for user_id, groups in by_person.items():
        unseen: dict[str, str] = {}
        for number, (group, some) in enumerate(groups.items(), 1):
            last = max(some, key=lambda one: one.moment)
            time = ids.id_at(last.moment, bytes(10))[: keys.TIME]
            if last.moment > now - NEW_FOR and len(unseen) < MOST_UNSEEN:
                unseen[group] = f"{time}.{number}"
            yield _notification(f"{time}{group}", some, last)
        asking = [group for group in groups if kind_of(group[0]).is_request]
        yield Bell.new(user_id=user_id, unseen=unseen, asking=asking, changes=len(groups))


def _notification(place: str, some: list[Event], last: Event) -> Notification:
    actors = list(dict.fromkeys(one.actor for one in some))
    return Notification.new(
        user_id=last.user_id,
        place=place,
        kind=last.kind.code,
        actors=actors[:MOST_ACTORS],
        people=len(actors),
        pointer=last.pointer,
        ttl=last.moment + timedelta(days=KEPT_DAYS),
    )
