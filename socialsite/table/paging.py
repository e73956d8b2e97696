"""Pages of lists, of several merged into one, and the encrypted places in them (cursors)."""

import hashlib
import heapq
import hmac
from base64 import b64decode, urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotBase64
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import islice
from typing import Any, Generic, Literal, TypeVar

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV
from django.conf import settings
from django.core.signing import BadSignature, Signer

from socialsite.keys.key import Key
from socialsite.table.errors import BadCursor
from socialsite.table.reading import RawItem, fetch, key_of, query, query_all
from socialsite.table.transport.requests import query_request

# Encrypted places in a list.
#
# A cursor is a direction and a sort key, encrypted for one partition. It reveals no id of an item that the
# reader may not see, cannot be altered, does not fit another list, and never goes stale. "The page before X"
# stays a valid link even if X itself is deleted.

MAX_LENGTH = 1_500  # a sort key has at most 1,024 bytes, its cursor 1,388 characters
CARRIED = "\0"  # what follows is no part of the sort key


@dataclass(frozen=True, slots=True)
class Place:
    """`next` continues behind the sort key in the list's order, `previous` ends just before it. `carried` is what the
    list takes along from page to page."""

    direction: Literal["next", "previous"]
    sk: str
    carried: str = ""


def write_cursor(partition: str, place: Place) -> str:
    """Returns the cursor of a place. The same place always gets the same one."""
    text = f"{place.direction[0]}{place.sk}"
    if place.carried:
        text += f"{CARRIED}{place.carried}"
    encrypted = _cipher(settings.SECRET_KEY).encrypt(text.encode(), [partition.encode()])
    return urlsafe_b64encode(encrypted).decode().rstrip("=")


def read_cursor(partition: str, cursor: str) -> Place:
    """Returns the place. Raises `BadCursor` for anything that `write_cursor` did not make for this partition."""
    if not cursor or len(cursor) > MAX_LENGTH:
        raise BadCursor("too short or too long")
    text = _verify(partition, cursor) if "." in cursor else _decrypt(partition, cursor)
    sk, _, carried = text[1:].partition(CARRIED)
    return Place("next" if text[0] == "n" else "previous", sk, carried)


def _decrypt(partition: str, cursor: str) -> str:
    try:
        encrypted = b64decode(_padded(cursor), altchars=b"-_", validate=True)
    except (NotBase64, ValueError) as error:
        raise BadCursor(str(error)) from error
    for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS):
        try:
            return _cipher(secret).decrypt(encrypted, [partition.encode()]).decode()
        except InvalidTag:
            continue
    raise BadCursor("altered, or of another list")


def _verify(partition: str, cursor: str) -> str:
    """Reads a cursor in the signed, readable form of earlier versions, which open pages and bookmarks still have."""
    try:
        payload = Signer(salt=f"cursor {partition}", sep=".").unsign(cursor)
    except BadSignature as error:
        raise BadCursor(str(error)) from error
    return urlsafe_b64decode(_padded(payload)).decode()


def _padded(text: str) -> str:
    return text + "=" * (-len(text) % 4)


@cache
def _cipher(secret: str) -> AESSIV:
    # SIV needs no random nonce, so a page always has the same address.
    return AESSIV(hmac.new(secret.encode(), b"cursor encryption", hashlib.sha512).digest())


T = TypeVar("T")

# Pages of lists, of one partition or of several merged ones, in both directions, with encrypted cursors; and
# stretches of a partition, which answer for many keys at once.

PAGE_SIZE = 20


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """One page of a list, in its order, with the cursors of its neighbours."""

    items: Sequence[T]
    next_cursor: str | None = None
    previous_cursor: str | None = None
    top: str | None = None  # the place of its first item
    scope: str = ""
    places: Sequence[str] = ()  # of the items as they were read

    def with_items(self, items: Sequence[Any]) -> "Page[Any]":
        return replace(self, items=items)

    def cut(self, count: int) -> "Page[T]":
        """Returns the first items of the page, and the cursor of the rest."""
        if count >= len(self.items):
            return self
        rest = write_cursor(self.scope, Place("next", self.places[count - 1]))
        return replace(self, items=self.items[:count], next_cursor=rest, places=self.places[:count])


@dataclass(frozen=True, slots=True)
class Stretch:
    """Part of a partition as one Query read it: the items between two sort keys, and the knowledge that there are no
    others. It answers for keys that would cost half a unit each, there or not. An empty one knows nothing."""

    partition: str = ""
    low: str = ""
    high: str = ""
    items: dict[Key, RawItem] = field(default_factory=dict)

    def knows(self, key: Key) -> bool:
        """Whether the item of this key was read, or is known not to be there."""
        return key.pk == self.partition and self.low <= key.sk <= self.high

    def fetch(self, wanted: Iterable[Key]) -> dict[Key, RawItem]:
        """Returns its own items by key, and with `fetch` those wanted that it does not know."""
        return self.items | fetch(key for key in wanted if not self.knows(key))


