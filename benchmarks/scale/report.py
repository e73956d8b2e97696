"""The part of docs/scale.md about ten million people, and its pictures."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from benchmarks.scale import charts
from benchmarks.scale.cures import CURES, cure_of
from benchmarks.scale.days import ACTIVE, PEAK, Storm, day, storms
from benchmarks.scale.footprints import TABLE
from benchmarks.scale.page import bills_of, figure, table, values_of
from benchmarks.scale.people import EXPONENT, TEN_MILLION, day_curve, habits
from benchmarks.scale.replay import TRANSACTIONS, Flow, Load, all_units, loads
from benchmarks.scale.workers import Lag, Work, handling, lag_of, work_of
from socialsite.keys import JOB_SHARDS
from socialsite.prices import FIRST, prices_of

SHOWN = 6  # partitions of a storm
LEAST = 0.05  # of a partition's limit, below which none is shown
BY_SIZE = 472  # partitions of a table of a year with so many people: `by_size` for ten million
LAG_SHARDS = (60, 80, 100, 120, 160, 240, 472)
PICTURES = ("scale-followers.svg", "scale-day.svg", "scale-partitions.svg", "scale-lag.svg")


def part(page: str) -> str:
    """Returns the whole part, between its marks."""
    return "\n".join(
        [
            "### Who follows whom\n",
            _law(),
            _picture(PICTURES[0], "How many follow the person of each rank"),
            "### A day, replayed\n",
            _day(),
            _beside_the_bill(page),
            _picture(PICTURES[1], "Read and write units a second through a day"),
            "### The hottest partitions\n",
            _picture(PICTURES[2], "The hottest partitions against what a partition takes"),
            *(_of_storm(storm) for storm in storms()),
            "### Indexes\n",
            _indexes(),
            "### Items that many transactions meet\n",
            _together(),
            "### What to do about them\n",
            _cures(),
            "### What was spread after this was found\n",
            _mended(),
            "### The worker\n",
            OF_THE_WORKER,
            _workers(),
            _lags(),
            _picture(PICTURES[3], "How far the worker is behind, by shards of the stream"),
        ]
    )


def pictures() -> dict[str, str]:
    """Returns the charts by their file's name."""
    return dict(
        zip(PICTURES, (_followers(), _through_a_day(), _hottest(), _lag_chart()), strict=True)
    )


def _picture(name: str, words: str) -> str:
    return f"![{words}](scale/{name})\n"


# Who follows whom, and what a day costs


def _law() -> str:
    people = TEN_MILLION
    rows = [
        ("people who have k followers are as k to the power of", f"−{EXPONENT}"),
        ("followers of the best known person", f"{people.most:,}"),
        ("of the hundredth", figure(people.followers(100))),
        ("of the ten thousandth", figure(people.followers(10_000))),
        ("people whom someone follows, on average", figure(people.followed_each)),
        (
            "authors whose posts are merged in at reading, as more than 5,000 follow them",
            figure(people.pulled),
        ),
        ("of them whom someone follows, on average", figure(people.pulled_each)),
    ]
    return table(["", ""], rows)


def _day() -> str:
    prices = prices_of(FIRST).dollars
    rows = []
    for habit, flow in zip(habits(), day(), strict=True):
        reads, writes = flow.units()
        dollars = ACTIVE * habit.times * _dollars(reads, writes, prices)
        rows.append(
            [habit.what, figure(habit.times), figure(reads), figure(writes), figure(dollars)]
        )
    reads, writes = (units * 86_400 for units in all_units(day()))
    total = _dollars(reads, writes, prices)
    rows.append(["Together", "", figure(reads), figure(writes), figure(total)])
    head = [
        "behaviour",
        "times a day, each",
        "read units of one",
        "write units of one",
        "dollars a day",
    ]
    return table(head, rows)


def _dollars(reads: float, writes: float, prices: Mapping[str, Any]) -> float:
    return float(reads * prices["read_price"] + writes * prices["write_price"]) / 10**6


PAGES = ("home", "home that merges", "thread", "profile", "notifications", "search")
PARTS: Mapping[str, Sequence[str]] = {
    "Pages": (*PAGES, "look at the local timeline", "look at a tag"),
    "Questions for news": ("pulse", "pulse elsewhere"),
    "Posts and their fan-out": ("publish", "publish with a tag", "reply"),
    "Likes": ("like",),
}


