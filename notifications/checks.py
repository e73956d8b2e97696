"""What must hold for notifications: the bell knows what is there, and a group counts whom it names."""

from dataclasses import dataclass, field
from datetime import timedelta

from accounts.models import Bell
from notifications.delivery import KEPT_DAYS, MOST_ACTORS, key_of_group
from notifications.models import Notification, PushSubscription, group_of
from relations.models import Relation, RelationType
from relations.notices import REQUESTS
from socialsite.clock import utc_now
from socialsite.invariants import must_hold
from socialsite.table import Item, Key, ids, keys


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


def _devices_of(bell: Bell | None) -> set[str]:
    return (bell.push_to if bell else None) or set()


def _has_ended(value: str) -> bool:
    """Whether an unseen group opened so long ago that it has expired. The bell keeps it until its owner looks."""
    opened = ids.time_of(f"{value[: keys.TIME]}{'0' * 16}")
    return opened < utc_now() - timedelta(days=KEPT_DAYS)
