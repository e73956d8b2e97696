"""Reads the items of a file of NoSQL Workbench, and writes them into an empty table."""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from typing import Any

from accounts.models import UserInfo
from operations.damage import place_of, shown
from operations.invariants import Invariants
from operations.workbench.attributes import SECRET_TYPES, attributes_of, exported_models
from operations.workbench.checking import NotAModel, check_items, check_model, items_of, refuse
from operations.workbench.published.making import make_site
from operations.workbench.published.reading import read_published
from operations.workbench.spreadsheet import read_spreadsheet
from socialsite.models import Job
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

    All of them can be written and read. Raises `NotAModel`, `CannotMap`, and `OSError` if the file cannot be read.
    """
    if file.stat().st_size > MOST_BYTES:
        raise NotAModel(f"{file.name} is larger than {MOST_BYTES // 1024**2} MB.")
    if file.suffix.lower() == ".csv":
        return _ours(read_spreadsheet(file))
    model = _read_json(file)
    check_model(model)
    items = [item for table in model["DataModel"] for item in items_of(table)]
    if not items:
        raise NotAModel("The file has no sample data.")
    if any("type" in item for item in items):
        return _ours([(f"Item {number}", item) for number, item in enumerate(items, 1)])
    site = make_site(read_published(items), model=model["ModelName"])
    raw_items = [item.serialize() for item in site.items]
    check_items((place_of(raw), raw) for raw in raw_items)
    return Loaded(raw_items, site.told, [site.handles[person] for person in site.people])


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
