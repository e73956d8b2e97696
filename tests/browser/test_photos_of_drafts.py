"""A draft keeps its photos: after a reload, and on the other device."""

import pytest
from playwright.sync_api import expect

from feed.profiles.reads import list_posts
from tests.browser import photographs as photos
from tests.browser import steps
from tests.browser.screens import PHONE
from tests.faults.processes import wait_until
from tests.feed.composing.shelves import drafts_of, texts_of

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")


def with_photos(alice) -> list[int]:
    """How many photos each draft has."""
    return [len(draft.composition.photos) for draft in drafts_of(alice)]


def test_a_reload_and_the_other_device_go_on_with_its_photos_and_post_them(alice, signed_in):
    page = signed_in(alice)
    page.goto("/posts/new")
    steps.composer(page).fill("A heron")
    photos.choose(page, photos.files(2))
    photos.describe(page, "Its beak", "Its legs")
    wait_until(lambda: with_photos(alice) == [2], seconds=60)
    expect(page.locator(".composer-saved")).to_contain_text("Saved ")
    page.reload()
    expect(photos.description(page, 1)).to_have_value("Its beak")
    photos.description(page, 2).fill("Its long legs")
    steps.composer(page).press("Control+End")
    steps.composer(page).press_sequentially(" stands")
    wait_until(lambda: texts_of(alice) == ["A heron stands"], seconds=60)
    assert with_photos(alice) == [2]

    phone = signed_in(alice, viewport=PHONE)
    phone.goto("/drafts")
    expect(phone.locator(".shelved-photos")).to_contain_text("2 photos")
    phone.get_by_role("link", name="Continue").click()
    expect(photos.description(phone, 1)).to_have_value("Its beak")
    expect(photos.description(phone, 2)).to_have_value("Its long legs")
    phone.get_by_role("button", name="Post", exact=True).click()
    expect(steps.title(phone)).to_have_text("Post")
    (post,) = list_posts(alice.card).items
    assert [one.says for one in post.photos] == ["Its beak", "Its long legs"]
    assert drafts_of(alice) == []
