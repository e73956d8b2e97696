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


@pytest.fixture
def page(signed_in, alice) -> Page:
    page = signed_in(alice)
    page.goto("/posts/new")
    return page


def test_chosen_photos_are_tiles_at_once_and_posted_in_their_order(page):
    expect(photos.post_button(page)).to_be_disabled()
    photos.choose(page, photos.files(2))
    photos.expect_there(page, 2)
    expect(photos.status(page)).to_have_text(re.compile(r"Photo \d is ready\."))
    photos.describe(page, "A heron", "Another heron")
    expect(photos.post_button(page)).to_be_enabled()  # a photo needs no words
    photos.post_button(page).click()

    pictures = page.get_by_role("article").get_by_role("img")
    expect(page.get_by_role("img", name="A heron", exact=True)).to_be_visible()
    assert [one.get_attribute("alt") for one in pictures.all()][-2:] == ["A heron", "Another heron"]


def test_photos_are_posted_on_home_and_the_composer_is_empty_again(page):
    page.goto("/")
    photos.choose(page, photos.file())
    photos.describe(page, "The canal")
    photos.expect_there(page, 1)
    steps.write(page, "With a photo")
    card = steps.card(page, "With a photo")
    expect(card.get_by_role("img", name="The canal", exact=True)).to_be_visible()
    expect(photos.tiles(page)).to_have_count(0)


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


def test_a_fifth_photo_is_named_and_the_others_stay(page):
    photos.choose(page, photos.files(3))
    photos.describe(page, "one", "two", "three")
    photos.choose(page, photos.files(3)[1:])
    photos.expect_there(page, 4)
    expect(photos.note(page)).to_have_text("A post can have 4 photos. Not added: canal3.jpg")
    photos.expect_order(page, "one", "two", "three", "")


def test_what_is_no_photo_is_named_and_not_sent(page):
    letter = {"name": "letter.pdf", "mimeType": "application/pdf", "buffer": b"%PDF"}
    photos.choose(page, [letter, photos.file()])
    photos.expect_there(page, 1)
    expect(photos.note(page)).to_contain_text("Not added: letter.pdf")


def test_what_the_server_cannot_read_says_why_and_can_only_be_removed(page, watch):
    watch.expect("422")
    photos.choose(page, photos.file("broken.jpg", b"\xff\xd8\xff not a photo"))
    photos.describe(page, "Still here")
    broken = photos.tile(page, 1)
    expect(broken).to_contain_text("We couldn’t read this photo")
    expect(broken.get_by_role("button", name="Retry")).to_be_hidden()

    photos.post_button(page).click()
    expect(broken.get_by_role("button", name="Remove")).to_be_focused()
    expect(photos.note(page)).to_contain_text("A photo didn’t arrive.")
    photos.press(page, 1, "Remove")
    expect(photos.tiles(page)).to_have_count(0)
    expect(photos.post_button(page)).to_be_disabled()


def test_a_pasted_picture_is_added_but_not_that_of_copied_text(page):
    assert photos.bring(steps.composer(page), "paste", [photos.file()])
    photos.expect_there(page, 1)
    assert not photos.bring(steps.composer(page), "paste", [photos.file()], "A table, as text")
    expect(photos.tiles(page)).to_have_count(1)


def test_a_file_is_dropped_on_the_composer(page, tmp_path):
    path = tmp_path / "canal.jpg"
    path.write_bytes(photos.file()["buffer"])
    photos.drag_from_desktop(page, path, steps.composer(page))
    photos.expect_there(page, 1)


def test_a_file_dropped_before_the_script_has_come_is_added_when_it_comes(page, tmp_path):
    held = steps.hold(page, PHOTOS_SCRIPT)
    page.reload()
    path = tmp_path / "canal.jpg"
    path.write_bytes(photos.file()["buffer"])
    photos.drag_from_desktop(page, path, steps.composer(page))
    expect(photos.tiles(page)).to_have_count(0)
    steps.let_go(page, PHOTOS_SCRIPT, held)
    photos.expect_there(page, 1)


def test_the_drop_zone_shows_while_files_are_above_the_page(page):
    zone = page.get_by_text("Drop photos here")
    steps.composer(page).focus()
    with photos.held_above(page.get_by_role("banner").first, [photos.file()]):
        expect(zone).to_be_visible()
    expect(zone).to_be_hidden()  # by itself, when they have left


def test_a_file_dropped_beside_the_composer_leaves_the_page_as_it_is(page, tmp_path):
    steps.composer(page).fill("Half a sentence")
    path = tmp_path / "canal.jpg"
    path.write_bytes(photos.file()["buffer"])
    photos.drag_from_desktop(page, path, page.get_by_role("navigation", name="Main"))
    page.goto("/explore")  # no composer, and no script of it
    photos.drag_from_desktop(page, path, page.get_by_role("main"))
    page.wait_for_timeout(300)
    steps.same_place(page, "/explore")


def test_a_large_photo_is_made_smaller_before_it_is_sent(page):
    sent = []
    page.on(
        "request", lambda request: sent.append(request) if request.url.endswith("/photos") else None
    )
    chosen = photos.camera_file()
    photos.choose(page, chosen)
    photos.expect_there(page, 1)

    assert len(chosen["buffer"]) > 2_000_000
    assert len(sent) == 1
    assert int(sent[0].all_headers()["content-length"]) < len(chosen["buffer"]) / 2


def test_what_the_browser_cannot_make_smaller_is_sent_as_it_is(page):
    page.evaluate(AS_PNG)
    photos.choose(page, photos.camera_file())
    photos.expect_there(page, 1)
