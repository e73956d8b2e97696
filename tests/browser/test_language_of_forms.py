"""The language is changed in the middle of signing up: what was typed stays."""

import pytest
from playwright.sync_api import expect

from tests.browser.screens import SIZES
from tests.conftest import PASSWORD


@pytest.mark.parametrize("viewport", SIZES)
def test_the_form_is_not_erased(table, visitor, viewport):
    page = visitor(viewport=viewport)
    page.goto("/signup?next=/local")
    page.get_by_label("Handle").fill("dora")
    page.get_by_label("Display name").fill("Dora Díaz")
    page.get_by_label("Email").fill("dora@example.org")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Deutsch").locator("visible=true").click()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    page.get_by_role("button", name="English").locator("visible=true").click()

    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page.get_by_label("Handle")).to_have_value("dora")
    expect(page.get_by_label("Display name")).to_have_value("Dora Díaz")
    expect(page.get_by_label("Email")).to_have_value("dora@example.org")
    expect(page.get_by_label("Password")).to_have_value("")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_label("Password").press("Enter")
    expect(page).to_have_url("/local")
