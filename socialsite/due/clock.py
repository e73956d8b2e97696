"""The clock: a process, or a thread beside the worker, that does what is due and shows that it lives."""

import logging
import threading
import time
from contextvars import copy_context
from dataclasses import dataclass

from django.conf import settings

from socialsite.clock import utc_now
from socialsite.due.models import StreamHost
from socialsite.due.work import do_due
from socialsite.site_settings.read_only import stands_still
from socialsite.table import NotFound, TableError, access_pattern, change, keys

# How do others see that a clock is at work? It beats, as the workers of the stream do.
#
# Without a clock no letter goes out, and nothing that is planned is published. `socialsite/streams/status.py`
# reads the beat with the state of the stream.

BEAT_EVERY = 10.0  # seconds

log = logging.getLogger(__name__)


@dataclass
class Beats:
    """The beats of one clock. All clocks share one item, and the last to beat stands in it."""

    beaten_at: float = float("-inf")
    latest: float = 0.0  # seconds that the oldest work was late which was found since the last beat

    def __call__(self, late: float = 0.0) -> None:
        """Beats if it is time. Due work does not wait for a beat that fails."""
        self.latest = max(self.latest, late)
        if time.monotonic() - self.beaten_at < BEAT_EVERY:
            return
        try:
            beat_of_clock(self.latest)
        except NotFound:
            return  # nobody has begun to read the stream yet
        except TableError as error:
            log.warning("the clock cannot say that it is at work: %s", error)
        self.beaten_at, self.latest = time.monotonic(), 0.0


@access_pattern
def beat_of_clock(lag: float) -> None:
    """Notes that a clock is at work, and how many seconds late the work was that it found. Raises `NotFound` before
    anyone has begun to read the stream. One UpdateItem, 1 write unit, every 10 seconds."""
    now = utc_now().isoformat(timespec="seconds")
    beat = [StreamHost.clock_beaten_at.set(now), StreamHost.clock_lag.set(round(lag))]
    change(StreamHost, keys.stream_host(), beat)


# Looks every few seconds for work that is due, beside the stream worker and apart from it.
#
# Its own thread, because a mail server may be slow, and a worker that waits for it would lose its lease.

LOOK_EVERY = 5.0  # seconds
STOP_WITHIN = 0.5

woken = threading.Event()  # by the stream, when work was planned that is due at once


def run_clock(stop: threading.Event) -> None:
    """Does what is due until told to stop. Survives faults of the engine. Waits while the site is only read."""
    beat = Beats()
    while not stop.is_set():
        woken.clear()
        try:
            if not stands_still():
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
