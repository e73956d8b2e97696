"""What each behaviour reads and writes, key by key: measured once from the real code, and replayed by numbers.

A footprint is made of the calls that a meter kept (`socialsite/table/meter.py`) while the behaviour ran against the
embedded engine. Its rows name keys as the chart of `socialsite/keys` does, with the parts that people play in place of
their ids: `u#<author>#post`. `tests/benchmarks/test_footprints.py` plays the behaviours and holds `footprints.json` to
what they do.
"""

import json
import math
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

from lens.chart import PLACE, shapes
from socialsite.table import INDEXES, Call, RawItem, item_size

FILE = Path(__file__).with_name("footprints.json")
TABLE = "table"
PAGE, WORKER, COMMIT, AFTER = "page", "worker", "commit", "after"  # the pusher comes last
READ_UNIT, WRITE_UNIT = 4096, 1024
ULID = re.compile("[0-9A-HJKMNP-TV-Z]{26}")
# Parts of keys that say what a key is for, and so are no places: one kind of job has one partition.
SAID = {"<kind>", "<name>", "<place>", "<type>"}


@dataclass(frozen=True, slots=True)
class Row:
    """What one kind of key costs a behaviour. `keys` is in how many partitions, `by` who asks: the page, a handler of
    the worker, or the commit of a batch, which sums what its records add. `together` is in how many actions of
    transactions an item of the kind stands."""

    target: str  # the table, or the name of an index
    pk: str
    sk: str
    by: str
    keys: int
    reads: float
    writes: float
    together: int = 0


@dataclass(frozen=True, slots=True)
class Footprint:
    """What a behaviour costs once. `calls` are the worker's, without its reading of the stream, `records` what it made
    for the stream, and `ms` the worker's own time without the engine's, on the machine that measured."""

    rows: Sequence[Row]
    records: int = 0
    handled: int = 0
    calls: int = 0
    ms: float = 0.0

    @property
    def reads(self) -> float:
        return sum(row.reads for row in self.rows)

    @property
    def writes(self) -> float:
        return sum(row.writes for row in self.rows)


@cache
def footprints() -> dict[str, Footprint]:
    """Returns all of them by the behaviour's name."""
    kept = json.loads(FILE.read_text())
    return {
        name: Footprint(**one | {"rows": [Row(**row) for row in one["rows"]]})
        for name, one in kept.items()
    }


def keep(found: Mapping[str, Footprint]) -> None:
    """Writes them down, one row a line."""
    lines = []
    for name, one in sorted(found.items()):
        head = {key: value for key, value in asdict(one).items() if key != "rows"}
        rows = ",\n  ".join(json.dumps(asdict(row)) for row in one.rows)
        lines.append(f'"{name}": {json.dumps(head)[:-1]}, "rows": [\n  {rows}\n]}}')
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n")


# Of calls


class Touched(NamedTuple):
    """One key that a call touched, with what that cost."""

    target: str
    pk: str
    sk: str
    reads: float = 0.0
    writes: float = 0.0
    together: int = 0


def touched_by(calls: Iterable[tuple[str, Call]]) -> Iterator[tuple[str, Touched]]:
    """Yields what calls touched, each with who asked."""
    for by, call in calls:
        yield from ((by, one) for one in _touched(call, json.loads(call.asked)))


def _touched(call: Call, asked: dict[str, Any]) -> Iterator[Touched]:
    answer = call.answer or {}
    match call.operation:
        case "Query":
            values = asked["ExpressionAttributeValues"]
            yield Touched(asked.get("IndexName", TABLE), values[":pk"]["S"], "", call.units)
        case "GetItem":
            yield _read(asked["Key"], answer.get("Item"), asked.get("ConsistentRead", False))
        case "BatchGetItem":
            for part in asked["RequestItems"].values():
                (found,) = answer["Responses"].values() or [[]]
                items = {_key(one): one for one in found}
                for key in part["Keys"]:
                    yield _read(key, items.get(_key(key)), part.get("ConsistentRead", False))
        case "PutItem" | "UpdateItem" | "DeleteItem":
            yield Touched(TABLE, *_key(asked.get("Key") or asked["Item"]), writes=call.units)
        case "BatchWriteItem":
            for requests in asked["RequestItems"].values():
                for request in requests:
                    yield _written(request, 1)
        case "TransactWriteItems":
            parts = [_written(one, 2) for one in asked["TransactItems"]]
            rest = call.units - sum(one.writes for one in parts)  # of items that grew above 1 KB
            changed = [one for one in parts if one.writes == 2] or parts
            for one in parts:
                more = rest / len(changed) if one in changed else 0
                yield one._replace(writes=one.writes + max(0, more))


