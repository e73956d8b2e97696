"""Stream records in the form in which Lambda gives them to a function, and what may happen to its commits."""

import base64
import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from botocore.exceptions import ConnectionClosedError

from accounts.people.viewer import Viewer
from feed.posts.models import Post
from socialsite import keys
from socialsite.table.connection import client
from tests.streams.records import Record, unread

COMMIT = "dynamodb.TransactWriteItems"


def event(records: list[Record]) -> dict[str, Any]:
    """An event as Lambda makes it: JSON through and through, times as epoch seconds."""
    text = json.dumps({"Records": [lambda_record(r) for r in records]}, default=_base64)
    made: dict[str, Any] = json.loads(text)
    return made


def _base64(binary: bytes) -> str:
    return base64.b64encode(binary).decode()


def lambda_record(record: Record) -> Record:
    data = dict(record["dynamodb"])
    moment = data["ApproximateCreationDateTime"]
    data["ApproximateCreationDateTime"] = (
        moment.timestamp() if isinstance(moment, datetime) else float(moment)
    )
    made = {
        "eventID": record["eventID"],
        "eventName": record["eventName"],
        "eventVersion": "1.1",
        "eventSource": "aws:dynamodb",
        "awsRegion": "us-east-1",
        "dynamodb": data,
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
