"""An illegal picture, from the report to the kept hash, with as few looks and presses as it takes. That nobody can
upload it again, and that it goes without a script: tests/moderation/test_illegal_pictures.py."""

import pytest
from playwright.sync_api import Page, expect

from accounts.people.restrictions import FOR_EVER
from socialsite.site_settings.site_setup import CHILD, URGENT
from tests.browser import steps
from tests.browser.screens import SIZES, Axe
from tests.feed.scenes import post_photos
from tests.moderation.cases import broken, info, logged, report
from tests.moderation.test_illegal_pictures import sends

HIGH = 3000  # pixels, so that no bar at the end of the window lies over what is measured
pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")


@pytest.fixture
def reported(alice, bob, drain_stream) -> str:
    post_id = post_photos(bob, sends(bob).photo_id)
    report(alice, bob, post_id, rule_id=CHILD, severity=URGENT)
    drain_stream()
    return post_id


def style(page: Page, name: str) -> str:
    return str(page.locator(".case-photo img").evaluate(f"image => getComputedStyle(image).{name}"))


def problems_of(page: Page, size: dict[str, int], axe: Axe) -> list[str]:
    page.set_viewport_size({**size, "height": HIGH})
    found = axe(page)
    page.set_viewport_size(size)
    return found


@pytest.mark.parametrize("size", SIZES)
def test_four_presses_from_the_queue_to_the_hash(
    signed_in, mod, bob, reported, axe, size, drain_stream
):
    page = signed_in(mod, viewport=size)
    page.goto("/moderation/queue")
    presses = 0

    def press(role: str, name: str) -> None:
        nonlocal presses
        page.get_by_role("main").get_by_role(role, name=name).first.click()
        presses += 1

    press("link", "Bob Brandt")
    press("button", "Show photo 1 (this is logged)")
    image = page.locator(".case-photo img")
    expect(image).to_be_visible()
    assert image.bounding_box()["width"] <= 160
    assert style(page, "filter") == "grayscale(1) blur(12px)"
    assert problems_of(page, size, axe) == []
    for box, now in (
        ("Larger", "grayscale(1) blur(12px)"),
        ("Sharp", "grayscale(1) blur(0px)"),
        ("In colour", "grayscale(0) blur(0px)"),
    ):
        page.get_by_label(box).check()
        assert style(page, "filter") == now
    assert image.bounding_box()["width"] > 200
    press("link", "Remove and keep the hash")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("Photo 1 of a post")).to_be_checked()
    expect(dialog.get_by_label("Suspend it until lifted")).to_be_checked()
    assert problems_of(page, size, axe) == []
    dialog.get_by_role("button", name="Confirm").click()
    presses += 1
    expect(page.locator(".done-strip")).to_contain_text("Pictures removed")
    assert presses == 4
    assert info(bob).suspended_until == FOR_EVER
    assert [one.action for one in logged()] == ["view photo", "remove"]
    drain_stream()

    page.locator(".done-strip").get_by_role("button", name="Undo").click()
    expect(steps.toast(page)).to_contain_text("Undone")
    drain_stream()
    assert info(bob).suspended_until is None
    assert not broken()
