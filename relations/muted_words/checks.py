"""What must always hold of muted words: the two items that say of them agree, and their item is as its writes leave
it."""

from dataclasses import dataclass, field

from accounts.models import UserSettings
from relations.muted_words.models import MutedWords
from relations.muted_words.words import MOST_WORDS, needle_of
from socialsite.invariants import must_hold
from socialsite.table import Item


@must_hold
@dataclass
class MutedWordInvariants:
    """Give it every item with `add`, then ask for `results`. Versions are by person."""

    noted: dict[str, str] = field(default_factory=dict)  # in the settings
    held: dict[str, str] = field(default_factory=dict)  # by the words themselves
    crowded: list[str] = field(default_factory=list)
    double: list[str] = field(default_factory=list)

    def add(self, item: Item) -> None:
        match item:
            case UserSettings() if item.muted_version:
                self.noted[item.user_id] = item.muted_version
            case MutedWords():
                words = item.muted_words.as_dict()
                self.held[item.user_id] = item.muted_version
                if not 0 < len(words) <= MOST_WORDS:
                    self.crowded.append(item.user_id)
                if len({needle_of(word) for word in words}) < len(words):
                    self.double.append(item.user_id)

    def results(self) -> dict[str, list[str]]:
        """For each invariant what breaks it."""
        people = self.noted.keys() | self.held.keys()
        return {
            "settings say which version of their muted words people have": sorted(
                one for one in people if self.noted.get(one) != self.held.get(one)
            ),
            "people mute from one to a hundred words, each once": [*self.crowded, *self.double],
        }
