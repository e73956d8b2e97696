"""The table partition by partition: what is stored, where each item leads, and pages of them."""

import base64
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property, wraps
from itertools import islice
from typing import Any, Concatenate, ParamSpec

import orjson
from django.http.response import HttpResponseBase

from accounts.guards import permission_required
from accounts.permissions import Permission, permissions_of
from accounts.requests import SiteRequest, View
from lens.access import is_developer
from lens.browser.item_types import ItemType, Links, Part, address_of, item_types
from lens.chart import Shape, shapes_of
from socialsite.clock import utc_now
from socialsite.observing.logs import Event, note_event
from socialsite.table import (
    INDEXES,
    Key,
    NotFound,
    RawItem,
    access_pattern,
    fetch,
    item_models,
    item_size,
    keys,
    query,
    query_index,
)

P = ParamSpec("P")
# The right to browse the table: developers see all; staff of a site in production see keys, types and sizes,
# and only their own values.

# What signs people in stays masked for staff even where it is their own.
SECRETS = {"App", "AppCode", "AppToken", "Credentials", "Passkey", "SignIn"}


def browsers_only(
    view: Callable[Concatenate[SiteRequest, P], HttpResponseBase],
) -> View[P]:
    """Answers 404 to everyone but developers and staff with the permission `LENS`, whose proofs it asks for."""
    for_staff = permission_required(Permission.LENS)(view)

    @wraps(view)
    def guarded(request: SiteRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        return (view if is_developer(request) else for_staff)(request, *args, **kwargs)

    return guarded


def note_look(request: SiteRequest, partition: str, *, index: str = "") -> None:
    """Notes in the security log which partition a member of the staff looks at. Raises `NotFound` where the keys alone
    say what only the permission `ORIGINS` may see, and where they say who writes to whom: that is nobody's but their
    own."""
    if is_developer(request):
        return
    if keys.tells_who_writes(partition) and not _is_own(partition, request.user.user_id):
        raise NotFound("conversations are for their people alone")
    if keys.links_accounts(partition) and Permission.ORIGINS not in permissions_of(request.user):
        raise NotFound("who shares a network has a permission of its own")
    note_event(Event.TABLE_BROWSED, account=request.user.user_id, partition=partition, index=index)


def is_masked(request: SiteRequest, partition: str, item: str) -> bool:
    """Whether the values of an item in a partition are told by their length alone."""
    if is_developer(request):
        return False
    return item in SECRETS or not _is_own(partition, request.user.user_id)


def _is_own(partition: str, user_id: str) -> bool:
    """Whether a partition is the viewer's own, or a conversation of theirs with one other."""
    return keys.is_of_person(partition, user_id) or keys.is_of_chatter(partition, user_id)


Handles = Mapping[str, str]
PLACE = re.compile(r"(@?)\{(\w+)\}")


def page_of(raw: RawItem, handles: Handles) -> str:
    """Returns the address of its page (`Item.page`), empty if it has none. `handles` are those of the people whom it
    names."""
    model = item_models().get(_of(raw, "type"))
    page = model.page if model else ""
    for found in PLACE.finditer(page):
        value = _of(raw, found[2])
        value = handles.get(value, "") if found[1] else value
        if not value:
            return ""
        page = page.replace(found[0], found[1] + value)
    return page


def _of(raw: RawItem, name: str) -> str:
    return str(raw.get(name, {}).get("S", ""))


@dataclass(frozen=True, slots=True)
class Value:
    """An attribute of an item. `parts` are its value, in pieces of which some lead on."""

    name: str
    kind: str
    parts: list[Part]
    is_masked: bool = False
    length: int = 0  # bytes


@dataclass(frozen=True, slots=True)
class Place:
    """Where an item stands in an index."""

    index: str
    partition: str
    sort: str
    address: str


@dataclass
class StoredItem:
    """An item with all that the table keeps of it. `is_masked` if its values are told by their length alone."""

    raw: RawItem
    is_masked: bool = False
    handles: Mapping[str, str] = field(default_factory=dict)

    @property
    def partition(self) -> str:
        return str(self.raw["PK"]["S"])

    @property
    def sort(self) -> str:
        return str(self.raw["SK"]["S"])

    @property
    def type(self) -> str:
        return str(self.raw.get("type", {}).get("S", ""))

    @property
    def known_type(self) -> ItemType | None:
        return item_types().get(self.type)

    @property
    def address(self) -> str:
        return address_of(self.partition, self.sort)

    @property
    def page(self) -> str:
        return page_of(self.raw, self.handles)

    @property
    def size(self) -> int:
        return item_size(self.raw)

    @property
    def expires(self) -> datetime | None:
        """Returns when TTL may delete it."""
        number = self.raw.get("ttl", {}).get("N")
        try:
            return datetime.fromtimestamp(int(number), UTC) if number else None
        except (ValueError, OverflowError):
            return None

    @property
    def is_expired(self) -> bool:
        return self.expires is not None and self.expires <= utc_now()

    @property
    def places(self) -> list[Place]:
        """Returns where it stands in the sparse indexes: in those of which it has both keys."""
        found = []
        for index, (partition_key, sort_key) in INDEXES.items():
            if partition_key in self.raw and sort_key in self.raw:
                partition, sort = (str(self.raw[one]["S"]) for one in (partition_key, sort_key))
                found.append(Place(index, partition, sort, address_of(partition, index=index)))
        return found

    @cached_property
    def sort_parts(self) -> list[Part]:
        return self._links.of_key(self.sort)

    @cached_property
    def partition_parts(self) -> list[Part]:
        return self._links.of_key(self.partition)

    @cached_property
    def values(self) -> list[Value]:
        return list(self._values())

    @property
    def people(self) -> Iterator[str]:
        """Yields the people whom its keys and values name."""
        parts = [*self.partition_parts, *self.sort_parts]
        parts += [part for value in self.values for part in value.parts]
        yield from (part.person_id for part in parts if part.person_id)

    @cached_property
    def _links(self) -> Links:
        return Links(self.raw)

    def _values(self) -> Iterator[Value]:
        in_keys = {name for pair in INDEXES.values() for name in pair} | {"ttl"}
        for name, value in sorted(self.raw.items()):
            if name in ("PK", "SK", "type"):
                continue
            ((kind, content),) = value.items()
            texts = sorted(content) if kind == "SS" else [_text(kind, content)]
            parts = [self._part(name, kind, text) for text in texts]
            is_masked = self.is_masked and name not in in_keys
            if is_masked and not all(part.address for part in parts):
                parts = []
            length = item_size({"": value})
            yield Value(name, kind, parts, is_masked and not parts, length)

    def _part(self, name: str, kind: str, text: str) -> Part:
        is_id = kind in ("S", "SS")
        return (self._links.of_value(name, text) if is_id else None) or Part(text)


def _text(kind: str, content: Any) -> str:
    """Returns the value as text. What is sealed is told by its length."""
    match kind:
        case "B":
            size = len(content if isinstance(content, bytes) else base64.b64decode(content))
            return f"({size} bytes)"
        case "S" | "N":
            return str(content)
        case "M" | "L":
            return orjson.dumps(_plain({kind: content}), default=str).decode()
        case _:
            return orjson.dumps(content, default=str).decode()


def _plain(value: Mapping[str, Any]) -> Any:
    """Returns a value without the types of DynamoDB's JSON."""
    ((kind, content),) = value.items()
    match kind:
        case "M":
            return {name: _plain(one) for name, one in content.items()}
        case "L":
            return [_plain(one) for one in content]
        case "B":
            return _text(kind, content)
        case _:
            return content


PAGE = 50
MOST_PEOPLE = 100  # of a page, whose handles stand beside their ids
LONGEST_PARTITION, LONGEST_SORT = 2048, 1024  # bytes, as DynamoDB has it
Masks = Callable[[str, str], bool]


@dataclass(frozen=True, slots=True)
class Partition:
    """A page of a partition. `following` is the sort key after which the next one begins, empty at its end. `index`
    names the index of which it is one."""

    name: str
    items: list[StoredItem]
    index: str = ""
    following: str = ""

    @property
    def shapes(self) -> list[Shape]:
        return [] if self.index else shapes_of(self.name)

    @property
    def size(self) -> int:
        return sum(item.size for item in self.items)


@access_pattern
def read_partition(name: str, *, after: str = "", sort: str = "") -> Partition:
    """Returns a page of a partition's items, expired ones too, in their order, or the one item of a sort key.

    Query `PK = <name>`, 50 items: 0.5 read units per 4 KB.
    """
    if not _may_exist(name, after or sort):
        return Partition(name, [])
    start = Key(name, after) if after else None
    between = (sort, sort) if sort else None
    found = query(name, after=start, between=between, limit=PAGE + 1, with_expired=True)
    items = [StoredItem(raw) for raw in islice(found, PAGE + 1)]
    following = items[PAGE - 1].sort if len(items) > PAGE else ""
    return Partition(name, items[:PAGE], following=following)


@access_pattern
def read_index_partition(index: str, name: str, *, before: str = "") -> Partition:
    """Returns a page of a partition of an index as it is stored, the last items first. Items with the same sort key
    stay together.

    Query of the index, 51 items: 0.5 read units per 4 KB.
    """
    if not _may_exist(name, before):
        return Partition(name, [], index)
    _, sort_key = INDEXES[index]
    found = query_index(index, name, before=before or None, limit=PAGE + 1)
    moments = [str(raw[sort_key]["S"]) for raw in found]
    whole = len(found)
    if whole > PAGE:
        whole = moments.index(moments[-1]) or whole
    following = moments[whole - 1] if len(found) > PAGE else ""
    return Partition(name, [StoredItem(raw) for raw in found[:whole]], index, following)


def complete(partition: Partition, *, masks: Masks) -> None:
    """Masks the items that `masks` says, by partition and type, and gives them the handles of the people whom they
    name. As `find_handles`."""
    for item in partition.items:
        item.is_masked = masks(item.partition, item.type)
    handles = find_handles(person for item in partition.items for person in item.people)
    for item in partition.items:
        item.handles = handles


@access_pattern
def find_handles(user_ids: Iterable[str]) -> dict[str, str]:
    """Returns the handles of the first 100 of these people by id. One BatchGetItem, 0.5 read units a person."""
    wanted = list(dict.fromkeys(user_ids))[:MOST_PEOPLE]
    found = fetch(keys.user_info(user_id) for user_id in wanted)
    return {
        user_id: str(found[key]["handle"]["S"])
        for user_id in wanted
        if (key := keys.user_info(user_id)) in found and "handle" in found[key]
    }


def _may_exist(partition: str, sort: str) -> bool:
    lengths = (partition, LONGEST_PARTITION), (sort, LONGEST_SORT)
    return all(len(text.encode()) <= longest for text, longest in lengths)
