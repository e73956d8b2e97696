"""The shards of the stream: which may be read, where a worker stands in one, and records that were trimmed unread."""

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any

import botocore.session
from botocore.config import Config
from botocore.exceptions import ClientError
from django.conf import settings

from socialsite.streams.leases import HeldLease, is_done
from socialsite.streams.ledger import CheckpointProof, Ledger
from socialsite.streams.models import Job, JobKind, Lease
from socialsite.streams.traces import commit_traced
from socialsite.table import (
    TRIES,
    WORKER,
    AlreadyExists,
    NotFound,
    change,
    create,
    ids,
    keys,
    translated,
)
from socialsite.table.connection import client, endpoint, local_credentials, table_name
from socialsite.table.errors import error_code
from socialsite.table.meter import spent_among
from socialsite.table.transport.client import register_stream

RECORDS_A_READ = 1000
# Amazon may answer with nothing although there is more. This many empty answers in a row count as the end.
EMPTY_ANSWERS = 20
LOCAL_EMPTY_ANSWERS = 1


class StaleIterator(Exception):
    """The iterator is too old. Take a new one at the same place."""


class TrimmedData(Exception):
    """The stream has dropped records at this place, so this reader has lost them."""


TOLD_APART = {
    "ExpiredIteratorException": StaleIterator,
    "TrimmedDataAccessException": TrimmedData,
}


@dataclass(frozen=True, slots=True)
class Shard:
    shard_id: str
    parent_id: str | None


class Stream:
    """The stream of this site's table."""

    @cached_property
    def arn(self) -> str:
        with translated():
            table = client().describe_table(TableName=table_name())["Table"]
        return str(table["LatestStreamArn"])

    def shards(self) -> list[Shard]:
        """Returns all shards that the stream still has."""
        return [
            Shard(shard["ShardId"], shard.get("ParentShardId"))
            for page in self._descriptions()
            for shard in page["Shards"]
        ]

    def iterator(self, shard_id: str, after: str) -> str:
        """Returns an iterator after a sequence number, or at the oldest record if none is given."""
        request = {"StreamArn": self.arn, "ShardId": shard_id}
        if after:
            request |= {"ShardIteratorType": "AFTER_SEQUENCE_NUMBER", "SequenceNumber": after}
        else:
            request |= {"ShardIteratorType": "TRIM_HORIZON"}
        with _stale_told_apart():
            return str(self._client.get_shard_iterator(**request)["ShardIterator"])

    def read(self, iterator: str) -> tuple[list[dict[str, Any]], str | None]:
        """Returns the next records and the iterator after them, None at the end of a closed shard."""
        with _stale_told_apart():
            answer = self._client.get_records(ShardIterator=iterator, Limit=RECORDS_A_READ)
        return answer["Records"], answer.get("NextShardIterator")

    @property
    def empty_answers(self) -> int:
        """Returns after how many empty answers in a row an open shard counts as fully read."""
        return EMPTY_ANSWERS if settings.DYNAMODB_ENGINE == "amazon" else LOCAL_EMPTY_ANSWERS

    def records_behind(self, shard_id: str, after: str) -> Iterator[dict[str, Any]]:
        """Yields all records of a shard after a sequence number, up to now, or from the oldest if the place was
        trimmed."""
        try:
            iterator: str | None = self.iterator(shard_id, after)
        except TrimmedData:
            iterator = self.iterator(shard_id, "")
        empty = 0
        while iterator and empty < self.empty_answers:
            records, iterator = self.read(iterator)
            empty = 0 if records else empty + 1
            yield from records

    def oldest(self, shard_id: str) -> str:
        """Returns the sequence number of the oldest record that the stream has of a shard, empty if there is none."""
        first = next(self.records_behind(shard_id, ""), None)
        return str(first["dynamodb"]["SequenceNumber"]) if first else ""

    @cached_property
    def _client(self) -> Any:
        session = botocore.session.get_session()
        credentials = local_credentials()
        if credentials:
            session.set_credentials(*credentials.values())
        config = Config(
            connect_timeout=1,
            read_timeout=5,
            retries={"total_max_attempts": 3, "mode": "standard"},
            parameter_validation=False,  # the embedded engine's shard ids are shorter than botocore expects
            account_id_endpoint_mode="disabled",
        )
        region = settings.DYNAMODB_REGION
        made = session.create_client(
            "dynamodbstreams", region, endpoint_url=endpoint(), config=config
        )
        register_stream(made.meta.events)
        return made

    def _descriptions(self) -> Iterator[dict[str, Any]]:
        request: dict[str, Any] = {"StreamArn": self.arn}
        while True:
            with translated():
                page = self._client.describe_stream(**request)["StreamDescription"]
            yield page
            if not page.get("LastEvaluatedShardId"):
                return
            request["ExclusiveStartShardId"] = page["LastEvaluatedShardId"]


