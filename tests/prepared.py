"""An empty table and the cast, made by the site itself once in each process and then put down again as they were.

To make a table takes 9 ms and to sign three people up 21 ms, which thousands of tests would pay. What is put down goes
the site's own way to the table, for botocore takes six times as long.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import orjson
from django.conf import settings

from accounts.people.cards import PersonCard
from accounts.people.viewer import Viewer
from accounts.sessions import today
from socialsite import keys
from socialsite.table.connection import client, table_name
from socialsite.table.schema import create_table
from socialsite.table.transport.client import way_of
from socialsite.table.transport.http_client import GivenUp
from socialsite.table.transport.requests import ask

RawItem = dict[str, Any]
# An operation, and its parameters without the table.
Calls = list[tuple[str, dict[str, Any]]]

OF_TABLES = {  # botocore's names
    "CreateTable": "create_table",
    "UpdateTimeToLive": "update_time_to_live",
    "DeleteTable": "delete_table",
}


class Prepared:
    """What `sign_ups` write into a table that the site makes now, by handle."""

    def __init__(self, sign_ups: dict[str, Callable[[], Viewer]]) -> None:
        with heard(OF_TABLES) as self._calls:
            create_table()
        self._in_a_new_table = everything()
        self._sign_ups, self._terms = sign_ups, _terms()
        ids = {handle: sign_up().user_id for handle, sign_up in sign_ups.items()}
        written = everything()
        self._people = {
            handle: (user_id, [item for item in written if item.get("user_id") == {"S": user_id}])
            for handle, user_id in ids.items()
        }

    def make_table(self) -> None:
        """An empty table, as `create_table` makes it."""
        for operation, parameters in self._calls:
            ask_of_table(operation, TableName=table_name(), **parameters)
        put(self._in_a_new_table)

    def join(self, handle: str) -> Viewer:
        """Someone of the cast. They sign up anew where other settings would give them other items."""
        if self._terms != _terms():
            return self._sign_ups[handle]()
        user_id, items = self._people[handle]
        put(items)
        by_sort_key = {
            item["SK"]["S"]: item for item in items if item["PK"]["S"] == keys.user(user_id)
        }
        info, count = (by_sort_key[key.sk] for key in (keys.user_info(""), keys.user_count("")))
        return Viewer(user_id, "", PersonCard.from_raw(info, viewer_id="").with_counts(count))


def _terms() -> tuple[Any, ...]:
    of_kms = settings.KMS_KEY_ID, settings.KMS_KEY_OF_STAFF
    return settings.DATA_KEY, of_kms, tuple(settings.PASSWORD_HASHERS), today()


@contextmanager
def heard(operations: Iterable[str]) -> Iterator[Calls]:
    """The calls of these operations inside the block."""
    calls: Calls = []

    def note(params: dict[str, Any], model: Any, **_: Any) -> None:
        if model.name in operations:
            others = {name: value for name, value in params.items() if name != "TableName"}
            calls.append((model.name, others))

    events = client().meta.events
    events.register("before-parameter-build.dynamodb", note)
    try:
        yield calls
    finally:
        events.unregister("before-parameter-build.dynamodb", note)


def ask_of_table(operation: str, **parameters: Any) -> None:
    """One call about a whole table, by botocore where the own way may not stand or gives up."""
    if own := way_of(client(), "BatchWriteItem"):
        headers = {
            "X-Amz-Target": f"DynamoDB_20120810.{operation}",
            "Content-Type": "application/x-amz-json-1.0",
        }
        try:
            own.wire.receive(own.wire.send(own._message(headers, orjson.dumps(parameters))))
            return
        except GivenUp:
            pass
    getattr(client(), OF_TABLES[operation])(**parameters)


class Snapshot:
    """The items of the table as they are now. Tests that share what takes long to build put them back."""

    def __init__(self) -> None:
        self._items = by_key(everything())

    def restore(self) -> None:
        now = by_key(everything())
        put([item for key, item in self._items.items() if now.get(key) != item])
        delete([item for key, item in now.items() if key not in self._items])


def by_key(items: list[RawItem]) -> dict[tuple[str, str], RawItem]:
    return {(item["PK"]["S"], item["SK"]["S"]): item for item in items}


def everything() -> list[RawItem]:
    pages = client().get_paginator("scan").paginate(TableName=table_name(), ConsistentRead=True)
    return [item for page in pages for item in page["Items"]]


def put(items: list[RawItem]) -> None:
    _write([{"PutRequest": {"Item": item}} for item in items])


def delete(items: list[RawItem]) -> None:
    keys = [{name: item[name] for name in ("PK", "SK")} for item in items]
    _write([{"DeleteRequest": {"Key": key}} for key in keys])


def _write(requests: list[dict[str, Any]]) -> None:
    for start in range(0, len(requests), 25):
        part = requests[start : start + 25]
        answer = ask("BatchWriteItem", {"RequestItems": {table_name(): part}})
        assert not answer.get("UnprocessedItems"), "the engine left items out"
