"""What the worker did with the last stream records: which handlers took each, their calls, what they entered into the
ledger, and the commit that finished it.

For the lens, in debug mode alone, and in the memory of the process that both serves and works (`runserver`). Anywhere
else nothing is kept, and the worker asks one question of a global for each record.
"""

import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from django.conf import settings

from socialsite.clock import utc_now
from socialsite.keys.key import Key
from socialsite.process_state import kept_by_process
from socialsite.streams.change import moment_of
from socialsite.streams.leases import HeldLease
from socialsite.streams.ledger import Ledger
from socialsite.table import Call, key_of, measure

KEPT = 400  # records that some handler hears of
MOST_BYTES = 8 * 1024 * 1024  # of the requests that their handlers made
BEAT = "keep"  # the lease's heartbeat, which falls into any handler's time


@dataclass(frozen=True, slots=True)
class Sum:
    """A change of a counter that a handler entered into the ledger."""

    type: str
    key: Key
    attribute: str
    change: int

    @property
    def size(self) -> int:
        return abs(self.change)


@dataclass(slots=True)
class Run:
    """A handler's run over a record. `calls` have their requests if they write. `plans` are names of what is decided at
    the commit, and `error` is the class of what it raised, empty if it ended well."""

    handler: Callable[..., None]
    calls: list[Call] = field(default_factory=list)
    sums: list[Sum] = field(default_factory=list)
    created: list[tuple[str, Key]] = field(default_factory=list)
    plans: list[str] = field(default_factory=list)
    had_effects: bool = False
    error: str = ""


@dataclass(slots=True)
class Commit:
    """A commit of the ledger with the checkpoint. `records` are those since the one before. `error` is the class of
    what it raised: then nothing of it is in the table."""

    shard_id: str
    epoch: int
    before: str
    checkpoint: str
    records: int
    calls: list[Call] = field(default_factory=list)
    error: str = ""


@dataclass(slots=True)
class Trace:
    """What a worker did with one record. A record that was read twice has two. `image` has the texts and numbers of the
    item as the record has it, to tell which write made it."""

    shard_id: str
    epoch: int
    sequence: str
    event: str
    key: Key
    type: str
    image: Mapping[str, str]
    moment: datetime
    read_at: datetime
    runs: list[Run] = field(default_factory=list)
    commit: Commit | None = None
    parked: str = ""
    is_handled: bool = False

    @contextmanager
    def run_of(self, handler: Callable[..., None]) -> Iterator[Ledger]:
        """Notes a handler's run. What it enters goes into the ledger that this yields."""
        run, own = Run(handler), Ledger()
        try:
            with measure(keep=True) as meter:
                yield own
        except BaseException as error:
            run.error = type(error).__name__
            raise
        finally:
            run.calls = _without_answers(meter.calls)
            _note_entries(run, own)
            self.runs.append(run)

    @property
    def had_effects(self) -> bool:
        return bool(self.parked) or any(run.had_effects for run in self.runs)

    @property
    def size(self) -> int:
        commits = self.commit.calls if self.commit else ()
        calls = [*commits, *(call for run in self.runs for call in run.calls)]
        return sum(len(call.asked) for call in calls)


_kept: deque[Trace] | None = None
_lock = threading.Lock()


def keep_traces() -> None:
    """Begins to keep traces in this process, in debug mode only."""
    global _kept
    if settings.DEBUG and _kept is None:
        _kept = deque(maxlen=KEPT)


@kept_by_process
def _forget_traces() -> None:
    global _kept
    _kept = None


def are_kept() -> bool:
    """Whether this process keeps traces."""
    return _kept is not None


def kept_traces() -> list[Trace]:
    """Returns what is kept, in the order in which the records were read."""
    with _lock:
        return list(_kept or ())


def begin_trace(record: dict[str, Any], lease: HeldLease) -> Trace | None:
    """Begins the trace of a record that is about to be handled, if traces are kept."""
    if _kept is None:
        return None
    data = record["dynamodb"]
    image = data.get("NewImage") or data.get("OldImage") or {}
    texts = {
        name: str(text)
        for name, value in image.items()
        for kind, text in value.items()
        if kind in ("S", "N")
    }
    trace = Trace(
        shard_id=lease.shard_id,
        epoch=lease.epoch,
        sequence=data["SequenceNumber"],
        event=record["eventName"],
        key=key_of(data["Keys"]),
        type=texts.get("type", ""),
        image=texts,
        moment=moment_of(record),
        read_at=utc_now(),
    )
    with _lock:
        _kept.append(trace)
    return trace


@contextmanager
def commit_traced(lease: HeldLease, checkpoint: str, records: int) -> Iterator[None]:
    """Notes the commit made inside the block in the traces of the records that it finishes."""
    if _kept is None:
        yield
        return
    commit = Commit(lease.shard_id, lease.epoch, lease.checkpoint, checkpoint, records)
    try:
        with measure(keep=True) as meter:
            yield
    except BaseException as error:
        commit.error = type(error).__name__
        raise
    finally:
        commit.calls = _without_answers(meter.calls)
        _enter_commit(commit)


def _enter_commit(commit: Commit) -> None:
    holder = commit.shard_id, commit.epoch
    with _lock:
        for trace in _kept or ():
            # An epoch has one owner, so these are the records that its worker has in hand.
            if (trace.shard_id, trace.epoch) == holder and trace.commit is None:
                trace.commit = commit
        while _kept and sum(trace.size for trace in _kept) > MOST_BYTES:
            _kept.popleft()


def _without_answers(calls: list[Call]) -> list[Call]:
    """Returns what is worth its memory: the requests of writes, and whether they were refused."""
    return [
        replace(call, answer=_error_of(call), asked=b"" if call.is_read else call.asked)
        for call in calls
        if call.access_pattern != BEAT
    ]


def _error_of(call: Call) -> Mapping[str, Any] | None:
    error = (call.answer or {}).get("Error")
    return {"Error": error} if error else None


def _note_entries(run: Run, own: Ledger) -> None:
    run.had_effects = own.had_effects
    run.sums = [
        Sum(entry.model.__name__, key, name, change)
        for key, entry in own.entries.items()
        for name, (_, change) in entry.sums.items()
    ]
    run.created = [(type(item).__name__, key) for key, item in own.new_items.items()]
    run.plans = [plan.__name__ for plan in own.plans]
