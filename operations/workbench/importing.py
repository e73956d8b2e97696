"""Reads the items of a file of NoSQL Workbench, and writes them into an empty table."""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from accounts.models import UserInfo
from operations.workbench.attributes import exported_models
from operations.workbench.checking import NotAModel, check_model, items_of
from operations.workbench.published.making import make_site
from operations.workbench.published.reading import read_published
from operations.workbench.spreadsheet import read_spreadsheet
from socialsite.streams.bulk_load import bulk_load
from socialsite.table.reading import RawItem
from socialsite.table.writing import write_batch

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

    Raises `NotAModel`, `CannotMap`, and `OSError` if the file cannot be read.
    """
    if file.stat().st_size > MOST_BYTES:
        raise NotAModel(f"{file.name} is larger than {MOST_BYTES // 1024**2} MB.")
    if file.suffix.lower() == ".csv":
        return _ours(read_spreadsheet(file))
    try:
        model = json.loads(file.read_text(encoding="utf-8-sig"))
    except ValueError as error:
        raise NotAModel(f"{file.name} is not JSON: {error}") from error
    check_model(model)
    items = [item for table in model["DataModel"] for item in items_of(table)]
    if not items:
        raise NotAModel("The file has no sample data.")
    if all("type" in item for item in items):
        return _ours(items)
    site = make_site(read_published(items), model=model["ModelName"])
    raw_items = [item.serialize() for item in site.items]
    return Loaded(raw_items, site.told, [site.handles[person] for person in site.people])


def load_items(items: Iterable[RawItem], *, on_written: Callable[[int], None]) -> None:
    """Writes the items past the stream, as each effect of theirs is among them. `on_written` gets the progress.

    The table must be empty. Raises `StreamInUse` while a worker runs.
    """
    with bulk_load() as keep:
        for chunk in _in_chunks(items):
            on_written(write_batch(puts=chunk))
            keep()


def _ours(items: list[dict[str, Any]]) -> Loaded:
    known = {model.__name__ for model in exported_models()}
    for item in items:
        kind = item.get("type", {}).get("S", "")
        if kind not in known:
            raise NotAModel(f"No item of this site has the type {kind!r}.")
    people = [item for item in items if item["type"]["S"] == UserInfo.__name__]
    return Loaded(items, handles=[person["handle"]["S"] for person in people])


def _in_chunks(items: Iterable[RawItem]) -> Iterator[list[RawItem]]:
    waiting = iter(items)
    while chunk := list(islice(waiting, CHUNK)):
        yield chunk
