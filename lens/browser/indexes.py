"""The sparse indexes: what they hold, by which keys, and live partitions of them."""

import inspect
from dataclasses import dataclass

from lens.browser.examples import Example
from lens.browser.links import address_of
from moderation.models import Queue
from relations.models import RelationType
from socialsite.table import keys
from socialsite.table.item import INDEXES, Item, escalated_index_name, type_index_name


@dataclass(frozen=True, slots=True)
class Index:
    """`examples` are live partitions of it, each with its address."""

    name: str
    about: str
    partition_key: str
    sort_key: str
    examples: list[tuple[str, str]]


def indexes(example: Example) -> list[Index]:
    """Returns both indexes, with partitions of the person of an example."""
    partitions = {type_index_name: [], escalated_index_name: [keys.queue(one) for one in Queue]}
    if example.user_id:
        partitions[type_index_name] = [
            keys.relation_target(one, example.user_id) for one in RelationType
        ]
    classes = {type_index_name: Item.type_index, escalated_index_name: Item.escalated_index}
    return [
        Index(
            name=name,
            about=" ".join((inspect.getdoc(type(classes[name])) or "").split()),
            partition_key=partition_key,
            sort_key=sort_key,
            examples=[(one, address_of(one, index=name)) for one in partitions[name]],
        )
        for name, (partition_key, sort_key) in INDEXES.items()
    ]
