"""Sample data as CSV, as NoSQL Workbench takes it: a row of attribute names, then a row for each item."""

import csv
import json
from collections import Counter
from pathlib import Path
from typing import Any

from operations.damage import is_not
from operations.workbench.attributes import declared_attributes
from operations.workbench.checking import SHOWN, NotAModel, refuse
from socialsite.table.reading import RawItem

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
