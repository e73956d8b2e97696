"""A model of NoSQL Workbench as a site: checked whole before anything is written."""

import csv
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from itertools import chain, islice
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from accounts.models import UserInfo
from operations.damage import MEANT, find_faults, is_not, place_of, shown
from operations.invariants import Invariants
from operations.workbench.exporting import (
    SECRET_TYPES,
    attributes_of,
    declared_attributes,
    exported_models,
)
from operations.workbench.opened import Model, NotOpened, model_of
from operations.workbench.published import make_site, read_published
from socialsite.streams import Job
from socialsite.streams.worker import bulk_load
from socialsite.table import RawItem, write_batch

SCHEMA = Path(__file__).with_name("schema.json")
SHOWN = 5
NO_MODEL = "The file is no model of NoSQL Workbench 3.0."


class NotAModel(Exception):
    """The file is no model of version 3.0, or contradicts itself."""


def check_model(model: Any) -> None:
    """Raises `NotAModel` with the first faults, each with its place in the file."""
    faults = sorted(_validator().iter_errors(model), key=lambda fault: list(map(str, fault.path)))
    refuse((_told(fault, model) for fault in faults), because=NO_MODEL)
    contradictions = (fault for table in model["DataModel"] for fault in _contradictions(table))
    refuse(contradictions, because=NO_MODEL)


def check_items(items: Iterable[tuple[str, RawItem]]) -> None:
    """Raises `NotAModel` with the first faults of items of this site. Each comes with the name of its place in the
    file, such as "Row 3"."""
    refuse(_faults(items))


def refuse(faults: Iterable[str], *, because: str = "Nothing was imported.") -> None:
    """Raises `NotAModel` with the first of the faults, if there are any."""
    if told := list(islice(faults, SHOWN)):
        raise NotAModel("\n".join((because, *told)))


def items_of(table: dict[str, Any]) -> list[dict[str, Any]]:
    """Returns the sample items of a table, wherever the file keeps them: in the table or in its facets."""
    facets = table.get("TableFacets", [])
    return [
        *table.get("TableData", []),
        *(one for facet in facets for one in facet.get("TableData", [])),
    ]


@cache
def _validator() -> Draft202012Validator:
    return Draft202012Validator(json.loads(SCHEMA.read_text()))


def _told(fault: ValidationError, model: Any) -> str:
    """Returns a fault of the schema as a sentence: that of a value with its item and attribute, any other with its path
    in the file."""
    path = list(fault.absolute_path)
    value = fault.instance
    if "TableData" not in path or len(path) - path.index("TableData") != 3:
        return f"{fault.json_path}: {fault.message[:200]}"
    item, name = path[-2:]
    facet = model["DataModel"][path[1]]["TableFacets"][path[3]] if "TableFacets" in path else {}
    of = f" of {facet.get('FacetName')}" if facet else ""
    kind = next(iter(value)) if isinstance(value, dict) and len(value) == 1 else ""
    reason = is_not(kind, value[kind]) if kind in MEANT else f"is {shown(value)}, without a type."
    return f"Item {int(item) + 1}{of}: {name} {reason}"


def _faults(items: Iterable[tuple[str, RawItem]]) -> Iterator[str]:
    seen: dict[tuple[str, str], str] = {}
    for where, raw in items:
        faults = find_faults(raw)
        yield from (f"{where}: {fault}" for fault in faults)
        if faults:
            continue
        place = raw["PK"]["S"], raw["SK"]["S"]
        if earlier := seen.get(place):
            yield f"{where}: PK and SK are {place_of(raw)}, the key that {earlier} has."
        seen[place] = where


