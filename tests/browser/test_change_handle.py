"""Changing a handle as people meet it: found in the profile's settings, confirmed, done, and taken back."""

import pytest
from playwright.sync_api import expect

from tests.browser import steps
from tests.conftest import PASSWORD

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")


def test_a_handle_is_changed_and_taken_back(alice, signed_in):
    page = signed_in(alice)
    page.goto("/settings/profile")
    page.get_by_role("link", name="Change handle").click()
    page.get_by_label("New handle").fill("@Alicia")
    page.get_by_role("button", name="Change handle").click()
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_label("New handle")).to_have_value("alicia")
    page.get_by_role("button", name="Change handle").click()
    expect(page.get_by_role("status").filter(has_text="You’re @alicia now.")).to_be_visible()
    page.goto("/@alice/followers")
    steps.same_place(page, "/@alicia/followers")
    page.goto("/settings/handle")
    page.get_by_role("button", name="Take back @alice").click()
    expect(page.get_by_text("Your handle is @alice.")).to_be_visible()