def _read(key: RawItem, item: RawItem | None, consistent: bool) -> Touched:
    units = max(1, math.ceil(item_size(item) / READ_UNIT)) if item else 1
    return Touched(TABLE, *_key(key), units if consistent else units / 2)


def _written(action: Mapping[str, Any], factor: int) -> Touched:
    (one,) = action.values()
    item = one.get("Item")
    units = math.ceil(item_size(item) / WRITE_UNIT) if item else 1
    together = int(factor == 2)
    return Touched(
        TABLE, *_key(item or one["Key"]), writes=float(factor * units), together=together
    )


def _key(raw: RawItem) -> tuple[str, str]:
    return raw["PK"]["S"], raw["SK"]["S"]


def touched_in_indexes(
    before: Collection[RawItem], after: Collection[RawItem]
) -> Iterator[Touched]:
    """Yields what the changes between two moments write in the indexes, which DynamoDB does and no call names: 1 unit
    for 1 KB, and where an item moves within an index one more for its old place."""
    was = {_key(one): one for one in before}
    now = {_key(one): one for one in after}
    for key in dict.fromkeys([*was, *now]):
        for index, (partition, sort) in INDEXES.items():
            old, new = (
                one if one and partition in one and sort in one else None
                for one in (was.get(key), now.get(key))
            )
            if old == new:
                continue
            for one in (old, new):
                moved = not (
                    old and new and old[partition] == new[partition] and old[sort] == new[sort]
                )
                if one and (moved or one is new):
                    units = math.ceil(item_size(one) / WRITE_UNIT)
                    place = one[partition]["S"], one[sort]["S"]
                    yield Touched(index, *place, writes=float(units))


# Of people's parts


@dataclass(frozen=True, slots=True)
class Cast:
    """Whose id, tag or word stands for which part: `{"01ARZ…": "<author>"}`."""

    parts: Mapping[str, str]

    def rows(self, found: Iterable[tuple[str, Touched]]) -> list[Row]:
        """Returns the rows of a footprint, those that cost most first."""
        sums: dict[tuple[str, str, str, str], list[Touched]] = defaultdict(list)
        for by, one in found:
            pk, sk = self._written(one.pk, one.sk, is_index=one.target != TABLE)
            sums[one.target, pk, sk, by].append(one)
        rows = [
            Row(
                *kind,
                keys=len({one.pk for one in those}),
                reads=sum(one.reads for one in those),
                writes=round(sum(one.writes for one in those), 2),
                together=sum(one.together for one in those),
            )
            for kind, those in sums.items()
        ]
        return sorted(rows, key=lambda one: (-one.writes, -one.reads, one.pk, one.sk, one.by))

    def _written(self, pk: str, sk: str, *, is_index: bool) -> tuple[str, str]:
        if is_index:
            return self._with_parts(pk), ""
        shape = _shape_of(pk, sk)
        if shape is None:
            return self._with_parts(pk), self._with_parts(sk)
        return self._named(pk, shape[0]), self._named(sk, shape[1]) if sk else ""

    def _named(self, written: str, shape: str) -> str:
        """Returns a key as its shape in the chart, with parts, and with what is said in it."""
        match = _pattern(shape).fullmatch(written)
        if match is None:
            return self._with_parts(written)
        values = iter(match.groups())

        def part(place: re.Match[str]) -> str:
            value = next(values)
            return self.parts.get(value, value if place[0] in SAID else place[0])

        return PLACE.sub(part, shape)

    def _with_parts(self, written: str) -> str:
        for id_, part in self.parts.items():
            written = written.replace(id_, part)
        return ULID.sub("<id>", written)


def _shape_of(pk: str, sk: str) -> tuple[str, str] | None:
    """Returns how the chart writes such a key: of several the most exact way."""
    fitting = [
        (len(PLACE.sub("", shape_pk + shape_sk)), shape_pk, shape_sk)
        for shape in shapes().values()
        for shape_pk in shape.partitions
        for shape_sk in shape.sorts
        if _pattern(shape_pk).fullmatch(pk) and (not sk or _pattern(shape_sk).fullmatch(sk))
    ]
    return max(fitting, key=itemgetter(0))[1:] if fitting else None


@cache
def _pattern(shape: str) -> re.Pattern[str]:
    return re.compile("([^#]+)".join(map(re.escape, PLACE.split(shape))))
