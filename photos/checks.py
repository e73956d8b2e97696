"""What must hold for photos: each has its files, no file is without its photo, and what is used never expires."""

from dataclasses import dataclass, field

from photos.files import PRIVATE, PUBLIC, list_secrets
from photos.models import READY, Photo
from socialsite.invariants import must_hold
from socialsite.table import Item


@must_hold
@dataclass
class PhotoInvariants:
    """Give it every item with `add`, then ask for `results`, which lists the files."""

    private: dict[str, str] = field(default_factory=dict)
    public: dict[str, str] = field(default_factory=dict)
    coming: set[str] = field(default_factory=set)
    odd: list[str] = field(default_factory=list)

    def add(self, item: Item) -> None:
        if not isinstance(item, Photo):
            return
        place = f"{item.pk} {item.sk}"
        self.private[item.secret] = place
        if item.public_secret:
            self.public[item.public_secret] = place
        if item.state != READY:
            self.coming.add(item.secret)
        uses = bool(item.post_id) + bool(item.held_by) + bool(item.ttl)
        if uses != 1:
            self.odd.append(place)

    def results(self) -> dict[str, list[str]]:
        """Returns the violations of each invariant. Two listings of folders, or of a bucket."""
        missing, stray = [], []
        for folder, named in ((PRIVATE, self.private), (PUBLIC, self.public)):
            found = list_secrets(folder)
            missing += [named[one] for one in named.keys() - found - self.coming]
            stray += [f"{folder}/{one[:4]}…" for one in found - named.keys()]
        return {
            "every photo has its files": sorted(missing),
            "no file is without its photo": sorted(stray),
            "a photo is in a post, or held by a draft, or expires": sorted(self.odd),
        }
