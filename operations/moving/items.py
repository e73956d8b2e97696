"""One pass over the table: what differs there is written there, and what is gone here is deleted there.

Nothing is kept between two runs. A run reads first what the place has, so one that was killed goes on where it was, and
one that is repeated writes what has changed since. The digests of all items are in memory, half a GB for a million.
"""

import base64
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from decimal import Decimal
from hashlib import blake2b
from itertools import islice
from typing import Any

import orjson

from operations.moving.place import MoveError, Place
from socialsite.due.models import PushHost, StreamHost
from socialsite.site_settings.models import SiteMaintenance
from socialsite.streams.models import Job, Lease, RecentChange, SeenRecord
from socialsite.table import Key, RawItem, item_size, translated
from socialsite.table.models import DataState
from socialsite.table.reading import is_expired, pauses, scan_page
from socialsite.table.writing import BATCH_WRITE_LIMIT

# Of processes: who reads the stream and how far, who sends pushes, and what may come late from the workers of before.
STAY = {one.__name__ for one in (Lease, StreamHost, SeenRecord, RecentChange, PushHost)}
# Written in the end: jobs before the eyes of the new worker, as their records are what it goes on by, and whether the
# site is only read, as processes that still run at a place which the site has left are kept from writing by that.
AT_THE_END = {DataState.__name__, Job.__name__, SiteMaintenance.__name__}
KB = 1024
PAGE = 4096  # bytes in a read unit, consistent
CALLS_AT_ONCE = 8  # of 25 items
MOST_SECONDS = 120.0  # that a full or throttled table is asked again

Digests = dict[bytes, bytes]


