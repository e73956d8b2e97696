"""What must always hold for waves: their counts agree with their state."""

from dataclasses import dataclass, field

from moderation.models import Wave, WaveState
from socialsite.table.item import Item

ENDED = {WaveState.DONE, WaveState.UNDOING, WaveState.UNDONE}


@dataclass
class WaveInvariants:
    """Give it every item with `add`, then ask for `results`."""

    wrong: list[str] = field(default_factory=list)

    def add(self, item: Item) -> None:
        if isinstance(item, Wave) and not _is_right(item):
            self.wrong.append(f"{item.pk} / {item.sk}")

    def results(self) -> dict[str, list[str]]:
        """Returns the violations of each invariant."""
        return {"a wave has dealt with each of its cases once": sorted(self.wrong)}


def _is_right(wave: Wave) -> bool:
    seen, total = int(wave.done) + int(wave.skipped), int(wave.total)
    if wave.state == WaveState.DRAFT:
        return seen == 0
    is_whole = seen == total if wave.state in ENDED else seen <= total
    return is_whole and int(wave.undone) <= int(wave.done)
