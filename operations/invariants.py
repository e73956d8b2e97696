"""Checks item by item what must always hold in the table, for `manage.py audit` and the tests.

Each app checks its own items in its `invariants`. Rules for every item are here.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from accounts.checks import OriginInvariants, PasskeyInvariants, PeopleInvariants
from feed.composing.checks import UnpublishedInvariants
from feed.likes.checks import LikeInvariants
from feed.polls.checks import PollInvariants
from feed.publishing.checks import (
    EndInvariants,
    PostInvariants,
    PostPhotoInvariants,
    VersionInvariants,
)
from feed.saved.checks import ShelfInvariants
from feed.sharing.checks import QuoteInvariants, RepostInvariants
from feed.threads.checks import ThreadInvariants
from feed.timelines.checks import RecentPostsInvariants, TimelineInvariants
from moderation.checks import (
    CaseInvariants,
    CasePhotoInvariants,
    PeopleListInvariants,
    WaitingInvariants,
    WaveInvariants,
)
from notifications.checks import NotificationInvariants
from operations.damage import find_faults, model_of, place_of
from photos.checks import PhotoInvariants
from privacy.checks import ErasureInvariants, OldPostsInvariants
from relations.checks import DirectoryInvariants, FollowInvariants, RelationInvariants
from site_votes.checks import SiteVoteInvariants
from socialsite.streams.models import RETIRED_ITEMS
from socialsite.table import MOST_BYTES, Item, RawItem, item_size
from tags.checks import TagInvariants

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
        SiteVoteInvariants(),
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
