"""Reads the table's stream: its shards, and the records after a checkpoint."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import botocore.session
from botocore.config import Config
from botocore.exceptions import ClientError
from django.conf import settings

from socialsite.table.connection import client, endpoint, local_credentials, table_name
from socialsite.table.errors import error_code, translated

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
        return session.create_client(
            "dynamodbstreams", region, endpoint_url=endpoint(), config=config
        )

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
