"""The composer with photos breaks no rule of accessibility in any state of its photos, and fits small screens."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser import photographs as photos
from tests.browser import steps
from tests.browser.screens import sideways

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")

# Of what stands in the page itself: beside it, the links come up where there are few people to follow.
SHIFTS = """
    window.shifts = 0;
    const isInSide = ({ node }) => node?.parentElement?.closest(".side");
    const isBeside = (moved) => moved.some(isInSide) && moved.every((one) => !one.node || isInSide(one));
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
            if (!entry.hadRecentInput && !isBeside(entry.sources)) window.shifts += entry.value;
        }
    }).observe({ type: "layout-shift", buffered: true });
"""
TALL = 3000  # so that no bar lies over a photo
TWICE = "document.documentElement.style.setProperty('font-size', '200%')"


@pytest.fixture
def page(signed_in, alice) -> Page:
    page = signed_in(alice)
    page.goto("/posts/new")
    return page


def test_no_rule_is_broken_while_photos_come_fail_and_wait(page, look, watch):
    watch.expect("403", "422")
    way = photos.Held(page)
    photos.choose(page, photos.files(4))
    way.expect(2)
    way.routes.pop(0).fulfill(status=403, body="")
    way.expect(2)
    way.routes.pop(0).fulfill(status=422, body="<p role=alert>We couldn’t read this photo.</p>")
    way.expect(2)
    # Two are sent at a time, and either may come first.
    expect(page.get_by_text("We couldn’t read this photo.")).to_be_visible()
    expect(page.locator(".tile-says", has_text="This page is out of date.")).to_be_visible()
    assert look(page, height=TALL) == []
    photos.press(page, 1, "Remove")
    photos.press(page, 1, "Remove")
    steps.write(page, "With photos")
    assert look(page, height=TALL) == []  # asked for descriptions
    page.get_by_role("button", name="Post without").click()
    expect(page.locator(".photos-wait")).to_be_visible()
    assert look(page, height=TALL) == []


def test_on_a_narrow_phone_with_large_text_all_is_within_reach(page):
    page.set_viewport_size({"width": 320, "height": 640})
    page.evaluate(TWICE)
    photos.choose(page, photos.files(2))
    photos.expect_there(page, 2)
    photos.describe(page, "A heron", "Donaudampfschifffahrtsgesellschaftskapitän" * 3)
    assert sideways(page) <= 0
    for name in ("Move earlier", "Move later", "Remove"):
        button = photos.tile(page, 2).get_by_role("button", name=name)
        button.scroll_into_view_if_needed()
        expect(button).to_be_in_viewport(ratio=1)
    photos.description(page, 2).fill("Another heron")
    assert photos.description(page, 2).evaluate("(area) => area.scrollWidth <= area.clientWidth")


def test_nothing_moves_by_itself_while_photos_arrive(signed_in, alice):
    page = signed_in(alice)
    page.add_init_script(SHIFTS)
    page.goto("/")
    way = photos.Held(page)
    photos.choose(page, photos.files(2))
    way.expect(2)
    page.wait_for_timeout(600)  # what moves sooner after an input is not counted
    page.evaluate("shifts = 0")
    way.let_go(2)
    photos.expect_there(page, 2)
    page.wait_for_timeout(300)
    assert page.evaluate("shifts") == 0
