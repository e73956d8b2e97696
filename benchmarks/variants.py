"""The ways in which a page can be read, side by side, and the report of them."""

import timeit
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.test import RequestFactory
from django_htmx.middleware import HtmxDetails
from rich.table import Table

from accounts.people.cards import PersonCard
from accounts.people.viewer import VISITOR, Viewer
from accounts.sessions import get_viewer, hash_secret
from benchmarks.bounds import Bound
from benchmarks.data import FOLLOWED, SECRET, TEXTS, Society
from benchmarks.measuring import Action, Rounds, median, ratio
from benchmarks.raw_client import RawClient
from benchmarks.site import Browser, table
from feed.cards.post_card import PostCard
from feed.composing.forms import BlankForm
from feed.home.reads import Pill, get_timeline
from socialsite.table import PAGE_SIZE, ids
from socialsite.table.connection import client
from socialsite.table.transport import client as standing
from socialsite.web.fragments import neighbours
from socialsite.web.rich_text import rich_text

TABLE = settings.DYNAMODB_TABLE
LARGE_TABLE = f"{TABLE}-large"
LENS = "lens.middleware.look_through_lens"
MAIN = 100  # how many people the viewer of the main page follows


def actions(society: Society, raw: RawClient, *, large: bool) -> dict[str, Action]:
    user_id = society.viewers[MAIN]
    viewer = _viewer(user_id)
    browsers = {count: Browser(society.viewers[count]) for count in FOLLOWED}
    request = _request(viewer)
    page = get_timeline(viewer)
    context = {
        "posts": page.items,
        "form": BlankForm(),
        "pill": Pill.above(viewer, page.top),
        **neighbours(request, page),  # type: ignore[arg-type]
    }
    _check(viewer, raw, browsers[MAIN])
    ways: dict[str, Action] = {
        "raw data": lambda: raw.timeline(TABLE, user_id),
        "data": lambda: get_timeline(viewer),
        "template": lambda: render_to_string("feed/home.html", context, request),
        "naive page": browsers[MAIN].page("/naive"),
        "plain page": _by_botocore(browsers[MAIN].page("/plain", encoding="gzip")),
    }
    for count, browser in browsers.items():
        ways[f"page, {count} followed"] = browser.page("/")
    user = society.viewers[MAIN]
    ways["page without the lens"] = Browser(user, without=LENS).page("/")
    ways["page recorded for a lens"] = Browser(user, cookies="; __Host-lens=1").page("/")
    if large:
        ways["page, large table"] = _in_table(LARGE_TABLE, browsers[MAIN].page("/"))
        ways["data, large table"] = _in_table(LARGE_TABLE, lambda: get_timeline(viewer))
    return ways


@dataclass(frozen=True, slots=True)
class Cost:
    calls: int
    read_units: float


def costs(society: Society) -> tuple[Cost, Cost]:
    """What the main page's data cost, and what the whole page cost."""
    viewer = _viewer(society.viewers[MAIN])
    page = Browser(viewer.user_id).page("/")
    page()  # the first one of a process also reads the rules of the site, which it keeps for seconds
    return _cost(lambda: get_timeline(viewer)), _cost(page)


def _cost(action: Action) -> Cost:
    # Not by `meter.measure`: the site's middleware starts a meter of its own for each request.
    units: list[float] = []

    def note(parsed: dict[str, Any], **_: Any) -> None:
        capacity = parsed["ConsumedCapacity"]
        entries = capacity if isinstance(capacity, list) else [capacity]
        units.append(sum(entry["CapacityUnits"] for entry in entries))

    events = client().meta.events
    events.register("after-call.dynamodb", note)
    try:
        action()
    finally:
        events.unregister("after-call.dynamodb", note)
    return Cost(len(units), sum(units))


def _check(viewer: Viewer, raw: RawClient, browser: Browser) -> None:
    """The ways must show the same, else their times say nothing."""
    cards = get_timeline(viewer).items
    if len(cards) != PAGE_SIZE or len({card.author.user_id for card in cards}) != PAGE_SIZE:
        raise RuntimeError("the main page must have 20 posts of 20 authors")
    items = raw.timeline(TABLE, viewer.user_id)
    if {card.post_id for card in cards} != {
        item["post_id"]["S"] for item in items if item["type"]["S"] == "Post"
    }:
        raise RuntimeError("the raw client read other posts than the site")
    for address in ("/", "/plain", "/naive"):
        page = browser.page(address, encoding="")().decode()
        places = [page.find(f'id="post-{card.post_id}"') for card in cards]
        if -1 in places or places != sorted(places):
            raise RuntimeError(f"{address} shows other posts than were read")


def _viewer(user_id: str) -> Viewer:
    return get_viewer(user_id, hash_secret(SECRET))[0]


def _request(viewer: Viewer) -> HttpRequest:
    request = RequestFactory().get("/", secure=True, headers={"host": "localhost"})
    request.user = viewer  # type: ignore[assignment]
    request.htmx = HtmxDetails(request)  # type: ignore[attr-defined]
    return request


def _in_table(name: str, action: Action) -> Action:
    def inside() -> None:
        with table(name):
            action()

    return inside


def _by_botocore(action: Action) -> Action:
    """The same action without the transport of our own."""

    def inside() -> None:
        kept, standing._standing = standing._standing, None
        try:
            action()
        finally:
            standing._standing = kept

    return inside


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
        bounds.insert(4, bound(name, "page, large table", PAGE, 1.3, 1.1))
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
