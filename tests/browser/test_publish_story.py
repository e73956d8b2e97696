"""A story is written in one composer: in the dialog, and on a phone's page."""

import pytest
from playwright.sync_api import Locator, Page, expect

from socialsite.site_settings.word_filters import Effect
from tests.browser import steps
from tests.browser.glances import TWICE
from tests.browser.screens import DESKTOP, PHONE, SIZES
from tests.browser.test_large_text import IS_ON_TOP
from tests.faults.looks import posts_of
from tests.moderation.site import word_rule


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


@pytest.mark.parametrize("size", SIZES)
def test_it_is_written_kept_mended_and_read_in_its_order(admin, signed_in, alice, watch, size):
    watch.expect("422")
    word_rule(admin, "cheap pills", Effect.REFUSE)
    page = signed_in(alice)
    begin(page, size)
    write(page, "Once upon a time", "Cheap pills", "No", "and that was all")
    own(page).get_by_role("button", name="Remove post 3").click()
    expect(part(page, 2)).to_be_focused()
    expect(part(page, 3)).to_have_value("and that was all")

    begin(page, size)  # what was typed comes back, and the removed post does not
    expect(part(page, 3)).to_have_value("and that was all")
    expect(page.locator("[data-part]")).to_have_count(2)

    own(page).get_by_role("button", name="Post", exact=True).click()
    expect(page.get_by_role("alert")).to_be_focused()  # that of the refused post
    expect(page.locator("[data-part]").first.get_by_role("alert")).to_be_visible()
    expect(part(page, 3)).to_have_value("and that was all")
    part(page, 2).fill("there was a table")
    publish(page)
    page.goto(f"/@alice/posts/{posts_of(alice)[-1]}")
    said = ["Once upon a time", "there was a table", "and that was all"]
    expect(page.locator(".post-text")).to_have_text(said)

    begin(page, size)
    expect(own(page).get_by_label(steps.SAY)).to_have_value("")
    expect(page.locator("[data-part]")).to_have_count(0)


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


def test_it_is_accessible_and_with_ten_posts_and_large_text_post_is_in_sight(
    signed_in, alice, look
):
    page = signed_in(alice)
    for size in (DESKTOP, PHONE):
        begin(page, size)
        write(page, "One", "Two")
        part(page, 2).fill("x" * 980)
        assert look(page, sizes=(size,), height=2000) == []
        if size is DESKTOP:
            page.evaluate("localStorage.clear()")
    add = own(page).get_by_role("button", name="Add another post")
    for number in range(3, 11):
        add.click()
        expect(part(page, number)).to_be_focused()
    expect(add).to_be_hidden()  # ten are enough
    page.evaluate(TWICE)
    button = own(page).get_by_role("button", name="Post", exact=True)
    expect(button).to_be_in_viewport(ratio=1)
    assert button.evaluate(IS_ON_TOP)
