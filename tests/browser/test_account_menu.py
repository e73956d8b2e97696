"""The account menu is short: what stands in the bar or the rail beside it is not in it again."""

import pytest
from playwright.sync_api import Page, expect

from relations.friends.writes import request_friend
from tests.browser.screens import DESKTOP, PHONE

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")


def entries(page: Page) -> list[str]:
    page.locator(".account summary").click()
    shown = page.locator(".account .menu-list").locator("a:visible, button:visible")
    return [text.split("\n")[0].strip() for text in shown.all_inner_texts()]


def test_it_has_what_the_bar_of_a_phone_or_the_rail_has_not(
    alice, bob, signed_in, drain_stream, mod
):
    request_friend(by=bob, user_id=alice.user_id)
    drain_stream()
    page = signed_in(alice, viewport=DESKTOP)
    page.goto("/")
    own = ["View profile", "Drafts", "Photos", "About", "Sign out"]
    assert entries(page) == own
    page.set_viewport_size(PHONE)
    page.reload()
    assert entries(page) == [
        "View profile", "Local", "Friends", "Saved", "Drafts", "Photos", "Settings", "About", "Sign out",
    ]  # fmt: skip
    friends = page.locator(".account").get_by_role("link", name="Friends")
    expect(friends).to_contain_text("1 request is waiting")

    # Staff find moderation in the bar and the rail.
    page = signed_in(mod)
    for size in (PHONE, DESKTOP):
        page.set_viewport_size(size)
        page.goto("/")
        nav = page.get_by_role("navigation", name="Main")
        expect(nav.get_by_role("link", name="Moderation")).to_be_visible()
        assert "Moderation" not in entries(page)
