"""Sample data as CSV, as NoSQL Workbench takes it: a row of attribute names, then a row for each item."""

import csv
import json
from pathlib import Path
from typing import Any

from operations.workbench.attributes import declared_attributes
from operations.workbench.checking import NotAModel
from socialsite.table.reading import RawItem

KEYS = ("PK", "SK")


def read_spreadsheet(file: Path) -> list[RawItem]:
    """Returns the items. A cell has no type, so that comes from our models: sets, lists and maps are JSON, booleans
    `true` or `false`, and an empty cell is an attribute that the item lacks. Raises `NotAModel`."""
    types = declared_attributes()
    with file.open(encoding="utf-8-sig", newline="") as opened:
        rows = csv.DictReader(opened, strict=True)
        names = rows.fieldnames or []
        if unknown := sorted(set(names) - set(types)):
            raise NotAModel(f"No item of this site has the attribute {unknown[0]!r}.")
        if missing := [name for name in (*KEYS, "type") if name not in names]:
            raise NotAModel(f"The first row must name {missing[0]}.")
        try:
            return [_item(row, types, number) for number, row in enumerate(rows, 2)]
        except csv.Error as error:
            raise NotAModel(f"{file.name} is not CSV: {error}") from error


def _item(row: dict[str, Any], types: dict[str, str], number: int) -> RawItem:
    item: RawItem = {}
    for name, cell in row.items():
        if name is None or cell is None:
            raise NotAModel(f"Row {number} does not have as many cells as the first row.")
        if cell:
            try:
                item[name] = {types[name]: _value(types[name], cell)}
            except ValueError as error:
                raise NotAModel(
                    f"Row {number}: {name} is {cell[:40]!r}, which is not {types[name]}."
                ) from error
    if missing := [name for name in KEYS if name not in item]:
        raise NotAModel(f"Row {number} has no {missing[0]}.")
    return item


def _value(kind: str, cell: str) -> Any:
    match kind:
        case "N":
            float(cell)
            return cell
        case "BOOL":
            if cell not in ("true", "false"):
                raise ValueError(cell)
            return cell == "true"
        case "SS" | "L" | "M":
            value = json.loads(cell)
            if not isinstance(value, dict if kind == "M" else list):
                raise ValueError(cell)
            return value
        case _:
            return cell