@dataclass
class Size:
    """How much there is, and the units that writing it costs: one for each KB, and as many for each index it is in."""

    kinds: Counter[str] = field(default_factory=Counter)
    bytes: int = 0
    write_units: int = 0

    @property
    def items(self) -> int:
        return self.kinds.total()

    @property
    def read_units(self) -> int:
        return -(-self.bytes // PAGE)

    def add(self, raw: RawItem) -> None:
        size = item_size(raw)
        indexes = sum(pair <= raw.keys() for pair in INDEXED)
        self.kinds[kind_of(raw)] += 1
        self.bytes += size
        self.write_units += -(-size // KB) * (1 + indexes)


INDEXED = ({"relation_target", "update_time"}, {"escalated_to", "escalated_at"})


@dataclass
class Pass:
    """What one pass found here, and did there. `lasting` leaves out what is past its `ttl`, as each engine deletes that
    when it likes."""

    size: Size = field(default_factory=Size)
    written: Size = field(default_factory=Size)
    deleted: int = 0
    lasting: int = 0
    jobs: list[RawItem] = field(default_factory=list)

    @property
    def changes(self) -> int:
        return self.written.items + self.deleted


def kind_of(raw: RawItem) -> str:
    return str(raw.get("type", {}).get("S", ""))


def place_in(raw: RawItem) -> bytes:
    return f"{raw['PK']['S']}\0{raw['SK']['S']}".encode()


def key_at(place: bytes) -> Key:
    pk, _, sk = place.decode().partition("\0")
    return Key(pk, sk)


def digest_of(raw: RawItem) -> bytes:
    """Returns the same for what two engines may write differently: the order of a set, the digits of a number."""
    plain = {name: _plain(value) for name, value in raw.items()}
    return blake2b(orjson.dumps(plain, option=orjson.OPT_SORT_KEYS), digest_size=16).digest()


def _plain(value: dict[str, Any]) -> Any:
    ((kind, content),) = value.items()
    match kind:
        case "N":
            content = str(Decimal(content).normalize())
        case "SS":
            content = sorted(content)
        case "NS":
            content = sorted(str(Decimal(one).normalize()) for one in content)
        case "B":
            content = base64.b64encode(content).decode()
        case "BS":
            content = sorted(base64.b64encode(one).decode() for one in content)
        case "L":
            content = [_plain(one) for one in content]
        case "M":
            content = {name: _plain(one) for name, one in content.items()}
    return {kind: content}


@dataclass
class Read:
    """What a place has: the digest of each item by its key, how many there are of each type, and where its jobs are."""

    known: Digests = field(default_factory=dict)
    kinds: Counter[str] = field(default_factory=Counter)
    jobs: list[bytes] = field(default_factory=list)


def read_there(there: Place, *, on_items: Callable[[int], None]) -> Read:
    """Reads a place anew."""
    found = Read()
    for page in there.scan():
        for raw in page:
            kind = kind_of(raw)
            if kind == Job.__name__:
                found.jobs.append(place_in(raw))
            if kind not in STAY | AT_THE_END:
                found.kinds[kind] += 1
                found.known[place_in(raw)] = digest_of(raw)
        on_items(len(page))
    return found


def measure(*, on_items: Callable[[int], None]) -> Size:
    """Returns how much would move. Reads the whole table and writes nothing."""
    size = Size()
    for page in _pages():
        for raw in page:
            if kind_of(raw) not in STAY:
                size.add(raw)
        on_items(len(page))
    return size


def copy_differing(there: Place, known: Digests, *, on_items: Callable[[int], None]) -> Pass:
    """Writes there what differs from `known`, deletes there what is gone, and leaves in `known` what there is now.

    People write meanwhile, so an item may be newer there than another that was read before it. The next pass finds
    what changed since.
    """
    done, seen = Pass(), set[bytes]()
    with ThreadPoolExecutor(CALLS_AT_ONCE) as pool:
        for page in _pages():
            differing = []
            for raw in page:
                kind = kind_of(raw)
                if kind == Job.__name__:
                    done.jobs.append(raw)
                if kind in STAY | AT_THE_END:
                    continue
                done.size.add(raw)
                place, digest = place_in(raw), digest_of(raw)
                seen.add(place)
                if known.get(place) != digest:
                    differing.append((place, digest, raw))
            _send(there, pool, ({"PutRequest": {"Item": raw}} for _, _, raw in differing))
            for place, digest, raw in differing:
                known[place] = digest
                done.written.add(raw)
                done.lasting += not is_expired(raw)
            on_items(len(page))
        gone = [place for place in known if place not in seen]
        _send(there, pool, map(_deletion, gone))
        for place in gone:
            del known[place]
    done.deleted = len(gone)
    done.lasting += len(gone)
    return done


def find_differing(known: Digests, *, on_items: Callable[[int], None]) -> list[bytes]:
    """Returns where items differ from `known`, without those that have ended meanwhile."""
    found = []
    for page in _pages():
        for raw in page:
            place = place_in(raw)
            if kind_of(raw) not in STAY | AT_THE_END and known.get(place) != digest_of(raw):
                found.append(place)
        on_items(len(page))
    return found


def _deletion(place: bytes) -> dict[str, Any]:
    pk, sk = key_at(place)
    return {"DeleteRequest": {"Key": {"PK": {"S": pk}, "SK": {"S": sk}}}}


def delete_there(there: Place, places: Iterable[bytes]) -> None:
    """Deletes items there by their keys."""
    with ThreadPoolExecutor(1) as pool:
        _send(there, pool, map(_deletion, places))


def _pages() -> Iterator[list[RawItem]]:
    """Yields the items of the table of this process."""
    last = None
    while True:
        items, last = scan_page(after=last)
        yield items
        if last is None:
            return


def _send(there: Place, pool: ThreadPoolExecutor, requests: Iterable[dict[str, Any]]) -> None:
    waiting = iter(requests)
    batches = iter(lambda: list(islice(waiting, BATCH_WRITE_LIMIT)), [])
    list(pool.map(lambda batch: _write(there, batch), batches))


def _write(there: Place, requests: list[dict[str, Any]]) -> None:
    for _ in pauses(MOST_SECONDS):
        with translated():
            answer = there.client.batch_write_item(RequestItems={there.table: requests})
        requests = answer.get("UnprocessedItems", {}).get(there.table, [])
        if not requests:
            return
    raise MoveError(f"{there.name} takes no more: {len(requests)} items stayed unwritten.")
