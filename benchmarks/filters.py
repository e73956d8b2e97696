"""Where is a list best filtered? `python -m benchmarks.filters [--rounds N]`

The friends in one circle, filtered by DynamoDB (`FilterExpression`, as `list_relations` does) and by Python, at 10, 100
and 1,000 friends of which a tenth has ended. All ways run in turn; what counts are the ratios of one run, of the time
that passed and of the site's own processor time.
"""

import argparse
import os
import statistics
import sys
from collections import defaultdict
from functools import partial

import django
from rich.console import Console
from rich.table import Table

os.environ["DJANGO_SETTINGS_MODULE"] = "benchmarks.settings"
django.setup()

from benchmarks import site  # noqa: E402
from benchmarks.measuring import Rounds, Sample, Stopwatch, interleave, median  # noqa: E402
from relations.filters import Filters  # noqa: E402
from relations.models import Relation, RelationType  # noqa: E402
from relations.relation import is_in_force  # noqa: E402
from socialsite.clock import utc_now_iso  # noqa: E402
from socialsite.table import (  # noqa: E402
    ids,
    item_size,
    keys,
    measure,
    query,
    row,
    write_batch,
)

COUNTS = (10, 100, 1_000)
CIRCLE = ids.new_id()
ENDED_EVERY, IN_CIRCLE_EVERY = 10, 50
TIMES = 5
TABLE = "filters"
BOUNDS = keys.relation_bounds(RelationType.FRIEND)


def main() -> int:
    options = _options()
    with site.engine() as engine:
        site.make_table(TABLE)
        with site.table(TABLE):
            people = {count: _fill(count) for count in COUNTS}
            rounds = _measure(Stopwatch(engine.process.pid), people, options.rounds)
            table = _table(rounds, people)
    Console().print(table)
    return 0


def _measure(watch: Stopwatch, people: dict[int, str], count: int) -> Rounds:
    ways = {
        f"{friends:,} {name}": partial(way, user_id)
        for friends, user_id in people.items()
        for name, way in (("DynamoDB", by_dynamodb), ("Python", by_python))
    }
    assert all(by_dynamodb(user_id) == by_python(user_id) for user_id in people.values())
    rounds: dict[str, list[Sample]] = defaultdict(list)
    for samples in interleave(watch, ways, rounds=count, times=TIMES):
        for name, sample in samples.items():
            rounds[name].append(sample)
    return rounds


def by_dynamodb(user_id: str) -> list[str]:
    """The friends in the circle, as `list_relations` asks for them."""
    condition = Filters(tag=CIRCLE).exact
    rows = query(keys.relations(user_id), between=BOUNDS, having=condition)
    return [row(Relation, raw).other_id for raw in rows if is_in_force(raw)]


def by_python(user_id: str) -> list[str]:
    """The same, of all friends."""
    rows = query(keys.relations(user_id), between=BOUNDS)
    return [
        row(Relation, raw).other_id
        for raw in rows
        if is_in_force(raw) and CIRCLE in row(Relation, raw).tags
    ]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.filters", description=__doc__)
    parser.add_argument("--rounds", type=int, default=24, help="how often each is measured")
    options = parser.parse_args()
    if options.rounds < 2:
        parser.error("--rounds must be at least 2")
    return options


def _fill(count: int) -> str:
    """Friends of someone, with what a card of theirs shows."""
    user_id, now = ids.new_id(), utc_now_iso()
    write_batch(
        puts=[
            Relation(
                *keys.relation(user_id, RelationType.FRIEND, other_id),
                user_id=user_id,
                other_id=other_id,
                relation_type=RelationType.FRIEND,
                tags={CIRCLE} if number % IN_CIRCLE_EVERY == 1 else None,
                note="Met at the harbour, knows about boats. " * 3,
                location="Uppsala",
                gender="she/her",
                created_at=now,
                update_time=now,
                delete_status=number % ENDED_EVERY == 0,
            )
            for number, other_id in enumerate(ids.new_id() for _ in range(count))
        ]
    )
    return user_id


def _table(rounds: Rounds, people: dict[int, str]) -> Table:
    table = Table("Friends", "Filtered by", "R", "KB answered", "ms", "own processor, ms", "ratios")
    for count, user_id in people.items():
        base = f"{count:,} Python"
        for way, ask in (("Python", by_python), ("DynamoDB", by_dynamodb)):
            name = f"{count:,} {way}"
            with measure(keep=True) as meter:
                ask(user_id)
            answered = sum(
                item_size(raw) for call in meter.calls for raw in (call.answer or {})["Items"]
            )
            middle = median(rounds[name])
            passed, own = (_ratio(rounds, name, base, kind) for kind in ("passed", "own"))
            table.add_row(
                f"{count:,}",
                way,
                f"{meter.read_units:g}",
                f"{answered / 1024:.1f}",
                f"{middle.passed:.2f}",
                f"{middle.own:.2f}",
                f"{passed:.2f}, {own:.2f}",
            )
    return table


def _ratio(rounds: Rounds, name: str, base: str, kind: str) -> float:
    """The median of the rounds' own ratios. The engine's work is left out, as on Amazon it is not ours."""
    pairs = zip(rounds[name], rounds[base], strict=True)
    return statistics.median(getattr(one, kind) / getattr(other, kind) for one, other in pairs)


if __name__ == "__main__":
    sys.exit(main())
