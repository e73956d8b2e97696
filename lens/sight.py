"""What the lens has seen: the calls of the last requests of this process.

Answers are kept as references while the page is made, and taken apart only when somebody opens the lens. Several
processes each keep their own, so a page always has its own calls with it, and the list of others may be shorter.
"""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from lens.calls import SeenCall
from lens.prices import price
from socialsite.table.meter import Call

KEPT = 50  # requests
MOST_CALLS = 200  # of a request


@dataclass(frozen=True)
class Sight:
    """A request with its calls. `viewer_id` is who asked, empty for visitors."""

    request_id: str
    viewer_id: str
    method: str
    address: str
    status: int
    moment: datetime
    made: Sequence[Call]

    @cached_property
    def calls(self) -> list[SeenCall]:
        return [SeenCall(number, call) for number, call in enumerate(self.made[:MOST_CALLS], 1)]

    @property
    def reads(self) -> float:
        return sum(call.units for call in self.made if call.is_read)

    @property
    def writes(self) -> float:
        return sum(call.units for call in self.made if not call.is_read)

    @property
    def milliseconds(self) -> float:
        return sum(call.milliseconds for call in self.made)

    @property
    def price_of_a_million(self) -> float:
        """Returns what a million such requests cost, in dollars."""
        return price(reads=self.reads, writes=self.writes) * 1_000_000


_kept: OrderedDict[str, Sight] = OrderedDict()
_lock = threading.Lock()


def keep(sight: Sight) -> None:
    """Keeps it, and forgets the oldest."""
    with _lock:
        _kept[sight.request_id] = sight
        while len(_kept) > KEPT:
            _kept.popitem(last=False)


def kept_of(viewer_id: str) -> list[Sight]:
    """Returns what one viewer asked for, the newest first."""
    with _lock:
        return [sight for sight in reversed(_kept.values()) if sight.viewer_id == viewer_id]


def kept_one(request_id: str, viewer_id: str) -> Sight | None:
    """Returns one of them, if it is the viewer's."""
    with _lock:
        sight = _kept.get(request_id)
    return sight if sight and sight.viewer_id == viewer_id else None
