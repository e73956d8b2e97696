"""Which handler hears of which change.

Every app's `stream_handlers.py` registers functions with `@on(Model, "INSERT")`. By item class, never by the text of
a key; the worker's own outputs (counts, timeline entries, leases) have no handlers, so that it never feeds itself.
"""

import logging
from collections import defaultdict
from collections.abc import Callable
from typing import Literal

from django.utils.module_loading import autodiscover_modules

from socialsite.streams.change import Change
from socialsite.streams.ledger import Ledger
from socialsite.table.errors import Conflict, Unavailable
from socialsite.table.item import Item

Event = Literal["INSERT", "MODIFY", "REMOVE"]
Handler = Callable[[Change, Ledger], None]

TRIES = 3

log = logging.getLogger(__name__)
_handlers: dict[tuple[type[Item], str], list[Handler]] = defaultdict(list)


def on(model: type[Item], *events: Event) -> Callable[[Handler], Handler]:
    """Registers a handler. It must be safe to run twice, and may not rely on the order of different items."""

    def register(handler: Handler) -> Handler:
        for event in events:
            if handler not in _handlers[model, event]:
                _handlers[model, event].append(handler)
        return handler

    return register


def load_handlers() -> None:
    autodiscover_modules("stream_handlers")


def dispatch(change: Change, ledger: Ledger) -> None:
    """Runs the handlers of one change. One that fails for its own reasons is tried three times, then logged and
    left behind, so that it does not hold up the shard; an unavailable engine is the worker's matter."""
    for handler in _handlers.get((type(change.item), change.event), ()):
        _run(handler, change, ledger)


def _run(handler: Handler, change: Change, ledger: Ledger) -> None:
    for attempt in range(1, TRIES + 1):
        try:
            handler(change, ledger)
            return
        except (Unavailable, Conflict):
            raise
        except Exception:
            if attempt == TRIES:
                log.exception("%s failed at %s", handler.__name__, change.item.key)
