"""The stream's records by hand: what no worker has committed yet, and everything that the table holds."""

import json
from typing import Any

from socialsite.streams.dispatch import dispatch_record, load_handlers
from socialsite.streams.ledger import Ledger
from socialsite.streams.models import Lease
from socialsite.streams.shards import Stream
from socialsite.table import NotFound, get, key_of, keys
from socialsite.table.reading import scan

Record = dict[str, Any]


def unread() -> list[Record]:
    """The records behind the checkpoint, without moving it."""
    stream = Stream()
    found: list[Record] = []
    for shard in stream.shards():
        iterator: str | None = stream.iterator(shard.shard_id, checkpoint(shard.shard_id))
        while iterator:
            records, iterator = stream.read(iterator)
            if not records:
                break
            found += records
    return found


def checkpoint(shard_id: str) -> str:
    try:
        return get(Lease, keys.lease(shard_id), consistent=True).checkpoint
    except NotFound:
        return ""


def handle_all(records: list[Record]) -> Ledger:
    """Runs the handlers of all records, as a worker does that dies before its commit."""
    load_handlers()
    ledger = Ledger()
    for record in records:
        dispatch_record(record, ledger)
    return ledger


def lines(ledger: Ledger) -> list[str]:
    """What a commit of the ledger would write."""
    sums = [
        f"{key} {name} {change}"
        for key, entry in ledger.entries.items()
        for name, (_, change) in entry.sums.items()
    ]
    created = [
        f"{key} {json.dumps(item.serialize(), sort_keys=True)}"
        for key, item in ledger.new_items.items()
    ]
    return sorted(sums + created)


def everything() -> dict[str, Any]:
    """All items but leases."""
    return {str(key_of(raw)): raw for raw in scan() if raw["type"]["S"] != Lease.__name__}
