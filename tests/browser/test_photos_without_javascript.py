"""Without JavaScript photos come with the form, described in their order, and are kept when it is refused."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser import photographs as photos
from tests.browser import steps

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")


@pytest.fixture
def page(signed_in, alice) -> Page:
    page = signed_in(alice, java_script_enabled=False)
    page.goto("/posts/new")
    return page


def choose(page: Page, files: list[dict[str, object]], *texts: str) -> None:
    """Files, and a description of each."""
    page.get_by_label("Photos", exact=True).set_input_files(files)  # type: ignore[arg-type]
    for number, text in enumerate(texts, 1):
        page.get_by_label(f"Photo {number}", exact=True).fill(text)


def test_photos_are_posted_with_their_descriptions(page):
    page.get_by_title("Add photos").locator("visible=true").click()
    choose(page, photos.files(2), "A heron", "Another heron")
    steps.write(page, "Two herons")
    expect(steps.title(page)).to_have_text("Post")
    expect(page.get_by_role("img", name="A heron", exact=True)).to_be_visible()
    expect(page.get_by_role("img", name="Another heron", exact=True)).to_be_visible()


def test_a_refused_post_keeps_its_photos_which_can_be_ordered_and_removed(page, watch):
    watch.expect("422")
    page.get_by_title("Add photos").locator("visible=true").click()
    choose(page, photos.files(3), "one", "two", "three")
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
