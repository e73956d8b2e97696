"""What a batch of stream records changes for the people whom it notifies: their bells and groups of notifications.

Handlers add candidates, and the ledger writes what becomes of them with the checkpoint, so that nobody is notified
twice. That is decided at the commit, from what then holds: someone who liked, unliked and liked again counts once.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from feed.pointers import Pointer
from notifications.filtering import Candidate, Candidates, Filter, read_filter
from notifications.inbox_changes import InboxChanges, key_of_group
from notifications.kinds import REQUESTS, SEVERAL, Kind, group_of
from notifications.models import NO_POST
from socialsite.table import keys
from socialsite.table.actions import WriteAction
from socialsite.table.keys import Key
from socialsite.table.reading import RawItem, fetch

LINES = 2  # that a group may become: its own, and the bell


@dataclass(slots=True)
class Notifications:
    """A `Plan` of the ledger: candidates, by person and group."""

    candidates: Candidates = field(default_factory=lambda: defaultdict(dict))

    @property
    def size(self) -> int:
        return sum(LINES * len(groups) for groups in self.candidates.values())

    def add(
        self,
        user_id: str,
        kind: Kind,
        *,
        actor: str,
        cause: Key,
        subject_id: str = "",
        pointer: Pointer = NO_POST,
    ) -> None:
        """Notes that something began or ended: `cause` is the item that is there as long as it holds. People are not
        notified of what they did themselves."""
        if user_id != actor:
            self._candidate(user_id, group_of(kind, subject_id), kind, pointer).causes[actor] = (
                cause
            )

    def merge(self, other: "Notifications") -> None:
        for user_id, groups in other.candidates.items():
            for group, candidate in groups.items():
                mine = self._candidate(user_id, group, candidate.kind, candidate.pointer)
                mine.causes |= candidate.causes

    def _candidate(self, user_id: str, group: str, kind: Kind, pointer: Pointer) -> Candidate:
        return self.candidates[user_id].setdefault(group, Candidate(kind, pointer))

    def actions(self) -> Sequence[WriteAction]:
        """Reads bells, settings, causes and what is between the people, consistently: three BatchGetItems for 100 keys
        each, and one for each post in words. 1 read unit a key, 2 write units for each bell and group that changes."""
        people = fetch(self._keys_of_people(), consistent=True)
        wanted = read_filter(self.candidates, people, also=self._open_groups(people))
        return [
            action
            for user_id, groups in self.candidates.items()
            if keys.user_info(user_id) in people
            for action in _inbox_changes(user_id, groups, wanted)
        ]

    def _keys_of_people(self) -> Iterator[Key]:
        for user_id in self.candidates:
            yield keys.user_info(user_id)
            yield keys.user_settings(user_id)
            yield keys.bell(user_id)

    def _open_groups(self, people: Mapping[Key, RawItem]) -> Iterator[Key]:
        for user_id, groups in self.candidates.items():
            unseen = people.get(keys.bell(user_id), {}).get("unseen", {}).get("M", {})
            for group in {*groups, group_of(Kind.LIKE, SEVERAL)} & unseen.keys():
                yield key_of_group(user_id, group, unseen[group]["S"])


def _inbox_changes(
    user_id: str, groups: Mapping[str, Candidate], wanted: Filter
) -> Sequence[WriteAction]:
    changes = InboxChanges(user_id, wanted.items)
    for group, candidate in groups.items():
        present, gone = wanted.split(user_id, candidate)
        if candidate.kind in REQUESTS.values():
            changes.count_request(group, waits=bool(present))
        changes.apply(group, candidate, wanted.actors(user_id, candidate, present), gone)
    return changes.actions()
