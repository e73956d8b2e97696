"""Home fetches the styles of its dialogs with the first one, which waits for them."""

import re

import pytest
from playwright.sync_api import Page, expect

from relations.follows.writes import follow
from tests.browser import steps
from tests.conftest import post

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")

SHEET = "**/css/forms.css"
DISPLAY = "getComputedStyle(document.querySelector('#modal .field')).display"


@pytest.fixture
def home(alice, bob, signed_in, drain_stream) -> Page:
    """Alice's, with a post of Bob's."""
    follow(by=alice, user_id=bob.user_id)
    post(bob, "Buy my tea")
    drain_stream()
    page: Page = signed_in(alice)
    page.goto("/")
    return page


def report(page: Page) -> None:
    steps.open_menu(steps.card(page, "Buy my tea"))
    page.get_by_role("link", name="Report post").click()


def test_the_first_dialog_waits_for_its_styles_and_the_second_has_them(home):
    held = steps.hold(home, SHEET)
    dialog = home.locator("#modal")
    report(home)
    expect(dialog.locator(".field").first).to_be_attached()
    expect(dialog).to_be_hidden()

    steps.let_go(home, SHEET, held)
    expect(dialog).to_be_visible()
    assert home.evaluate(DISPLAY) == "grid"

    home.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    report(home)
    expect(dialog).to_be_visible()
    expect(home.locator("link[href$='forms.css']")).to_have_count(1)


def test_a_dialog_whose_styles_cannot_be_had_is_a_page(home):
    home.route(SHEET, lambda route: route.abort())
    report(home)
    expect(home).to_have_url(re.compile("/report$"))
    expect(home.get_by_role("heading", name="Report this post")).to_be_visible()
