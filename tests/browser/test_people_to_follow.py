"""The card of people to follow comes after the page, and nothing moves when it does."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser import steps
from tests.conftest import person, post
from tests.relations.nearby import befriend

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")

FETCH = "feed.views.people_to_follow.list_few_to_follow"
SHIFT = """() => new Promise((resolve) => {
    let total = 0;
    const observer = new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) total += entry.value;
    });
    observer.observe({ type: "layout-shift", buffered: true });
    requestAnimationFrame(() => setTimeout(() => resolve(total), 100));
})"""


def footer_top(page: Page) -> float:
    return page.locator(".side .side-links").bounding_box()["y"]


@pytest.fixture(params=[0, 1, 3, 9], ids=lambda n: f"{n} people")
def people(request, alice, bob, drain_stream) -> int:
    """So many people post; from three on, the first is also a friend of a friend, which takes a line to say."""
    others = [person(f"author{n}", "A name that is rather long " * 3) for n in range(request.param)]
    for other in others:
        post(other)
    if len(others) >= 3:
        befriend(alice, bob)
        befriend(bob, others[0])
    drain_stream()
    return request.param


def test_nothing_moves_when_the_people_come(people, alice, signed_in, hold):
    page, answer = signed_in(alice), hold(FETCH)
    with page.expect_request("**/people-to-follow"):
        page.goto("/")
    before = footer_top(page)
    answer.set()
    card = page.get_by_role("region", name="People to follow")
    expect(card.locator(".side-person, .side-note")).to_have_count(min(people, 3) or 1)
    assert footer_top(page) == before
    assert page.evaluate(SHIFT) == 0


def test_nothing_moves_with_text_twice_as_large(alice, signed_in, hold, drain_stream):
    for number in range(3):
        post(person(f"author{number}", "A name that is rather long " * 3))
    drain_stream()
    page, answer = signed_in(alice, viewport={"width": 1600, "height": 900}), hold(FETCH)
    page.add_init_script(
        "addEventListener('DOMContentLoaded', () => { document.documentElement.style.fontSize = '200%' })"
    )
    with page.expect_request("**/people-to-follow"):
        page.goto("/")
    before = footer_top(page)
    answer.set()
    expect(page.locator(".side-person")).to_have_count(3)
    assert footer_top(page) == before


def test_beside_a_profile_its_person_is_not_suggested(alice, bob, carol, signed_in, drain_stream):
    for author in (bob, carol):
        post(author)
    drain_stream()
    page = signed_in(alice)
    page.goto("/@bob")
    card = page.get_by_role("region", name="People to follow")
    expect(card.locator(".handle")).to_have_text(["@carol"])
    expect(steps.title(page)).to_contain_text("Bob")


def test_without_scripts_the_card_keeps_no_empty_place(alice, signed_in):
    page = signed_in(alice, java_script_enabled=False)
    page.goto("/")
    card = page.get_by_role("region", name="People to follow")
    expect(card.get_by_role("link", name="Find people")).to_be_visible()
    assert card.bounding_box()["height"] < 120
