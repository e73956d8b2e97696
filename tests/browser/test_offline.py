"""Without a connection the page stays, says why, and keeps what was typed, whatever is pressed."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser import steps
from tests.browser.screens import SIZES
from tests.conftest import post

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")

SAYS = "You seem to be offline."
PRESSES: dict[str, Callable[[Page], None]] = {
    "a link": lambda page: steps.posts(page).locator(".post-time").click(),
    "a link of htmx": lambda page: steps.posts(page).locator(".reply .action").click(),
    "a card": lambda page: steps.posts(page).locator(".post-text").click(),
    "an entry of a menu": lambda page: (
        steps.open_menu(steps.posts(page)),
        page.get_by_role("link", name="Delete post").click(),
    ),
    "a button that sends": lambda page: (
        steps.open_menu(steps.posts(page)),
        page.get_by_role("link", name="Quote post").click(),
    ),
    "a place": lambda page: page.get_by_role("link", name="Explore").click(),
}


def lose_connection(page: Page) -> None:
    """The page asks once whether the site is there all the same."""
    page.wait_for_load_state("networkidle")
    with page.expect_event("requestfailed"):
        page.context.set_offline(True)


@pytest.mark.parametrize("size", SIZES)
def test_every_press_says_so_and_leads_nowhere_and_a_form_keeps_what_was_typed(
    alice, signed_in, watch, size
):
    watch.expect("htmx:sendError")
    post(alice, "My own words")
    page = signed_in(alice, viewport=size)
    for what, press in PRESSES.items():
        page.goto("/@alice")
        lose_connection(page)
        press(page)
        expect(steps.toast(page), what).to_contain_text(SAYS)
        steps.same_place(page, "/@alice")
        page.context.set_offline(False)
    press(page)
    expect(steps.title(page)).to_have_text("Explore")

    # A form without htmx, in JavaScript, as all else of Playwright waits for the page that does not come.
    page = signed_in(alice)
    page.goto("/settings/profile")
    page.locator("[name=bio]").fill("Bakes bread.")
    lose_connection(page)
    page.evaluate("document.querySelector('main form [type=submit]').click()")
    page.wait_for_function(
        "(says) => document.getElementById('toasts').textContent.includes(says)", arg=SAYS
    )
    assert page.evaluate("document.querySelector('[name=bio]').value") == "Bakes bread."
    page.context.set_offline(False)
    page.evaluate("document.querySelector('main form [type=submit]').click()")
    expect(steps.toast(page)).to_contain_text("saved")
    page.goto("/@alice")
    expect(page.get_by_text("Bakes bread.")).to_be_visible()


def toast_of_elsewhere(page: Page) -> None:
    """What another tab did waits to be said by the page that comes next."""
    page.evaluate(
        """() => {
            const body = new URLSearchParams(new FormData(document.getElementById("act")));
            body.set("on", "0");
            return fetch("/@bob/mute", { method: "POST", redirect: "manual", body });
        }"""
    )


@pytest.mark.parametrize("address", ["/posts/new", "/"], ids=["plain", "by htmx"])
def test_what_could_not_be_posted_is_kept_though_something_else_goes_well_next(
    alice, bob, signed_in, watch, address
):
    watch.expect("htmx:sendError")
    page = signed_in(alice)
    page.goto(address)
    steps.composer(page).fill("On the train")
    lose_connection(page)
    page.evaluate("document.querySelector('.composer [data-posts]').click()")
    page.wait_for_function(
        "(says) => document.getElementById('toasts').textContent.includes(says)", arg=SAYS
    )
    page.context.set_offline(False)
    toast_of_elsewhere(page)
    page.goto("/")
    expect(page.locator(".toast-success")).to_be_visible()
    expect(steps.composer(page)).to_have_value("On the train")
