"""What must always hold between two people, by all relations and follow edges of the table (`invariants.py`)."""

from collections import Counter
from dataclasses import dataclass, field

from accounts.models import Relation, RelationType
from accounts.services.block import ENDED_BY_BLOCK
from socialsite.table import keys

Pair = tuple[str, str]

FRIEND, BLOCK = RelationType.FRIEND, RelationType.BLOCK


@dataclass
class RelationInvariants:
    """Pairs of people who are related, by type; ended relations are left out."""

    in_force: dict[RelationType, set[Pair]] = field(
        default_factory=lambda: {kind: set() for kind in RelationType}
    )
    blocked_by: set[Pair] = field(default_factory=set)
    misplaced: list[str] = field(default_factory=list)

    def add(self, item: Relation) -> None:
        kind = RelationType(int(item.relation_type))
        pair = item.user_id, item.other_id
        if item.blocked_by:
            self.blocked_by.add(pair)
        if not item.delete_status:
            self.in_force[kind].add(pair)
        target = None if item.delete_status else keys.relation_target(kind, item.other_id)
        if item.relation_target != target or item.key != keys.relation(pair[0], kind, pair[1]):
            self.misplaced.append(f"{item.pk} / {item.sk}")

    def count_friends(self) -> Counter[str]:
        return Counter(user_id for user_id, _ in self.in_force[FRIEND])

    def results(self, following: set[Pair]) -> dict[str, list[str]]:
        """For each invariant what breaks it."""
        friends, blocks = self.in_force[FRIEND], self.in_force[BLOCK]
        apart = blocks | _mirrored(blocks)
        ended = {kind: self.in_force[kind] & apart for kind in (FRIEND, *ENDED_BY_BLOCK)}
        return {
            "friendships stand on both sides": _lines(friends ^ _mirrored(friends)),
            "no friends wait for each other": _lines(
                friends & self.in_force[RelationType.FRIEND_REQUEST]
            ),
            "nothing is between people of whom one blocks the other": [
                *_lines(following & apart),
                *(f"{kind.name}: {line}" for kind in ended for line in _lines(ended[kind])),
            ],
            "blocks stand on both sides": _lines(_mirrored(blocks) ^ self.blocked_by),
            "relations are in the index while they are in force": self.misplaced,
        }


def _mirrored(pairs: set[Pair]) -> set[Pair]:
    return {(other, one) for one, other in pairs}


def _lines(pairs: set[Pair]) -> list[str]:
    return [f"{one} → {other}" for one, other in sorted(pairs)]
