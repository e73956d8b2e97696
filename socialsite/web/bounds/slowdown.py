"""Slows guessing down without locking anyone out. After some free tries, each further try waits twice as long.

A lane counts the tries of one subject in one window. The window begins with the first try and ends with its item's TTL.
The limits in `limits.py` are for what people do on purpose, and refuse everything until their window ends.
"""

import logging
import time
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from django.utils.crypto import salted_hmac

from socialsite.clock import utc_now
from socialsite.models import RateLimit
from socialsite.table import keys
from socialsite.table.actions import Upsert
from socialsite.table.as_read import Moved, write_as_read
from socialsite.table.errors import TableError
from socialsite.table.meter import access_pattern
from socialsite.table.reading import RawItem, fetch
from socialsite.table.row import row
from socialsite.table.writing import transact
from socialsite.web.bounds.limits import LimitReached

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Slowdown:
    """`free` tries at once, then pauses of 1, 2, 4 … up to `longest` seconds, in a window of `seconds`."""

    kind: str
    free: int
    longest: int
    seconds: int

    def pause_after(self, tries: int) -> int:
        """Returns how many seconds the next try waits."""
        beyond = tries - self.free
        return min(2 ** min(beyond, 30), self.longest) if beyond >= 0 else 0


Lane = tuple[Slowdown, str]  # with its subject, such as an address


@access_pattern
def take_turn(lanes: Iterable[Lane]) -> None:
    """Counts a try in every lane, or in none and raises `LimitReached` with the longest pause that is left.

    One consistent BatchGetItem, 1 read unit a lane, and one TransactWriteItems, 2 write units a lane.
    """
    counters = {_key(lane): lane[0] for lane in lanes}

    def attempt() -> None:
        found = fetch(counters, consistent=True)
        now = int(time.time())
        pauses = [
            (int(row(RateLimit, raw).until) - now, counters[key].kind) for key, raw in found.items()
        ]
        longest, kind = max(pauses, default=(0, ""))
        if longest > 0:
            raise LimitReached(longest, kind)
        transact(*(_counted(one, key, found.get(key), now) for key, one in counters.items()))

    try:
        write_as_read(attempt)
    except Moved as error:
        raise LimitReached(1, "many at once") from error


@access_pattern
def give_back(lanes: Iterable[Lane]) -> None:
    """Un-counts a correct try in every lane. Pauses stay, because people could otherwise end them by signing in to an
    account of their own. Does nothing while the engine cannot answer.

    One TransactWriteItems, 2 write units a lane.
    """
    counted = RateLimit.hits > 0
    one_less = [RateLimit.hits.add(-1)]
    try:
        transact(*(Upsert(RateLimit, _key(lane), one_less, counted, Moved) for lane in lanes))
    except TableError as error:
        log.warning("a right try stays counted: %s", error)


def _key(lane: Lane) -> keys.Key:
    slowdown, subject = lane
    hmac = salted_hmac(f"limit {slowdown.kind}", subject, algorithm="sha256").hexdigest()[:32]
    return keys.rate_limit(slowdown.kind, hmac, 0)


def _counted(slowdown: Slowdown, key: keys.Key, raw: RawItem | None, now: int) -> Upsert:
    hits = int(row(RateLimit, raw).hits) if raw else 0
    actions = [
        RateLimit.hits.set(hits + 1),
        RateLimit.until.set(now + slowdown.pause_after(hits + 1)),
    ]
    if raw is None:
        end = datetime.fromtimestamp(now + slowdown.seconds, UTC)
        actions.append(RateLimit.ttl.set(end))
        is_new = RateLimit.hits.does_not_exist() | (RateLimit.ttl <= utc_now())
        return Upsert(RateLimit, key, actions, is_new, Moved)
    return Upsert(RateLimit, key, actions, RateLimit.hits == hits, Moved)