def _contradictions(table: dict[str, Any]) -> Iterator[str]:
    key = [one["AttributeName"] for one in table["KeyAttributes"].values()]
    types = {
        one["AttributeName"]: one["AttributeType"]
        for one in (*table["KeyAttributes"].values(), *table["NonKeyAttributes"])
    }
    for facet in table.get("TableFacets", []):
        for name in facet.get("NonKeyAttributes", []):
            if name not in types:
                yield f"Facet {facet['FacetName']} has {name}, which the table does not declare."
    for index in table.get("GlobalSecondaryIndexes", []):
        for one in index["KeyAttributes"].values():
            if types.get(one["AttributeName"]) != one["AttributeType"]:
                yield f"Index {index['IndexName']} has {one['AttributeName']}, which the table does not declare so."
    seen = set()
    for number, item in enumerate(items_of(table), 1):
        missing = [name for name in key if name not in item]
        if missing:
            yield f"Item {number} has no {' and no '.join(missing)}."
            continue
        place = tuple(str(item[name]) for name in key)
        if place in seen:
            yield f"Item {number} has a key that another item has: {place}."
        seen.add(place)
        for name, value in item.items():
            if types.get(name) != next(iter(value)):
                yield f"Item {number}: {name} is not declared as {next(iter(value))}."


KEYS = ("PK", "SK")
JSON_TYPES = ("BOOL", "SS", "L", "M")


class BadRow(Exception):
    """A row is no item. The sentence has its number."""


def read_spreadsheet(file: Path) -> list[tuple[str, RawItem]]:
    """Returns the items, each with the name of its row. A cell has no type, so that comes from our models: sets, lists
    and maps are JSON, booleans `true` or `false`, and an empty cell is an attribute that the item lacks.

    Raises `NotAModel` with the first rows that are none.
    """
    limit = csv.field_size_limit(file.stat().st_size + 1)  # of this process, so it is set back
    try:
        with file.open(encoding="utf-8-sig", newline="") as opened:
            return _items(csv.reader(opened, strict=True))
    except UnicodeDecodeError as error:
        raise NotAModel(
            f"{file.name} is not UTF-8: {error}. Save it with that encoding."
        ) from error
    except csv.Error as error:
        raise NotAModel(f"{file.name} is not CSV: {error}.") from error
    finally:
        csv.field_size_limit(limit)


def _items(rows: Any) -> list[tuple[str, RawItem]]:
    types = declared_attributes()
    names: list[str] = next(rows, [])
    refuse(_faults_of_names(names, types))
    items, faults = [], []
    for number, cells in enumerate(rows, 2):
        try:
            items.append((f"Row {number}", _item(names, cells, types)))
        except BadRow as error:
            faults.append(f"Row {number}{error}")
        if len(faults) == SHOWN:
            break
    refuse(faults)
    return items


def _faults_of_names(names: list[str], types: dict[str, str]) -> list[str]:
    counts = Counter(names)
    return [
        *(f"The first row must name {name}." for name in (*KEYS, "type") if name not in counts),
        *(f"The first row names {name} twice." for name in types if counts[name] > 1),
        *(
            f"No item of this site has the attribute {name[:40]!r}."
            for name in names
            if name not in types
        ),
    ]


def _item(names: list[str], cells: list[str], types: dict[str, str]) -> RawItem:
    if len(cells) != len(names):
        raise BadRow(" does not have as many cells as the first row.")
    item: RawItem = {}
    for name, cell in zip(names, cells, strict=True):
        if cell:
            kind = types[name]
            try:
                item[name] = {kind: json.loads(cell) if kind in JSON_TYPES else cell}
            except (ValueError, RecursionError) as error:
                raise BadRow(f": {name} {is_not(kind, cell)}") from error
    if missing := [name for name in KEYS if name not in item]:
        raise BadRow(f" has no {missing[0]}.")
    return item


MOST_BYTES = 64 * 1024 * 1024  # of a file
CHUNK = 250


@dataclass
class Loaded:
    """The items of a file, and sentences about what had to be decided to make them ours."""

    items: list[RawItem]
    told: list[str] = field(default_factory=list)
    handles: list[str] = field(default_factory=list)  # of the people who were imported


def read_file(file: Path) -> Loaded:
    """Returns the items of a model, ours or the published one, or of a spreadsheet. Writes nothing.

    All of them can be written and read. Raises `NotAModel`, `CannotMap`, and `OSError` if the file cannot be read.
    """
    if file.stat().st_size > MOST_BYTES:
        raise NotAModel(f"{file.name} is larger than {MOST_BYTES // 1024**2} MB.")
    if file.suffix.lower() == ".csv":
        return _ours(read_spreadsheet(file))
    model = _read_json(file)
    _refuse_other_sites(model)
    check_model(model)
    items = [item for table in model["DataModel"] for item in items_of(table)]
    if any("type" in item for item in items):
        return _ours([(f"Item {number}", item) for number, item in enumerate(items, 1)])
    site = make_site(read_published(items), model=model["ModelName"])
    raw_items = [item.serialize() for item in site.items]
    check_items((place_of(raw), raw) for raw in raw_items)
    return Loaded(raw_items, site.told, [site.handles[person] for person in site.people])


