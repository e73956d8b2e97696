"""A stream record as a typed change of one item."""

import logging
from dataclasses import dataclass
from typing import Any

from socialsite.table.item import Item
from socialsite.table.reading import key_of

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Change:
    """`event` is INSERT, MODIFY or REMOVE; `sequence` orders the records of one shard (as whole numbers)."""

    event: str
    old: Item | None
    new: Item | None
    sequence: str

    @property
    def item(self) -> Item:
        """The item as it is now, or was last."""
        item = self.new or self.old
        assert item is not None
        return item


def read_change(record: dict[str, Any]) -> Change | None:
    """The change, or None for what no handler may see: an item of an unknown type, or a write that changed nothing
    (two of the local engines record those, Amazon does not)."""
    data = record["dynamodb"]
    old, new = data.get("OldImage"), data.get("NewImage")
    if record["eventName"] == "MODIFY" and old == new:
        return None
    try:
        return Change(
            record["eventName"],
            Item.from_raw_data(old) if old else None,
            Item.from_raw_data(new) if new else None,
            data["SequenceNumber"],
        )
    except ValueError:
        log.warning("skipped a stream record of unknown type at %s", key_of(data["Keys"]))
        return None
