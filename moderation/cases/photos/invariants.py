"""What must hold for reported photos: each that was kept has its files, no file is without, and each belongs to a post
or a profile that was kept."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from moderation.cases.photos.copying import names_of
from moderation.models import CaseEvidence, CasePhoto, Keeping, ProfileEvidence
from photos.copies import list_copies, list_people_with_copies
from socialsite.table.item import Item


@dataclass
class CasePhotoInvariants:
    """Give it every item with `add`, then ask for `results`, which lists the files."""

    photos: dict[str, CasePhoto] = field(default_factory=dict)
    subjects: set[tuple[str, str]] = field(default_factory=set)  # posts, and pictures of profiles

    def add(self, item: Item) -> None:
        if isinstance(item, CasePhoto):
            self.photos |= dict.fromkeys(names_of(item), item)
        elif isinstance(item, CaseEvidence):
            self.subjects.add((item.pk, item.post_id))
        elif isinstance(item, ProfileEvidence):
            self.subjects |= {(item.pk, name) for name in (item.avatar, item.header) if name}

    def results(self) -> dict[str, list[str]]:
        """Returns the violations of each invariant. A listing of people, and one for each of them."""
        files = {name for person in list_people_with_copies() for name in list_copies(person)}
        kept = {name for name, one in self.photos.items() if one.state == Keeping.KEPT}
        about = {name: one.source if one.part else one.post_id for name, one in self.photos.items()}
        alone = [
            one for name, one in self.photos.items() if (one.pk, about[name]) not in self.subjects
        ]
        return {
            "every reported photo that was kept has its file": _places(
                self.photos[name] for name in kept - files
            ),
            "no file of a reported photo is without its item": sorted(
                name.rpartition(".")[0] for name in files - self.photos.keys()
            ),
            "every reported photo belongs to a post or a profile that was kept": _places(
                one for one in alone if not one.ttl
            ),
        }


def _places(photos: Iterable[CasePhoto]) -> list[str]:
    return sorted({f"{one.pk} / {one.sk}" for one in photos})
