"""Filter patterns of Lambda's event source mappings: what the handlers want, and how Lambda judges a record."""

import json
from pathlib import Path
from typing import Any

from socialsite.streams.dispatch import _handlers, load_handlers
from tests.streams.records import Record

FILE = Path(__file__).resolve().parents[2] / "deploy" / "stream-filters.json"
IMAGES = {"INSERT": "NewImage", "MODIFY": "NewImage", "REMOVE": "OldImage"}
BY_TTL = {"userIdentity": {"type": ["Service"], "principalId": ["dynamodb.amazonaws.com"]}}


def wanted() -> dict[str, Any]:
    """The filter criteria that let through what handlers and the archive want."""
    load_handlers()
    patterns = [*(_pattern(event) for event in IMAGES), BY_TTL]
    return {"Filters": [{"Pattern": json.dumps(one, separators=(",", ":"))} for one in patterns]}


def _pattern(event: str) -> dict[str, Any]:
    types = sorted(model.__name__ for model, wants in _handlers if wants == event)
    return {"eventName": [event], "dynamodb": {IMAGES[event]: {"type": {"S": types}}}}


def read_patterns() -> list[dict[str, Any]]:
    criteria = json.loads(FILE.read_text())
    return [json.loads(one["Pattern"]) for one in criteria["Filters"]]


def passes(record: Record) -> bool:
    """Whether a record in the form of Lambda's events reaches the function."""
    return any(_fits(pattern, record) for pattern in read_patterns())


def _fits(pattern: Any, value: Any) -> bool:
    if isinstance(pattern, list):
        return value in pattern
    return isinstance(value, dict) and all(
        _fits(inner, value.get(name)) for name, inner in pattern.items()
    )
