"""Footprints replayed by numbers: what each partition and each item takes in the busiest minute and second.

Nobody is played one by one. A flow says how often a behaviour comes, and which of its keys are the same for many: the
best known person, the one post, the one word. What is not the same for many spreads over so many partitions that no
one of them matters, and counts in the sums alone.
"""

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache

from benchmarks.scale.footprints import COMMIT, Footprint, Row, footprints
from feed.timelines.local import SHARDS as LOCAL_SHARDS
from socialsite import keys
from socialsite.streams.worker import POLL_EVERY

PARTITION_READS, PARTITION_WRITES = 3000, 1000  # units a second, as Amazon says
TRANSACTIONS = 50  # a second on one item, above which they often meet; assumed of 20 ms for each
PLACE = re.compile(r"<[^>]+>")
SPREAD = {"<shard>", "<part>"}
OF_ALL = ("#count-waiting#", "#count-topics#")  # work that is planned for all together, at one key
ONE = {"<day>", "<month>", "<hour>", "<year>", "<language>"}  # there is one at a moment
UNLIKELY = 3.5  # standard deviations: what one second of an hour passes
COMMITS = 1 / POLL_EVERY  # a second, of one shard of the stream


@cache
def spread_over() -> Mapping[str, int]:
    """Returns over how many partitions each kind of key is spread, by how it begins or ends."""
    return {
        "public#": LOCAL_SHARDS,
        "trend#": keys.TOPIC_SHARDS,
        "due#": keys.DUE_SHARDS,
        "push#": keys.PUSH_SHARDS,
        "key#": keys.KEY_SHARDS,
        "people#": keys.PEOPLE_SHARDS,
        "worker#changed#": keys.CHANGE_SHARDS,
        "sitevote#": keys.SITE_VOTE_SHARDS,
        "#vote#<shard>": keys.VOTE_SHARDS,
        "job#": keys.JOB_SHARDS,
        "#<part>": keys.COUNT_PARTS,
    }


@dataclass(frozen=True, slots=True)
class Hot:
    """A thing that many meet: its name, and how many of the keys of such a part are its own in one behaviour."""

    name: str
    times: float = 1.0


@dataclass(frozen=True, slots=True)
class Flow:
    """A behaviour that comes so often a second. `sources` is over how many shards of the stream its records come, 0
    for all of them, `sources_of` the same of records about one kind of partition, and `each` what stands for more keys
    than were measured, as followers."""

    behaviour: str
    a_second: float
    hot: Mapping[str, Hot] = field(default_factory=dict)
    sources: int = 0
    sources_of: Mapping[str, int] = field(default_factory=dict)
    each: Mapping[str, float] = field(default_factory=dict)

    @property
    def footprint(self) -> Footprint:
        return footprints()[self.behaviour]

    def rows(self) -> Iterator[Row]:
        """Yields the rows, with as many keys as there are of each part."""
        for row in self.footprint.rows:
            factor = math.prod(self.each.get(place, 1.0) for place in PLACE.findall(row.pk))
            yield (
                replace(row, keys=row.keys, reads=row.reads * factor, writes=row.writes * factor)
                if factor != 1
                else row
            )

    def units(self) -> tuple[float, float]:
        """Returns the read and write units of one."""
        rows = list(self.rows())
        return sum(row.reads for row in rows), sum(row.writes for row in rows)

    def times(self, factor: float) -> "Flow":
        return replace(self, a_second=self.a_second * factor)


