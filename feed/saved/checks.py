"""What must hold for shelves: a saved post in a folder is among all of them and among those of its folder, equally."""

from dataclasses import dataclass, field

from feed.saved.models import SavedPost
from socialsite.invariants import must_hold
from socialsite.table import Item, Key, keys


@must_hold
@dataclass
class ShelfInvariants:
    """Give it every item with `add`, then ask for `results`."""

    of_all: dict[Key, SavedPost] = field(default_factory=dict)
    of_folders: dict[Key, SavedPost] = field(default_factory=dict)

    def add(self, item: Item) -> None:
        if isinstance(item, SavedPost):
            is_of_all = item.key == keys.saved_post(item.user_id, item.post_id)
            (self.of_all if is_of_all else self.of_folders)[item.key] = item

    def results(self) -> dict[str, list[str]]:
        """Returns the violations of each invariant."""
        expected = {
            keys.saved_post(one.user_id, one.post_id, one.folder): _content(one)
            for one in self.of_all.values()
            if one.folder
        }
        found = {key: _content(one) for key, one in self.of_folders.items()}
        return {
            "every saved post is in its folder, and nothing else is": sorted(
                f"{key.pk} {key.sk}"
                for key in expected.keys() | found.keys()
                if expected.get(key) != found.get(key)
            )
        }


def _content(saved: SavedPost) -> tuple[str | None, ...]:
    return saved.post_id, saved.author_id, saved.saved_at, saved.folder, saved.note
