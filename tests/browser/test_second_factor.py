"""The second factor as people meet it: set up, signed out, signed in with it; on a phone and on a desktop."""

import re

import pyotp
import pytest
from playwright.sync_api import Page, expect

from accounts.models import Credentials
from socialsite.table import keys
from socialsite.table.writing import change
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


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without"])
@pytest.mark.parametrize("size", SIZES)
def test_set_up_sign_out_and_in_again(alice, signed_in, size, scripts):
    page = signed_in(alice, viewport=size, java_script_enabled=scripts)
    app = pyotp.TOTP(begin(page))
    page.get_by_label("Code from your app").fill(app.now())
    page.get_by_role("button", name="Turn on").click()
    expect(
        page.get_by_role("status").filter(has_text="Two-step verification is on.")
    ).to_be_visible()
    codes = CODES.findall(page.locator(".codes").inner_text())
    assert len(codes) == 10
    page.get_by_role("link", name="I’ve saved them").click()
    expect(page.get_by_text("10 recovery codes left.")).to_be_visible()

    page.goto("/")
    steps.sign_out(page)
    steps.sign_in(page, "alice")
    expect(page.get_by_role("heading", name="One more step")).to_be_visible()
    let_time_pass(alice)
    page.get_by_label("Code from your app").fill(app.now())
    page.get_by_role("main").get_by_role("button", name="Sign in", exact=True).click()
    expect(steps.composer(page)).to_be_visible()

    steps.sign_out(page)
    steps.sign_in(page, "alice")
    page.get_by_role("link", name="Use a recovery code instead").click()
    page.get_by_label("Recovery code").fill(codes[4])
    page.get_by_role("main").get_by_role("button", name="Sign in", exact=True).click()
    expect(steps.composer(page)).to_be_visible()
    page.goto("/settings/security")
    expect(page.get_by_text("9 recovery codes left.")).to_be_visible()


def test_another_browser_is_signed_out_from_the_list(alice, signed_in):
    page, other = signed_in(alice), signed_in(alice)
    page.goto("/settings/security")
    row = page.locator(".sign-in").filter(has_text="Last used")
    row.get_by_role("button", name="Sign out").click()
    page.get_by_label("Your password").fill(PASSWORD)
    page.get_by_role("button", name="Confirm").click()
    expect(steps.title(page)).to_have_text("Settings")
    row.get_by_role("button", name="Sign out").click()
    expect(steps.toast(page)).to_contain_text("Signed out of that browser.")
    expect(page.locator(".sign-in")).to_have_count(1)
    other.goto("/settings/profile")
    expect(steps.title(other)).to_have_text("Sign in")


def test_every_page_of_it_is_accessible_and_fits(alice, signed_in, look, watch):
    watch.expect("422")
    page = signed_in(alice)
    page.goto("/settings/security")
    problems = look(page)
    app = pyotp.TOTP(begin(page))
    problems += look(page)
    page.get_by_role("button", name="Turn on").click()
    expect(page.get_by_role("alert")).to_be_visible()
    problems += look(page)
    page.get_by_label("Code from your app").fill(app.now())
    page.get_by_role("button", name="Turn on").click()
    expect(steps.title(page)).to_have_text("Recovery codes")
    problems += look(page)
    for path in (
        "",
        "/recovery",
        "/replace",
        "/replace?recovery",
        "/turn-off",
        "/turn-off?recovery",
    ):
        page.goto(f"/settings/security{path}")
        problems += look(page)
    page.goto("/confirm?next=/local&again=1")
    problems += look(page)
    steps.sign_out(page)
    steps.sign_in(page, "alice")
    expect(page.get_by_role("heading", name="One more step")).to_be_visible()
    problems += look(page)
    assert problems == []
    assert look.looks == 12
