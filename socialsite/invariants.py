"""What must always hold in the table, checked item by item: `manage.py audit` and the tests use it.

Counts equal their edges, edges are mirror images, claims lead to who holds them, every item is of a known type and
small, the directory lists people as they are called. What holds of likes is in `like_invariants.py`, between two people
in `relation_invariants.py`, of home timelines in `timeline_invariants.py`, of moderation in
`moderation_invariants.py`.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from accounts.directory import directory_entries
from accounts.models import (
    DirectoryEntry,
    EmailClaim,
    Follower,
    Following,
    HandleClaim,
    Relation,
    UserCount,
    UserInfo,
)
from feed.models import Post
from socialsite.like_invariants import LikeInvariants
from socialsite.models import RETIRED_ITEMS
from socialsite.moderation_invariants import ModerationInvariants
from socialsite.relation_invariants import RelationInvariants
from socialsite.table.item import Item
from socialsite.table.keys import Key
from socialsite.table.reading import RawItem
from socialsite.timeline_invariants import TimelineInvariants

MOST_BYTES = 4096
MOST_BYTES_OF_RELATION = 24_576  # a note of 2,000 characters and 100 circles, in any script

Pair = tuple[str, str]


@dataclass
class Invariants:
    """Give it every item with `add`, then ask for `results`."""

    infos: dict[str, str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    entries: set[Key] = field(default_factory=set)
    counts: dict[str, Counter[str]] = field(default_factory=dict)
    handles: dict[str, str] = field(default_factory=dict)
    email_owners: Counter[str] = field(default_factory=Counter)
    followers: set[Pair] = field(default_factory=set)
    following: set[Pair] = field(default_factory=set)
    relations: RelationInvariants = field(default_factory=RelationInvariants)
    moderation: ModerationInvariants = field(default_factory=ModerationInvariants)
    timelines: TimelineInvariants = field(default_factory=TimelineInvariants)
    likes: LikeInvariants = field(default_factory=LikeInvariants)
    post_counts: Counter[str] = field(default_factory=Counter)
    closed_counts: Counter[str] = field(default_factory=Counter)
    unknown: list[str] = field(default_factory=list)
    large: list[str] = field(default_factory=list)

    def add(self, raw: RawItem) -> None:
        place = f"{raw['PK']['S']} / {raw['SK']['S']}"
        is_relation = raw.get("type", {}).get("S") == Relation.__name__
        if _size(raw) > (MOST_BYTES_OF_RELATION if is_relation else MOST_BYTES):
            self.large.append(place)
        try:
            item = Item.from_raw_data(raw)
        except ValueError:
            if raw.get("type", {}).get("S") not in RETIRED_ITEMS:
                self.unknown.append(place)
            return
        self.moderation.add(item)
        self.timelines.add(item)
        self.likes.add(item)
        note = self._notes.get(type(item))
        if note:
            note(self, item)

    def results(self) -> dict[str, list[str]]:
        """For each invariant what breaks it: empty lists mean that all is well."""
        people = self.infos.keys()
        followers = Counter(user_id for user_id, _ in self.followers)
        following = Counter(user_id for user_id, _ in self.following)
        return {
            "follower counts equal follower edges": self._differing("followers", followers),
            "following counts equal following edges": self._differing("following", following),
            "post counts equal posts": self._differing("posts", self.post_counts),
            "counts of closed posts equal posts for some": self._differing(
                "closed", self.closed_counts
            ),
            "friend counts equal friendships": self._differing(
                "friends", self.relations.count_friends()
            ),
            **self.relations.results(self.following),
            **self.moderation.results(),
            **self.timelines.results(),
            "follower and following edges are mirror images": [
                f"{one} → {other}"
                for one, other in self.following ^ {(b, a) for a, b in self.followers}
            ],
            **self.likes.results(),
            "every person has info, counts, handle and e-mail": sorted(
                (people ^ self.counts.keys())
                | (people ^ self.email_owners.keys())
                | (people ^ set(self.handles.values()))
            ),
            "handles lead to their person": [
                handle
                for handle, user_id in self.handles.items()
                if self.infos.get(user_id) != handle
            ],
            "directory entries are what the infos say": [
                f"{pk} / {sk}"
                for pk, sk in self.entries ^ {entry.key for entry in self.wanted_entries()}
            ],
            "every item is of a known type": self.unknown,
            "no item is larger than 4 KB": self.large,
        }

    def wanted_entries(self) -> Iterator[DirectoryEntry]:
        """What the directory should hold."""
        for user_id, handle in self.infos.items():
            name = self.names[user_id]
            yield from directory_entries(user_id=user_id, handle=handle, name=name)

    def _differing(self, name: str, counted: Counter[str]) -> list[str]:
        return [
            f"{user_id}: {counts[name]}, {counted[user_id]} counted"
            for user_id, counts in self.counts.items()
            if counts[name] != counted[user_id]
        ]

    def _note_info(self, item: UserInfo) -> None:
        self.infos[item.user_id] = item.handle
        self.names[item.user_id] = item.name

    def _note_entry(self, item: DirectoryEntry) -> None:
        self.entries.add(item.key)

    def _note_count(self, item: UserCount) -> None:
        self.counts[item.user_id] = Counter(
            followers=int(item.followers),
            following=int(item.following),
            posts=int(item.posts),
            closed=int(item.closed),
            friends=int(item.friends),
        )

    def _note_handle(self, item: HandleClaim) -> None:
        self.handles[item.handle] = item.user_id

    def _note_email(self, item: EmailClaim) -> None:
        self.email_owners[item.user_id] += 1

    def _note_follower(self, item: Follower) -> None:
        self.followers.add((item.user_id, item.follower_id))

    def _note_following(self, item: Following) -> None:
        self.following.add((item.user_id, item.followed_id))

    def _note_relation(self, item: Relation) -> None:
        self.relations.add(item)

    def _note_post(self, item: Post) -> None:
        self.post_counts[item.author_id] += item.withheld is None
        self.closed_counts[item.author_id] += item.withheld is None and bool(item.audience)

    _notes: dict[type[Item], Callable[..., None]] = field(
        init=False,
        repr=False,
        default_factory=lambda: {
            UserInfo: Invariants._note_info,
            DirectoryEntry: Invariants._note_entry,
            UserCount: Invariants._note_count,
            HandleClaim: Invariants._note_handle,
            EmailClaim: Invariants._note_email,
            Follower: Invariants._note_follower,
            Following: Invariants._note_following,
            Relation: Invariants._note_relation,
            Post: Invariants._note_post,
        },
    )


def _size(raw: RawItem) -> int:
    return sum(
        len(name) + sum(len(str(part).encode()) for part in value.values())
        for name, value in raw.items()
    )
