"""How far the worker is behind, by the shards that it has: from the measured handling of a record."""

import math
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from benchmarks.bounds import percentile
from benchmarks.scale.replay import Flow
from socialsite.streams.worker import POLL_EVERY, SHARDS_AT_ONCE

CALL_MS = 4.0  # milliseconds of one call to Amazon's DynamoDB from the same region; assumed
ENTRIES_A_CALL = 25
SKIP_MS = 0.05  # of a record that nobody handles: 8,000 to 40,000 a second were read on one core
BUSY = 0.7  # of its time a reader may work, so that chance makes nothing late
SECONDS = 300.0


def handling(flow: Flow) -> float:
    """Returns the seconds that a reader takes for what one behaviour brings: its own time as it was measured, each call
    as long as Amazon takes, and the records that it only reads."""
    found, more = flow.footprint, _more_entries(flow)
    idle = found.records - found.handled + more
    calls = found.calls + more / ENTRIES_A_CALL
    return (found.ms + calls * CALL_MS + idle * SKIP_MS) / 1000


def _more_entries(flow: Flow) -> float:
    """Returns how many entries it writes for followers beyond those that were measured."""
    return sum(row.writes for row in flow.rows()) - flow.footprint.writes


@dataclass(frozen=True, slots=True)
class Work:
    """What all readers together have to do in a second."""

    records: float
    seconds: float  # of readers that work one after another
    own: float  # of processors

    @property
    def shards(self) -> int:
        """Returns how many shards keep up, each with a reader of its own."""
        return math.ceil(self.seconds / BUSY)

    @property
    def processes(self) -> int:
        """Returns how many processes of the worker have so many readers, and are not busier than one core."""
        return max(math.ceil(self.shards / SHARDS_AT_ONCE), math.ceil(self.own / BUSY))


def work_of(flows: Iterable[Flow]) -> Work:
    records = seconds = own = 0.0
    for flow in flows:
        records += flow.a_second * (flow.footprint.records + _more_entries(flow))
        seconds += flow.a_second * handling(flow)
        own += flow.a_second * flow.footprint.ms / 1000
    return Work(records, seconds, own)


@dataclass(frozen=True, slots=True)
class Lag:
    """Seconds from a change to its effects, and how busy a reader is: above 1 it falls behind for ever."""

    shards: int
    busy: float
    half: float
    most: float


def lag_of(flows: Sequence[Flow], shards: int, *, seed: int = 44) -> Lag:
    """Simulates one shard of so many for five minutes: changes come at random, and its reader works off all that waits,
    one after another, each time it polls."""
    chance = random.Random(seed)
    handled = [one for one in flows if one.footprint.handled]
    weights = [one.a_second for one in handled]
    takes = [handling(one) for one in handled]
    rate = sum(weights) / shards
    busy = sum(weight * one for weight, one in zip(weights, takes, strict=True)) / shards
    arrivals: list[tuple[float, float]] = []
    moment = 0.0
    while (moment := moment + chance.expovariate(rate)) < SECONDS:
        arrivals.append((moment, chance.choices(takes, weights)[0]))
    clock, ages = 0.0, []
    for came, takes_now in arrivals:
        if came > clock:  # the reader found nothing, and sleeps until its next look
            clock += math.ceil((came - clock) / POLL_EVERY) * POLL_EVERY
        clock += takes_now
        ages.append(clock - came)
    return Lag(shards, busy, percentile(ages, 50), percentile(ages, 95))
