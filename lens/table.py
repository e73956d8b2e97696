"""A partition of the table, or of one of its indexes, as it is stored."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice

from lens.browser.stored_items import StoredItem
from lens.chart import Shape, shapes_of
from socialsite.table import keys
from socialsite.table.item import INDEXES
from socialsite.table.keys import Key
from socialsite.table.meter import access_pattern
from socialsite.table.reading import fetch, query, query_index

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
    """Returns a page of a partition of an index, the last items first. Items with the same sort key stay together.

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
