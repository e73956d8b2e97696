"""Looks every few seconds for work that is due, beside the stream worker and apart from it.

Its own thread, because a mail server may be slow, and a worker that waits for it would lose its lease.
"""

import logging
import threading
from contextvars import copy_context

from django.conf import settings

from socialsite.due.beats import Beats
from socialsite.due.work import do_due
from socialsite.table.errors import TableError

LOOK_EVERY = 5.0  # seconds
STOP_WITHIN = 0.5

woken = threading.Event()  # by the stream, when work was planned that is due at once

log = logging.getLogger(__name__)


def run_clock(stop: threading.Event) -> None:
    """Does what is due until told to stop. Survives faults of the engine."""
    beat = Beats()
    while not stop.is_set():
        woken.clear()
        try:
            do_due(beat=beat)
        except TableError as error:
            log.warning("due work waits for the engine: %s", error)
        except Exception:
            log.exception("the clock starts over")
        _wait(stop)


def _wait(stop: threading.Event) -> None:
    # In short waits, as nothing wakes a signal's `stop`.
    for _ in range(int(LOOK_EVERY / STOP_WITHIN)):
        if stop.is_set() or woken.wait(STOP_WITHIN):
            return


def start_clock(stop: threading.Event) -> threading.Thread:
    """Starts the clock's thread. It ends within seconds of `stop`, or with its process."""
    run = copy_context().run
    thread = threading.Thread(
        target=run, args=(run_clock, stop), name=f"clock {settings.DYNAMODB_TABLE}", daemon=True
    )
    thread.start()
    return thread
