"""What a building block says of itself, with examples from the table and figures that were measured."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from accounts.people.reads import read_actor
from accounts.people.viewer import Viewer
from feed.home.reads import read_newest_authors
from lens.browser.stored_items import Partition, StoredItem, read_partition
from socialsite.table import Call, measure


@dataclass(frozen=True, slots=True)
class Box:
    """A partition in a diagram, with the item types in it. `marks` says more of a type, such as the index in which it
    stands."""

    items: tuple[str, ...]
    marks: dict[str, str]


@dataclass(frozen=True, slots=True)
class Arrow:
    """What leads from the partition above to the one below."""

    label: str


def box(*items: str, **marks: str) -> Box:
    return Box(items, marks)


@dataclass(frozen=True, slots=True)
class Code:
    """Where in the code the block is. `name` is a function, class or constant of the file."""

    file: str
    name: str


@dataclass(frozen=True, slots=True)
class Way:
    """Something that the site asks, with its name in the code or in words."""

    name: str
    ask: Callable[[], object]


@dataclass(frozen=True, slots=True)
class Example:
    """A partition that may show the block, and reads of the site that go there."""

    partition: str
    ways: tuple[Way, ...]


@dataclass(frozen=True, slots=True)
class Timing:
    """What a benchmark measured in one run. Times are of one machine at one moment, so no test compares them."""

    said: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Concept:
    """A building block. `scene` says what the figures of the tests were measured on."""

    name: str
    title: str
    problem: str
    here: tuple[str, ...]
    without: tuple[str, ...]
    drawing: tuple[Box | Arrow, ...]
    code: tuple[Code, ...]
    tests: tuple[str, ...]
    scene: str
    examples: Callable[[Viewer], Iterator[Example]]
    documents: tuple[str, ...] = ()
    timing: Timing | None = None

    @property
    def items(self) -> tuple[str, ...]:
        """Returns the item types of its diagram."""
        return tuple(item for part in self.drawing if isinstance(part, Box) for item in part.items)


FILE = Path(__file__).with_name("measured.json")


@dataclass(frozen=True, slots=True)
class Measured:
    """A way of doing something, with its calls and units. `kilobytes` is the size of the answer, 0 where nobody
    asked."""

    way: str
    calls: int
    reads: float
    writes: float
    is_without: bool = False
    kilobytes: float = 0

    @property
    def size(self) -> int:
        return round(self.kilobytes * 1024)


def measured(name: str) -> list[Measured]:
    """Returns what was measured for a building block."""
    return [Measured(**row) for row in _kept().get(name, [])]


def _kept() -> dict[str, list[dict[str, Any]]]:
    kept: dict[str, list[dict[str, Any]]] = orjson.loads(FILE.read_bytes())
    return kept


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


def find_place(concept: Concept, *, viewer: Viewer) -> Live | None:
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
        if author_id != viewer.user_id and (author := read_actor(author_id)):
            yield author


def _run(way: Way) -> Ran:
    with measure(keep=True) as meter:  # as the lens around this page does
        way.ask()
    return Ran(way.name, tuple(meter.calls))
