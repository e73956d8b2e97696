"""Searching as one types, by a form without scripts, from the right column; people to follow beside the timeline."""

import pytest
from playwright.sync_api import Locator, Page, expect

from relations.services.follow import follow
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


def test_enter_asks_at_once_and_keeps_the_focus(page):
    page.goto("/search")
    box(page).fill("bob")
    box(page).press("Enter")
    expect(people(page)).to_have_count(1)
    expect(box(page)).to_be_focused()


def test_who_was_found_is_followed_from_the_list(page):
    page.goto("/search?q=bob")
    button = people(page).get_by_role("button")
    with page.expect_response("**/follow"):
        button.click()
    steps.expect_state(button, on=True)
    expect(button).to_be_focused()
    page.reload()
    steps.expect_state(button, on=True)


def test_many_are_found_by_scrolling_on(alice, signed_in, drain_stream):
    for number in range(30):
        person(f"anna{number:02}", f"Anna A{number:02}")
    drain_stream()
    page = signed_in(alice)
    page.goto("/search?q=anna")
    expect(people(page).first).to_be_visible()
    for _ in range(20):
        if people(page).count() == 30:
            break
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        page.wait_for_load_state("networkidle")
    expect(people(page)).to_have_count(30)


def test_the_right_column_has_a_search_and_people_to_follow(page, bob, carol, axe):
    follow(by=bob, user_id=carol.user_id)
    page.goto("/@carol/followers")
    card = page.get_by_role("region", name="People to follow")
    expect(card.get_by_role("button")).to_have_count(1)
    own = page.get_by_role("main").get_by_role("button", name="Bob Brandt")
    beside = card.get_by_role("button", name="Bob Brandt")
    beside.click()
    steps.expect_state(beside, on=True)
    expect(beside).to_be_focused()
    expect(own).to_have_attribute("aria-pressed", "false")  # until the page is loaded anew
    assert axe(page) == []

    field = page.get_by_role("complementary").get_by_role("searchbox")
    field.fill("carol")
    field.press("Enter")
    expect(people(page)).to_contain_text("Carol 陈")
    steps.same_place(page, "/search?q=carol")


def test_a_phone_has_no_right_column_and_asks_for_none(page):
    page.set_viewport_size(PHONE)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto("/")
    expect(steps.composer(page)).to_be_visible()
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Explore").click()
    expect(people(page)).to_have_count(2)
    assert not [url for url in asked if "people-to-follow" in url]


def test_the_bar_of_a_phone_has_five_places_and_the_menu_the_settings(page):
    page.set_viewport_size(PHONE)
    page.goto("/")
    links = page.get_by_role("navigation", name="Main").get_by_role("link")
    expect(links).to_have_text(["Home", "Explore", "New post", "Notifications", "Profile"])
    page.locator(".account summary").click()
    for place in ("Local", "Settings"):
        expect(page.locator(".account").get_by_role("link", name=place)).to_be_visible()


def test_without_javascript_one_searches_by_a_form(page, alice, signed_in):
    plain = signed_in(alice, java_script_enabled=False)
    plain.goto("/")
    plain.get_by_role("link", name="Find people").last.click()
    expect(people(plain)).to_have_count(2)
    box(plain).fill("bob")
    box(plain).press("Enter")
    expect(people(plain)).to_have_count(1)
    steps.same_place(plain, "/search?q=bob")
    people(plain).get_by_role("button", name="Follow Bob").click()
    expect(plain.get_by_role("link", name="1 follower")).to_be_visible()


def beside(page: Page) -> Locator:
    return page.get_by_role("complementary").get_by_role("searchbox", name="Search people")


def hits(page: Page) -> Locator:
    return page.locator("#side-found a")


@pytest.mark.parametrize("path", ["/", "/@bob", "/settings/profile"])
def test_the_right_column_finds_while_one_types_and_nothing_moves(page, path, axe):
    page.goto(path)
    place = page.locator(".side-card").bounding_box()
    beside(page).press_sequentially("bo", delay=40)
    expect(hits(page)).to_have_count(1)
    expect(hits(page)).to_contain_text("Bob Brandt")
    expect(page.locator("#side-found-says")).to_have_text("1 person found")
    expect(beside(page)).to_be_focused()
    steps.same_place(page, path)
    assert page.locator(".side-card").bounding_box() == place
    assert axe(page) == []

    beside(page).fill("nobody")
    expect(page.locator("#side-found")).to_contain_text("We couldn’t find “nobody”.")
    beside(page).fill("")
    expect(page.locator("#side-found")).to_be_hidden()


def test_arrow_keys_walk_through_what_was_found_and_enter_opens_it(page):
    page.goto("/")
    page.keyboard.press("/")
    page.keyboard.type("a")
    expect(hits(page)).to_have_count(1)
    beside(page).fill("c")
    expect(hits(page)).to_contain_text("Carol 陈")
    page.keyboard.press("ArrowDown")
    expect(hits(page).first).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(hits(page).last).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(beside(page)).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    steps.same_place(page, "/@carol")


def test_escape_and_leaving_hide_what_was_found_and_coming_back_shows_it(page):
    page.goto("/")
    beside(page).fill("bob")
    expect(hits(page)).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Escape")
    expect(hits(page)).to_be_hidden()
    expect(beside(page)).to_be_focused()
    expect(beside(page)).to_have_value("bob")

    beside(page).press_sequentially("b")
    beside(page).press("Backspace")
    expect(hits(page)).to_be_visible()
    steps.title(page).click()
    expect(hits(page)).to_be_hidden()
    beside(page).click()
    expect(hits(page)).to_be_visible()


def test_a_visitor_finds_beside_the_page_too(page, visitor):
    page = visitor()
    page.goto("/local")
    beside(page).fill("bob")
    hits(page).click()
    steps.same_place(page, "/@bob")


def test_without_javascript_the_field_of_the_right_column_is_a_form(page, alice, signed_in):
    plain = signed_in(alice, java_script_enabled=False)
    plain.goto("/")
    beside(plain).fill("bob")
    beside(plain).press("Enter")
    steps.same_place(plain, "/search?q=bob")
    expect(people(plain)).to_have_count(1)


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