def _beside_the_bill(page: str) -> str:
    """The same day as the bill has it, part by part."""
    prices = prices_of(FIRST).dollars
    known = values_of(page)[0]
    factor = ACTIVE / known["active_people"]
    of_bill = {
        "Pages": (known["page_reads"], 0.0),
        "Questions for news": (known["news_reads"], 0.0),
        "Posts and their fan-out": (
            known["edge_reads"],
            known["entries"] + known["active_people"] * known["posts"] * known["post_writes"],
        ),
        "Likes": (
            0.0,
            known["active_people"]
            * known["likes"]
            * (known["like_writes"] + known["count_writes"]),
        ),
    }
    rows, others = [], day()
    for name, behaviours in PARTS.items():
        flows = [flow for flow in day() if flow.behaviour in behaviours]
        others = [flow for flow in others if flow.behaviour not in behaviours]
        rows.append(
            _part(name, (of_bill[name][0] * factor, of_bill[name][1] * factor), flows, prices)
        )
    rows.append(_part("All else", (0.0, 0.0), others, prices))
    bill = bills_of(page, prices_of(FIRST))[-1].values
    both = bill["reads"], bill["writes"]
    rows.append(_part("Together", both, day(), prices))
    head = ["", "bill: reads", "bill: writes", "bill: dollars", "replay: reads", "replay: writes"]
    return table([*head, "replay: dollars"], rows)


def _part(
    name: str, of_bill: tuple[float, float], flows: Iterable[Flow], prices: Mapping[str, Any]
) -> list[str]:
    reads, writes = (units * 86_400 for units in all_units(flows))
    both = (of_bill, (reads, writes))
    return [
        name,
        *(figure(one) for there in both for one in (*there, _dollars(there[0], there[1], prices))),
    ]


# Partitions


@cache
def _loads() -> list[tuple[Storm, list[Load]]]:
    return [(storm, loads(storm.all, shards=BY_SIZE)) for storm in storms()]


@cache
def usual_loads() -> dict[tuple[str, str], Load]:
    """Returns what the busiest minute of a usual day brings, by index and partition."""
    return {(one.target, one.partition): one for one in _loads()[0][1]}


def found_hot() -> dict[str, tuple[Storm, Load]]:
    """Returns each partition that takes more than it can, or whose items too many transactions meet, with the storm in
    which it is hottest."""
    found: dict[str, tuple[Storm, Load]] = {}
    for storm, hottest in _loads():
        for load in hottest:
            if load.is_over or load.together > TRANSACTIONS:
                before = found.get(load.partition)
                if before is None or before[1].used < load.used:
                    found[load.partition] = storm, load
    return found


HEAD = (
    "partition",
    "reads a second",
    "in the peak second",
    "writes a second",
    "in the peak second",
)


def _of_storm(storm: Storm) -> str:
    hottest = next(of for one, of in _loads() if one == storm)
    shown = [
        one for one in hottest if one.target == TABLE and one.used >= LEAST and _is_new(storm, one)
    ]
    rows = [_row(load) for load in shown[:SHOWN]]
    words = f"**{storm.name.capitalize()}**: {storm.what}.\n"
    if not rows:
        return f"{words}\nNone of what it brings takes a twentieth of a partition.\n"
    return f"{words}\n{table([*HEAD, 'of its limit', 'mostly of'], rows)}"


def _is_new(storm: Storm, load: Load) -> bool:
    """Whether the storm brings it: what a usual evening has is shown there alone."""
    usual = usual_loads().get((load.target, load.partition))
    return storm.name == "evening" or usual is None or load.used > 1.2 * usual.used


def _row(load: Load) -> list[str]:
    return [
        f"`{load.partition}`",
        figure(load.reads),
        figure(load.peak_reads),
        figure(load.writes),
        figure(load.peak_writes),
        f"{load.used:.0%}" if not load.is_over else f"**{load.used:.0%}**",
        load.mostly,
    ]


def _indexes() -> str:
    most: dict[tuple[str, str], tuple[Storm, Load]] = {}
    for storm, hottest in _loads():
        for load in hottest:
            place = load.target, load.partition
            if load.target != TABLE and (place not in most or most[place][1].used < load.used):
                most[place] = storm, load
    rows = [
        [load.target, *_row(load)[:-1], storm.name]
        for storm, load in sorted(most.values(), key=lambda one: -one[1].used)[:SHOWN]
    ]
    return table(["index", *HEAD, "of its limit", "storm"], rows)


