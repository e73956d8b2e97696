"""The stream's handlers under AWS Lambda: how the worker scales past one machine.

Lambda keeps the checkpoint itself. It may deliver a record twice, cut batches differently, or run several batches of a
shard at once. So a commit proves itself by a marker for each of its records, in the same transaction. Of two deliveries
one commits, and the other finds the markers and leaves those records out.

Configure the event source with `ReportBatchItemFailures`, `BisectBatchOnFunctionError`, `TRIM_HORIZON`, and with
`MaximumRetryAttempts` and `MaximumRecordAge` set (docs/deploy.md). The function is
`socialsite.streams.lambda_handler.handle`.
"""

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import django

from socialsite.clock import utc_now

django.setup()

from socialsite.streams.archive import archive_records  # noqa: E402
from socialsite.streams.change import age_of, dead_letter_of, expired_image  # noqa: E402
from socialsite.streams.dispatch import PoisonRecord, dispatch_record, load_handlers  # noqa: E402
from socialsite.streams.hosts import beat_of_lambda  # noqa: E402
from socialsite.streams.late_writes import in_hand_since, settle_since  # noqa: E402
from socialsite.streams.ledger import Ledger  # noqa: E402
from socialsite.streams.models import SeenRecord  # noqa: E402 - models need Django's settings
from socialsite.table import (  # noqa: E402
    WORKER,
    AlreadyExists,
    Create,
    TableError,
    WriteAction,
    fetch,
    keys,
)
from socialsite.table.actions import must_write_here  # noqa: E402
from socialsite.table.connection import table_name  # noqa: E402
from socialsite.table.meter import spent_among  # noqa: E402
from socialsite.table.transport.client import with_bytes  # noqa: E402

RECORDS_A_COMMIT = 40  # markers in one transaction
MOST_LINES = 25  # beside them; one record adds at most 35 more
SHARD = "lambda"  # records under Lambda do not say their shard
MARKER_HOURS = 48  # longer than the stream remembers

BEAT_EVERY = 10.0  # seconds
_beaten: dict[str, float] = {}

log = logging.getLogger(__name__)


class AlreadySeen(AlreadyExists):
    """Another delivery has already applied the record."""


@dataclass(frozen=True, slots=True)
class MarkerProof:
    """Marks every record as applied. Raises `AlreadySeen` if one is."""

    event_ids: Sequence[str]

    def actions(self) -> Sequence[WriteAction]:
        end = utc_now() + timedelta(hours=MARKER_HOURS)
        return [
            Create(SeenRecord.new(event_id=event_id, ttl=end), otherwise=AlreadySeen)
            for event_id in self.event_ids
        ]

    def is_given(self) -> bool:
        return len(fetch(map(keys.seen_record, self.event_ids), consistent=True)) == len(
            self.event_ids
        )


def handle(event: dict[str, Any], context: object = None) -> dict[str, list[dict[str, str]]]:
    """Applies a batch of records. Answers with the first record that Lambda should deliver again, if any. Raises
    `ReadOnly` in a region that only reads: each replica of a global table has a stream, and one of them is worked on.

    Expired items are archived after everything is applied, so a failing archive holds nothing else back. Records that
    are delivered again for the archive are skipped by their markers.
    """
    must_write_here()
    load_handlers()
    records: list[dict[str, Any]] = with_bytes(event["Records"])
    try:
        _beat(records)
    except TableError as error:
        log.error("the batch goes back whole: %s", error)
        return _again_from(records[:1])
    for start in range(0, len(records), RECORDS_A_COMMIT):
        part = records[start : start + RECORDS_A_COMMIT]
        try:
            apply_once(part)
        except TableError as error:
            log.warning("batch goes back from record %d on: %s", start, error)
            return _again_from(_unarchived(records[:start]) or part)
    return _again_from(_unarchived(records))


def archive(event: dict[str, Any], context: object = None) -> dict[str, list[dict[str, str]]]:
    """Archives the expired items of a batch and does nothing else, for a function whose filter lets only these through
    (docs/deploy.md). Safe to repeat. Answers as `handle` does."""
    return _again_from(_unarchived(with_bytes(event["Records"])))


def _again_from(records: Sequence[dict[str, Any]]) -> dict[str, list[dict[str, str]]]:
    return {"batchItemFailures": [{"itemIdentifier": _sequence(one)} for one in records[:1]]}


def _beat(records: Sequence[dict[str, Any]]) -> None:
    """Notes that Lambda is at work, at most once in `BEAT_EVERY` seconds for this process of the function."""
    now = time.monotonic()
    if records and now - _beaten.get(table_name(), float("-inf")) > BEAT_EVERY:
        beat_of_lambda(age_of(records[-1]))
        _beaten.clear()
        _beaten[table_name()] = now


def _unarchived(records: Sequence[dict[str, Any]]) -> Sequence[dict[str, Any]]:
    """Archives the expired items among applied records. If that fails, returns the records from the first of them
    on."""
    try:
        archive_records(records, shard_id=SHARD)
    except Exception:
        log.exception("the archive cannot be written")
        expired = (number for number, one in enumerate(records) if expired_image(one))
        return records[next(expired, 0) :]
    return ()


def apply_once(records: list[dict[str, Any]]) -> None:
    """Applies records that have no marker, and marks them. Raises `TableError` if that is not possible now."""
    began = in_hand_since(records)
    waiting = records
    while waiting := _not_seen(waiting):
        ledger = Ledger(most_lines=MOST_LINES)
        marked: list[str] = []
        rest: list[dict[str, Any]] = []
        for number, record in enumerate(waiting):
            if ledger.is_full:
                rest = waiting[number:]
                break
            ledger.had_effects = False
            _apply_record(record, ledger)
            if ledger.had_effects:  # most records are handlers' own outputs: no marker for those
                marked.append(record["eventID"])
        if not marked:
            return
        try:
            with spent_among(WORKER, ledger.lines):
                ledger.commit(MarkerProof(marked))
            waiting = rest
        except AlreadySeen:
            # Another delivery was quicker with some, so look again. This delivery's writes may have come late.
            settle_since(began)


def _apply_record(record: dict[str, Any], ledger: Ledger) -> None:
    try:
        dispatch_record(record, ledger)
    except PoisonRecord as error:
        log.exception("parked a record")
        ledger.create(dead_letter_of(record, shard_id=SHARD, error=error))


def _not_seen(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    seen = fetch((keys.seen_record(record["eventID"]) for record in records), consistent=True)
    return [record for record in records if keys.seen_record(record["eventID"]) not in seen]


def _sequence(record: dict[str, Any]) -> str:
    return str(record["dynamodb"]["SequenceNumber"])
