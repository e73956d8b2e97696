"""Changing a password as people meet it: seen as it is typed, and other browsers are out."""

import pytest
from playwright.sync_api import expect

from tests.browser import steps
from tests.conftest import PASSWORD

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")

NEW = "a quieter battery staple"


def test_a_password_is_changed_and_other_browsers_are_out(alice, signed_in):
    other, page = signed_in(alice), signed_in(alice)
    page.goto("/settings/security")
    page.get_by_role("link", name="Change password").click()
    page.get_by_label("Your password now").fill(PASSWORD)
    new = page.get_by_label("New password")
    new.fill(NEW)
    show = page.locator(".field", has=new).get_by_role("button", name="Show password")
    expect(new).to_have_attribute("type", "password")
    show.click()
    expect(new).to_have_attribute("type", "text")
    expect(show).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Change password").click()
    expect(page.get_by_role("status").filter(has_text="Your password has changed.")).to_be_visible()
    page.goto("/settings/profile")
    expect(steps.title(page)).to_have_text("Settings")
    other.goto("/settings/profile")
    expect(steps.title(other)).to_have_text("Sign in")