def _refuse_other_sites(raw: Any) -> None:
    """Raises `NotAModel` with the reason if it is a model of something else. Of one that is damaged, `check_model` says
    where."""
    with suppress(NotOpened):
        model = model_of(raw)
        if not model.becomes_a_site and not _has_types(model):
            raise NotAModel(
                f"{model.name}: {model.verdict} It can be looked at: open it at /dev/workbench."
            )


def _has_types(model: Model) -> bool:
    return any(value.name == "type" for item in model.items for value in item.values)


def find_broken(items: Iterable[RawItem]) -> dict[str, int]:
    """Returns what would not hold on a site of these items alone, each with how often: what `audit` would find."""
    invariants = Invariants()
    for raw in items:
        invariants.add(raw)
    return {rule: len(broken) for rule, broken in invariants.results().items() if broken}


def load_items(items: Iterable[RawItem], *, on_written: Callable[[int], None]) -> None:
    """Writes the items past the stream, as each effect of theirs is among them. Jobs follow before its eyes, as the
    worker takes them up by their records. `on_written` gets the progress.

    The table must be empty. People come last, so that an import that was interrupted can be repeated. Raises
    `StreamInUse` while a worker runs.
    """
    by_type = defaultdict(list)
    for raw in items:
        by_type[raw["type"]["S"]].append(raw)
    jobs, people = by_type.pop(Job.__name__, []), by_type.pop(UserInfo.__name__, [])
    with bulk_load() as keep:
        for chunk in _in_chunks(chain(*by_type.values(), people)):
            on_written(write_batch(puts=chunk))
            keep()
    on_written(write_batch(puts=jobs))


def _read_json(file: Path) -> Any:
    try:
        return json.loads(file.read_text(encoding="utf-8-sig"), object_pairs_hook=_object)
    except RecursionError as error:
        raise NotAModel(f"{file.name} is nested too deeply to be a model.") from error
    except ValueError as error:
        raise NotAModel(f"{file.name} is not JSON: {error}") from error


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        name = next(name for name, count in Counter(name for name, _ in pairs).items() if count > 1)
        raise ValueError(f"an object has the name {name[:40]!r} twice.")
    return found


def _ours(items: list[tuple[str, RawItem]]) -> Loaded:
    """Returns the items of our own model, without those that mean nothing on another site."""
    left_out = Counter(raw["type"]["S"] for _, raw in items if _kind(raw) in SECRET_TYPES)
    ours = [(where, raw) for where, raw in items if _kind(raw) not in SECRET_TYPES]
    refuse(_foreign(ours))
    check_items(ours)
    told = [
        f"{count} of the type {kind} stayed out: it means nothing on another site."
        for kind, count in sorted(left_out.items())
    ]
    people = [raw for _, raw in ours if _kind(raw) == UserInfo.__name__]
    return Loaded([raw for _, raw in ours], told, [person["handle"]["S"] for person in people])


def _foreign(items: list[tuple[str, RawItem]]) -> Iterator[str]:
    """Yields a sentence for each type and attribute that no item of this site has."""
    known = {model.__name__: attributes_of(model) for model in exported_models()}
    for where, raw in items:
        kind = _kind(raw)
        if kind not in known:
            yield f"{where}: No item of this site has the type {shown(kind)}."
            continue
        for name in raw:
            if name not in known[kind]:
                yield f"{where}: {name} is no attribute of {kind} that can be imported."


def _kind(raw: RawItem) -> Any:
    return raw.get("type", {}).get("S", "")


def _in_chunks(items: Iterable[RawItem]) -> Iterator[list[RawItem]]:
    waiting = iter(items)
    while chunk := list(islice(waiting, CHUNK)):
        yield chunk
