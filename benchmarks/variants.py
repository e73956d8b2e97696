"""The ways of making a home timeline that are held against each other, by name."""

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.test import RequestFactory
from django_htmx.middleware import HtmxDetails

from accounts.people.viewer import Viewer
from accounts.sessions import get_viewer, hash_secret
from benchmarks.data import FOLLOWED, SECRET, Society
from benchmarks.measuring import Action
from benchmarks.raw_client import RawClient
from benchmarks.site import Browser, table
from feed.composing.forms import BlankForm
from feed.home.reads import Pill, get_timeline
from socialsite.table import PAGE_SIZE
from socialsite.table.connection import client
from socialsite.table.transport import client as standing
from socialsite.web.fragments import neighbours

TABLE = settings.DYNAMODB_TABLE
LARGE_TABLE = f"{TABLE}-large"
LENS = "lens.access.look_through_lens"
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
        "data by botocore": _by_botocore(lambda: get_timeline(viewer)),
        "template": lambda: render_to_string("feed/home.html", context, request),
        "naive page": browsers[MAIN].page("/naive"),
        "page by botocore": _by_botocore(browsers[MAIN].page("/")),
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
