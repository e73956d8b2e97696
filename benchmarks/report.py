"""What a run says: the limits and whether they held, where a page's time goes, and what the parts of a card take."""

import timeit
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from rich.table import Table

from accounts.people.cards import PersonCard
from accounts.people.viewer import VISITOR
from benchmarks.bounds import Bound
from benchmarks.data import TEXTS
from benchmarks.measuring import Rounds, median, ratio
from benchmarks.variants import MAIN, Cost
from feed.cards.post_card import PostCard
from socialsite.table import ids
from socialsite.web.rich_text import rich_text

PAGE = f"page, {MAIN} followed"
READ_UNITS = 40.5
CALLS = 3


def bounds_of(rounds: Rounds, costs: tuple[Cost, Cost]) -> list[Bound]:
    def bound(
        name: str, ours: str, base: str, must: float | None, goal: float | None = None
    ) -> Bound:
        measured = ratio(rounds, ours, base)
        between = f"{measured.low:.2f} to {measured.high:.2f}"
        return Bound(name, measured.median, "≤", must, goal, between)

    data, page = costs
    bounds = [
        bound("data of the page / raw client", "data", "raw data", 2.2, 1.4),
        bound("data of the page / by botocore", "data", "data by botocore", 0.8, 0.7),
        bound("whole page / by botocore", PAGE, "page by botocore", 0.95),
        bound("whole page / page of plain templates", PAGE, "plain page", None, 0.5),
        bound("whole page / naive page", PAGE, "naive page", 0.60, 0.40),
        bound(
            "page at 1,000 followed / at 10", "page, 1000 followed", "page, 10 followed", 1.25, 1.15
        ),
        bound("page with the lens closed / without it", PAGE, "page without the lens", 1.03, 1.0),
        bound(
            "page recorded for a lens / without it",
            "page recorded for a lens",
            "page without the lens",
            1.1,
        ),
        Bound("calls for the page", page.calls, "≤", goal=CALLS, rounds="exact"),
        Bound("read units for the page's data", data.read_units, "≤", READ_UNITS, rounds="exact"),
    ]
    if "page, large table" in rounds:
        name = "page at 1,000,000 items / at 10,000"
        bounds.insert(6, bound(name, "page, large table", PAGE, 1.3, 1.1))
    return bounds


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
        "time_of": lambda: ids.time_of(post_id),
        "PostCard.ago (in the template)": lambda: card.ago,
        "PostCard.when (in the template)": lambda: card.when,
        "PostCard.like_count_text (in the template)": lambda: card.like_count_text,
    }
    made = Table("part of a card", "µs", "ms for 20", title="Parts of a card")
    for name, part in parts.items():
        seconds = min(timeit.repeat(part, number=500, repeat=7)) / 500
        made.add_row(name, f"{seconds * 1e6:.1f}", f"{seconds * 2e4:.2f}")
    return made
