"""Without JavaScript people come and go: forms are pages, and the menu of the account opens by itself."""

from playwright.sync_api import expect

from tests.browser import steps


def test_a_visitor_signs_up_signs_out_and_signs_in(table, visitor):
    page = visitor(java_script_enabled=False)
    steps.sign_up(page, "dora", "Dora Díaz")
    expect(steps.toast(page)).to_contain_text("Welcome, Dora Díaz!")

    steps.sign_out(page)
    expect(steps.sign_up_link(page)).to_be_visible()

    steps.sign_in(page, "dora")
    expect(steps.title(page)).to_have_text("Home")