def read_stretch(partition: str, between: tuple[str, str], *, most: int) -> Stretch:
    """Reads the items between two sort keys, at most so many: then the stretch ends at the last of them. One Query, 0.5
    read units per 4 KB."""
    low, high = between
    rows = list(islice(query(partition, between=between, limit=most), most))
    if len(rows) == most:
        high = key_of(rows[-1]).sk
    return Stretch(partition, low, high, {key_of(raw): raw for raw in rows})


@dataclass(frozen=True, slots=True)
class Source:
    """A partition in a merged list. It maps each item to its place in the list, and a place to a sort key of the
    partition. With `between`, only the items from one sort key to another take part, with `wanted` only some. Then the
    list ends, for this page, where `look_at_most` items were looked at. A Query asks for `at_once` items, or for as
    many as the page shows."""

    partition: str
    place_of: Callable[[RawItem], str] = lambda raw: str(raw["SK"]["S"])
    start_at: Callable[[str], str] = lambda place: place
    between: tuple[str, str] | None = None
    wanted: Callable[[RawItem], bool] = lambda raw: True
    look_at_most: int | None = None
    at_once: int | None = None
    consistent: bool = False


def query_page(
    partition: str,
    *,
    cursor: str | None = None,
    size: int = PAGE_SIZE,
    newest_first: bool = True,
) -> Page[RawItem]:
    """Returns one page of a partition's raw items, without expired ones.

    One Query of `size + 1` items (the extra one shows whether a next page exists), more only if expired items lie in
    between; 0.5 read units per 4 KB. Raises `BadCursor`.
    """
    return query_merged(
        [Source(partition)], scope=partition, cursor=cursor, size=size, newest_first=newest_first
    )


def query_merged(
    sources: Sequence[Source],
    *,
    scope: str,
    cursor: str | None = None,
    size: int = PAGE_SIZE,
    newest_first: bool = True,
    beside: Sequence[RawItem] = (),
) -> Page[RawItem]:
    """Returns one page of several partitions merged into one list, in order and with each place once. The items
    `beside`, in any order, are merged into it by their sort keys.

    One Query of `size + 1` items for each source, all asked together. Cursors hold a place of the merged list, for
    `scope`. Raises `BadCursor`.
    """
    place = read_cursor(scope, cursor) if cursor else None
    backwards = place is not None and place.direction == "previous"
    forward = newest_first == backwards
    found = query_all([_request(source, place, forward, size + 1) for source in sources])
    lists = [_places(source, raws) for source, raws in zip(sources, found, strict=True)]
    rows, end = _merge([*lists, _placed(beside, place, forward)], forward, size + 1)
    more, rows = end is not None or len(rows) > size, rows[:size]
    if not rows and end is None:
        return Page(())
    far = rows[-1][0] if end is None else end
    near = rows[0][0] if rows else far
    if backwards:
        rows.reverse()
    first, last = (far, near) if backwards else (near, far)
    has_next = backwards or more
    has_previous = more if backwards else place is not None
    return Page(
        [raw for _, raw in rows],
        write_cursor(scope, Place("next", last)) if has_next else None,
        write_cursor(scope, Place("previous", first)) if has_previous else None,
        first,
        scope,
        [at for at, _ in rows],
    )


def _merge(
    lists: Sequence[Iterable[tuple[str, RawItem | None]]], forward: bool, count: int
) -> tuple[list[tuple[str, RawItem]], str | None]:
    """Returns the first `count` rows, or fewer and the place where a source was looked at far enough."""
    merged = heapq.merge(*lists, key=lambda row: row[0], reverse=not forward)
    taken: list[tuple[str, RawItem]] = []
    for at, raw in merged:
        if raw is None:
            return taken, at
        if not taken or taken[-1][0] != at:
            taken.append((at, raw))
            if len(taken) == count:
                break
    return taken, None


def _request(source: Source, place: Place | None, forward: bool, count: int) -> dict[str, Any]:
    return query_request(
        source.partition,
        after=Key(source.partition, source.start_at(place.sk)) if place else None,
        between=source.between,
        forward=forward,
        limit=source.at_once or count,
        consistent=source.consistent,
    )


def _places(source: Source, raws: Iterator[RawItem]) -> Iterator[tuple[str, RawItem | None]]:
    """Yields the source's items with their places. `None` stands where it was looked at far enough."""
    for number, raw in enumerate(raws, 1):
        if source.wanted(raw):
            yield source.place_of(raw), raw
        if number == source.look_at_most:
            yield source.place_of(raw), None
            return


def _placed(
    raws: Sequence[RawItem], place: Place | None, forward: bool
) -> list[tuple[str, RawItem | None]]:
    """Returns the items that follow a place, in the direction in which the page is read."""
    rows = [(key_of(raw).sk, raw) for raw in raws]
    following = [
        row for row in rows if not place or (row[0] > place.sk if forward else row[0] < place.sk)
    ]
    return sorted(following, key=lambda row: row[0], reverse=not forward)
