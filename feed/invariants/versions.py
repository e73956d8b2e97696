"""What must hold for what posts said before their edits."""

from collections import defaultdict
from dataclasses import dataclass, field

from feed.models import Post, PostVersion
from socialsite.table.item import Item


@dataclass
class VersionInvariants:
    """Give it every item with `add`, then ask for `results`."""

    versions: dict[str, int] = field(default_factory=dict)
    kept: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))

    def add(self, item: Item) -> None:
        match item:
            case Post():
                self.versions[item.post_id] = int(item.version or 1)
            case PostVersion():
                self.kept[item.post_id].add(int(item.version))

    def results(self) -> dict[str, list[str]]:
        """Returns the violations of each invariant."""
        return {
            "what a post said before each edit is kept": sorted(
                f"{post_id}: {sorted(self.kept[post_id])} before {version}"
                for post_id, version in self.versions.items()
                if self.kept[post_id] != set(range(1, version))
            ),
            "nothing is kept of what a deleted post said": sorted(
                self.kept.keys() - self.versions.keys()
            ),
        }
