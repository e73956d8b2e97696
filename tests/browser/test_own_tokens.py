"""The story of a token: from the page for developers to the first call in a terminal, and its end. Without scripts."""

import subprocess

import pytest
from playwright.sync_api import Page, expect

from tests.conftest import PASSWORD, post

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")
MOST_CLICKS = 5  # Make a token, Confirm, Make a token; later Manage tokens, End


def test_a_token_is_made_and_the_first_call_runs_as_the_page_shows_it(alice, signed_in):
    post(alice, "Here by my own program")
    page: Page = signed_in(alice, java_script_enabled=False)
    clicks = 0

    def press(role: str, name: str) -> None:
        nonlocal clicks
        clicks += 1
        page.get_by_role(role, name=name, exact=True).first.click()  # type: ignore[arg-type]

    page.goto("/developers")
    press("link", "Make a token")
    page.get_by_label("Your password").fill(PASSWORD)
    press("button", "Confirm")
    page.get_by_role("textbox", name="Name").fill("Photo bot")
    press("button", "Make a token")
    command = page.locator("#call").inner_text()
    assert page.locator("#token").inner_text() in command
    asked = subprocess.run(
        ["sh", "-c", f"{command} -s"], capture_output=True, text=True, timeout=30
    )
    assert "Here by my own program" in asked.stdout, asked.stderr

    page.goto("/settings/security")
    press("link", "Manage tokens")
    expect(page.get_by_text("Photo bot").first).to_be_visible()
    press("button", "End Photo bot")
    expect(page.get_by_role("button", name="End Photo bot")).to_have_count(0)
    ended = subprocess.run(
        ["sh", "-c", f"{command} -s"], capture_output=True, text=True, timeout=30
    )
    assert "error" in ended.stdout
    assert clicks <= MOST_CLICKS
