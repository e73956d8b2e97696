"""What a page about a building block is made of. Words between backticks are code, as in Markdown."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from accounts.viewer import Viewer


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
