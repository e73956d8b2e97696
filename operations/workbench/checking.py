"""What a file of NoSQL Workbench must hold: the schema of the format, and what a schema cannot say."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

SCHEMA = Path(__file__).with_name("schema.json")
SHOWN = 5


class NotAModel(Exception):
    """The file is no model of version 3.0, or contradicts itself."""


def check_model(model: Any) -> None:
    """Raises `NotAModel` with the first faults, each with its place in the file."""
    faults = sorted(
        Draft202012Validator(json.loads(SCHEMA.read_text())).iter_errors(model), key=str
    )
    told = [f"{fault.json_path}: {fault.message[:200]}" for fault in faults[:SHOWN]]
    told = (
        told or [fault for table in model["DataModel"] for fault in _contradictions(table)][:SHOWN]
    )
    if told:
        raise NotAModel("The file is no model of NoSQL Workbench 3.0.\n" + "\n".join(told))


def items_of(table: dict[str, Any]) -> list[dict[str, Any]]:
    """Returns the sample items of a table, wherever the file keeps them: in the table or in its facets."""
    facets = table.get("TableFacets", [])
    return [
        *table.get("TableData", []),
        *(one for facet in facets for one in facet.get("TableData", [])),
    ]


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
