"""Without JavaScript photos come with the form, described in their order, and are kept when it is refused."""

import pytest
from playwright.sync_api import expect

from tests.browser import photographs as photos
from tests.browser import steps

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")


def test_photos_come_with_the_form_and_stay_when_it_is_refused(signed_in, alice, watch):
    watch.expect("422")
    page = signed_in(alice, java_script_enabled=False)
    page.goto("/posts/new")
    page.get_by_title("Add photos").locator("visible=true").click()
    page.get_by_label("Photos", exact=True).set_input_files(photos.files(3))
    for number, text in enumerate(("one", "two", "three"), 1):
        page.get_by_label(f"Photo {number}", exact=True).fill(text)
    steps.write(page, "x" * 1001)
    photos.expect_order(page, "one", "two", "three")
    expect(page.get_by_label("Photo 4", exact=True)).to_be_visible()
    picture = photos.tile(page, 1).locator("img")
    assert page.request.get(str(picture.get_attribute("src"))).ok

    photos.press(page, 3, "Move earlier")
    photos.expect_order(page, "one", "three", "two")
    photos.press(page, 1, "Remove")
    photos.expect_order(page, "three", "two")
    expect(steps.composer(page)).to_have_value("x" * 1001)
    expect(page.get_by_role("alert")).to_have_count(0)
    page.get_by_label("Photos", exact=True).set_input_files(photos.file())
    page.get_by_label("Photo 3", exact=True).fill("new")
    steps.write(page, "short")
    expect(page.get_by_role("img", name="new", exact=True)).to_be_visible()
    shown = page.get_by_role("article").get_by_role("img").all()
    assert [one.get_attribute("alt") for one in shown][-3:] == ["three", "two", "new"]
