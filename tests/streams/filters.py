"""Filter patterns of Lambda's event source mappings: what the handlers want, and how Lambda judges a record."""

import json
from pathlib import Path
from typing import Any

from socialsite.streams.dispatch import _handlers, load_handlers
from tests.streams.records import Record

FOLDER = Path(__file__).resolve().parents[2] / "deploy"
FILE, FILE_OF_ARCHIVE = FOLDER / "stream-filters.json", FOLDER / "archive-filter.json"
IMAGES = {"INSERT": "NewImage", "MODIFY": "NewImage", "REMOVE": "OldImage"}
BY_TTL = {"userIdentity": {"type": ["Service"], "principalId": ["dynamodb.amazonaws.com"]}}


def wanted() -> dict[str, Any]:
    """The filter criteria that let through what handlers and the archive want."""
    load_handlers()
    return _criteria(*(_pattern(event) for event in IMAGES), BY_TTL)


def wanted_by_archive() -> dict[str, Any]:
    """The same for a function that archives and does nothing else."""
    return _criteria(BY_TTL)


def _criteria(*patterns: dict[str, Any]) -> dict[str, Any]:
    return {"Filters": [{"Pattern": json.dumps(one, separators=(",", ":"))} for one in patterns]}


def _pattern(event: str) -> dict[str, Any]:
    types = sorted(
        {
            model.__name__
            for (model, wants), those in _handlers.items()
            if wants == event and not all(one.__module__.startswith("tests.") for one in those)
        }
    )
    return {"eventName": [event], "dynamodb": {IMAGES[event]: {"type": {"S": types}}}}


def read_patterns(file: Path = FILE) -> list[dict[str, Any]]:
    criteria = json.loads(file.read_text())
    return [json.loads(one["Pattern"]) for one in criteria["Filters"]]


def passes(record: Record, file: Path = FILE) -> bool:
    """Whether a record in the form of Lambda's events reaches the function."""
    return any(_fits(pattern, record) for pattern in read_patterns(file))


def _fits(pattern: Any, value: Any) -> bool:
    if isinstance(pattern, list):
        return value in pattern
    return isinstance(value, dict) and all(
        _fits(inner, value.get(name)) for name, inner in pattern.items()
    )
