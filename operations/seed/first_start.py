"""Notes how far the first start got. The next start finishes an interrupted load of demo data.

`DataState.first_start` is `begun` in a new table, holds the plan while demo data are loaded, and is removed afterwards.
A load from the same plan writes the same items again, so finishing a load means repeating it.
"""

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Self

import orjson

from socialsite.table import NotFound, change, get, keys
from socialsite.table.data_state import BEGUN
from socialsite.table.models import DataState


@dataclass(frozen=True)
class DemoPlan:
    """Everything that decides the demo data."""

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
    """Whether the table is new, and nothing has been loaded into it."""
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
