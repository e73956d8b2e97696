"""What a run says: the limits and whether they held, where a page's time goes, and what the parts of a card take."""

import timeit
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from rich.table import Table

from accounts.cards import PersonCard
from accounts.viewer import VISITOR
from benchmarks.data import TEXTS
from benchmarks.measuring import Ratio, Rounds, median, ratio
from benchmarks.variants import MAIN, Cost
from feed.cards import PostCard
from socialsite.table import ids
from socialsite.web.ago import ago
from socialsite.web.rich_text import rich_text

PAGE = f"page, {MAIN} followed"
READ_UNITS = 40.5


@dataclass(frozen=True, slots=True)
class Limit:
    """`name` must stay at or below `most`; the better `aim` is told, not held."""

    name: str
    value: float
    most: float
    aim: float | None = None
    spread: Ratio | None = None

    @property
    def held(self) -> bool:
        return self.value <= self.most


def limits_of(rounds: Rounds, costs: tuple[Cost, Cost]) -> list[Limit]:
    def limit(name: str, ours: str, base: str, most: float, aim: float | None = None) -> Limit:
        measured = ratio(rounds, ours, base)
        return Limit(name, measured.median, most, aim, measured)

    limits = [
        limit("data of the page / raw client", "data", "raw data", 2.2, 1.4),
        limit("whole page / naive page", PAGE, "naive page", 0.60, 0.40),
        limit(
            "page at 1,000 followed / at 10", "page, 1000 followed", "page, 10 followed", 1.25, 1.15
        ),
        limit("page with the lens closed / without it", PAGE, "page without the lens", 1.03, 1.0),
        limit(
            "page recorded for a lens / without it",
            "page recorded for a lens",
            "page without the lens",
            1.1,
        ),
        Limit("calls for the page's data", costs[0].calls, 2),
        Limit("read units for the page's data", costs[0].read_units, READ_UNITS),
    ]
    if "page, large table" in rounds:
        name = "page at 1,000,000 items / at 10,000"
        limits.insert(3, limit(name, "page, large table", PAGE, 1.3, 1.15))
    return limits


def limit_table(limits: list[Limit]) -> Table:
    made = Table("what", "measured", "middle half", "must be ≤", "aim", "", title="Limits")
    for limit in limits:
        spread = limit.spread
        made.add_row(
            limit.name,
            f"{limit.value:.3f}" if spread else f"{limit.value:g}",
            f"{spread.low:.3f} to {spread.high:.3f}" if spread else "exact",
            f"{limit.most:g}",
            f"{limit.aim:g}" if limit.aim else "",
            "[green]held[/]" if limit.held else "[red]missed[/]",
        )
    return made


def cost_table(rounds: Rounds, costs: tuple[Cost, Cost]) -> Table:
    data, page = costs
    made = Table(
        *("ms for one", "processor", "of it ours", "of it the engine's", "passed", "of the page"),
        title=f"Where the time goes (page: {page.calls} calls, {page.read_units:g} read units; "
        f"its data: {data.calls} calls, {data.read_units:g})",
    )
    whole = median(rounds[PAGE]).cpu
    for name in sorted(rounds, key=lambda name: median(rounds[name]).cpu):
        sample = median(rounds[name])
        made.add_row(
            name,
            *(f"{ms:.1f}" for ms in (sample.cpu, sample.own, sample.engine, sample.passed)),
            f"{sample.cpu / whole:.0%}",
        )
    return made


def card_table() -> Table:
    """Microseconds each, beside nothing else: the parts of a card that are worked out for every post."""
    post_id = ids.first_id_at(datetime.now(UTC) - timedelta(hours=3))
    author = PersonCard("", "person7", "Person 7", "/@person7", "")
    raw = {"post_id": {"S": post_id}, "content": {"S": TEXTS[0]}}
    card = PostCard.from_raw(raw, author=author, counts=None, trace=None, viewer=VISITOR)
    parts: dict[str, Callable[[], object]] = {
        "PostCard.from_raw, all of it": lambda: PostCard.from_raw(
            raw, author=author, counts=None, trace=None, viewer=VISITOR
        ),
        "rich_text, plain": lambda: rich_text(TEXTS[0]),
        "rich_text, a mention and an ampersand": lambda: rich_text(TEXTS[1]),
        "rich_text, a link": lambda: rich_text(TEXTS[2]),
        "ago": lambda: ago(card.created),
        "time_of": lambda: ids.time_of(post_id),
        "PostCard.when (in the template)": lambda: card.when,
        "PostCard.like_count_text (in the template)": lambda: card.like_count_text,
    }
    made = Table("part of a card", "µs", "ms for 20", title="Parts of a card")
    for name, part in parts.items():
        seconds = min(timeit.repeat(part, number=500, repeat=7)) / 500
        made.add_row(name, f"{seconds * 1e6:.1f}", f"{seconds * 2e4:.2f}")
    return made
