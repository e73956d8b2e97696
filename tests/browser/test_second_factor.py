"""The second factor as people meet it: set up, signed out, signed in with it."""

import re

import pyotp
import pytest
from playwright.sync_api import Page, expect

from accounts.models import Credentials
from socialsite.table import change, keys
from tests.accounts.codes import with_second_factor
from tests.browser import steps
from tests.browser.screens import SIZES
from tests.conftest import PASSWORD

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")

CODES = re.compile(r"[2-9a-z]{5}-[2-9a-z]{5}")


def begin(page: Page) -> str:
    """Goes as far as the secret, and reads it."""
    page.goto("/settings/profile")
    page.get_by_role("link", name="Security").click()
    page.get_by_label("Your password").fill(PASSWORD)
    page.get_by_role("button", name="Set up").click()
    expect(steps.title(page)).to_have_text("Set up two-step verification")
    return page.locator("code.secret").inner_text().replace(" ", "")


def let_time_pass(viewer) -> None:
    """As if the half minute of the last code were over."""
    change(Credentials, keys.credentials(viewer.user_id), [Credentials.totp_step.set(0)])


def press_sign_in(page: Page) -> None:
    page.get_by_role("main").get_by_role("button", name="Sign in", exact=True).click()


@pytest.mark.parametrize("size", SIZES)
def test_it_is_set_up_and_signs_in_by_code_and_by_recovery_code(
    alice, signed_in, size, look, watch
):
    watch.expect("422")
    page = signed_in(alice, viewport=size)
    app = pyotp.TOTP(begin(page))
    assert look(page) == []
    page.get_by_role("button", name="Turn on").click()
    expect(page.get_by_role("alert")).to_be_visible()
    assert look(page) == []
    page.get_by_label("Code from your app").fill(app.now())
    page.get_by_role("button", name="Turn on").click()
    expect(
        page.get_by_role("status").filter(has_text="Two-step verification is on.")
    ).to_be_visible()
    codes = CODES.findall(page.locator(".codes").inner_text())
    assert len(codes) == 10
    assert look(page) == []
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()").split() == codes
    page.evaluate("self.print = () => { self.printed = true; }")
    page.get_by_role("button", name="Print").click()
    assert page.evaluate("self.printed")
    page.get_by_role("link", name="I’ve saved them").click()
    expect(page.get_by_text("10 recovery codes left.")).to_be_visible()
    assert look(page) == []

    page.goto("/")
    steps.sign_out(page)
    steps.sign_in(page, "alice")
    expect(page.get_by_role("heading", name="One more step")).to_be_visible()
    assert look(page) == []
    let_time_pass(alice)
    page.get_by_label("Code from your app").fill(app.now())
    press_sign_in(page)
    expect(steps.composer(page)).to_be_visible()

    steps.sign_out(page)
    steps.sign_in(page, "alice")
    page.get_by_role("link", name="Use a recovery code instead").click()
    page.get_by_label("Recovery code").fill(codes[4])
    press_sign_in(page)
    expect(steps.composer(page)).to_be_visible()
    page.goto("/settings/security")
    expect(page.get_by_text("9 recovery codes left.")).to_be_visible()


def test_the_pages_that_change_it_break_no_rule_and_fit(alice, signed_in, look):
    with_second_factor(alice)
    page = signed_in(alice)
    security = "/settings/security"
    problems = []
    for path in (
        f"{security}/recovery", f"{security}/replace", f"{security}/replace?recovery",
        f"{security}/turn-off", f"{security}/turn-off?recovery", "/confirm?next=/local&again=1",
    ):  # fmt: skip
        page.goto(path)
        steps.same_place(page, path)
        problems += look(page)
    assert problems == []
