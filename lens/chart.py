"""The key chart, as data."""

import re
from dataclasses import dataclass
from functools import cache

from socialsite import keys

ROW = re.compile(r"^\| (`[^|]+`) +\| (`[^|]+`) +\| (\w+) +\|$", re.MULTILINE)
PLACE = re.compile(r"<[^>]+>")
IN_PIECES = re.compile(r"(<[^>]+>)")
SAME = {"<root>": "<post>"}  # the post at the head of a thread


@dataclass(frozen=True, slots=True)
class Shape:
    """An item type with the ways its keys are written, such as `u#<user>#post` and `p#<post>`."""

    item: str
    partitions: tuple[str, ...]
    sorts: tuple[str, ...]

    @property
    def written(self) -> list[tuple[list[tuple[str, bool]], list[tuple[str, bool]]]]:
        """Returns the ways its keys are written, in pieces: each with whether it is a place."""
        longest = max(len(self.partitions), len(self.sorts))
        partitions = [*self.partitions, *[""] * (longest - len(self.partitions))]
        sorts = [*self.sorts, *[""] * (longest - len(self.sorts))]
        return [
            (_pieces(partition), _pieces(sort))
            for partition, sort in zip(partitions, sorts, strict=True)
        ]

    @property
    def partition(self) -> str:
        return self.partitions[0]

    @property
    def sort(self) -> str:
        return self.sorts[0]


@cache
def shapes() -> dict[str, Shape]:
    """Returns the chart by item type, in its order."""
    found: dict[str, Shape] = {}
    for partition, sort, item in ROW.findall(keys.__doc__ or ""):
        earlier = found.get(item, Shape(item, (), ()))
        found[item] = Shape(
            item, earlier.partitions + _written(partition), earlier.sorts + _written(sort)
        )
    return found


def shapes_of(partition: str) -> list[Shape]:
    """Returns the item types that such a partition may hold."""
    return [
        shape
        for shape in shapes().values()
        if any(_pattern(written).fullmatch(partition) for written in shape.partitions)
    ]


@dataclass(frozen=True, slots=True)
class Sibling:
    """Another partition about the same person, post or tag. `label` is its key without the id."""

    label: str
    partition: str


def siblings_of(partition: str) -> list[Sibling]:
    """Returns the partitions about whatever this one is about, itself among them; none if it is the only one."""
    for written in _with_one_place():
        if match := _pattern(written, with_groups=True).fullmatch(partition):
            place = _place_in(written)
            found = [
                Sibling(PLACE.sub("…", other), PLACE.sub(lambda _: match[1], other))
                for other in _with_one_place()
                if _place_in(other) == place
                and other.partition("<")[0] == written.partition("<")[0]
            ]
            return found if len(found) > 1 else []
    return []


def _pieces(written: str) -> list[tuple[str, bool]]:
    return [(piece, piece.startswith("<")) for piece in IN_PIECES.split(written) if piece]


def _written(cell: str) -> tuple[str, ...]:
    return tuple(re.findall(r"`([^`]+)`", cell))


def _with_one_place() -> list[str]:
    found = (one for shape in shapes().values() for one in shape.partitions)
    return [one for one in dict.fromkeys(found) if len(PLACE.findall(one)) == 1]


def _place_in(written: str) -> str:
    place: str = PLACE.findall(written)[0]
    return SAME.get(place, place)


@cache
def _pattern(written: str, *, with_groups: bool = False) -> re.Pattern[str]:
    parts = (re.escape(part) for part in PLACE.split(written))
    return re.compile(("([^#]+)" if with_groups else "[^#]+").join(parts))
