"""Menus of cards are drawn once and kept, but none that names a very long address."""

from feed.templatetags import posts
from tests.conftest import post


def kept_after(browser, address: str) -> int:
    posts._draw_once.cache_clear()
    assert browser.get(address).status_code == 200
    return posts._draw_once.cache_info().currsize


def test_a_page_with_a_very_long_address_leaves_no_menus_behind(alice, log_in):
    post(alice)
    browser = log_in(alice)
    address = f"/@{alice.card.handle}"
    assert kept_after(browser, address) == 1
    assert kept_after(browser, f"{address}?x={'=' * 3000}") == 0
