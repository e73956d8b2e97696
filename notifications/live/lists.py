"""The lists that a stream of an app follows: what of an answer of the site is new, as events.

A list is asked for what is newer than a moment, and a minute before it once more, as a post can come to a home a while
after it was written. What was passed on does not come again. All of it is passed on at least once, the oldest first.
"""

import json
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from socialsite.table import ids

AGAIN = 60.0  # seconds that are asked for once more
MOST_KEPT = 200  # of what was passed on
PAGE_WITH_MORE = 10  # items: of a page of 20 the site leaves out what may not be seen
LATEST = 600.0  # seconds after which a reader that comes again gets what it missed
LATE = 10.0  # seconds within which nearly everything has reached its lists


@dataclass(slots=True)
class List:
    """A list as far as it was passed on: all that had come to it at `until`, in seconds. What is from before `floor` is
    only taken note of when it is first asked for. `place` is where it goes on while there is more than one page."""

    path: str
    event: str
    until: float
    is_home: bool
    floor: float
    place: str = ""
    passed: OrderedDict[str, None] = field(default_factory=OrderedDict)

    @property
    def query(self) -> str:
        return f"{self.path}?min_id={self.place or self.beginning}"

    @property
    def beginning(self) -> str:
        """Returns the place from which it is asked."""
        moment = ids.first_id_at(datetime.fromtimestamp(self.until - AGAIN, UTC))
        return f"{moment}{'0' * ids.LENGTH}" if self.is_home else moment[:10]

    def take(self, items: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        """Yields the items that are new, the oldest first."""
        for item in reversed(items):
            name = str(item.get("id", ""))
            if name in self.passed:
                continue
            self.passed[name] = None
            if len(self.passed) > MOST_KEPT:
                self.passed.popitem(last=False)
            if _time_of(name) >= self.floor:
                yield item

    def goes_on(self, items: list[dict[str, Any]], newer: str) -> bool:
        """Whether there may be more, which is asked for from there on."""
        has_more = bool(newer) and (not items or len(items) >= PAGE_WITH_MORE)
        self.place = newer if has_more else ""
        return has_more

    def end_at(self, moment: float) -> None:
        """Notes that all was passed on that had come by then. What comes late from now on is new."""
        self.until, self.place, self.floor = moment, "", 0.0


def _time_of(name: str) -> float:
    """Returns when an item was made, which its name begins with."""
    try:
        return ids.time_of(name).timestamp()
    except (ValueError, OverflowError):
        return 0.0


def home(now: float, missed: float | None) -> List:
    return _list("/api/v1/timelines/home", "update", now, missed, is_home=True)


def notifications(now: float, missed: float | None) -> List:
    return _list("/api/v1/notifications", "notification", now, missed, is_home=False)


def _list(path: str, event: str, now: float, missed: float | None, *, is_home: bool) -> List:
    floor = now if missed is None else missed - LATE
    return List(path, event, now if missed is None else missed, is_home, floor)


def resumed_at(last_event: str, now: float) -> float | None:
    """Returns the moment up to which a reader that comes again has everything, None for one that is new. It says so in
    `Last-Event-ID`, which our events carry."""
    if not (last_event.isascii() and last_event.isdigit() and len(last_event) < 16):
        return None
    return min(now, max(int(last_event) / 1000, now - LATEST))


def as_event(name: str, content: Any, *, until: float) -> bytes:
    """Returns an event. Its data are JSON, an id too, and its id the moment up to which all was passed on."""
    data = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    return f"id: {int(until * 1000)}\nevent: {name}\ndata: {data}\n\n".encode()
