"""A partition of this table that shows a building block, and what reading it costs now."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from accounts.viewer import Viewer
from feed.composing.author import read_author
from feed.suggested.newest_authors import read_newest_authors
from lens.concepts.concept import Concept, Way
from lens.table import Partition, StoredItem, read_partition
from socialsite.table.meter import Call, measure

PEOPLE = 10  # people of this table in whose partitions an example is looked for
SHOWN = 6  # items


@dataclass(frozen=True, slots=True)
class Ran:
    """A read of the site that was just made."""

    name: str
    calls: tuple[Call, ...]

    @property
    def operations(self) -> str:
        counts = Counter(call.operation for call in self.calls)
        return ", ".join(f"{count} {operation}" for operation, count in counts.items())

    @property
    def units(self) -> float:
        return sum(call.units for call in self.calls)

    @property
    def milliseconds(self) -> float:
        return sum(call.milliseconds for call in self.calls)


@dataclass(frozen=True, slots=True)
class Live:
    """An example of this table, with the items of the block alone."""

    partition: Partition
    items: list[StoredItem]
    ran: list[Ran]

    @property
    def shown(self) -> list[StoredItem]:
        return self.items[:SHOWN]


def find_example(concept: Concept, *, viewer: Viewer) -> Live | None:
    """Returns the first partition that holds an item of the block, None if none was found. It looks at the viewer's
    partitions, then at those of the last people who posted.

    For each of at most 11 people two or three Queries of 0.5 read units, and a BatchGetItem; then what the block's own
    reads cost.
    """
    for person in _people(viewer):
        for example in concept.examples(person):
            partition = read_partition(example.partition)
            items = [item for item in partition.items if item.type in concept.items]
            if items:
                return Live(partition, items, [_run(way) for way in example.ways])
    return None


def _people(viewer: Viewer) -> Iterator[Viewer]:
    if viewer.is_authenticated:
        yield viewer
    for author_id in list(read_newest_authors().posts)[:PEOPLE]:
        if author_id != viewer.user_id and (author := read_author(author_id)):
            yield author


def _run(way: Way) -> Ran:
    with measure(keep=True) as meter:  # as the lens around this page does
        way.ask()
    return Ran(way.name, tuple(meter.calls))
