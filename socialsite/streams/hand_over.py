"""Hands the stream over from our own workers to Lambda or back. Each record still counts exactly once.

Workers keep a checkpoint for each shard, Lambda a marker for each record. So records that workers applied are marked
before Lambda begins at `TRIM_HORIZON`. Before workers begin, the records that Lambda left are applied with its markers,
and the checkpoints are set behind them.
"""

from collections.abc import Iterator
from datetime import timedelta
from itertools import islice
from typing import Any

from socialsite.clock import utc_now
from socialsite.streams.dispatch import is_handled
from socialsite.streams.hosts import Host, give_stream_to
from socialsite.streams.lambda_handler import MARKER_HOURS, RECORDS_A_COMMIT, apply_once
from socialsite.streams.ledger import Ledger
from socialsite.streams.models import SeenRecord
from socialsite.streams.shards import Reader
from socialsite.streams.worker import Worker
from socialsite.table import write_batch

CHUNK = 250


def hand_over_to_lambda(worker: Worker) -> int:
    """Applies the remaining records, marks all records still in the stream, and gives the stream to Lambda. Returns how
    many were marked. `worker` holds the stream. 1 write unit for each record that has handlers."""
    worker.drain()
    end = utc_now() + timedelta(hours=MARKER_HOURS)
    applied = _applied(worker)
    marked = 0
    while chunk := list(islice(applied, CHUNK)):
        marked += write_batch(puts=(SeenRecord.new(event_id=one, ttl=end) for one in chunk))
    give_stream_to(Host.LAMBDA)
    return marked


def _applied(worker: Worker) -> Iterator[str]:
    """Yields the ids of all records up to the checkpoints that have handlers."""
    checkpoints = {reader.shard_id: reader.lease.checkpoint for reader in worker.readers.values()}
    for shard in worker.shards:
        last = checkpoints.get(shard.shard_id, "")
        is_done = worker.lineage.is_done(shard.shard_id)
        if not last and not is_done:
            continue
        for record in worker.stream.records_behind(shard.shard_id, ""):
            if not is_done and int(record["dynamodb"]["SequenceNumber"]) > int(last):
                break
            if is_handled(record):
                yield str(record["eventID"])


def hand_over_to_workers(worker: Worker) -> int:
    """Applies the records that Lambda left, and gives the stream to the workers. Returns how many records it read.
    `worker` holds the stream. The event source mapping must be disabled."""
    looked_at = 0
    parents = {shard.parent_id for shard in worker.shards}
    seen: set[str] = set()
    while ready := [
        one for one in map(worker.reader, worker.shards) if one and one.shard_id not in seen
    ]:
        for reader in ready:
            seen.add(reader.shard_id)
            looked_at += _apply_rest(worker, reader)
            if reader.shard_id in parents:  # closed and read to its end, so its children are next
                worker.finish(reader)
    give_stream_to(Host.WORKER)
    return looked_at


def _apply_rest(worker: Worker, reader: Reader) -> int:
    records = worker.stream.records_behind(reader.shard_id, reader.position)
    looked_at = 0
    while chunk := list(islice(records, RECORDS_A_COMMIT)):
        apply_once(chunk)
        looked_at += len(chunk)
        reader.position = _sequence(chunk[-1])
        reader.lease.keep()
    if looked_at:
        reader.commit(Ledger())
    return looked_at


def _sequence(record: dict[str, Any]) -> str:
    return str(record["dynamodb"]["SequenceNumber"])
