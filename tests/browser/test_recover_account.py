"""Coming back to an account whose password is forgotten, and confirming an address, as people meet it."""

import pytest
from playwright.sync_api import expect

from tests.accounts.letters import one_letter, send_letters
from tests.browser import steps

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")

NEW = "a quieter battery staple"


def test_a_forgotten_password_is_replaced_by_a_link_from_the_inbox(alice, visitor):
    page = visitor()
    page.goto("/login")
    page.get_by_role("link", name="Forgot your password?").click()
    page.get_by_label("Email").fill("alice@example.org")
    page.get_by_role("button", name="Send the link").click()
    expect(steps.title(page)).to_have_text("Look in your inbox")
    page.goto(one_letter().path)
    page.get_by_label("New password").fill(NEW)
    page.get_by_role("button", name="Set password").click()
    expect(steps.toast(page)).to_contain_text("Your password has changed.")
    steps.sign_in(page, "alice@example.org", NEW)
    expect(steps.title(page)).to_have_text("Home")


def test_an_address_is_confirmed_by_a_press_on_the_page_of_its_link(table, visitor):
    page = visitor()
    steps.sign_up(page, "dora", "Dora Díaz")
    page.goto("/")
    page.get_by_role("link", name="Email settings").click()
    expect(page.get_by_role("main")).to_contain_text("Not confirmed yet")
    [letter] = send_letters()
    page.goto(letter.path)
    page.get_by_role("button", name="Confirm this address").click()
    expect(steps.toast(page)).to_contain_text("Your email address is confirmed.")
    page.goto("/settings/email")
    expect(page.get_by_role("main")).to_contain_text("dora@example.org")
    expect(page.get_by_role("main")).to_contain_text("Confirmed.")
