"""What must hold for reported photos: each that was kept has its file, no file is without, and each belongs to a post
that was kept."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from moderation.cases.photos.copying import name_of
from moderation.models import CaseEvidence, CasePhoto, Keeping
from photos.copies import list_copies, list_people_with_copies
from socialsite.table.item import Item


@dataclass
class CasePhotoInvariants:
    """Give it every item with `add`, then ask for `results`, which lists the files."""

    photos: dict[str, CasePhoto] = field(default_factory=dict)
    posts: set[tuple[str, str]] = field(default_factory=set)

    def add(self, item: Item) -> None:
        if isinstance(item, CasePhoto):
            self.photos[name_of(item)] = item
        elif isinstance(item, CaseEvidence):
            self.posts.add((item.pk, item.post_id))

    def results(self) -> dict[str, list[str]]:
        """Returns the violations of each invariant. A listing of people, and one for each of them."""
        files = {name for person in list_people_with_copies() for name in list_copies(person)}
        kept = {name for name, one in self.photos.items() if one.state == Keeping.KEPT}
        alone = [one for one in self.photos.values() if (one.pk, one.post_id) not in self.posts]
        return {
            "every reported photo that was kept has its file": _places(
                self.photos[name] for name in kept - files
            ),
            "no file of a reported photo is without its item": sorted(
                name.rpartition(".")[0] for name in files - self.photos.keys()
            ),
            "every reported photo belongs to a post that was kept": _places(
                one for one in alone if not one.ttl
            ),
        }


def _places(photos: Iterable[CasePhoto]) -> list[str]:
    return sorted(f"{one.pk} / {one.sk}" for one in photos)
