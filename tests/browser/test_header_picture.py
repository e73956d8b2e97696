"""A header picture is previewed, fits its screen, and moves nothing while it comes."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.accounts.pictures import encode, halves
from tests.browser import steps
from tests.browser.screens import SIZES
from tests.browser.test_photos_accessible import SHIFTS

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")

WIDE = {"name": "wide.jpg", "mimeType": "image/jpeg", "buffer": encode(halves((1600, 700)), "JPEG")}
COVERS = "**/media/headers/*"
LOADED = """() => {
    const image = document.querySelector(".profile img.cover");
    return image?.complete && image.naturalWidth > 0;
}"""


@pytest.fixture
def page(signed_in, alice) -> Page:
    page = signed_in(alice)
    page.goto("/settings/profile")
    return page


def save(page: Page) -> None:
    page.get_by_label("Header picture", exact=True).set_input_files(WIDE)
    page.get_by_role("button", name="Save").click()
    expect(steps.toast(page)).to_contain_text("Profile saved.")


@pytest.mark.parametrize("size", SIZES)
def test_it_is_seen_before_it_is_saved_removed_and_moves_nothing_while_it_comes(page, size, look):
    page.set_viewport_size(size)
    expect(page.locator(".header-field div.cover")).to_be_visible()
    page.get_by_label("Header picture", exact=True).set_input_files(WIDE)
    expect(page.locator(".header-field img.cover")).to_have_attribute("src", re.compile("^blob:"))
    save(page)
    page.wait_for_function(LOADED)
    box = page.locator(".profile img.cover").bounding_box()
    assert box
    assert abs(box["width"] - 3 * box["height"]) < 2
    assert look(page) == []

    page.get_by_role("link", name="Edit profile").click()  # in place of the header
    expect(page.locator(".header-field img.cover")).to_be_visible()
    assert look(page) == []
    page.get_by_label("Remove header picture").check()
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".profile div.cover")).to_be_visible()
    expect(page.locator("img.cover")).to_have_count(0)

    page.goto("/settings/profile")
    save(page)
    held = steps.hold(page, COVERS)
    page.add_init_script(SHIFTS)
    page.set_viewport_size(size)
    with page.expect_request(COVERS) as asked:
        page.goto("/@alice", wait_until="domcontentloaded")
    assert asked.value.url.endswith("-750.webp")
    cover, name = page.locator(".profile img.cover"), page.locator(".profile-name")
    expect(name).to_be_visible()
    before = cover.bounding_box(), name.bounding_box()
    steps.let_go(page, COVERS, held)
    page.wait_for_function(LOADED)
    assert (cover.bounding_box(), name.bounding_box()) == before
    assert page.evaluate("window.shifts") == 0
