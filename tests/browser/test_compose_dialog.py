"""A new post: in a dialog on a desktop, on a page on a phone, and nothing that was typed is lost."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser import steps
from tests.browser.screens import DESKTOP, PHONE
from tests.conftest import post
from tests.faults.processes import wait_until
from tests.feed.composing.shelves import texts_of
from tests.injected.rotation import share

LOW = {"width": 1280, "height": 560}
SMALL = {"width": 320, "height": 560}
CARET = "(area) => [area.selectionStart, area.selectionEnd]"


@pytest.fixture
def page(signed_in, alice, bob) -> Page:
    post(bob, "Hello")
    page = signed_in(alice, viewport=DESKTOP)
    page.goto("/local")
    return page


def dialog(page: Page) -> Locator:
    return page.get_by_role("dialog", name="New post")


def new_post(page: Page) -> None:
    page.get_by_role("link", name="New post").click()


def field(page: Page) -> Locator:
    return dialog(page).get_by_label(steps.SAY)


def test_it_opens_over_the_page_and_closes_with_the_post_which_control_and_enter_send_once(
    page, watch
):
    watch.expect("422")
    new_post(page)
    expect(field(page)).to_be_focused()
    page.keyboard.press("Escape")
    expect(dialog(page)).to_be_hidden()
    expect(page.locator(".toast")).to_have_count(0)  # there was nothing to keep

    new_post(page)
    field(page).fill("x" * 1001)
    field(page).press("Control+Enter")
    expect(dialog(page).get_by_role("alert")).to_contain_text("Use up to 1000 characters")
    expect(field(page)).to_have_value("x" * 1001)  # what is refused stays
    field(page).fill("From the dialog")
    dialog(page).get_by_role("button", name="Post", exact=True).click()
    expect(steps.toast(page)).to_contain_text("Post published.")
    expect(dialog(page)).to_be_hidden()
    steps.same_place(page, "/local")
    new_post(page)
    expect(field(page)).to_have_value("")

    page.keyboard.press("Escape")
    expect(dialog(page)).to_be_hidden()
    # While a word is composed, Control and Enter send nothing.
    sent = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else 0)
    new_post(page)
    field(page).fill("Ni")
    for more in ("isComposing: true", "repeat: true"):
        field(page).evaluate(
            "(area) => area.dispatchEvent(new KeyboardEvent('keydown', "
            f"{{key: 'Enter', ctrlKey: true, bubbles: true, {more}}}))"
        )
    page.get_by_title("Add a content warning").click()
    page.get_by_label("Content warning").press("Control+Enter")
    expect(field(page)).to_be_focused()
    assert [url for url in sent if url.endswith("/posts")] == []
    field(page).press("Control+NumpadEnter")
    expect(dialog(page)).to_be_hidden()
    assert len([url for url in sent if url.endswith("/posts")]) == 1


def test_escape_keeps_it_and_beside_it_nothing_happens(page, alice, look):
    new_post(page)
    page.keyboard.type("Half a")
    page.mouse.click(5, 500)
    expect(dialog(page)).to_be_visible()
    field(page).press("Escape")
    expect(dialog(page)).to_be_hidden()
    expect(steps.toast(page)).to_contain_text("Draft kept.")
    wait_until(lambda: texts_of(alice) == ["Half a"], seconds=60)  # the browser has it meanwhile

    page.get_by_role("button", name="Continue").click()
    expect(field(page)).to_be_focused()
    assert field(page).evaluate(CARET) == [6, 6]
    page.keyboard.type(" sentence")
    page.reload()
    page.keyboard.press("n")
    page.keyboard.type(" more")  # while it comes
    expect(field(page)).to_have_value("Half a sentence more")
    expect(dialog(page).get_by_role("button", name="Post", exact=True)).to_be_enabled()
    assert field(page).evaluate(CARET) == [20, 20]

    field(page).fill("x" * 980)
    page.get_by_title("Add a content warning").click()
    assert look(page) == []


@pytest.mark.parametrize("size", share([LOW, PHONE, SMALL], one_of=3, salt="Post in sight"))
def test_post_is_always_in_sight(page, size):
    page.set_viewport_size(size)
    new_post(page)
    area = page.locator("[data-draft]:focus")
    button = page.get_by_role("button", name="Post", exact=True)
    for text in ("One line", "Line\n" * 60):
        area.fill(text)
        expect(button).to_be_in_viewport(ratio=1)
    page.get_by_title("Add a content warning").click()
    page.get_by_label("Content warning").fill("Film")
    expect(button).to_be_in_viewport(ratio=1)
    page.get_by_title("Add a poll").click()
    expect(button).to_be_in_viewport(ratio=1)
    expect(page.get_by_title("Add a poll")).to_be_in_viewport(ratio=1)


def test_on_a_phone_it_is_a_page_and_at_home_its_post_stands_on_top(page):
    page.set_viewport_size(PHONE)
    new_post(page)
    steps.same_place(page, "/posts/new")
    expect(steps.composer(page)).to_be_focused()
    expect(page.get_by_role("navigation", name="Main")).to_be_hidden()
    page.keyboard.type("On the way")
    page.get_by_role("link", name="Cancel").click()
    steps.same_place(page, "/local")
    new_post(page)
    expect(steps.composer(page)).to_have_value("On the way")

    steps.composer(page).fill("")
    page.set_viewport_size(DESKTOP)
    page.goto("/")
    page.locator("#composer").get_by_label(steps.SAY).fill("Begun here")
    new_post(page)
    expect(field(page)).to_have_value("Begun here")
    languages = dialog(page).get_by_label("Language of the post")
    languages.select_option("nl")
    field(page).press("Control+Enter")
    expect(steps.posts(page).first).to_contain_text("Begun here")
    expect(page.locator("#composer").get_by_label(steps.SAY)).to_have_value("")

    page.goto("/local")
    new_post(page)
    expect(languages).to_have_value("nl")  # the language chosen last comes first
    expect(languages.locator("option").first).to_have_text("Nederlands")
