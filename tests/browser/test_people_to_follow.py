"""The card of people to follow comes after the page, and where there are enough of them nothing moves when it does."""

import re

import pytest
from playwright.sync_api import Page, expect

from accounts.profile.writes import edit_profile
from relations.follows.writes import follow
from relations.suggested import look_for_people
from tests.browser import steps
from tests.browser.screens import PHONE
from tests.conftest import person, post
from tests.relations.nearby import befriend

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")

CARD = "**/people-to-follow"
LONG = "A name that is rather long " * 3
TWICE = "addEventListener('DOMContentLoaded', () => { document.documentElement.style.fontSize = '200%' })"
SHIFT = """() => new Promise((resolve) => {
    let total = 0;
    const observer = new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) total += entry.value;
    });
    observer.observe({ type: "layout-shift", buffered: true });
    requestAnimationFrame(() => setTimeout(() => resolve(total), 100));
})"""


def expect_nothing_moves(page: Page, rows: int, *, is_shifted: bool = False) -> None:
    """Opens Home, and looks where the foot of the right column is before and after the card has come."""
    held = steps.hold(page, CARD)
    with page.expect_request(CARD):
        page.goto("/")
    foot = page.locator(".side .side-links")
    before = foot.bounding_box()
    steps.let_go(page, CARD, held)
    expect(page.locator(".side-person, .side-note")).to_have_count(rows)
    assert foot.bounding_box() == before
    assert is_shifted or page.evaluate(SHIFT) == 0


def test_nothing_moves_when_the_people_come(alice, bob, carol, mod, signed_in, drain_stream):
    authors = [person(f"author{number}", LONG) for number in range(9)]
    for author in authors:
        post(author)
    befriend(alice, bob)
    befriend(bob, authors[0])
    look_for_people(alice.user_id)
    for author in authors[1:]:
        follow(by=carol, user_id=author.user_id)
    for author in authors:
        follow(by=mod, user_id=author.user_id)
    drain_stream()

    page = signed_in(alice)
    expect_nothing_moves(page, 3)
    reasons = page.locator(".side-card .reason")
    expect(reasons).to_have_text([re.compile("Friends with"), "Posted lately", "Posted lately"])
    large = signed_in(alice, viewport={"width": 1600, "height": 900})
    large.add_init_script(TWICE)
    expect_nothing_moves(large, 3, is_shifted=True)  # by the larger text itself


def test_for_few_people_the_card_keeps_no_gap(alice, bob, carol, signed_in, drain_stream):
    authors = [person(f"author{number}") for number in range(3)]
    for author in authors:
        post(author)
        follow(by=carol, user_id=author.user_id)
    for author in authors[1:]:
        follow(by=bob, user_id=author.user_id)
    drain_stream()

    for viewer, rows in ((bob, ".side-person"), (carol, ".side-note")):
        page = signed_in(viewer)
        page.goto("/")
        expect(page.locator(".side-person, .side-note")).to_have_count(1)
        row, more = page.locator(rows), page.get_by_role("link", name="Find people").last
        gap = more.bounding_box()["y"] - row.bounding_box()["y"] - row.bounding_box()["height"]
        assert gap == 14
        assert page.evaluate(SHIFT) < 0.02


def test_with_large_text_rows_and_badges_keep_to_their_places(
    alice, bob, carol, signed_in, drain_stream
):
    for author in (bob, carol):
        edit_profile(by=author, name="A name of five short words", bio="")
        post(author)
    follow(by=bob, user_id=alice.user_id)
    drain_stream()
    page = signed_in(alice)
    page.add_init_script(TWICE)
    page.goto("/")
    expect(page.locator(".side-person")).to_have_count(2)
    for row in page.locator(".side-person").all():
        name, reason = (row.locator(one).bounding_box() for one in (".person-name", ".reason"))
        assert name["y"] + name["height"] <= reason["y"] + 1

    page.set_viewport_size(PHONE)
    assert page.locator(".nav-link .nav-badge").first.bounding_box()["height"] < 26


def test_without_scripts_the_card_keeps_no_empty_place(alice, signed_in):
    page = signed_in(alice, java_script_enabled=False)
    page.goto("/")
    card = page.get_by_role("region", name="People to follow")
    expect(card.get_by_role("link", name="Find people")).to_be_visible()
    assert card.bounding_box()["height"] < 120