def _together() -> str:
    rows = [
        [f"`{load.partition}`", figure(load.together), storm.name]
        for storm, load in sorted(found_hot().values(), key=lambda one: -one[1].together)
        if load.together > TRANSACTIONS
    ]
    return table(["partition", "transactions a second on one item, at most", "storm"], rows)


def _cures() -> str:
    hot = found_hot()
    rows = []
    for cure in CURES:
        of_it = [one for name, one in hot.items() if cure_of(name) is cure]
        used = max((load.used for _, load in of_it), default=0.0)
        together = max((load.together for _, load in of_it), default=0.0)
        rows.append([f"`{cure.name}`", f"{used:.0%}", figure(together), cure.why, cure.cure])
    return table(["partition", "of its limit", "transactions", "why", "what to do"], rows)


MENDED: Mapping[str, tuple[str, str]] = {
    "job#merge-pulled": (
        "evening",
        "a job for each reader, in the reader’s own partition `u#<user>#job`",
    ),
    "job#look-for-people": ("evening", "the same"),
    "job#fan-out": ("evening", "16 partitions `job#fan-out#<shard>`"),
    "day#<month>": ("midnight", "16 parts `day#<month>#<part>`, which pages of staff add up"),
    "figures#<year>": ("raid", "16 parts `figures#<year>#<part>`"),
    "hits#its filter": ("raid", "16 parts `hits#<word>#<part>`"),
}
JOBS = {
    "job#merge-pulled": "home that merges",
    "job#look-for-people": "look for people",
    "job#fan-out": "publish to many",
}


def mended() -> dict[str, tuple[Load, Load | None]]:
    """Returns the partitions that were spread: as they would be now, and as the hottest of their parts is. None has no
    part that many meet."""
    found = {}
    for name, (storm, _) in MENDED.items():
        flows = next(one.all for one in storms() if one.name == storm)
        (was,) = [one for one in loads(flows, shards=BY_SIZE, before=True) if one.partition == name]
        parts = [one for one in loads(flows, shards=BY_SIZE) if one.partition in _parts_of(name)]
        found[name] = was, parts[0] if parts else None
    return found


def _parts_of(partition: str) -> set[str]:
    return {f"{partition}#<part>", f"{partition}#<shard>"}


def _mended() -> str:
    rows = []
    for name, (was, part) in mended().items():
        storm, how = MENDED[name]
        rows.append(
            [
                f"`{name}`",
                storm,
                f"{was.used:.0%}",
                figure(was.together),
                _readers(name, storm, 1),
                how,
                f"{part.used:.1%}" if part else "–",
                figure(part.together) if part else "–",
                _readers(name, storm, JOB_SHARDS) if part else "–",
            ]
        )
    head = [
        "partition",
        "storm",
        "of its limit",
        "transactions on one item",
        "its one reader is busy",
    ]
    after = ["now", "of the limit of each", "transactions", "its reader is busy"]
    return table([*head, *after], rows)


def _readers(name: str, storm: str, shards: int) -> str:
    """How busy the one reader of a partition is with its jobs: all records of a partition are in one shard."""
    behaviour = JOBS.get(name)
    if behaviour is None:
        return "–"
    (flow,) = [
        one
        for flows in storms()
        if flows.name == storm
        for one in flows.all
        if one.behaviour == behaviour
    ]
    return f"{flow.a_second * handling(flow) / shards:.0%}"


# The worker

OF_THE_WORKER = """\
A reader takes the records of one shard in turn, each for the worker’s own time and 4 ms for each call. `readers busy at
once` is all of that in a second, `shards that keep up` leaves each reader three tenths of its time, and a process reads
eight shards at once. DynamoDB opens about as many shards as the table has partitions: 472 after a year. Not in it are
shards that split, throttled writes and a process that dies.
"""


@cache
def _work() -> list[tuple[Storm, Work]]:
    return [(storm, work_of(storm.all)) for storm in storms()]


