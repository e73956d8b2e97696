"""How often something may be done: limits, and waiting times that grow with failed guesses."""

import logging
import math
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from ipaddress import IPv6Address, ip_address

from django.conf import settings
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from socialsite.clock import utc_now
from socialsite.models import RateLimit
from socialsite.table import (
    Moved,
    RawItem,
    TableError,
    Upsert,
    access_pattern,
    fetch,
    keys,
    row,
    transact,
    write_optimistically,
)

# Limits how often something may be done. The counters are in the table, so they hold for all processes.
#
# Guesses at passwords and codes are slowed down instead (`Slowdown`).
#
# Windows are fixed, and a counter expires with its window. The key holds the subject (an address, an account)
# only as a keyed hash.


@dataclass(frozen=True, slots=True)
class Limit:
    """At most `hits` in `seconds`, for one subject."""

    kind: str
    hits: int
    seconds: int


PROOFS_BY_ADDRESS = Limit("proof-address", 25, 300)
PROOFS_BY_ACCOUNT = Limit("proof-account", 10, 600)
PROOFS_A_DAY = Limit("proof-day", 60, 86_400)
RESETS_BY_ADDRESS = Limit("resets-address", 20, 1800)
ADDRESS_LETTERS = Limit("address-letters", 5, 3600)
SIGN_UP_BY_ADDRESS = Limit("sign-up-address", 10, 1800)
POSTS = Limit("posts", 60, 600)
PHOTOS = Limit("photos", 60, 600)
UPLOADS = Limit("uploads", 30, 1800)
REQUESTS = Limit("requests", 60, 1800)  # follow and friend requests
REPORTS = Limit("reports", 20, 3600)
APPEALS = Limit("appeals", 10, 86_400)
HANDLE_CHANGES = Limit("handle-changes", 3, 2_592_000)  # in 30 days
EXPORTS = Limit("exports", 60, 3600)
LOOKS_AT_PICTURES = Limit("looks-at-pictures", 1_000_000, 86_400)  # counted, never refused


class LimitReached(TableError):
    """The limit is reached. `retry_after` is the number of seconds until a new window begins, and `kind` names the
    limit."""

    def __init__(self, retry_after: int, kind: str = "") -> None:
        super().__init__(f"{kind}: again in {retry_after} s")
        self.retry_after = retry_after
        self.kind = kind


@access_pattern
def count_hits(*subjects: tuple[Limit, str]) -> None:
    """Counts one hit for each limit. If one of them is reached, counts none and raises `LimitReached`.

    One TransactWriteItems, 2 write units a subject.
    """
    now = int(time.time())
    try:
        transact(*(_hit(limit, subject, now) for limit, subject in subjects))
    except LimitReachedHere as error:
        reached = {action.key for action in error.failed if isinstance(action, Upsert)}
        windows = [
            (limit.seconds - now % limit.seconds, limit.kind)
            for limit, subject in subjects
            if _hit(limit, subject, now).key in reached
        ]
        raise LimitReached(*max(windows)) from error


def hit(limit: Limit, subject: str, *, otherwise: type[TableError], times: int = 1) -> Upsert:
    """Returns hits as a part of another transaction, which raises `otherwise` if they would pass the limit. More than
    the limit at once never fit: the caller refuses those. 2 write units."""
    return replace(_hit(limit, subject, int(time.time()), times), otherwise=otherwise)


@access_pattern
def hits_so_far(limit: Limit, subject: str) -> int:
    """Returns how many hits there were in the present window. One consistent BatchGetItem of one key, 1 read unit."""
    key = _hit(limit, subject, int(time.time())).key
    return int(row(RateLimit, fetch([key], consistent=True).get(key, {})).hits or 0)


def next_window(limit: Limit) -> datetime:
    """Returns when the present window of a limit ends, and the next one begins."""
    now = int(time.time())
    return datetime.fromtimestamp(now - now % limit.seconds + limit.seconds, UTC)


class LimitReachedHere(TableError):
    """The condition of a counter failed."""


def client_address(request: HttpRequest) -> str:
    """Returns the visitor's address. Forwarded addresses count only for trusted proxies. IPv6 addresses count as their
    /64."""
    forwarded = request.headers.get("X-Forwarded-For", "")
    return visitors_address(str(request.META.get("REMOTE_ADDR", "")), forwarded)


def visitors_address(address: str, forwarded: str) -> str:
    """As `client_address`, of the peer's address and the header `X-Forwarded-For`."""
    if settings.TRUSTED_PROXY_HOPS:
        hops = [hop.strip() for hop in forwarded.split(",")]
        address = hops[-min(settings.TRUSTED_PROXY_HOPS, len(hops))] or address
    try:
        ip = ip_address(_without_port(address))
    except ValueError:
        return "unknown"
    if isinstance(ip, IPv6Address):
        return str(ip.ipv4_mapped or IPv6Address(int(ip) >> 64 << 64))
    return str(ip)


def _without_port(address: str) -> str:
    """Drops the port that some proxies add: `192.0.2.1:443`, `[2001:db8::1]:443`."""
    if address.startswith("["):
        return address[1:].partition("]")[0]
    return address.partition(":")[0] if address.count(":") == 1 else address


def _hit(limit: Limit, subject: str, now: int, times: int = 1) -> Upsert:
    window = now - now % limit.seconds
    hmac = salted_hmac(f"limit {limit.kind}", subject, algorithm="sha256").hexdigest()[:32]
    return Upsert(
        RateLimit,
        keys.rate_limit(limit.kind, hmac, window),
        [
            RateLimit.hits.add(times),
            RateLimit.ttl.set(datetime.fromtimestamp(window + limit.seconds, UTC)),
        ],
        condition=RateLimit.hits.does_not_exist() | (RateLimit.hits <= limit.hits - times),
        otherwise=LimitReachedHere,
    )


log = logging.getLogger(__name__)


# Slows guessing down without locking anyone out. After some free tries, each further try waits twice as long.
#
# A lane counts the tries of one subject in one window. The window begins with the first try and ends with its
# item's TTL. The limits above are for what people do on purpose, and refuse everything until their
# window ends.


@dataclass(frozen=True, slots=True)
class Slowdown:
    """`free` tries at once, then pauses of at least 1, 2, 4 … up to `longest` seconds, in a window of `seconds`."""

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
        started = time.time()
        now = math.ceil(started)  # so that a pause lasts at least as long as its number says
        pauses = [
            (int(row(RateLimit, raw).until) - started, counters[key].kind)
            for key, raw in found.items()
        ]
        longest, kind = max(pauses, default=(0, ""))
        if longest > 0:
            raise LimitReached(math.ceil(longest), kind)
        transact(*(_counted(one, key, found.get(key), now) for key, one in counters.items()))

    try:
        write_optimistically(attempt)
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
    pause = slowdown.pause_after(hits + 1)
    actions = [RateLimit.hits.set(hits + 1), RateLimit.until.set(now + pause if pause else 0)]
    if raw is None:
        end = datetime.fromtimestamp(now + slowdown.seconds, UTC)
        actions.append(RateLimit.ttl.set(end))
        is_new = RateLimit.hits.does_not_exist() | (RateLimit.ttl <= utc_now())
        return Upsert(RateLimit, key, actions, is_new, Moved)
    return Upsert(RateLimit, key, actions, RateLimit.hits == hits, Moved)
