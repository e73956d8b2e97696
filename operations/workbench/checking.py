"""What a file of NoSQL Workbench must hold: the schema of the format, and what a schema cannot say."""

import json
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from operations.damage import MEANT, find_faults, is_not, place_of, shown
from socialsite.table.reading import RawItem

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
