"""A stream record as a typed change of one item."""

import copy
import logging
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from socialsite.clock import utc_now
from socialsite.streams.models import DeadLetter
from socialsite.table import Item, RawItem, is_expired, key_of

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Change:
    """A change of one item. `event` is INSERT, MODIFY or REMOVE. `sequence` orders the records of one shard (as whole
    numbers). `moment` is the time of the change by the engine's clock, often only to the second."""

    event: str
    old: Item | None
    new: Item | None
    sequence: str
    moment: datetime = field(default_factory=utc_now)

    @property
    def item(self) -> Item:
        """Returns the item as it is now, or as it was before its removal."""
        item = self.new or self.old
        assert item is not None
        return item


def read_change(record: dict[str, Any]) -> Change | None:
    """Returns the change, or None if no handler may see it: the item's type is unknown, or the write changed nothing
    (two of the local engines record such writes, Amazon does not)."""
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
            moment_of(record),
        )
    except ValueError:
        log.warning("skipped a stream record of unknown type at %s", key_of(data["Keys"]))
        return None


def type_of(record: dict[str, Any]) -> str:
    """Returns the item's type without reading the rest, because most records are the worker's own outputs."""
    data = record["dynamodb"]
    image = data.get("NewImage") or data.get("OldImage") or {}
    return str(image.get("type", {}).get("S", ""))


def expired_image(record: dict[str, Any]) -> RawItem | None:
    """Returns the last image of an item that its `ttl` removed, otherwise None.

    Amazon and DynamoDB Local say that TTL deleted it. Replicas and the embedded engine do not, so an old image past its
    `ttl` counts too.
    """
    if record["eventName"] != "REMOVE":
        return None
    old: RawItem | None = record["dynamodb"].get("OldImage")
    identity = record.get("userIdentity") or {}
    by_service = (identity.get("type") or identity.get("Type")) == "Service"
    return old if old and (by_service or is_expired(old)) else None


def age_of(record: dict[str, Any]) -> float:
    """Returns how many seconds ago the change was made, by this machine's clock."""
    return max(0.0, (utc_now() - moment_of(record)).total_seconds())


def moment_of(record: dict[str, Any]) -> datetime:
    """Returns when the change was made, or now if the engine does not say."""
    moment = record["dynamodb"].get("ApproximateCreationDateTime")
    return datetime.fromtimestamp(moment, UTC) if moment else utc_now()


def dead_letter_of(record: dict[str, Any], *, shard_id: str, error: Exception) -> DeadLetter:
    """Returns the dead letter of a record that cannot be applied: keys and ids, but no text that someone wrote."""
    data = record["dynamodb"]
    image = data.get("NewImage") or data.get("OldImage") or data["Keys"]
    return DeadLetter.new(
        shard_id=shard_id,
        sequence=data["SequenceNumber"],
        event=record["eventName"],
        image=_ids_of(image),
        old_image=_ids_of(data["OldImage"]) if data.get("OldImage") else None,
        error=str(error),
        parked_at=utc_now().isoformat(timespec="seconds"),
    )


def change_of(letter: DeadLetter) -> Change:
    """Rebuilds the change from a dead letter."""
    item = Item.from_raw_data(copy.deepcopy(letter.image))
    if letter.event == "REMOVE":
        return Change(letter.event, item, None, letter.sequence)
    old = Item.from_raw_data(copy.deepcopy(letter.old_image)) if letter.old_image else None
    return Change(letter.event, old, item, letter.sequence)


KEPT = {
    *("PK", "SK", "type", "ttl", "like_shards", "kind", "cursor", "done", "total", "seen"),
    "counted_by",
    *("withheld", "flagged", "waiting", "tag", "version", "audience", "circle"),
    *("secret", "public_secret", "state"),
    *("reply_to", "path", "gone", "repost_of", "quote_of", "quote_withdrawn"),
    "choices",
    *("round", "reported_at", "opened_at", "closed_at", "escalated_to", "decision"),
    *("queue", "assigned_to", "appeals"),
}


def _ids_of(image: RawItem) -> RawItem:
    kept = {name: v for name, v in image.items() if name in KEPT or name.endswith("_id")}
    if "poll" in image:  # that there is one, and until when, without what it asks
        kept["poll"] = {"M": {"ends": image["poll"]["M"]["ends"]}}
    if "photos" in image:  # which they are, without what is said of them
        photos = [one["M"] for one in image["photos"]["L"]]
        kept["photos"] = {"L": [{"M": _without_alt(one)} for one in photos]}
    return kept


def _without_alt(photo: RawItem) -> RawItem:
    return {name: value for name, value in photo.items() if name != "alt"}
