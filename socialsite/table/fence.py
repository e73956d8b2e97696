"""The fence: a writer that may have been replaced asks before every write whether it may still write, and in a region
that only reads nobody writes.

The stream worker holds a lease. Inside `fenced` each write of this thread first calls `check`, which raises `Fenced`
once the lease is lost. Every transaction also carries `proof`, so that the engine itself refuses it. A batch cannot
carry a proof. If a worker froze with a batch under way, its late writes are corrected afterwards
(`socialsite/streams/late_writes.py`, docs/adr/0001-late-writes.md).
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from django.conf import settings

from socialsite.table.actions import WriteAction
from socialsite.table.errors import ReadOnly


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


def only_reads() -> bool:
    """Whether another region than this one writes the table."""
    return settings.WRITING_REGION not in ("", settings.DYNAMODB_REGION)


def must_write_here() -> None:
    """Raises `ReadOnly` in a region that only reads."""
    if only_reads():
        raise ReadOnly(f"{settings.WRITING_REGION} writes, {settings.DYNAMODB_REGION} only reads")


def pass_fence() -> None:
    """Raises `ReadOnly` in a region that only reads, and what the fence's check raises. Does nothing without either."""
    must_write_here()
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