def _workers() -> str:
    rows = [
        [
            storm.name,
            figure(work.records),
            figure(work.seconds),
            str(work.shards),
            str(work.processes),
        ]
        for storm, work in _work()
    ]
    head = ["storm", "records a second", "readers busy at once", "shards that keep up"]
    return table([*head, "processes of the worker"], rows)


@cache
def _simulated() -> list[Lag]:
    return [lag_of(storms()[0].all, shards) for shards in LAG_SHARDS]


def _lags() -> str:
    rows = [
        [f"{one.shards:,}", f"{one.busy:.0%}", f"{one.half:.2f}", f"{one.most:.2f}"]
        for one in _simulated()
    ]
    return table(["shards", "a reader is busy", "seconds for half", "for 95 in 100"], rows)


# Pictures


def _followers() -> str:
    ranks = [10 ** (step / 4) for step in range(29)]
    curve = charts.Curve("people", [(rank, TEN_MILLION.followers(rank)) for rank in ranks])
    limit = charts.Curve("merged above", [(1, 5_000), (10**7, 5_000)])
    tens = [(10**power, f"{10**power:,}") for power in range(0, 8, 2)]
    return charts.lines(
        "Followers by rank, both scales ten times a step",
        f"From {TEN_MILLION.most:,} for the best known person to {TEN_MILLION.followers(10**7):.0f} for the last; "
        "posts of authors above 5,000 are merged in at reading.",
        [curve, limit],
        across=charts.Axis(1, 10**7, tens, is_log=True),
        up=charts.Axis(
            10, 10**7, [(10**power, f"{10**power:,}") for power in range(1, 8, 2)], is_log=True
        ),
    )


def _through_a_day() -> str:
    reads, writes = all_units(day())
    curve = list(enumerate(day_curve(PEAK)))[::10]
    most = reads * PEAK
    hours = [(hour * 60, f"{hour}:00") for hour in range(0, 24, 4)]
    marks = [(most * share / 4, figure(most * share / 4)) for share in range(5)]
    return charts.lines(
        "Units a second through a day, in UTC",
        f"Reads rise from {figure(reads * min(v for _, v in curve))} at night to {figure(most)} at 20:00, writes to "
        f"{figure(writes * PEAK)}.",
        [
            charts.Curve("read units", [(minute, reads * value) for minute, value in curve]),
            charts.Curve("write units", [(minute, writes * value) for minute, value in curve]),
        ],
        across=charts.Axis(0, 24 * 60, hours),
        up=charts.Axis(0, most, marks),
    )


def _hottest() -> str:
    most: dict[str, tuple[Storm, Load]] = {}
    for storm, hottest in _loads():
        for load in hottest:
            if load.partition not in most or most[load.partition][1].used < load.used * 0.999:
                most[load.partition] = storm, load
    now = sorted(most.values(), key=lambda one: -one[1].used)[:14]
    rows = [
        *(
            charts.Bar(f"{name}, before", was.used, f"{was.used:.0%} {MENDED[name][0]}")
            for name, (was, _) in mended().items()
            if was.used > 0.5
        ),
        *(charts.Bar(load.partition, load.used, f"{load.used:.0%} {of.name}") for of, load in now),
    ]
    return charts.bars(
        "Each partition in its worst storm, of what a partition takes; ten times a step",
        sorted(rows, key=lambda one: -one.value),
        limit=1,
        limit_said="the limit",
    )


def _enough() -> int:
    """From how many shards on 95 in 100 changes have their effects within half a second."""
    return next(
        shards for shards in range(80, 1000, 10) if lag_of(storms()[0].all, shards).most < 0.5
    )


def _lag_chart() -> str:
    shown = [lag_of(storms()[0].all, shards) for shards in range(80, 481, 10)]
    half = charts.Curve("half of all", [(one.shards, min(one.half, 2)) for one in shown])
    most = charts.Curve("95 in 100", [(one.shards, min(one.most, 2)) for one in shown])
    shards = [(number, str(number)) for number in range(80, 481, 80)]
    return charts.lines(
        "Seconds from a change to its effects, by shards, in the busiest minute",
        f"From {_enough()} shards on 95 in 100 take less than half a second.",
        [half, most],
        across=charts.Axis(80, 480, shards),
        up=charts.Axis(0, 2, [(0, "0"), (0.5, "0.5"), (1, "1"), (1.5, "1.5"), (2, "2 or more")]),
    )
