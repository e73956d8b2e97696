"""What must hold for notifications: the bell knows what is there, and a group counts whom it names."""

from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta

from accounts.models import Bell
from notifications.delivery import KEPT_DAYS, MOST_ACTORS, key_of_group
from notifications.models import Notification, PushSubscription, group_of
from relations.models import Relation, RelationType
from relations.notices import REQUESTS
from socialsite.clock import utc_now
from socialsite.invariants import must_hold
from socialsite.table import (
    Item,
    Key,
    Moved,
    RawItem,
    change,
    ids,
    keys,
    query_index,
    row,
    type_index_name,
)


@must_hold
@dataclass
class NotificationInvariants:
    """Give it every item with `add`, then ask for `results`."""

    bells: dict[str, Bell] = field(default_factory=dict)
    groups: dict[Key, Notification] = field(default_factory=dict)
    requests: set[tuple[str, str]] = field(default_factory=set)  # the person asked, and the group
    devices: set[tuple[str, str]] = field(default_factory=set)

    def add(self, item: Item) -> None:
        match item:
            case Bell():
                self.bells[item.user_id] = item
            case Notification():
                self.groups[item.key] = item
            case PushSubscription():
                self.devices.add((item.user_id, item.device))
            case Relation() if not item.delete_status:
                kind = REQUESTS.get(RelationType(int(item.relation_type)))
                if kind:
                    self.requests.add((item.other_id, group_of(kind, item.user_id)))

    def results(self) -> dict[str, list[str]]:
        """Returns the violations of each invariant."""
        return {
            "every unseen notification is there": [
                f"{user_id} {group}"
                for user_id, bell in self.bells.items()
                for group, value in bell.unseen.attribute_values.items()
                if key_of_group(user_id, group, value) not in self.groups and not _has_ended(value)
            ],
            "a notification counts the people it names": [
                f"{one.user_id} {one.place}: {one.people} for {len(one.actors)}"
                for one in self.groups.values()
                if len(one.actors) > min(MOST_ACTORS, int(one.people))
            ],
            "a badge counts requests that wait": [
                f"{user_id} {group}"
                for user_id, bell in self.bells.items()
                for group in bell.asking or ()
                if (user_id, group) not in self.requests
            ],
            # One that expired is still named, until the pusher looks for it.
            "every device that is pushed to is named in its bell": [
                f"{user_id} {device}"
                for user_id, device in sorted(self.devices)
                if device not in _devices_of(self.bells.get(user_id))
            ],
        }


MOST_WAITING = 200  # requests that are looked for; of people who have more nothing is taken away


def mend_requests(bells: Iterable[RawItem]) -> None:
    """Takes requests out of bells that wait no longer: the record of their end may have been lost. Safe to repeat. A
    bell that changed since it was read stays as it is. For each bell with requests two Queries of `typeIndex`, 0.5 read
    units per 4 KB, and one UpdateItem, 1 write unit, if some are gone."""
    for bell in (row(Bell, raw) for raw in bells):
        gone = set(bell.asking) - _waiting(bell.user_id, bell.asking) if bell.asking else set()
        if gone:
            as_read = Bell.changes == int(bell.changes)
            with suppress(Moved):
                taken = [Bell.asking.delete(gone)]
                change(Bell, keys.bell(bell.user_id), taken, condition=as_read, otherwise=Moved)


def _waiting(user_id: str, asking: Collection[str]) -> set[str]:
    """Returns the groups of all requests that wait for a person, or those `asking` where there are too many."""
    found: set[str] = set()
    for relation_type, kind in REQUESTS.items():
        target = keys.relation_target(relation_type, user_id)
        raws = query_index(type_index_name, target, limit=MOST_WAITING)
        if len(raws) == MOST_WAITING:
            return set(asking)
        found |= {group_of(kind, row(Relation, raw).user_id) for raw in raws}
    return found


def _devices_of(bell: Bell | None) -> set[str]:
    return (bell.push_to if bell else None) or set()


def _has_ended(value: str) -> bool:
    """Whether an unseen group opened so long ago that it has expired. The bell keeps it until its owner looks."""
    opened = ids.time_of(f"{value[: keys.TIME]}{'0' * 16}")
    return opened < utc_now() - timedelta(days=KEPT_DAYS)
