"""How is one way of doing something held against another on a machine that does other things as well?

All ways run in turn, in a new order each round, and a ratio is the median of the rounds' own ratios, so that
whatever slows a round slows both sides. What is timed is processor time, ours and the engine's, which other
processes change less than the time that passes.
"""

import gc
import random
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Action = Callable[[], Any]
Rounds = Mapping[str, Sequence["Sample"]]


@dataclass(frozen=True, slots=True)
class Sample:
    """Milliseconds for one time of doing it."""

    own: float
    engine: float
    passed: float

    @property
    def cpu(self) -> float:
        return self.own + self.engine


@dataclass(frozen=True, slots=True)
class Ratio:
    """The median of the rounds, and the range that holds the middle half of them."""

    median: float
    low: float
    high: float


class Stopwatch:
    def __init__(self, engine_pid: int) -> None:
        # Linux's clock of another process, as clock_getcpuclockid(3) would give it: what /proc/<pid>/stat counts in
        # steps of 10 ms, it counts in nanoseconds.
        self._engine_clock = ~engine_pid << 3 | 2

    def sample(self, action: Action, times: int) -> Sample:
        own, engine, passed = self._now()
        for _ in range(times):
            action()
        own_after, engine_after, passed_after = self._now()
        scale = 1000 / times
        return Sample(
            (own_after - own) * scale,
            (engine_after - engine) * scale,
            (passed_after - passed) * scale,
        )

    def _now(self) -> tuple[float, float, float]:
        return time.process_time(), time.clock_gettime(self._engine_clock), time.perf_counter()


def interleave(
    stopwatch: Stopwatch, actions: Mapping[str, Action], *, rounds: int, times: int
) -> Iterator[dict[str, Sample]]:
    """One sample of each action per round; the first round warms up and is not given."""
    order = list(actions)
    gc.collect()
    gc.freeze()  # otherwise each collection below would look through all the data of the benchmark
    for number in range(rounds + 1):
        random.shuffle(order)
        samples = {}
        for name in order:
            gc.collect()  # otherwise this action may pay for what the last one left behind
            samples[name] = stopwatch.sample(actions[name], times)
        if number:
            yield samples


def ratio(rounds: Rounds, name: str, base: str) -> Ratio:
    quotients = [
        ours.cpu / theirs.cpu for ours, theirs in zip(rounds[name], rounds[base], strict=True)
    ]
    low, median, high = statistics.quantiles(quotients, n=4)
    return Ratio(median, low, high)


def median(samples: Sequence[Sample]) -> Sample:
    return Sample(
        statistics.median(sample.own for sample in samples),
        statistics.median(sample.engine for sample in samples),
        statistics.median(sample.passed for sample in samples),
    )
