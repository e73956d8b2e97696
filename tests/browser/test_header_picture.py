"""A header picture is previewed, fits its screen, and moves nothing while it comes."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.accounts.pictures import encode, halves
from tests.browser import steps
from tests.browser.screens import DESKTOP, PHONE, SIZES
from tests.browser.test_photos_accessible import SHIFTS

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")

WIDE = {"name": "wide.jpg", "mimeType": "image/jpeg", "buffer": encode(halves((1600, 700)), "JPEG")}
LOADED = "(image) => image.complete && image.naturalWidth > 0"


@pytest.fixture
def media(settings, tmp_path: Path) -> Path:
    settings.MEDIA_ROOT = tmp_path / "media"
    return settings.MEDIA_ROOT


@pytest.fixture
def page(signed_in, alice, media) -> Page:
    page = signed_in(alice)
    page.goto("/settings/profile")
    return page


def save(page: Page) -> None:
    page.get_by_label("Header picture", exact=True).set_input_files(WIDE)
    page.get_by_role("button", name="Save").click()
    expect(steps.toast(page)).to_contain_text("Profile saved.")


@pytest.mark.parametrize("size", SIZES)
def test_it_is_seen_before_and_after_it_is_saved_and_can_be_removed(page, size):
    page.set_viewport_size(size)
    expect(page.locator(".header-field div.cover")).to_be_visible()
    page.get_by_label("Header picture", exact=True).set_input_files(WIDE)
    expect(page.locator(".header-field img.cover")).to_have_attribute("src", re.compile("^blob:"))
    save(page)
    cover = page.locator(".profile img.cover")
    cover.wait_for()
    page.wait_for_function(f"() => ({LOADED})(document.querySelector('.profile img.cover'))")
    box = cover.bounding_box()
    assert box
    assert abs(box["width"] - 3 * box["height"]) < 2

    page.get_by_role("link", name="Edit profile").click()  # in place of the header
    page.get_by_label("Remove header picture").check()
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".profile div.cover")).to_be_visible()
    expect(page.locator("img.cover")).to_have_count(0)


@pytest.mark.parametrize(("size", "file"), [(PHONE, "-750.webp"), (DESKTOP, "-750.webp")])
def test_nothing_moves_while_it_comes_and_the_small_one_does_for_simple_screens(page, size, file):
    save(page)
    held = []
    page.route("**/media/headers/*", lambda route: held.append(route))
    page.add_init_script(SHIFTS)
    page.set_viewport_size(size)
    page.goto("/@alice", wait_until="domcontentloaded")
    cover, name = page.locator(".profile img.cover"), page.locator(".profile-name")
    expect(name).to_be_visible()
    before = cover.bounding_box(), name.bounding_box()
    (route,) = held
    assert route.request.url.endswith(file)
    route.continue_()
    page.wait_for_function(f"() => ({LOADED})(document.querySelector('.profile img.cover'))")
    assert (cover.bounding_box(), name.bounding_box()) == before
    assert page.evaluate("window.shifts") == 0


def test_no_rule_of_accessibility_is_broken_by_it(page, look):
    save(page)
    assert look(page) == []
    page.goto("/settings/profile")
    assert look(page) == []
