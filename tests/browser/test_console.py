"""No page says an error to anyone: four kinds of people follow every link, and do what scripts carry out in the page.

The watch of the browsers (watch.py) notes errors of the console and answers of 400 and above. None is right.
Pages move here, as they do for most people, while other browser tests ask for reduced motion.
"""

from collections import deque
from collections.abc import Iterator
from types import SimpleNamespace
from urllib.parse import urljoin

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import resolve
from playwright.sync_api import expect

from feed.likes.writes import like_post
from feed.saved.writes import create_folder, save_post
from moderation.reports.writes import file_report
from relations.follows.writes import follow
from relations.friends.writes import create_circle, request_friend
from tests.browser import steps
from tests.conftest import browser_of, post
from tests.feed.composing.shelves import schedule
from tests.feed.photographs import photo
from tests.feed.polls.polling import ask
from tests.injected.rotation import IS_LONG, share
from tests.web.html import Html

pytestmark = [
    pytest.mark.engines("embedded", reason="looks at pages, which no engine changes"),
    pytest.mark.timeout(900 if IS_LONG else 120),
]

LEAST = {"visitor": 20, "member": 60, "moderator": 70, "admin": 80}
FILES = ("/static/", "/media/", "/m/", "/pm/")
MOVING = {"reduced_motion": "no-preference"}
# What password managers and other add-ons of browsers do.
MARK_FIELDS = (
    "for (const one of document.querySelectorAll('input, textarea')) one.style.color = 'red'"
)


@pytest.fixture
def world(alice, bob, carol, mod, admin, drain_stream) -> SimpleNamespace:
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
    return SimpleNamespace(
        people={"member": alice, "moderator": mod, "admin": admin}, theirs=theirs, own=own
    )


def test_no_page_says_an_error_to_any_kind_of_person(world, visitor, signed_in):
    """Every address is asked for by all whom links lead there; a third of them, another one each run, is opened."""
    found = {}
    for kind in ("visitor", *world.people):
        person = world.people.get(kind)
        found[kind] = follow_links(browser_of(person) if person else Client())
    few = {kind: paths for kind, paths in found.items() if len(paths) < LEAST[kind]}
    assert few == {}
    every = [(kind, path) for kind, paths in found.items() for path in paths]
    drawn = share(every, one_of=3, salt="pages that are opened")
    for kind in found:
        person = world.people.get(kind)
        page = signed_in(person, **MOVING) if person else visitor(**MOVING)
        for whose, path in drawn:
            if whose == kind:
                page.goto(path)
        page.context.close()


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


def test_fields_that_an_add_on_marked_can_be_replaced(world, alice, bob, signed_in):
    """htmx copies the style of a field to the one that comes in its place, if it is told to."""
    page = signed_in(alice, **MOVING)
    page.goto(f"/@bob/posts/{world.theirs}")
    for text in ("At the foot", "Again"):
        page.evaluate(MARK_FIELDS)
        page.get_by_label("Reply to @bob").fill(text)
        page.locator("#reply").get_by_role("button", name="Reply").click()
        expect(steps.card(page, text)).to_be_visible()
        expect(page.get_by_label("Reply to @bob")).to_have_value("")


def test_a_window_that_changes_its_size_after_a_refusal_is_no_error(world, visitor, watch):
    """As on phones, whose keyboard goes as the next page comes."""
    watch.expect("422")
    page = visitor(**MOVING)
    for width in (500, 800, 500, 800):
        page.goto("/signup")
        page.get_by_label("Handle").fill("bob")
        with page.expect_response("**/signup"):
            page.locator("#sign-up").get_by_role("button", name="Sign up").click()
        page.set_viewport_size({"width": width, "height": 700})
        expect(page.get_by_role("alert")).to_be_visible()
