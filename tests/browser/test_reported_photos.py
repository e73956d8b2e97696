"""Moderators open photos of reported posts one by one, and nothing on the page moves."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.screens import SIZES, sideways
from tests.browser.test_photos_accessible import SHIFTS
from tests.feed.photographs import photo, post_photos, real_files
from tests.moderation.cases import about, report
from tests.moderation.reported_photos import case_photos, looks

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")

sizes = pytest.mark.parametrize("viewport", SIZES)
HIGH = 3000  # pixels, so that no bar at the end of the window lies over what is measured
SHAPES = ((1600, 1200), (700, 2000), (120, 90))


@pytest.fixture
def address(alice, bob, drain_stream) -> str:
    """The case of a post with three photos of different shapes, two of them described."""
    says = iter(("A heron", "Two boats under a bridge, and somebody who waves", ""))
    photos = [
        photo(bob, next(says), width=width, height=height, files=real_files(width, height))
        for width, height in SHAPES
    ]
    report(alice, bob, post_photos(bob, *photos, content="By the canal"))
    drain_stream()
    return about(bob).url


def boxes(page: Page) -> list[tuple[float, float]]:
    """How large each photo or cover is."""
    found = page.locator(".case-photo :is(img, svg)")
    all_boxes = [found.nth(number).bounding_box() for number in range(found.count())]
    return [(round(box["width"]), round(box["height"])) for box in all_boxes if box]


def button(page: Page, number: int):
    return page.get_by_role("button", name=f"Show photo {number} (this is logged)")


@sizes
def test_a_photo_opens_in_the_place_of_its_cover(signed_in, mod, address, viewport):
    page = signed_in(mod, viewport=viewport)
    page.add_init_script(SHIFTS)
    page.goto(address)
    expect(page.locator("svg[data-hash]")).to_have_count(0)  # drawn
    before = boxes(page)
    assert len(before) == 3
    page.evaluate("window.shifts = 0")
    button(page, 1).focus()
    page.keyboard.press("Enter")
    picture = page.get_by_role("img", name="A heron")
    expect(picture).to_have_js_property("complete", True)
    expect(picture).not_to_have_js_property("naturalWidth", 0)
    expect(page.get_by_role("link", name="A heron")).to_be_focused()
    button(page, 2).click()
    expect(page.get_by_role("img", name="Two boats")).to_have_js_property("complete", True)
    expect(picture).to_be_visible()
    assert boxes(page) == before
    assert page.evaluate("window.shifts") < 0.01
    assert len(looks()) == 2
    page.get_by_role("link", name="Hide photo 1").click()
    expect(page.locator(".case-photo svg")).to_have_count(3)


def test_no_rule_is_broken_and_nothing_is_too_wide_with_covers_and_photos(
    signed_in, mod, address, look
):
    page = signed_in(mod)
    page.goto(address)
    problems = look(page, height=HIGH)
    button(page, 1).click()
    expect(page.get_by_role("img", name="A heron")).to_be_visible()
    assert problems + look(page, height=HIGH) == []
    assert len(case_photos()) == 3
    page.set_viewport_size({"width": 320, "height": 640})
    assert sideways(page) <= 0
