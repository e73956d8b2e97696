"""Every link on every page leads to a page, for four kinds of people."""

from collections import deque
from collections.abc import Iterator
from urllib.parse import urljoin

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import resolve

from accounts.people.viewer import Viewer
from feed.likes.writes import like_post
from feed.saved.writes import create_folder, save_post
from moderation.reports.writes import file_report
from relations.follows.writes import follow
from relations.friends.writes import create_circle, request_friend
from tests.conftest import browser_of, post
from tests.feed.scenes import ask, photo, schedule
from tests.injected.faults import share
from tests.web.html import Html

pytestmark = pytest.mark.engines(
    "embedded", reason="where a link leads does not hang on the engine"
)

LEAST = {"visitor": 20, "member": 60, "moderator": 70, "admin": 80}
FILES = ("/static/", "/media/", "/m/", "/pm/")


@pytest.fixture
def people(alice, bob, carol, mod, admin, drain_stream) -> dict[str, Viewer]:
    """Alice, to whom all kinds of things have happened, and a case for staff."""
    theirs, own = post(bob, "Look, a bird #birds"), post(alice, "My own words")
    ask(bob)
    folder = create_folder(by=alice, name="Birds")
    save_post(by=alice, post_id=theirs, author_id=bob.user_id, folder_id=folder)
    create_circle(by=alice, name="Choir")
    for fan in (bob, carol):
        follow(by=fan, user_id=alice.user_id)
        like_post(by=fan, post_id=own, author_id=alice.user_id)
    follow(by=alice, user_id=bob.user_id)
    request_friend(by=carol, user_id=alice.user_id)
    schedule(alice, content="Later")
    photo(alice)
    file_report(by=carol, person_id=bob.user_id, post_id=theirs, rule_id="spam")
    drain_stream()
    return {"member": alice, "moderator": mod, "admin": admin}


@pytest.mark.long
def test_links_lead_to_pages_for_each_kind_of_person(people):
    """Two kinds a run, others each time."""
    found = {}
    for kind in share(LEAST, one_of=2, salt="people who follow links"):
        person = people.get(kind)
        found[kind] = follow_links(browser_of(person) if person else Client())
    few = {kind: paths for kind, paths in found.items() if len(paths) < LEAST[kind]}
    assert few == {}


def follow_links(browser: Client) -> list[str]:
    """The pages that links lead to from home, one of each kind of address."""
    waiting, seen, pages = deque(["/"]), set(), []
    while waiting:
        path = waiting.popleft()
        if (kind := kind_of(path)) in seen:
            continue
        seen.add(kind)
        answer = browser.get(path, follow=True)
        assert answer.status_code == 200, path
        if answer["Content-Type"].startswith("text/html"):  # not what is downloaded
            pages.append(path)
            waiting.extend(links_on(path, answer))
    return pages


def kind_of(path: str) -> str:
    """The name of the address, and of what is asked of it: `search?in&q`."""
    plain, _, query = path.partition("?")
    asked = sorted({pair.partition("=")[0] for pair in query.split("&") if pair})
    return f"{resolve(plain).url_name}?{'&'.join(asked)}"


def links_on(path: str, response: HttpResponse) -> Iterator[str]:
    for link in Html(response).all("a"):
        address = urljoin(path, link.attributes.get("href", "")).partition("#")[0]
        if address.startswith("/") and not address.startswith(("//", *FILES)):
            yield address
