"""Searching as one types: on its page, in the right column, by keys, on a phone, and in lists of one's own."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser import steps
from tests.browser.conftest import PHONE
from tests.conftest import person, post


@pytest.fixture
def page(alice, bob, carol, drain_stream, signed_in) -> Page:
    """Alice's browser; Bob and Carol have posted."""
    for author in (bob, carol):
        post(author)
    drain_stream()
    return signed_in(alice)


def box(page: Page) -> Locator:
    return page.get_by_role("main").get_by_role("searchbox", name="Search people")


def people(page: Page) -> Locator:
    return page.locator("article.person")


def beside(page: Page) -> Locator:
    return page.get_by_role("complementary").get_by_role("searchbox", name="Search people")


def hits(page: Page) -> Locator:
    return page.locator("#side-found a")


def test_people_are_found_while_one_types_and_the_address_says_so(page):
    page.goto("/explore")
    expect(people(page)).to_have_count(2)
    box(page).press_sequentially("bo", delay=40)
    expect(people(page)).to_have_count(1)
    expect(people(page)).to_contain_text("Bob Brandt")
    expect(page.locator("#found-says")).to_have_text("1 person found")
    steps.same_place(page, "/search?q=bo")
    expect(box(page)).to_be_focused()

    box(page).fill("nobody")
    expect(page.get_by_text("We couldn’t find “nobody”.")).to_be_visible()
    box(page).fill("")
    expect(people(page)).to_have_count(2)
    box(page).fill("陈")
    expect(people(page)).to_have_count(1)
    expect(people(page)).to_contain_text("Carol 陈")
    page.reload()
    expect(people(page)).to_contain_text("Carol 陈")
    expect(box(page)).to_have_value("陈")

    # Enter asks at once, and keeps the focus.
    box(page).fill("bob")
    box(page).press("Enter")
    expect(people(page)).to_contain_text("Bob Brandt")
    expect(box(page)).to_be_focused()


def test_many_are_found_by_scrolling_on(alice, signed_in, drain_stream):
    for number in range(30):
        person(f"anna{number:02}", f"Anna A{number:02}")
    drain_stream()
    page = signed_in(alice)
    page.goto("/search?q=anna")
    expect(people(page).first).to_be_visible()
    while (shown := people(page).count()) < 30:
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        expect(people(page).nth(shown)).to_be_attached()
    expect(people(page)).to_have_count(30)


def test_the_right_column_finds_while_one_types_and_nothing_moves(page, axe):
    for path in ("/@bob", "/settings/profile"):
        page.goto(path)
        expect(page.locator(".side-person")).to_have_count(1 if path == "/@bob" else 2)
        place = page.locator(".side-card").bounding_box()
        beside(page).press_sequentially("bo", delay=40)
        expect(hits(page)).to_have_count(1)
        expect(hits(page)).to_contain_text("Bob Brandt")
        expect(page.locator("#side-found-says")).to_have_text("1 person found")
        expect(beside(page)).to_be_focused()
        steps.same_place(page, path)
        assert page.locator(".side-card").bounding_box() == place, path
    assert axe(page) == []

    beside(page).fill("nobody")
    expect(page.locator("#side-found")).to_contain_text("We couldn’t find “nobody”.")
    beside(page).fill("")
    expect(page.locator("#side-found")).to_be_hidden()
    beside(page).fill("carol")
    beside(page).press("Enter")
    expect(people(page)).to_contain_text("Carol 陈")
    steps.same_place(page, "/search?q=carol")


def test_keys_walk_through_what_was_found_hide_it_and_open_it(page, visitor):
    page = visitor()
    page.goto("/local")
    page.keyboard.press("/")
    page.keyboard.type("bob")
    expect(hits(page)).to_contain_text("Bob Brandt")
    page.keyboard.press("ArrowDown")
    expect(hits(page)).to_be_focused()
    page.keyboard.press("Escape")
    expect(hits(page)).to_be_hidden()
    expect(beside(page)).to_be_focused()
    expect(beside(page)).to_have_value("bob")

    # Typing on shows it again, leaving hides it, and coming back shows it.
    beside(page).press_sequentially("b")
    beside(page).press("Backspace")
    expect(hits(page)).to_be_visible()
    steps.title(page).click()
    expect(hits(page)).to_be_hidden()
    beside(page).click()
    expect(hits(page)).to_be_visible()

    beside(page).fill("c")
    expect(hits(page)).to_contain_text("Carol 陈")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(hits(page).last).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(beside(page)).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    steps.same_place(page, "/@carol")


def test_a_phone_has_no_right_column_but_five_places_and_the_menu(page):
    page.set_viewport_size(PHONE)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto("/")
    expect(steps.composer(page)).to_be_visible()
    links = page.get_by_role("navigation", name="Main").get_by_role("link")
    expect(links).to_have_text(["Home", "Explore", "New post", "Notifications", "Profile"])
    page.locator(".account summary").click()
    for place in ("Local", "Settings"):
        expect(page.locator(".account").get_by_role("link", name=place)).to_be_visible()
    page.keyboard.press("Escape")
    links.filter(has_text="Explore").click()
    expect(people(page)).to_have_count(2)
    assert not [url for url in asked if "people-to-follow" in url]


def test_what_was_typed_goes_along_to_the_lists_of_ones_own(page, alice, axe):
    post(alice, "Soup at noon")
    page.goto("/explore")
    box(page).press_sequentially("soup", delay=40)
    page.get_by_role("link", name="Your posts").click()
    expect(page.locator("article.post mark")).to_have_text("Soup")
    steps.same_place(page, "/search?in=posts&q=soup")
    assert axe(page) == []
    field = page.get_by_role("searchbox", name="Search your posts")
    field.fill("noon tea")
    expect(page.locator("article.post")).to_have_count(1)  # until it is sent
    field.press("Enter")
    expect(page.get_by_text("We couldn’t find “noon tea” in your posts.")).to_be_visible()