@dataclass(slots=True)
class Load:
    """What one partition takes a second: in the mean of the busiest minute, and in its busiest second."""

    target: str
    partition: str
    reads: float = 0.0
    writes: float = 0.0
    read_squares: float = 0.0
    write_squares: float = 0.0
    items: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    by: dict[str, float] = field(default_factory=lambda: defaultdict(float))

    @property
    def peak_reads(self) -> float:
        return self.reads + UNLIKELY * math.sqrt(self.read_squares)

    @property
    def peak_writes(self) -> float:
        return self.writes + UNLIKELY * math.sqrt(self.write_squares)

    @property
    def together(self) -> float:
        """Returns how many transactions a second one of its items is in."""
        return max(self.items.values(), default=0.0)

    @property
    def used(self) -> float:
        """Returns the share of what a partition takes in a second, in the busiest one; above 1 it is refused."""
        return self.peak_reads / PARTITION_READS + self.peak_writes / PARTITION_WRITES

    @property
    def is_over(self) -> bool:
        return self.used > 1

    @property
    def mostly(self) -> str:
        """Returns the behaviour that most of it comes from."""
        return max(self.by, key=self.by.__getitem__)


# Where keys stood that were spread after this replay had found them too hot: jobs by the behaviour that brings them.
WAS = {"home that merges": "job#merge-pulled", "look for people": "job#look-for-people"}


def as_before(behaviour: str, row: Row) -> Row:
    """Returns a row with the key that it had before."""
    if row.pk == "u#<actor>#job":
        return replace(row, pk=WAS[behaviour])
    if row.pk.startswith("job#"):
        return replace(row, pk=row.pk.removesuffix("#<shard>"))
    return replace(row, pk=row.pk.removesuffix("#<part>"))


def loads(flows: Iterable[Flow], *, shards: int, before: bool = False) -> list[Load]:
    """Returns what each partition takes that many meet, the hottest first. `shards` is how many the stream has;
    `before` asks for keys as they were."""
    found: dict[tuple[str, str], Load] = {}
    for flow in flows:
        for row in flow.rows():
            if before:
                row = as_before(flow.behaviour, row)
            times, partition = _on_one(row.pk, row.keys, flow.hot)
            if any(mark in row.sk for mark in OF_ALL):
                times = 1.0
            if not times:
                continue
            load = found.setdefault((row.target, partition), Load(row.target, partition))
            a_second = flow.a_second * times
            if row.by == COMMIT:
                sources = flow.sources_of.get(row.pk, flow.sources) or shards
                a_second = min(a_second, COMMITS * sources)
            reads, writes = row.reads / row.keys, row.writes / row.keys
            load.reads += a_second * reads
            load.writes += a_second * writes
            load.read_squares += a_second * reads**2
            load.write_squares += a_second * writes**2
            load.by[flow.behaviour] += (
                a_second * reads / PARTITION_READS + a_second * writes / PARTITION_WRITES
            )
            on_item, item = _on_one(row.sk, 1, flow.hot)
            if row.together and on_item:
                load.items[item] += a_second * on_item * row.together / row.keys
    return sorted(found.values(), key=lambda one: -one.used)


def _on_one(written: str, keys_touched: int, hot: Mapping[str, Hot]) -> tuple[float, str]:
    """Returns how many of the touched keys are the hottest one of these, 0 if there is none that many meet, and what it
    is called."""
    places = PLACE.findall(written)
    if not places:
        return 1.0, written
    times = float(keys_touched) if set(places) <= ONE | SPREAD else 1.0
    for place in dict.fromkeys(places):
        if place in hot:
            times *= hot[place].times
            written = written.replace(place, hot[place].name)
        elif place not in ONE | SPREAD:
            return 0.0, ""
    for mark, count in spread_over().items():
        if SPREAD & set(places) and (written.startswith(mark) or written.endswith(mark)):
            times /= count
    if written.endswith("#likelist") and "#likelist" in hot:
        times /= hot["#likelist"].times
        written += "#<shard>"
    return times, written


def all_units(flows: Iterable[Flow]) -> tuple[float, float]:
    """Returns the read and write units a second of all of them, wherever they go."""
    reads = writes = 0.0
    for flow in flows:
        of_one = flow.units()
        reads += flow.a_second * of_one[0]
        writes += flow.a_second * of_one[1]
    return reads, writes
