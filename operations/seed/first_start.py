"""How far the first start came. An interrupted load of demo data is finished by the next start, never left half done.

`DataState.first_start` is `begun` in a table that was only just made, holds the plan while demo data are loaded, and is
gone afterwards. A load from the same plan writes the same items again, so that finishing is doing it once more.
"""

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Self

import orjson

from socialsite.models import DataState
from socialsite.table import keys
from socialsite.table.data_state import BEGUN
from socialsite.table.errors import NotFound
from socialsite.table.reading import get
from socialsite.table.writing import change


@dataclass(frozen=True)
class DemoPlan:
    """All that demo data follow from."""

    people: int
    posts: int
    follows: int
    days: int
    seed: int
    now: str

    @property
    def moment(self) -> datetime:
        return datetime.fromisoformat(self.now)

    @classmethod
    def parse(cls, text: str) -> Self:
        return cls(**orjson.loads(text))


def is_first_start() -> bool:
    """Whether the table was only just made, and nothing was loaded into it."""
    return _state() == BEGUN


def unfinished_plan() -> DemoPlan | None:
    """Returns the plan of a load that was interrupted, or that runs in another process."""
    state = _state()
    return DemoPlan.parse(state) if state not in ("", BEGUN) else None


def begin_load(plan: DemoPlan) -> None:
    """Notes the plan before its first item is written."""
    _set(orjson.dumps(asdict(plan)).decode())


def finish_first_start() -> None:
    """Notes that the table is ready; safe to repeat."""
    change(DataState, keys.data_state(), [DataState.first_start.remove()])


def _state() -> str:
    try:
        return get(DataState, keys.data_state(), consistent=True).first_start or ""
    except NotFound:
        return ""


def _set(text: str) -> None:
    change(DataState, keys.data_state(), [DataState.first_start.set(text)])
