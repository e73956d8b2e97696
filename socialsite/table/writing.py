"""Writes the table. Every write is conditional and can be repeated without harm.

`create` puts one item if it is missing. `transact` does several actions or none. `write_batch` puts and deletes many
items, if writing them twice changes nothing (the stream worker's fan-out). Nothing saves an existing item as a whole,
because that would undo other people's changes. The stream worker's writes pass its fence (`actions.py`).
"""

import logging
import random
import time
import uuid
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from botocore.exceptions import ClientError
from pynamodb.expressions.condition import Condition
from pynamodb.expressions.update import Action

from socialsite.keys.key import Key
from socialsite.table.actions import Change, Create, WriteAction, fence_proofs, pass_fence
from socialsite.table.connection import connection, table_name
from socialsite.table.errors import (
    AlreadyExists,
    ConditionFailed,
    Conflict,
    NotFound,
    TableError,
    Unavailable,
    error_code,
    translated,
)
from socialsite.table.item import Item
from socialsite.table.reading import RawItem, fetch, key_of, pauses
from socialsite.table.refusals import must_be_taken, noticing_refusals
from socialsite.table.resilience import pieces
from socialsite.table.transport.requests import Asked, ask, ask_as_botocore, in_turn, wire

BATCH_WRITE_LIMIT = 25  # items a BatchWriteItem takes
TRANSACTION_LIMIT = 100  # actions a TransactWriteItems takes
TRIES = 6  # tries of a transaction that keeps meeting conflicts

log = logging.getLogger(__name__)
_listeners: list[Callable[[Sequence[WriteAction]], None]] = []


def after_writes(
    listener: Callable[[Sequence[WriteAction]], None],
) -> Callable[[Sequence[WriteAction]], None]:
    """Registers what hears of the actions that `transact` and `change` have done. It may neither wait nor raise. What
    `create` and `write_batch` write it does not hear of."""
    _listeners.append(listener)
    return listener


def _tell(actions: Sequence[WriteAction]) -> None:
    for listener in _listeners:
        try:
            listener(actions)
        except Exception:  # what is written is done
            log.exception("A listener could not hear what was written.")


def create(item: Item, *, otherwise: type[TableError] = AlreadyExists) -> None:
    """Puts one item if it is missing. 1 write unit per KB. Raises `otherwise` if another item exists.

    Repeating it after a lost answer succeeds, because the existing item is then the same.
    """
    connection()
    put = Create(item).request()["Put"]
    try:
        _write_once("PutItem", put)
    except ConditionFailed as failed:
        old = _item_of(failed)
        if old != put["Item"]:
            raise otherwise(f"{item.key}") from failed


def change(
    model: type[Item],
    key: Key,
    actions: Sequence[Action],
    *,
    condition: Condition | None = None,
    otherwise: type[TableError] = NotFound,
) -> None:
    """Updates one existing item. 1 write unit per KB. Only for values that may be set twice (no counting)."""
    connection()
    action = Change(model, key, actions, condition)
    try:
        _write_once("UpdateItem", action.request()["Update"])
    except ConditionFailed as failed:
        raise otherwise(f"{key}") from failed
    _tell([action])


def transact(*actions: WriteAction, may_be_own: bool = True) -> None:
    """Does all of the actions or none, as one TransactWriteItems. 2 write units per KB and item.

    Raises the `otherwise` of the first action whose condition failed, `Conflict` after `TRIES` tries with conflicts,
    `Unavailable` if the outcome is unknown. A client token makes a repeated request after a lost answer harmless. If
    the engine has forgotten the token, an earlier success of the same call is recognised by its items.
    """
    connection()
    actions = (*actions, *fence_proofs())
    items = [action.request() for action in actions]
    token = str(uuid.uuid4())
    for attempt in range(TRIES):
        try:
            _transact_once(items, token)
            _tell(actions)
            return
        except _Cancelled as cancelled:
            failed = [actions[number] for number in cancelled.failed_conditions()]
            if failed:
                if may_be_own and _is_own_success(items, cancelled.reasons):
                    _tell(actions)
                    return
                error = failed[0].otherwise(type(failed[0]).__name__)
                error.failed = failed
                raise error from cancelled
        _sleep_before_retry(attempt)
    raise Conflict(f"conflicting for {TRIES} tries")


def write_batch(
    *,
    puts: Iterable[Item | RawItem] = (),
    deletes: Iterable[Key] = (),
) -> int:
    """Puts and deletes without conditions, at most 25 a call, each key once. Returns how many were written.

    Only for items whose second writing changes nothing. 1 write unit per KB and item. Unprocessed items are sent again
    with growing pauses, and before any further call. Raises `Unavailable` if they stay unprocessed.
    """
    requests: dict[Key, dict[str, Any]] = {}
    for item in puts:
        raw = item.serialize() if isinstance(item, Item) else item
        requests[key_of(raw)] = {"PutRequest": {"Item": raw}}
    for key in deletes:
        requests[key] = {"DeleteRequest": {"Key": wire(key)}}
    _send(requests.values(), at_once=1)
    return len(requests)


