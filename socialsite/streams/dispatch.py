"""Decides which handlers get which changes.

Every app's `stream_handlers` registers functions with `@on(Model, "INSERT")`: by item class, never by the text of a
key. Items that the worker itself writes for readers (counts, timeline entries, leases) have no handlers, so that it
never feeds itself. Jobs are an exception on purpose: each step makes the record of the next.
"""

from collections import defaultdict
from collections.abc import Callable
from typing import Any, Literal

from django.utils.module_loading import autodiscover_modules

from socialsite.streams.change import Change, read_change, type_of
from socialsite.streams.ledger import Ledger
from socialsite.streams.traces import Trace
from socialsite.table.errors import Conflict, Fenced, Unavailable
from socialsite.table.item import Item
from socialsite.web.observing.spending import WORKER, name_of, spent_by

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
