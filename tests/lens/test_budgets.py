"""Each page keeps to its budget on the demo data, which have polls, quotes, reposts, photos and posts for some."""

from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import resolve

from accounts.people.reads import find_user_by_handle
from accounts.people.viewer import Viewer
from feed.explore.reads import explored
from feed.explore.writes import rank_liked_today
from feed.home.reads import newest_authors
from lens.figures import BUDGETS, Budget, budget_of
from operations.seed.demo_data import DemoData, Sizes
from socialsite.table import write_batch
from tests.conftest import browser_of
from tests.prepared import Prepared
from tests.tables import RunningEngine, empty_table
from tests.web.html import Html

pytestmark = pytest.mark.engines("embedded", reason="the others report other capacity")

LISTS = [
    "/",
    "/favourites",
    "/local",
    "/explore",
    "/explore/people",
    "/welcome",
    "/@alice",
    "/@bob",
    "/@bob/replies",
    "/@bob/media",
    "/@bob/followers",
    "/@bob/following",
    "/friends",
    "/notifications",
    "/saved",
    "/tags",
    "/tags/cats",
    "/posts/new",
    "/settings/profile",
    "/settings/privacy",
    "/settings/appearance",
]
OF_A_POST = ["", "/likers", "/reposters", "/quotes"]


@pytest.fixture(scope="module")
def alice_of_demo(running_engine: RunningEngine, prepared: Prepared) -> Iterator[Client]:
    with empty_table(running_engine, prepared):
        data = DemoData(Sizes(people=60, posts=600, pictures=0))
        write_batch(puts=list(data.items()))
        rank_liked_today()
        yield browser_of(Viewer(find_user_by_handle("alice")))


@pytest.mark.long
def test_every_page_keeps_to_its_budget(alice_of_demo, requests_of):
    liked = Html(alice_of_demo.get("/")).all("article")[0]["data-href"]
    alice_of_demo.get("/explore")  # finds people once a day: tests/relations/test_discovery.py
    seen, broken = set(), {}
    for address in (*LISTS, *(f"{liked}{part}" for part in OF_A_POST)):
        name = resolve(address).view_name
        seen.add(name)
        newest_authors()  # which each process keeps for all pages
        explored()
        with requests_of() as requests:
            assert alice_of_demo.get(address).status_code == 200
        budget = budget_of(name)
        if not budget.kept(len(requests.made), sum(requests.units)).is_whole:
            broken[address] = (len(requests.made), sum(requests.units))
    assert not broken
    assert seen == BUDGETS.keys()


def test_a_page_over_its_budget_is_told(alice_of_demo, settings, monkeypatch):
    settings.DEBUG = True
    monkeypatch.setitem(BUDGETS, "feed:home", Budget(calls=9, reads=1))
    page = Html(alice_of_demo.get("/"))
    assert "of at most 9 calls" in page.one("span", class_="is-kept").text
    assert "of at most 1 R" in page.one("span", class_="is-over").text
