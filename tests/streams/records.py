"""Records of the stream, as the worker and Lambda get them."""

import base64
import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from botocore.exceptions import ConnectionClosedError

from accounts.people.viewer import Viewer
from feed.posts.models import Post
from feed.saved.models import SavedPost
from socialsite.streams.archive import STORAGE, list_files, read_lines
from socialsite.streams.dispatch import dispatch_record, load_handlers
from socialsite.streams.ledger import Ledger
from socialsite.streams.models import Lease
from socialsite.streams.shards import Shard, Stream
from socialsite.table import Item, NotFound, get, ids, key_of, keys, write_batch
from socialsite.table.connection import client, table_name
from socialsite.table.reading import scan
from socialsite.table.transport.requests import wire

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


# A stream that is split as Amazon splits one: no local engine does.

PARENT, CHILD = "shardId-parent-00000000000001", "shardId-child-000000000000002"


class SplitStream(Stream):
    """The table's one shard as two: what is up to `at` is in the closed parent, the rest in its child."""

    def __init__(self, *, at: str, knows_parent: bool = True) -> None:
        self.at = at
        self.knows_parent = knows_parent
        self.shard_of: dict[str, str] = {}
        self.read_from: list[str] = []

    def shards(self) -> list[Shard]:
        parent = [Shard(PARENT, None)] if self.knows_parent else []
        return [Shard(CHILD, PARENT), *parent]

    def iterator(self, shard_id: str, after: str) -> str:
        (whole,) = super().shards()
        start = after or (self.at if shard_id == CHILD else "")
        iterator = super().iterator(whole.shard_id, start)
        self.shard_of[iterator] = shard_id
        return iterator

    def read(self, iterator: str) -> tuple[list[dict[str, Any]], str | None]:
        shard_id = self.shard_of[iterator]
        records, following = super().read(iterator)
        if records:
            self.read_from.append(shard_id)
        if shard_id == PARENT:
            return [one for one in records if not self._is_behind(one)], None
        if following:
            self.shard_of[following] = shard_id
        return [one for one in records if self._is_behind(one)], following

    def _is_behind(self, record: dict[str, Any]) -> bool:
        return int(record["dynamodb"]["SequenceNumber"]) > int(self.at)


# Items past their time, removed as an engine removes them, and what the archive says of them.

PAST = datetime.now(UTC) - timedelta(hours=1)


def own_archive(settings: Any, folder: Path) -> None:
    """From now on the archive is in this folder."""
    options = {"location": folder, "allow_overwrite": True}
    backend = {**settings.STORAGES[STORAGE], "OPTIONS": options}
    settings.STORAGES = {**settings.STORAGES, STORAGE: backend}


def entry(person: Viewer, *, ttl: datetime = PAST) -> SavedPost:
    """Something that the archive keeps, in the person's partition."""
    saved = SavedPost.new(
        user_id=person.user_id,
        post_id=ids.new_id(),
        author_id=person.user_id,
        saved_at=PAST.isoformat(),
    )
    saved.ttl = ttl
    return saved


def expire(*items: Item) -> list[Item]:
    """The items are put and, as they are past their time, removed, as the engine's owner does it."""
    write_batch(puts=items)
    for item in items:
        client().delete_item(TableName=table_name(), Key=wire(item.key))
    return list(items)


def archived() -> list[dict[str, Any]]:
    return list(read_lines(list_files()))


def places(items: list[Item]) -> list[tuple[str, str]]:
    return [tuple(item.key) for item in items]


# Stream records in the form in which Lambda gives them to a function, and what may happen to its commits.

COMMIT = "dynamodb.TransactWriteItems"


def event(records: list[Record]) -> dict[str, Any]:
    """An event as Lambda makes it: JSON through and through, times as epoch seconds."""
    text = json.dumps({"Records": [lambda_record(r) for r in records]}, default=_base64)
    made: dict[str, Any] = json.loads(text)
    return made


def _base64(binary: bytes) -> str:
    return base64.b64encode(binary).decode()


def lambda_record(record: Record) -> Record:
    made = {
        "eventID": record["eventID"],
        "eventName": record["eventName"],
        "eventVersion": "1.1",
        "eventSource": "aws:dynamodb",
        "awsRegion": "us-east-1",
        "dynamodb": record["dynamodb"],
    }
    if identity := record.get("userIdentity"):
        made["userIdentity"] = {
            "type": identity.get("Type") or identity.get("type"),
            "principalId": identity.get("PrincipalId") or identity.get("principalId"),
        }
    return made


def new_records(before: int) -> list[Record]:
    """The records after the first `before` of the whole stream: no worker moves the checkpoint."""
    return unread()[before:]


def broken_post(author: Viewer) -> Post:
    """A post with an id that is none: no handler can read its time."""
    post_id = "no id"
    key = keys.post(author.user_id, post_id)
    return Post(*key, post_id=post_id, author_id=author.user_id, content="?", timestamp="0")


@contextmanager
def failing_from(record: Record) -> Iterator[None]:
    """The commit that marks this record does not reach the engine."""
    # By its whole key: the embedded engine's ids are short numbers, which other ids hold by chance.
    marked = f'"{keys.seen_record(lambda_record(record)["eventID"]).pk}"'.encode()

    def fail(params: dict[str, Any], **_: Any) -> None:
        body = params["body"]
        if marked in (body if isinstance(body, bytes) else body.encode()):
            raise ConnectionClosedError(endpoint_url="the engine")

    with hooked("before-call", fail):
        yield


@contextmanager
def answers_lost() -> Iterator[None]:
    """Each commit is made, and its answer lost."""

    def lose(**_: Any) -> None:
        raise ConnectionClosedError(endpoint_url="the engine")

    with hooked("after-call", lose):
        yield


@contextmanager
def hooked(moment: str, hook: Any) -> Iterator[None]:
    events = client().meta.events
    events.register(f"{moment}.{COMMIT}", hook)
    try:
        yield
    finally:
        events.unregister(f"{moment}.{COMMIT}", hook)
