"""What the lens has seen: the calls of the last requests of this process.

Answers are kept as references while the page is made, and taken apart only when the drawer is. Several processes each
keep their own, so a page always has its own calls with it, and the list of others may be shorter.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

import orjson

from costs.prices import price
from lens.calls import Key, SeenCall, keys_asked
from lens.figures import (
    FOR_ALL_PAGES,
    Budget,
    Kept,
    Naive,
    TableBytes,
    budget_of,
    one_item_at_a_time,
    scans,
    table_bytes,
)
from socialsite.process_state import kept_by_process
from socialsite.table import Call

KEPT = 50  # requests
MOST_CALLS = 200  # of a request
LEAST_WIDTH = 0.8  # of a bar, of 100
SHORTEST = 0.001  # ms


@dataclass(frozen=True)
class Sight:
    """A request with its calls. `viewer_id` is who asked, empty for visitors, and `page` the name of the address."""

    request_id: str
    viewer_id: str
    method: str
    address: str
    page: str
    status: int
    moment: datetime
    began: float
    ended: float
    made: Sequence[Call]
    is_masked: bool = False
    is_fragment: bool = False

    @cached_property
    def calls(self) -> list[SeenCall]:
        return list(self._seen())

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
    def page_milliseconds(self) -> float:
        return (self.ended - self.began) * 1000

    @property
    def price_of_a_million(self) -> float:
        """Returns what a million such requests cost, in dollars."""
        return price(reads=self.reads, writes=self.writes) * 1_000_000

    @property
    def read_calls(self) -> int:
        return sum(call.is_read for call in self.made)

    @property
    def budget(self) -> Budget | None:
        """Returns what the page may take, None for fragments, writes, and pages without a stated budget."""
        is_page = self.method == "GET" and not self.is_fragment
        return budget_of(self.page) if is_page else None

    @property
    def kept(self) -> Kept | None:
        """Returns how the page stands to its budget."""
        return self.budget.kept(len(self.own), self.own_reads) if self.budget else None

    @property
    def own(self) -> list[Call]:
        """Returns the calls that the page itself is charged for."""
        return [call for call in self.made if call.access_pattern not in FOR_ALL_PAGES]

    @property
    def own_reads(self) -> float:
        return sum(call.units for call in self.own if call.is_read)

    @cached_property
    def table_bytes(self) -> TableBytes:
        """Returns the table's size, or none where no design asks for it or the engine has just failed the page."""
        is_asked = any(call.operation == "Query" for call in self.made) and self.status < 500
        return table_bytes() if is_asked else TableBytes(0)

    @property
    def naive(self) -> list[Naive]:
        """Returns what other designs would take for the same page, without those that would not differ."""
        designs = (one_item_at_a_time(self.calls), scans(self.calls, self.table_bytes.count))
        return [design for design in designs if design]

    def _seen(self) -> Iterator[SeenCall]:
        keys: set[Key] = set()
        requests: set[tuple[str, bytes]] = set()
        for number, call in enumerate(self.made[:MOST_CALLS], 1):
            asked = keys_asked(call.operation, orjson.loads(call.asked))
            whole = (call.operation, call.asked)
            yield SeenCall(
                number=number,
                call=call,
                is_masked=self.is_masked,
                asked_before=keys & set(asked),
                is_repeated=call.is_read and whole in requests,
                bar=self._bar(call),
            )
            keys |= set(asked)
            requests.add(whole)

    def _bar(self, call: Call) -> tuple[float, float]:
        last = self.made[-1]  # where the axis ends: what comes after it is no matter of the table
        whole = max((last.began - self.began) * 1000 + last.milliseconds, SHORTEST)
        start = (call.began - self.began) * 1000 / whole * 100
        return round(start, 2), round(max(call.milliseconds / whole * 100, LEAST_WIDTH), 2)


_kept: OrderedDict[str, Sight] = OrderedDict()
kept_by_process(_kept.clear)
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
