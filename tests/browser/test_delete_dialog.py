"""Deleting asks first, in a dialog that the keyboard can use and that gives the focus back."""

from playwright.sync_api import Locator, Page, expect

from tests.browser import steps
from tests.conftest import post


def ask(page: Page, text: str) -> Locator:
    """The open dialog."""
    steps.open_menu(steps.card(page, text))
    page.get_by_role("link", name="Delete post").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    return dialog


def test_the_dialog_closes_by_cancel_escape_and_a_click_beside_it_and_deletes(signed_in, alice):
    post(alice, "First")
    alone = post(alice, "Second")
    page = signed_in(alice)
    page.goto("/@alice")
    dialog = ask(page, "Second")
    expect(page.locator("details.menu[open]"), "the menu is closed behind it").to_have_count(0)
    cancel = dialog.get_by_role("link", name="Cancel")
    expect(cancel).to_be_focused()
    cancel.press("Enter")
    expect(dialog).to_have_count(0)
    expect(steps.card(page, "Second").locator("summary")).to_be_focused()
    steps.same_place(page, "/@alice")

    ask(page, "Second")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(steps.card(page, "Second").locator("summary")).to_be_focused()

    ask(page, "Second")
    page.mouse.click(5, 5)
    expect(dialog).to_have_count(0)
    expect(steps.posts(page)).to_have_count(2)
    page.reload()
    expect(steps.posts(page), "nothing was deleted").to_have_count(2)

    # A placeholder takes the place of the post, and the focus.
    ask(page, "First").get_by_role("button", name="Delete").click()
    expect(page.get_by_text("Post deleted")).to_be_focused()
    expect(steps.posts(page)).to_have_count(1)
    page.reload()
    expect(steps.card(page, "Second")).to_be_visible()
    expect(page.get_by_text("Post deleted")).to_have_count(0)

    page.goto(f"/@alice/posts/{alone}")
    ask(page, "Second").get_by_role("button", name="Delete").click()
    expect(page.get_by_text("Post deleted")).to_be_focused()
    page.get_by_role("link", name="Back").click()
    expect(steps.posts(page)).to_have_count(0)
