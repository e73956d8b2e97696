"""A photo in a reply: sent while one writes, and shown in the thread."""

import pytest
from playwright.sync_api import expect

from feed.publishing.writes import publish_post
from photos.reads import list_album
from tests.browser import photographs as photos

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")


def test_a_photo_is_added_to_a_reply_below_the_post_and_shown_in_the_thread(signed_in, alice, bob):
    post_id = publish_post(by=alice, content="Look", nonce="root")
    page = signed_in(bob)
    page.goto(f"/@alice/posts/{post_id}")
    page.get_by_label("Reply to @alice").focus()
    photos.choose(page, photos.file())
    photos.describe(page, "A heron")
    page.get_by_role("button", name="Reply", exact=True).last.click()
    picture = page.locator("#replies").get_by_role("img", name="A heron", exact=True)
    expect(picture).to_be_visible()
    assert picture.evaluate("one => one.decode().then(() => one.naturalWidth)") > 0
    expect(page.locator("#reply [data-tile]")).to_have_count(0)
    assert len(list_album(bob).items) == 1
