"""The form that edits a post: what stands first in the document stands first on the screen."""

import pytest

from tests.browser.screens import SIZES
from tests.conftest import post

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")

TOPS = """(form) => ["h2", "textarea", ".add-warning", ".tool-language", ".buttons"]
    .map((part) => form.querySelector(part).getBoundingClientRect().top)"""


@pytest.mark.parametrize("size", SIZES)
def test_its_fields_stand_in_their_order_on_the_page_and_in_the_dialog(alice, signed_in, size):
    post_id = post(alice, "My own words")
    page = signed_in(alice, viewport=size)
    page.goto(f"/@alice/posts/{post_id}/edit")
    tops = page.locator("form.edit").evaluate(TOPS)
    assert tops == sorted(tops)
    page.goto("/@alice")
    page.locator(f"#post-{post_id} summary").first.click()
    page.get_by_role("link", name="Edit post").click()
    tops = page.get_by_role("dialog").locator("form.edit").evaluate(TOPS)
    assert tops == sorted(tops)