@contextmanager
def _stale_told_apart() -> Iterator[None]:
    with translated():
        try:
            yield
        except ClientError as error:
            if kind := TOLD_APART.get(error_code(error)):
                raise kind from error
            raise


@dataclass
class Lineage:
    """The shards and their parents. `done` holds the shards that are read to their end, which never changes back."""

    shards: list[Shard] = field(default_factory=list)
    done: set[str] = field(default_factory=set)

    def list(self, shards: list[Shard]) -> None:
        """Takes over the shards that the stream lists now, and forgets the others."""
        self.shards = shards
        self.done &= {shard.shard_id for shard in shards}

    def is_done(self, shard_id: str) -> bool:
        """Whether the shard is read to its end. One GetItem as long as it is not."""
        if shard_id not in self.done and is_done(shard_id):
            self.done.add(shard_id)
        return shard_id in self.done

    def may_begin(self, shard: Shard) -> bool:
        """Whether the parent is read to its end, or dropped by the stream."""
        known = {other.shard_id for other in self.shards}
        return shard.parent_id not in known or self.is_done(str(shard.parent_id))

    def lost_parent(self, shard_id: str) -> str | None:
        """Returns the parent that a shard names, if the stream has dropped it."""
        parents = {shard.shard_id: shard.parent_id for shard in self.shards}
        parent_id = parents.get(shard_id)
        return parent_id if parent_id not in parents else None


COMMIT_AFTER_SKIPPED = 10_000  # records without effects
COMMIT_AFTER_SECONDS = 60.0


@dataclass(slots=True)
class Reader:
    """`position` is the last record seen. The lease's checkpoint is the last one committed."""

    lease: HeldLease
    iterator: str | None
    position: str
    skipped: int = 0
    committed_at: float = field(default_factory=time.monotonic)
    applying_since: datetime | None = None  # set while uncommitted records are in hand
    settled_at: float = field(default_factory=time.monotonic)

    @property
    def shard_id(self) -> str:
        return self.lease.shard_id

    @property
    def is_due(self) -> bool:
        """Whether the checkpoint should move although no record had an effect."""
        waited = time.monotonic() - self.committed_at
        return self.skipped > COMMIT_AFTER_SKIPPED or (
            self.skipped > 0 and waited > COMMIT_AFTER_SECONDS
        )

    def commit(self, ledger: Ledger) -> None:
        """Writes the ledger and moves the checkpoint to where the reader stands. Raises `LeaseLost`."""
        lease = self.lease
        proof = CheckpointProof(lease.shard_id, lease.epoch, lease.checkpoint, self.position)
        with (
            commit_traced(lease, self.position, self.skipped),
            spent_among(WORKER, ledger.lines),
        ):
            ledger.commit(proof)
        lease.checkpoint = self.position
        self.skipped = 0
        self.committed_at = time.monotonic()


RECONCILE_JOB = "gap"  # one at a time, however many shards have gaps

log = logging.getLogger(__name__)


def look_for_gap(stream: Stream, held: HeldLease, lost_parent: str | None) -> None:
    """Compares the place where the last owner stopped with what the stream still has, and notes a gap.

    Amazon refuses a place that it has dropped, but other engines read on from what is left. So this looks at the oldest
    record, which must not be newer than the checkpoint. If nobody has begun the shard, its parent must be read to its
    end, or still be listed.
    """
    if held.checkpoint:
        oldest = stream.oldest(held.shard_id)
        if oldest and int(oldest) > int(held.checkpoint):
            note_gap(held)
    elif lost_parent and not is_done(lost_parent):
        note_gap(held)


def note_gap(held: HeldLease) -> None:
    """Notes on the lease that records were lost, and begins the job that reads the whole table. A running job starts
    over."""
    log.error("records of %s were trimmed unread: reconciling the whole table", held.shard_id)
    held.note_gap()
    begin_reconciling()


def begin_reconciling() -> None:
    """Enters the job, or lets it start over."""
    begun = ids.new_id()
    job = Job.new(kind=JobKind.RECONCILE, job_id=RECONCILE_JOB, subject_id=begun)
    anew = [Job.cursor.set(""), Job.nudged_at.set(begun)]
    for _ in range(TRIES):
        with suppress(AlreadyExists):
            create(job)
            return
        with suppress(NotFound):  # it ended just now
            change(Job, job.key, anew)
            return


def close_gaps() -> None:
    """Notes on all leases that the whole table has been checked since. One UpdateItem a shard."""
    for shard in Stream().shards():
        with suppress(NotFound):
            change(Lease, keys.lease(shard.shard_id), [Lease.has_gap.set(0)])
