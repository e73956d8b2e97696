"""The actions of a write, each with its condition; the condition that an item is as it was read; and the fence, which
a writer that may have been replaced passes before every write. In a region that only reads nobody writes.

The stream worker holds a lease. Inside `fenced` each write of this thread first calls `check`, which raises `Fenced`
once the lease is lost. Every transaction also carries `proof`, so that the engine itself refuses it. A batch cannot
carry a proof. If a worker froze with a batch under way, its late writes are corrected afterwards
(`socialsite/streams/late_writes.py`, docs/adr/0001-late-writes.md).
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, TypeVar

from django.conf import settings
from pynamodb.expressions.condition import Condition
from pynamodb.expressions.update import Action

from socialsite.clock import utc_now
from socialsite.keys.key import Key
from socialsite.table.errors import AlreadyExists, Conflict, NotFound, ReadOnly, TableError
from socialsite.table.item import Item

# The actions of a write, each with its condition and the error that it stands for if the condition fails.
#
# PynamoDB's models turn them into DynamoDB's requests, in the given order, because a transaction's answer names
# a failed action by its place.

IS_ABSENT = Item.pk.does_not_exist()
IS_PRESENT = Item.pk.exists()
ALWAYS = IS_PRESENT | IS_ABSENT  # of an `Upsert` that holds whether or not the item is there


@dataclass(frozen=True)
class Create:
    """Puts an item that must not exist yet. With `over_expired`, an item past its `ttl` counts as missing."""

    item: Item
    otherwise: type[TableError] = AlreadyExists
    over_expired: bool = False

    def request(self) -> dict[str, Any]:
        condition = IS_ABSENT
        if self.over_expired:
            condition = condition | (Item.ttl <= utc_now())
        put = self.item.get_save_kwargs_from_instance(
            condition=condition, return_values_on_condition_failure="ALL_OLD"
        )
        return {"Put": put}


@dataclass(frozen=True)
class Put:
    """Puts an item, even over another one. Only for items whose second writing changes nothing."""

    item: Item
    otherwise: type[TableError] = TableError  # never raised: it has no condition

    def request(self) -> dict[str, Any]:
        return {"Put": self.item.get_save_kwargs_from_instance()}


@dataclass(frozen=True)
class Erase:
    """Deletes an item, whether or not it exists."""

    key: Key
    otherwise: type[TableError] = TableError  # never raised: it has no condition

    def request(self) -> dict[str, Any]:
        return {"Delete": Item(*self.key).get_delete_kwargs_from_instance()}


@dataclass(frozen=True)
class Change:
    """Updates attributes of an item that must exist, and meet `condition` if given."""

    model: type[Item]
    key: Key
    actions: Sequence[Action]
    condition: Condition | None = None
    otherwise: type[TableError] = NotFound

    def request(self) -> dict[str, Any]:
        condition = IS_PRESENT if self.condition is None else IS_PRESENT & self.condition
        update = self.model(*self.key).get_update_kwargs_from_instance(
            actions=list(self.actions), condition=condition
        )
        return {"Update": update}


@dataclass(frozen=True)
class Upsert:
    """Updates an item that may be missing. For counters of things without an owner, such as rate limits.

    Sets the type too, which PynamoDB's own update leaves out for a missing item.
    """

    model: type[Item]
    key: Key
    actions: Sequence[Action]
    condition: Condition
    otherwise: type[TableError]

    def request(self) -> dict[str, Any]:
        actions = [*self.actions, self.model.item_type.set(self.model)]
        update = self.model(*self.key).get_update_kwargs_from_instance(
            actions=actions, condition=self.condition
        )
        return {"Update": update}


@dataclass(frozen=True)
class Delete:
    """Deletes an item that must exist, and meet `condition` if given."""

    key: Key
    condition: Condition | None = None
    otherwise: type[TableError] = NotFound

    def request(self) -> dict[str, Any]:
        condition = IS_PRESENT if self.condition is None else IS_PRESENT & self.condition
        return {"Delete": Item(*self.key).get_delete_kwargs_from_instance(condition=condition)}


@dataclass(frozen=True)
class Check:
    """Adds to the transaction a condition on an item that it does not write."""

    key: Key
    condition: Condition = field(default_factory=lambda: IS_PRESENT)
    otherwise: type[TableError] = NotFound

    def request(self) -> dict[str, Any]:
        check = Item.get_operation_kwargs_from_class(*self.key, condition=self.condition)
        return {"ConditionCheck": check}


WriteAction = Create | Put | Erase | Change | Upsert | Delete | Check

TRIES = 6

T = TypeVar("T")


class Moved(Conflict):
    """Something changed since it was read; nothing was written."""


def write_optimistically(
    attempt: Callable[[], T], *, moved: type[TableError] = Moved, tries: int = TRIES
) -> T:
    """Returns what `attempt` returns, which reads and writes. Calls it again while it raises `moved`, and raises that
    once `tries` are used up."""
    for _ in range(tries - 1):
        with suppress(moved):
            return attempt()
    return attempt()


@dataclass(frozen=True, slots=True)
class Fence:
    check: Callable[[], None]
    proof: WriteAction


_fence: ContextVar[Fence | None] = ContextVar("fence", default=None)


@contextmanager
def fenced(fence: Fence) -> Iterator[None]:
    """Makes every write inside the block pass the fence."""
    token = _fence.set(fence)
    try:
        yield
    finally:
        _fence.reset(token)


_gate: ContextVar[Callable[[], None] | None] = ContextVar("gate", default=None)


@contextmanager
def gated(gate: Callable[[], None] | None) -> Iterator[None]:
    """Lets this function be asked before every write inside the block, in this thread: it raises if nothing may be
    written now. None lets everything through again, for the write that ends such a time."""
    token = _gate.set(gate)
    try:
        yield
    finally:
        _gate.reset(token)


def serves_people() -> bool:
    """Whether this thread is inside such a block, as each page is."""
    return _gate.get() is not None


def only_reads() -> bool:
    """Whether another region than this one writes the table."""
    return settings.WRITING_REGION not in ("", settings.DYNAMODB_REGION)


def must_write_here() -> None:
    """Raises `ReadOnly` in a region that only reads."""
    if only_reads():
        raise ReadOnly(f"{settings.WRITING_REGION} writes, {settings.DYNAMODB_REGION} only reads")


def pass_fence() -> None:
    """Raises `ReadOnly` in a region that only reads and while the gate is closed (`gated`), and what the fence's check
    raises. Does nothing without any of them."""
    must_write_here()
    if gate := _gate.get():
        gate()
    fence = _fence.get()
    if fence is None:
        return
    token = _fence.set(None)  # the check may write itself
    try:
        fence.check()
    finally:
        _fence.reset(token)


def fence_proofs() -> tuple[WriteAction, ...]:
    """Returns the actions that make a transaction fail once the writer was replaced."""
    fence = _fence.get()
    return (fence.proof,) if fence else ()
