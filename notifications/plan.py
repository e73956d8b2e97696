"""What a batch of stream records changes for the people it tells: their bells, and groups of notifications.

Handlers say whom something concerns (`tell`), and the ledger writes it with the checkpoint, so that nothing is told
twice. What is written is decided at the commit, from what then holds: someone who liked, unliked and liked again is
told of once.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from feed.pointers import Pointer
from notifications.heard import Concern, Concerns, Heard, hear
from notifications.kinds import REQUESTS, SEVERAL, Kind, group_of
from notifications.models import NO_POST
from notifications.ring import Ring, key_of_group
from socialsite.table import keys
from socialsite.table.actions import WriteAction
from socialsite.table.keys import Key
from socialsite.table.reading import RawItem, fetch

LINES = 2  # that a group may become: its own, and the bell


@dataclass(slots=True)
class Notifications:
    """A `Plan` of the ledger: what concerns whom, by person and group."""

    concerns: Concerns = field(default_factory=lambda: defaultdict(dict))

    @property
    def size(self) -> int:
        return sum(LINES * len(groups) for groups in self.concerns.values())

    def tell(
        self,
        user_id: str,
        kind: Kind,
        *,
        actor: str,
        cause: Key,
        subject_id: str = "",
        pointer: Pointer = NO_POST,
    ) -> None:
        """Notes that something began or ended: `cause` is the item that is there as long as it holds. Nobody is told of
        what they did themselves."""
        if user_id != actor:
            self._concern(user_id, group_of(kind, subject_id), kind, pointer).causes[actor] = cause

    def merge(self, other: "Notifications") -> None:
        for user_id, groups in other.concerns.items():
            for group, concern in groups.items():
                mine = self._concern(user_id, group, concern.kind, concern.pointer)
                mine.causes |= concern.causes

    def _concern(self, user_id: str, group: str, kind: Kind, pointer: Pointer) -> Concern:
        return self.concerns[user_id].setdefault(group, Concern(kind, pointer))

    def actions(self) -> Sequence[WriteAction]:
        """Reads bells, settings, causes and what is between the people, consistently: three BatchGetItems for 100 keys
        each, and one for each post in words. 1 read unit a key, 2 write units for each bell and group that changes."""
        people = fetch(self._keys_of_people(), consistent=True)
        heard = hear(self.concerns, people, also=self._open_groups(people))
        return [
            action
            for user_id, groups in self.concerns.items()
            if keys.user_info(user_id) in people
            for action in _ring(user_id, groups, heard)
        ]

    def _keys_of_people(self) -> Iterator[Key]:
        for user_id in self.concerns:
            yield keys.user_info(user_id)
            yield keys.user_settings(user_id)
            yield keys.bell(user_id)

    def _open_groups(self, people: Mapping[Key, RawItem]) -> Iterator[Key]:
        for user_id, groups in self.concerns.items():
            unseen = people.get(keys.bell(user_id), {}).get("unseen", {}).get("M", {})
            for group in {*groups, group_of(Kind.LIKE, SEVERAL)} & unseen.keys():
                yield key_of_group(user_id, group, unseen[group]["S"])


def _ring(user_id: str, groups: Mapping[str, Concern], heard: Heard) -> Sequence[WriteAction]:
    ring = Ring(user_id, heard.items)
    for group, concern in groups.items():
        present, gone = heard.causes(user_id, concern)
        if concern.kind in REQUESTS.values():
            ring.count_request(group, waits=bool(present))
        ring.enter(group, concern, heard.told(user_id, concern, present), gone)
    return ring.actions()
