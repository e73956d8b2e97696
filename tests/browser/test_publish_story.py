"""A story is written in one composer: in the dialog, on a phone's page, and without JavaScript."""

import pytest
from playwright.sync_api import Locator, Page, expect

from socialsite.site.word_filters import Effect
from tests.browser import steps
from tests.browser.screens import DESKTOP, PHONE
from tests.browser.test_large_text import IS_ON_TOP, TWICE
from tests.faults.looks import posts_of
from tests.moderation.site import word_rule

PLACES = pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["dialog", "page"])


def begin(page: Page, size: dict[str, int]) -> None:
    page.set_viewport_size(size)
    page.goto("/local")
    page.get_by_role("link", name="New post").click()
    expect(own(page).get_by_label(steps.SAY)).to_be_focused()


def own(page: Page) -> Locator:
    return page.locator(".composer-own")


def part(page: Page, number: int) -> Locator:
    return own(page).get_by_label(f"Text of post {number}", exact=True)


def write(page: Page, *texts: str) -> None:
    own(page).get_by_label(steps.SAY).fill(texts[0])
    for number, text in enumerate(texts[1:], 2):
        own(page).get_by_role("button", name="Add another post").click()
        expect(part(page, number)).to_be_focused()
        page.keyboard.type(text)


def publish(page: Page) -> None:
    own(page).get_by_role("button", name="Post", exact=True).click()
    expect(steps.toast(page)).to_contain_text("Post published.")


@PLACES
def test_it_is_written_and_read_in_its_order(signed_in, alice, size):
    page = signed_in(alice)
    begin(page, size)
    write(page, "Once upon a time", "there was a table", "and that was all")
    publish(page)
    page.goto(f"/@alice/posts/{posts_of(alice)[-1]}")
    said = ["Once upon a time", "there was a table", "and that was all"]
    expect(page.locator(".post-text")).to_have_text(said)
    begin(page, size)
    expect(own(page).get_by_label(steps.SAY)).to_have_value("")
    expect(page.locator("[data-part]")).to_have_count(0)


@PLACES
def test_what_was_typed_comes_back_and_a_removed_post_does_not(signed_in, alice, size):
    page = signed_in(alice)
    begin(page, size)
    write(page, "One", "Two", "Three", "Four")
    own(page).get_by_role("button", name="Remove post 3").click()
    expect(part(page, 2)).to_be_focused()
    expect(part(page, 3)).to_have_value("Four")
    begin(page, size)
    expect(part(page, 3)).to_have_value("Four")
    expect(page.locator("[data-part]")).to_have_count(2)
    publish(page)
    assert len(posts_of(alice)) == 3


@PLACES
def test_the_refused_post_has_the_focus_and_nothing_is_lost(admin, signed_in, alice, watch, size):
    watch.expect("422")
    word_rule(admin, "cheap pills", Effect.REFUSE)
    page = signed_in(alice)
    begin(page, size)
    write(page, "One", "Cheap pills", "Three")
    own(page).get_by_role("button", name="Post", exact=True).click()
    expect(page.get_by_role("alert")).to_be_focused()
    expect(page.locator("[data-part]").first.get_by_role("alert")).to_be_visible()
    expect(part(page, 3)).to_have_value("Three")
    part(page, 2).fill("Two")
    publish(page)
    assert len(posts_of(alice)) == 3


def test_without_javascript_the_page_comes_back_with_one_more(signed_in, alice):
    page = signed_in(alice, java_script_enabled=False)
    page.goto("/posts/new")
    steps.composer(page).fill("One")
    for number, text in ((2, "Two"), (3, "Three")):
        page.get_by_role("button", name="Add another post").click()
        part(page, number).fill(text)
    expect(page.get_by_role("alert")).to_have_count(0)
    publish(page)
    expect(page.locator(".post-text")).to_have_text(["One", "Two", "Three"])


def test_pressed_before_the_script_has_come_the_new_post_has_the_focus(signed_in, alice):
    page = signed_in(alice)
    begin(page, PHONE)
    held = steps.hold(page, "**/story*.js")
    page.reload()
    own(page).get_by_label(steps.SAY).fill("One")
    own(page).get_by_role("button", name="Add another post").click()
    steps.same_place(page, "/posts")
    steps.let_go(page, "**/story*.js", held)
    page.wait_for_load_state("networkidle")  # all scripts have had their say
    expect(part(page, 2)).to_be_focused()


def test_ten_are_enough(signed_in, alice):
    page = signed_in(alice)
    begin(page, DESKTOP)
    write(page, *[f"Number {number}" for number in range(10)])
    expect(own(page).get_by_role("button", name="Add another post")).to_be_hidden()
    publish(page)
    assert len(posts_of(alice)) == 10


def test_it_is_accessible_and_post_in_sight_with_large_text(signed_in, alice, look):
    page = signed_in(alice)
    for size in (DESKTOP, PHONE):
        begin(page, size)
        write(page, "One", "x" * 980)
        assert look(page, sizes=(size,), height=2000) == []
        if size is DESKTOP:
            page.evaluate("localStorage.clear()")
    page.evaluate(TWICE)
    button = own(page).get_by_role("button", name="Post", exact=True)
    expect(button).to_be_in_viewport(ratio=1)
    assert button.evaluate(IS_ON_TOP)
