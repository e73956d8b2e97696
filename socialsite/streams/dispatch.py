"""Which handler hears of which change, and giving it those again that failed."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from django.utils.module_loading import autodiscover_modules

from socialsite.streams.change import Change, change_of, read_change, type_of
from socialsite.streams.ledger import Ledger
from socialsite.streams.models import DeadLetter
from socialsite.streams.traces import Trace
from socialsite.table import (
    WORKER,
    Conflict,
    Delete,
    Item,
    NotFound,
    Unavailable,
    WriteAction,
    access_pattern,
    name_of,
    spent_by,
    write_batch,
)
from socialsite.table.errors import Fenced

# Decides which handlers get which changes.
#
# Every app's `stream_handlers` registers functions with `@on(Model, "INSERT")`: by item class, never by the
# text of a key. Items that the worker itself writes for readers (counts, timeline entries, leases) have no
# handlers, so that it never feeds itself. Jobs are an exception on purpose: each step makes the record of the
# next.

Event = Literal["INSERT", "MODIFY", "REMOVE"]
Handler = Callable[[Change, Ledger], None]

TRIES = 3

_handlers: dict[tuple[type[Item], str], list[Handler]] = defaultdict(list)
_handled_types: set[str] = set()


class PoisonRecord(Exception):
    """A handler cannot apply this record, and another try would not help."""


def on(model: type[Item], *events: Event) -> Callable[[Handler], Handler]:
    """Registers a handler. It must be safe to run twice, and may not rely on the order of different items."""

    def register(handler: Handler) -> Handler:
        for event in events:
            if handler not in _handlers[model, event]:
                _handlers[model, event].append(handler)
        _handled_types.add(model.__name__)
        return handler

    return register


def load_handlers() -> None:
    autodiscover_modules("stream_handlers")


def handlers() -> set[Handler]:
    """Returns every handler."""
    return {handler for registered in _handlers.values() for handler in registered}


def handlers_by_change() -> dict[tuple[type[Item], str], list[Handler]]:
    """Returns which handlers get which changes of which items."""
    return dict(_handlers)


def is_handled(record: dict[str, Any]) -> bool:
    """Whether any handler gets items of this type."""
    return is_type_handled(type_of(record))


def is_type_handled(name: str) -> bool:
    """Whether any handler gets items of the type with this name."""
    return name in _handled_types


def dispatch_record(record: dict[str, Any], ledger: Ledger, trace: Trace | None = None) -> None:
    """Runs the handlers of one record. Raises `PoisonRecord`. The caller deals with an unavailable engine."""
    if not is_handled(record):
        return
    try:
        change = read_change(record)
    except Exception as error:
        raise PoisonRecord(f"unreadable: {type(error).__name__}") from error
    if change is not None:
        dispatch(change, ledger, trace)


def dispatch(change: Change, ledger: Ledger, trace: Trace | None = None) -> None:
    """Runs all handlers of a change. Their entries go into the ledger only if none fails. A `trace` notes who entered
    what."""
    entries = Ledger()
    for handler in _handlers.get((type(change.item), change.event), ()):
        if trace is None:
            _run(handler, change, entries)
            continue
        with trace.run_of(handler) as own:
            _run(handler, change, own)
        entries.merge(own)
    ledger.merge(entries)


def _run(handler: Handler, change: Change, ledger: Ledger) -> None:
    for attempt in range(1, TRIES + 1):
        try:
            with spent_by(WORKER, name_of(handler)):
                handler(change, ledger)
            return
        except (Unavailable, Conflict, Fenced):
            raise
        except Exception as error:
            if attempt == TRIES:
                raise PoisonRecord(f"{handler.__name__}: {type(error).__name__}") from error


class AlreadyRedriven(NotFound):
    """The dead letter is gone."""


@dataclass(frozen=True, slots=True)
class LetterProof:
    """Deletes the dead letter with the commit, so that it is applied once, however often it is tried."""

    letter: DeadLetter

    def actions(self) -> Sequence[WriteAction]:
        return [Delete(self.letter.key, otherwise=AlreadyRedriven)]

    def is_given(self) -> bool:
        return False  # the next try finds the letter, or that it is gone


@access_pattern
def redrive(letter: DeadLetter) -> bool:
    """Runs a parked record's handlers again, and deletes its dead letter if they succeed. One TransactWriteItems, 2
    write units for each action. Returns whether they did."""
    load_handlers()
    ledger = Ledger()
    try:
        dispatch(change_of(letter), ledger)
        ledger.commit(LetterProof(letter))
    except PoisonRecord:
        return False
    except AlreadyRedriven:
        pass
    return True


@access_pattern
def discard(letter: DeadLetter) -> None:
    """Deletes a dead letter without applying it. Safe to repeat. One BatchWriteItem, 1 write unit."""
    write_batch(deletes=[letter.key])
