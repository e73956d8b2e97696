"""How fresh are timelines when many write? `python -m benchmarks.stream_simulation [--help]`

Simulates the stream and its workers, without a table: posts arrive at random, in bursts if asked; each goes into one of
the shards; every shard has a reader of its own, which polls, works off what it finds in order and takes a step of a
long fan-out in between. The entries that it writes come back as records. See docs/scale.md.
"""

import argparse
import heapq
import itertools
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields

from rich.console import Console
from rich.table import Table

from benchmarks.bounds import percentile

POLL_EVERY = 0.25  # seconds, as socialsite/streams/worker.py
RECORDS_A_READ = 1000
HIT = 8  # shards that the entries of a step fall into: fewer than in truth, so that it ends soon
INLINE, STEP = 500, 1000  # followers, as FAN_OUT_INLINE and FAN_OUT_STEP


@dataclass(frozen=True, slots=True)
class Plan:
    """What comes, and how fast it is worked off. A burst lasts ten seconds in the middle. One author in
    `star_every` is a star with `star_followers`; all others have `followers`."""

    posts_a_second: float
    shards: int
    followers: int = 150
    star_followers: int = 5000
    star_every: int = 1000
    burst: float = 1.0  # times as many posts
    entries_a_second: float = 1500.0  # that one shard's reader writes
    records_a_second: float = 10_000.0  # that it passes over without work
    seconds: float = 60.0
    seed: int = 18


DEFAULT = Plan(posts_a_second=7.0, shards=1)


@dataclass(order=True, slots=True)
class Record:
    """A post with its followers, or so many entries, which need no work but to be read."""

    moment: float
    number: int
    followers: int = 0
    entries: float = 0.0


@dataclass(slots=True)
class Work:
    """A long fan-out, and how many followers it has left."""

    moment: float
    left: int


@dataclass(frozen=True, slots=True)
class Done:
    """When a reader was done, how many entries it wrote, and whether it goes on without a pause."""

    moment: float
    written: int
    is_behind: bool


@dataclass(slots=True)
class Shard:
    waiting: list[Record] = field(default_factory=list)
    jobs: list[Work] = field(default_factory=list)


def simulate(plan: Plan) -> list[float]:
    """Returns for each post the seconds until the last of its followers has it, in the order in which they had."""
    chance = random.Random(plan.seed)
    shards = [Shard() for _ in range(plan.shards)]
    numbers = itertools.count()
    expected = 0
    for moment in _arrivals(plan, chance):
        is_star = chance.randrange(plan.star_every) == 0
        followers = plan.star_followers if is_star else plan.followers
        record = Record(moment, next(numbers), followers)
        heapq.heappush(chance.choice(shards).waiting, record)
        expected += 1
    ages: list[float] = []
    wakes = [(chance.uniform(0, POLL_EVERY), index) for index in range(plan.shards)]
    heapq.heapify(wakes)
    while len(ages) < expected:
        now, index = heapq.heappop(wakes)
        done = _step(shards[index], now, plan, ages)
        if done.written:
            hit = chance.sample(shards, min(HIT, plan.shards))
            entries = done.written / len(hit)
            for shard in hit:
                record = Record(done.moment, next(numbers), entries=entries)
                heapq.heappush(shard.waiting, record)
        pause = 0 if done.is_behind else POLL_EVERY
        heapq.heappush(wakes, (done.moment + pause, index))
    return ages


def _arrivals(plan: Plan, chance: random.Random) -> Iterator[float]:
    """Yields the moments of posts, which do not wait for each other (a Poisson process)."""
    moment, middle = 0.0, plan.seconds / 2
    while True:
        is_burst = middle - 5 <= moment < middle + 5
        moment += chance.expovariate(plan.posts_a_second * (plan.burst if is_burst else 1))
        if moment >= plan.seconds:
            return
        yield moment


def _step(shard: Shard, now: float, plan: Plan, ages: list[float]) -> Done:
    """Works off what waits in a shard at this moment, and then one step of a job."""
    clock, read, written = now, 0.0, 0
    while shard.waiting and shard.waiting[0].moment <= now and read < RECORDS_A_READ:
        record = heapq.heappop(shard.waiting)
        read += record.entries or 1
        clock += (record.entries or 1) / plan.records_a_second
        if record.followers > INLINE:
            shard.jobs.append(Work(record.moment, record.followers))
        elif record.followers:
            written += record.followers
            clock += record.followers / plan.entries_a_second
            ages.append(clock - record.moment)
    if shard.jobs:
        job = shard.jobs[0]
        step = min(STEP, job.left)
        job.left -= step
        written += step
        clock += step / plan.entries_a_second
        if not job.left:
            ages.append(clock - job.moment)
            del shard.jobs[0]
    return Done(clock, written, bool(shard.jobs) or read >= RECORDS_A_READ)


def main() -> None:
    made = Table("shards", "freshness p50, s", "p95", "worst", title="From a post to its followers")
    for plan in plans_of(sys.argv[1:]):
        made.add_row(str(plan.shards), *(f"{seconds:.2f}" for seconds in freshness_of(plan)))
    Console().print(made)


def freshness_of(plan: Plan) -> tuple[float, float, float]:
    """Returns the seconds of half the posts, of 95 in 100 and of the last one."""
    ages = simulate(plan)
    return percentile(ages, 50), percentile(ages, 95), max(ages)


def plans_of(words: Sequence[str]) -> list[Plan]:
    """Returns what the options of the command ask for: a plan for each number of shards."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.stream_simulation", description=__doc__
    )
    parser.add_argument("--shards", type=int, nargs="+", default=[1, 2, 4, 8])
    for one in fields(Plan):
        if one.name != "shards":
            default = getattr(DEFAULT, one.name)
            option = f"--{one.name.replace('_', '-')}"
            parser.add_argument(option, type=type(default), default=default)
    given = vars(parser.parse_args(words))
    return [Plan(**given | {"shards": shards}) for shards in given["shards"]]


if __name__ == "__main__":
    main()