def write_as_made(puts: Iterable[RawItem], *, at_once: int) -> None:
    """As `write_batch`, for many items of different keys: a call is sent as soon as its items are made, and `at_once`
    calls are under way, so that the engine need not wait for the next one."""
    _send(({"PutRequest": {"Item": raw}} for raw in puts), at_once=at_once)


def _send(requests: Iterable[dict[str, Any]], *, at_once: int) -> None:
    connection()
    with noticing_refusals():
        for answer in in_turn(map(_asked, pieces(requests, BATCH_WRITE_LIMIT)), at_once=at_once):
            _write_unprocessed(answer)


def write_differing(*, puts: Iterable[Item] = (), deletes: Iterable[Key] = ()) -> int:
    """Like `write_batch`, for items that are mostly right already. Reads which items exist, 1 read unit each, then puts
    the missing ones and deletes the existing ones."""
    wanted, unwanted = list(puts), list(deletes)
    found = fetch([*(item.key for item in wanted), *unwanted], consistent=True)
    return write_batch(
        puts=[item for item in wanted if item.key not in found],
        deletes=[key for key in unwanted if key in found],
    )


def _may_write() -> None:
    pass_fence()
    must_be_taken()


def _write_once(operation: str, request: dict[str, Any]) -> None:
    """Does one conditional write, and tries again after a pause while a transaction holds the item."""
    for attempt in range(TRIES):
        _may_write()
        try:
            with noticing_refusals():
                ask(operation, {**request, "ReturnConsumedCapacity": "TOTAL"})
            return
        except Unavailable as error:
            if str(error) != "TransactionConflictException":
                raise
        _sleep_before_retry(attempt)
    raise Unavailable(f"conflicting for {TRIES} tries")


class _Cancelled(Exception):
    """A TransactWriteItems that was cancelled, with one reason for each of its actions."""

    def __init__(self, reasons: list[dict[str, Any]]) -> None:
        super().__init__([reason.get("Code") for reason in reasons])
        self.reasons = reasons

    def failed_conditions(self) -> list[int]:
        codes = [reason.get("Code") for reason in self.reasons]
        return [n for n, code in enumerate(codes) if code == "ConditionalCheckFailed"]


RETRIED = {"TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded", "None", None}


def _transact_once(items: list[dict[str, Any]], token: str) -> None:
    _may_write()
    with noticing_refusals(), translated():
        try:
            asked = {"TransactItems": items, "ClientRequestToken": token}
            ask_as_botocore("TransactWriteItems", {**asked, "ReturnConsumedCapacity": "TOTAL"})
        except ClientError as error:
            if error_code(error) != "TransactionCanceledException":
                raise
            reasons = error.response.get("CancellationReasons", [])
            codes = {reason.get("Code") for reason in reasons}
            if codes - RETRIED - {"ConditionalCheckFailed"}:
                raise  # a fault in the request itself, which no retry mends
            raise _Cancelled(reasons) from error


def _is_own_success(items: list[dict[str, Any]], reasons: list[dict[str, Any]]) -> bool:
    # Every item to create exists exactly as this call would create it, so an earlier try of this
    # call did commit.
    puts = [
        (item["Put"], reason)
        for item, reason in zip(items, reasons, strict=False)
        if "ConditionExpression" in item.get("Put", {})  # others bring no item
    ]
    return bool(puts) and all(reason.get("Item") == put["Item"] for put, reason in puts)


def _sleep_before_retry(attempt: int) -> None:
    time.sleep(random.uniform(0.005, 0.02 * 2**attempt))


def _asked(requests: Sequence[dict[str, Any]]) -> Asked:
    _may_write()
    asked = {"RequestItems": {table_name(): requests}, "ReturnConsumedCapacity": "TOTAL"}
    return "BatchWriteItem", asked


def _write_unprocessed(answer: dict[str, Any]) -> None:
    requests: list[dict[str, Any]] = []
    for _ in pauses(deadline=10):
        if requests:
            answer = ask(*_asked(requests))
        requests = answer.get("UnprocessedItems", {}).get(table_name(), [])
        if not requests:
            return
    raise Unavailable("items stayed unprocessed")


def _item_of(failed: ConditionFailed) -> RawItem | None:
    cause = failed.__cause__
    return cause.response.get("Item") if isinstance(cause, ClientError) else None
