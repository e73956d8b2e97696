"""Photos come into the composer by choosing, pasting and dropping, and are sent at once."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser import photographs as photos
from tests.browser import steps

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")

PHOTOS_SCRIPT = "**/js/photos.js"
# What Safari answers to a wish for a kind that it cannot write.
AS_PNG = """() => {
    HTMLCanvasElement.prototype.toBlob = (done) => done(new Blob(["x"], { type: "image/png" }));
}"""
# Whether the page takes what is dropped, so that the browser does not open it.
NOTE_DROP = (
    """() => addEventListener("drop", (event) => { window.isTaken = event.defaultPrevented; })"""
)


@pytest.fixture
def page(signed_in, alice) -> Page:
    page = signed_in(alice)
    page.goto("/posts/new")
    return page


def test_chosen_photos_are_tiles_at_once_dragged_and_posted_in_their_order(page):
    expect(photos.post_button(page)).to_be_disabled()
    photos.choose(page, photos.files(3))
    photos.expect_there(page, 3)
    expect(photos.status(page)).to_have_text(re.compile(r"Photo \d is ready\."))
    photos.describe(page, "one", "two", "three")
    picture = photos.tile(page, 3).locator(".tile-picture")
    picture.drag_to(photos.tile(page, 1).locator(".tile-picture"))
    photos.expect_order(page, "three", "one", "two")
    expect(photos.status(page)).to_have_text("Photo 1 of 3")
    expect(photos.post_button(page)).to_be_enabled()  # a photo needs no words
    photos.post_button(page).click()

    expect(page.get_by_role("img", name="two", exact=True)).to_be_visible()
    shown = page.get_by_role("article").get_by_role("img").all()
    assert [one.get_attribute("alt") for one in shown][-3:] == ["three", "one", "two"]


def test_on_home_four_photos_are_chosen_or_pasted_and_what_is_not_added_is_named(page):
    page.goto("/")
    letter = {"name": "letter.pdf", "mimeType": "application/pdf", "buffer": b"%PDF"}
    photos.choose(page, [letter, *photos.files(2)])
    photos.expect_there(page, 2)
    expect(photos.note(page)).to_contain_text("Not added: letter.pdf")
    assert photos.bring(steps.composer(page), "paste", [photos.file()])
    photos.expect_there(page, 3)
    # Office programs paste a picture of copied text beside the text.
    assert not photos.bring(steps.composer(page), "paste", [photos.file()], "A table, as text")
    expect(photos.tiles(page)).to_have_count(3)
    photos.describe(page, "one", "two", "three")
    photos.choose(page, photos.files(3)[1:])
    photos.expect_there(page, 4)
    expect(photos.note(page)).to_have_text("A post can have 4 photos. Not added: canal3.jpg")
    photos.expect_order(page, "one", "two", "three", "")

    photos.description(page, 4).fill("four")
    steps.write(page, "With photos")
    card = steps.card(page, "With photos")
    expect(card.get_by_role("img", name="four", exact=True)).to_be_visible()
    expect(photos.tiles(page)).to_have_count(0)  # the composer is empty again


def test_in_the_dialog_photos_stay_while_it_is_closed_and_are_posted_from_it(page):
    page.goto("/local")
    new = page.get_by_role("navigation", name="Main").get_by_role("link", name="New post")
    new.click()
    photos.choose(page, photos.file())
    photos.expect_there(page, 1)
    photos.describe(page, "The canal")
    page.keyboard.press("Escape")
    expect(photos.tile(page, 1)).to_be_hidden()
    new.click()
    photos.expect_order(page, "The canal")
    photos.post_button(page).click()
    expect(steps.toast(page)).to_contain_text("Post published.")
    page.goto("/@alice")
    expect(page.get_by_role("img", name="The canal", exact=True)).to_be_visible()


def test_a_file_dropped_on_the_composer_is_added_even_before_its_script_and_beside_it_is_not(
    page, tmp_path
):
    held = steps.hold(page, PHOTOS_SCRIPT)
    page.reload()
    path = tmp_path / "canal.jpg"
    path.write_bytes(photos.file()["buffer"])
    photos.drag_from_desktop(page, path, steps.composer(page))
    expect(photos.tiles(page)).to_have_count(0)
    steps.let_go(page, PHOTOS_SCRIPT, held)
    photos.expect_there(page, 1)

    zone = page.get_by_text("Drop photos here")
    with photos.held_above(page.get_by_role("banner").first, [photos.file()]):
        expect(zone).to_be_visible()
    expect(zone).to_be_hidden()  # by itself, when they have left
    photos.drag_from_desktop(page, path, steps.composer(page))
    photos.expect_there(page, 2)

    for address, place in (("/posts/new", "navigation"), ("/explore", "main")):
        page.goto(address)  # the second has no composer, and no script of it
        page.evaluate(NOTE_DROP)
        photos.drag_from_desktop(page, path, page.get_by_role(place).first)
        page.wait_for_function("window.isTaken")
        steps.same_place(page, address)


def test_a_large_photo_is_made_smaller_before_it_is_sent_if_the_browser_can(page):
    sent = []
    page.on("request", lambda request: sent.append(request) if request.method == "POST" else None)
    chosen = photos.camera_file()
    assert len(chosen["buffer"]) > 2_000_000
    for number, script in enumerate(("() => {}", AS_PNG), 1):
        page.evaluate(script)
        photos.choose(page, chosen)
        photos.expect_there(page, number)
    sizes = [
        int(one.all_headers()["content-length"]) for one in sent if one.url.endswith("/photos")
    ]
    assert len(sizes) == 2
    assert sizes[0] < len(chosen["buffer"]) / 2
    assert sizes[1] > len(chosen["buffer"])
