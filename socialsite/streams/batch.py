"""A batch of records that a worker has read: archive, handlers, commit."""

import logging
import time
from typing import Any

from socialsite.streams.archive import archive_records
from socialsite.streams.change import age_of, dead_letter_of
from socialsite.streams.dispatch import PoisonRecord, dispatch_record, is_handled
from socialsite.streams.leases.late_writes import in_hand_since
from socialsite.streams.ledger import Ledger
from socialsite.streams.shards.reader import Reader
from socialsite.streams.traces import are_kept, begin_trace
from socialsite.table.fence import fenced
from socialsite.web.observing import metrics

log = logging.getLogger(__name__)
batches = logging.getLogger("worker")


def apply_batch(reader: Reader, records: list[dict[str, Any]]) -> None:
    """Applies records, and commits if there is something to commit. Raises `LeaseLost`, `NotOurs`."""
    began = time.monotonic()
    reader.lease.lag = age_of(records[-1]) if records else 0
    reader.applying_since = in_hand_since(records) if records else None
    ledger = Ledger()
    if archive_records(records, shard_id=reader.shard_id):
        ledger.note_effect()
    for record in records:
        if _is_before(record, reader.position):  # the stream delivered it again
            continue
        _apply_record(reader, record, ledger)
        reader.position = record["dynamodb"]["SequenceNumber"]
        reader.skipped += 1
        if ledger.is_full:
            reader.commit(ledger)
            ledger = Ledger()
        reader.lease.keep()
    if ledger.had_effects or reader.is_due:
        reader.commit(ledger)
    reader.applying_since = None
    metrics.RECORDS.inc(len(records))
    if ledger.had_effects:
        _note_batch(reader, len(records), time.monotonic() - began)


def _apply_record(reader: Reader, record: dict[str, Any], ledger: Ledger) -> None:
    trace = begin_trace(record, reader.lease) if are_kept() and is_handled(record) else None
    try:
        with fenced(reader.lease.fence()):
            dispatch_record(record, ledger, trace)
    except PoisonRecord as error:
        metrics.PARKED.inc()
        log.exception("parked a record of %s", reader.shard_id)
        ledger.create(dead_letter_of(record, shard_id=reader.shard_id, error=error))
        if trace:
            trace.parked = str(error)
    if trace:
        trace.is_handled = True


def _is_before(record: dict[str, Any], position: str) -> bool:
    return bool(position) and int(record["dynamodb"]["SequenceNumber"]) <= int(position)


def _note_batch(reader: Reader, records: int, seconds: float) -> None:
    metrics.BATCHES.inc()
    fields = {
        "shard": reader.shard_id,
        "records": records,
        "ms": round(seconds * 1000, 1),
        "lag": reader.lease.lag,
    }
    batches.info("applied", extra={"fields": fields})
