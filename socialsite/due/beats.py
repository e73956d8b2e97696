"""How do others see that a clock is at work? It beats, as the workers of the stream do.

Without a clock no letter goes out, and nothing that is planned is published. `socialsite/streams/status.py` reads the
beat with the state of the stream.
"""

import logging
import time
from dataclasses import dataclass

from socialsite.clock import utc_now
from socialsite.models import StreamHost
from socialsite.table import keys
from socialsite.table.errors import NotFound, TableError
from socialsite.table.meter import access_pattern
from socialsite.table.writing import change

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
    anyone has begun to read the stream. One UpdateItem, 1 write unit."""
    now = utc_now().isoformat(timespec="seconds")
    beat = [StreamHost.clock_beaten_at.set(now), StreamHost.clock_lag.set(round(lag))]
    change(StreamHost, keys.stream_host(), beat)
