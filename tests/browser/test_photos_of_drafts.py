"""A draft keeps its photos: on the other device, and after a reload."""

from datetime import timedelta

import pytest
from playwright.sync_api import Page, expect

from feed.access_patterns import list_posts
from socialsite.clock import utc_now
from socialsite.due.work import do_due
from tests.browser import photographs as photos
from tests.browser import steps
from tests.browser.screens import PHONE
from tests.faults.processes import wait_until
from tests.feed.composing.shelves import drafts_of

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")


@pytest.fixture
def page(signed_in, alice) -> Page:
    page = signed_in(alice)
    page.goto("/posts/new")
    return page


def with_photos(alice) -> list[tuple[str, ...]]:
    return [draft.composition.photos for draft in drafts_of(alice)]


def test_the_other_device_goes_on_with_its_photos_and_posts_them(page, alice, signed_in):
    steps.composer(page).fill("Two herons")
    photos.choose(page, photos.files(2))
    photos.describe(page, "A heron", "Another heron")
    wait_until(lambda: [len(one) for one in with_photos(alice)] == [2], seconds=15)
    page.goto("/drafts")  # leaving saves the descriptions
    phone = signed_in(alice, viewport=PHONE)
    phone.goto("/drafts")
    expect(phone.locator(".shelved-photos")).to_contain_text("2 photos")
    phone.get_by_role("link", name="Continue").click()
    expect(photos.description(phone, 1)).to_have_value("A heron")
    expect(photos.description(phone, 2)).to_have_value("Another heron")
    phone.get_by_role("button", name="Post", exact=True).click()
    expect(steps.title(phone)).to_have_text("Post")
    expect(phone.get_by_role("img", name="Another heron", exact=True)).to_be_visible()
    assert drafts_of(alice) == []


def test_after_a_reload_the_photos_are_there_again(page, alice):
    steps.composer(page).fill("A heron")
    photos.choose(page, photos.file())
    photos.describe(page, "Its beak")
    wait_until(lambda: [len(one) for one in with_photos(alice)] == [1], seconds=15)
    expect(page.locator(".composer-saved")).to_contain_text("Saved ")
    page.reload()
    expect(photos.description(page, 1)).to_have_value("Its beak")
    steps.composer(page).press("Control+End")
    steps.composer(page).press_sequentially(" stands")
    wait_until(
        lambda: [one.composition.content for one in drafts_of(alice)] == ["A heron stands"],
        seconds=15,
    )
    assert [len(one) for one in with_photos(alice)] == [1]
    page.get_by_role("button", name="Post", exact=True).click()
    expect(steps.title(page)).to_have_text("Post")
    (post,) = list_posts(alice.card).items
    assert [one.says for one in post.photos] == ["Its beak"]


def test_a_scheduled_post_is_published_with_its_photo_by_the_clock(page, alice):
    steps.composer(page).fill("Later")
    photos.choose(page, photos.file())
    photos.describe(page, "A heron")
    page.locator(".part-when > summary").click()
    later = (utc_now() + timedelta(days=2)).strftime("%Y-%m-%dT10:30")
    page.get_by_label("Publish at").fill(later)
    page.get_by_role("button", name="Schedule", exact=True).click()
    expect(steps.toast(page)).to_contain_text("Scheduled for ")
    expect(page.locator(".shelved-photos")).to_contain_text("1 photo")
    page.get_by_role("link", name="Edit").click()
    expect(photos.description(page, 1)).to_have_value("A heron")
    do_due(utc_now() + timedelta(days=3))
    page.goto("/@alice")
    picture = page.get_by_role("img", name="A heron", exact=True)
    expect(picture).to_be_visible()
    assert picture.evaluate("one => one.decode().then(() => one.naturalWidth)") > 0
