"""What the tests measured with a building block and without it (`tests/lens/concepts/`)."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

FILE = Path(__file__).with_name("measured.json")


@dataclass(frozen=True, slots=True)
class Measured:
    """A way of doing something, with its calls and units. `kilobytes` is the size of the answer, 0 where nobody
    asked."""

    way: str
    calls: int
    reads: float
    writes: float
    is_without: bool = False
    kilobytes: float = 0

    @property
    def size(self) -> int:
        return round(self.kilobytes * 1024)


def measured(name: str) -> list[Measured]:
    """Returns what was measured for a building block."""
    return [Measured(**row) for row in _kept().get(name, [])]


def _kept() -> dict[str, list[dict[str, Any]]]:
    kept: dict[str, list[dict[str, Any]]] = orjson.loads(FILE.read_bytes())
    return kept
