"""What must hold for drafts and scheduled posts: they can be opened, the clock comes for each scheduled one, and their
photos stay. Lets photos go that drafts held which are gone."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from accounts.models import PersonKey
from feed.composing.composer import release_photos
from feed.composing.models import Draft, Scheduled
from feed.composing.reads import PUBLISH, Slot, planned_in
from photos.models import Photo
from socialsite.due.models import Due
from socialsite.invariants import must_hold
from socialsite.table import Item, RawItem, row


@must_hold
@dataclass
class UnpublishedInvariants:
    """Give it every item with `add`, then ask for `results`."""

    keys: set[str] = field(default_factory=set)
    sealed: Counter[str] = field(default_factory=Counter)
    scheduled: Counter[tuple[str, Slot]] = field(default_factory=Counter)
    planned: Counter[tuple[str, Slot]] = field(default_factory=Counter)
    naming: set[tuple[str, str]] = field(default_factory=set)  # photos, each with what names it
    held: set[tuple[str, str]] = field(default_factory=set)
    unused: set[str] = field(default_factory=set)  # photos of no post

    def add(self, item: Item) -> None:
        match item:
            case PersonKey():
                self.keys.add(item.user_id)
            case Draft():
                self.sealed[item.user_id] += 1
                self.naming |= {(one, item.draft_id) for one in item.photos or ()}
            case Scheduled():
                self.sealed[item.user_id] += 1
                slot = Slot(datetime.fromisoformat(item.publish_at), item.scheduled_id)
                self.scheduled[item.user_id, slot] += 1
                self.naming |= {(one, str(slot)) for one in item.photos or ()}
            case Photo() if not item.post_id:
                self.unused.add(item.photo_id)
                self.held |= {(item.photo_id, one) for one in item.held_by or ()}
            case Due() if item.kind == PUBLISH:
                self.planned[planned_in(item)] += 1

    def results(self) -> dict[str, list[str]]:
        """Returns the violations of each invariant. A due item without its post is none: it does nothing when its time
        comes."""
        return {
            "drafts and scheduled posts are sealed with a key that is there": sorted(
                set(self.sealed) - self.keys
            ),
            "each scheduled post has one due item": sorted(
                f"{user_id} {slot}"
                for (user_id, slot), count in self.scheduled.items()
                if self.planned[user_id, slot] != count
            ),
            "an unused photo is held by what names it, and by nothing else": sorted(
                f"{photo_id} {holder}"
                for photo_id, holder in self.held ^ self.naming
                if photo_id in self.unused
            ),
        }


def release_orphaned_photos(photos: Iterable[RawItem]) -> None:
    """Releases those of the raw photos whose drafts and scheduled posts do not name them any more. As `release_photos`,
    for each that is held. Safe to repeat."""
    for raw in photos:
        photo = row(Photo, raw)
        for holder in photo.held_by or ():
            release_photos(photo.user_id, [photo.photo_id], holder=holder)
