"""The composer's tools begin where the text does, in each of their rows, and Post ends where it ends."""

from itertools import product

import pytest
from playwright.sync_api import Page

from tests.browser.screens import sideways

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")

WIDTHS = (320, 360, 390)
# For each row of tools the distance of its first icon from the text, then that of Post from the end.
EDGES = """() => {
    const composer = document.querySelector(".composer");
    const text = composer.querySelector("textarea").getBoundingClientRect();
    const rows = new Map();
    for (const icon of composer.querySelectorAll(".composer-foot .icon")) {
        const { top, height, left } = icon.getBoundingClientRect();
        if (!icon.checkVisibility() || icon.closest(".composer-post, .part-body")) continue;
        const row = Math.round((top + height / 2) / 8);
        rows.set(row, Math.min(rows.get(row) ?? Infinity, left - text.left));
    }
    const post = composer.querySelector(".composer-post .button").getBoundingClientRect();
    return { rows: [...rows.values()], post: text.right - post.right };
}"""


def test_on_phones_each_row_of_tools_begins_with_the_text(signed_in, alice):
    phone = {"viewport": {"width": WIDTHS[0], "height": 740}, "is_mobile": True, "has_touch": True}
    page: Page = signed_in(alice, **phone)
    for path in ("/", "/posts/new"):
        page.goto(path)
        for width, size in product(WIDTHS, ("100%", "200%")):
            page.set_viewport_size({"width": width, "height": 740})
            page.evaluate(f"document.documentElement.style.setProperty('font-size', '{size}')")
            edges = page.evaluate(EDGES)
            assert edges["rows"], path
            assert all(abs(row) <= 1 for row in edges["rows"]), (path, width, size, edges)
            assert abs(edges["post"]) <= 1, (path, width, size, edges)
            assert sideways(page) <= 0, (path, width, size)
