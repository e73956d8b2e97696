"""Checks item by item what must always hold in the table, for `manage.py audit` and the tests.

Each app checks its own items in its `invariants`. Rules for every item are here.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from accounts.invariants import OriginInvariants, PeopleInvariants
from accounts.passkeys.invariants import PasskeyInvariants
from feed.invariants.ends import EndInvariants
from feed.invariants.likes import LikeInvariants
from feed.invariants.photos import PostPhotoInvariants
from feed.invariants.polls import PollInvariants
from feed.invariants.posts import PostInvariants
from feed.invariants.quotes import QuoteInvariants
from feed.invariants.recent_posts import RecentPostsInvariants
from feed.invariants.reposts import RepostInvariants
from feed.invariants.shelf import ShelfInvariants
from feed.invariants.threads import ThreadInvariants
from feed.invariants.timelines import TimelineInvariants
from feed.invariants.unpublished import UnpublishedInvariants
from feed.invariants.versions import VersionInvariants
from moderation.cases.invariants import CaseInvariants
from moderation.cases.photos.invariants import CasePhotoInvariants
from moderation.people.invariants import PeopleListInvariants
from moderation.staff.invariants import WaitingInvariants
from moderation.waves.invariants import WaveInvariants
from notifications.invariants import NotificationInvariants
from operations.damage import find_faults, model_of, place_of
from photos.invariants import PhotoInvariants
from privacy.erasure.invariants import ErasureInvariants
from privacy.old_posts.invariants import OldPostsInvariants
from relations.invariants import DirectoryInvariants, FollowInvariants, RelationInvariants
from socialsite.models import RETIRED_ITEMS
from socialsite.table.item import Item
from socialsite.table.reading import RawItem
from socialsite.table.size import MOST_BYTES, item_size
from tags.invariants import TagInvariants

LARGER = {
    "Relation": 24_576,  # a note of 2,000 characters and 100 circles, in any script
    "Draft": 41_984,  # a story of ten long posts
    "Scheduled": 41_984,
    "UserSettings": 43_008,  # 1,500 widely followed people, 26 bytes each
}
# What an item raises that has all its attributes, one of which means nothing.
UNREADABLE = (TypeError, ValueError, KeyError, AttributeError)


class OfAnApp(Protocol):
    def add(self, item: Item) -> None: ...

    def results(self) -> dict[str, list[str]]: ...


def _of_all_apps() -> Sequence[OfAnApp]:
    return (
        PeopleInvariants(),
        OriginInvariants(),
        PasskeyInvariants(),
        FollowInvariants(),
        RelationInvariants(),
        DirectoryInvariants(),
        PostInvariants(),
        LikeInvariants(),
        RepostInvariants(),
        QuoteInvariants(),
        PollInvariants(),
        EndInvariants(),
        ThreadInvariants(),
        VersionInvariants(),
        PostPhotoInvariants(),
        ShelfInvariants(),
        PhotoInvariants(),
        UnpublishedInvariants(),
        TimelineInvariants(),
        RecentPostsInvariants(),
        TagInvariants(),
        NotificationInvariants(),
        CaseInvariants(),
        CasePhotoInvariants(),
        WaitingInvariants(),
        WaveInvariants(),
        PeopleListInvariants(),
        OldPostsInvariants(),
        ErasureInvariants(),
    )


@dataclass
class Invariants:
    """Give it every item with `add`, then ask for `results`."""

    of_apps: Sequence[OfAnApp] = field(default_factory=_of_all_apps)
    unknown: list[str] = field(default_factory=list)
    damaged: list[str] = field(default_factory=list)
    large: list[str] = field(default_factory=list)

    def add(self, raw: RawItem) -> None:
        place = place_of(raw)
        kind = raw.get("type", {}).get("S", "")
        if item_size(raw) > LARGER.get(kind, MOST_BYTES):
            self.large.append(place)
        if model_of(raw) is None:
            if kind not in RETIRED_ITEMS:
                self.unknown.append(place)
            return
        if faults := find_faults(raw):  # none of the others could read it
            self.damaged.append(f"{place}: {faults[0]}")
            return
        item = Item.from_raw_data(raw)
        try:
            for invariants in self.of_apps:
                invariants.add(item)
        except UNREADABLE as error:
            self.damaged.append(f"{place}: its values cannot be read: {error}")

    def results(self) -> dict[str, list[str]]:
        """Returns the violations of each invariant. Empty lists mean that all is well."""
        found: dict[str, list[str]] = {}
        for one in self.of_apps:
            try:
                found |= one.results()
            except UNREADABLE as error:
                self.damaged.append(f"{type(one).__name__} cannot compare what it found: {error}")
        return found | {
            "every item is of a known type": self.unknown,
            "every item has what its type needs": self.damaged,
            "no item is larger than 4 KB": self.large,
        }
