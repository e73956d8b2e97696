"""Photos in the composer: chosen, sent, described, ordered, and kept."""

import re

import pytest
from playwright.sync_api import Page, expect

from feed.profiles.reads import list_posts
from photos.reads import list_album
from tests.browser import photographs as photos
from tests.browser import steps
from tests.browser.screens import PHONE
from tests.feed.scenes import drafts_of, texts_of

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


def test_photos_are_tiles_at_once_ordered_by_keys_and_by_dragging_and_posted_in_their_order(page):
    expect(photos.post_button(page)).to_be_disabled()
    photos.choose(page, photos.files(3))
    photos.expect_there(page, 3)
    expect(photos.status(page)).to_have_text(re.compile(r"Photo \d is ready\."))
    photos.describe(page, "one", "two", "three")
    # By the keyboard they are moved and removed, and the focus is kept.
    steps.tab_to(page, photos.description(page, 1))
    page.keyboard.type(" heron")
    steps.tab_to(
        page,
        photos.tile(page, 1).get_by_role("button", name="Move later"),
    )
    page.keyboard.press("Enter")
    expect(photos.status(page)).to_have_text("Photo 2 of 3")
    photos.expect_order(page, "two", "one heron", "three")
    expect(photos.tile(page, 2).get_by_role("button", name="Move later")).to_be_focused()
    for _ in range(2):  # then it is the last: nothing happens, and the focus stays
        page.keyboard.press("Space")
        photos.expect_order(page, "two", "three", "one heron")
        expect(photos.tile(page, 3).get_by_role("button", name="Move later")).to_be_focused()
    photos.press(page, 3, "Move earlier")
    photos.expect_order(page, "two", "one heron", "three")
    photos.description(page, 1).press("Control+Enter")  # to the text, and nothing is posted
    expect(steps.composer(page)).to_be_focused()

    steps.tab_to(
        page,
        photos.tile(page, 2).get_by_role("button", name="Remove"),
    )
    page.keyboard.press("Enter")
    expect(photos.status(page)).to_have_text("Photo removed.")
    photos.expect_order(page, "two", "three")
    for count in (1, 0):
        expect(photos.tile(page, count + 1).get_by_role("button", name="Remove")).to_be_focused()
        page.keyboard.press("Enter")
        expect(photos.tiles(page)).to_have_count(count)
    expect(page.get_by_label("Add photos")).to_be_focused()
    photos.choose(page, photos.files(4))  # there is room for all again
    photos.expect_there(page, 4)

    # By the pointer they are dragged.
    photos.press(page, 4, "Remove")
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


def test_at_home_photos_are_chosen_or_pasted_and_in_the_dialog_they_stay_while_it_is_closed(page):
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

    # In the dialog photos stay while it is closed, and are posted from it.
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


# Photos are sent while one writes: again when the connection or the server was away, and Post waits for them.


def test_photos_are_sent_smaller_two_at_a_time_while_post_waits_and_wait_for_a_connection(
    page, alice
):
    steps.composer(page).focus()
    page.wait_for_function("document.querySelector('link[href*=photos]')")
    page.context.set_offline(True)
    photos.choose(page, photos.file())
    photos.describe(page, "From the train")
    expect(photos.tile(page, 1)).to_contain_text("Waits for your connection.")
    page.context.set_offline(False)
    photos.expect_there(page, 1)
    photos.expect_order(page, "From the train")

    # Post waits for photos, which are sent two at a time, and can be taken back.
    photos.press(page, 1, "Remove")
    expect(photos.tiles(page)).to_have_count(0)
    way = photos.Held(page)
    photos.choose(page, photos.files(3))
    way.expect(2)
    expect(photos.tile(page, 1).get_by_role("progressbar", name="Sending")).to_be_visible()
    expect(photos.tile(page, 3).get_by_role("progressbar", name="Sending")).to_be_hidden()
    photos.describe(page, "one", "two", "three")
    steps.write(page, "Four herons")
    waits = page.locator(".photos-wait")
    expect(waits).to_contain_text("Posts when 3 photos have arrived.")
    way.let_go()
    expect(waits).to_contain_text("Posts when 2 photos have arrived.")
    way.expect(2)  # the second, and now the third
    page.get_by_role("button", name="Don’t post yet").click()
    expect(waits).to_be_hidden()
    expect(steps.composer(page)).to_be_focused()
    way.let_go(2)
    photos.expect_there(page, 3)
    steps.same_place(page, "/posts/new")  # nothing is posted when they are there

    photos.choose(page, photos.file())
    way.expect(1)
    photos.description(page, 4).fill("fo")
    photos.post_button(page).click()
    expect(waits).to_contain_text("Posts when 1 photo has arrived.")
    photos.description(page, 4).fill("four")  # what is typed meanwhile goes along
    assert not list_posts(alice.card).items
    way.let_go()
    expect(steps.title(page)).to_have_text("Post")
    for name in ("one", "two", "three", "four"):
        expect(page.get_by_role("img", name=name, exact=True)).to_be_visible()

    # A large photo is made smaller before it is sent, if the browser can.
    page.unroute(photos.PHOTOS)
    page.goto("/posts/new")
    sent = []
    page.on("request", lambda request: sent.append(request) if request.method == "POST" else None)
    large, other = photos.camera_file(), photos.camera_file(2000)
    assert len(large["buffer"]) > 2_000_000
    for number, (script, chosen) in enumerate((("() => {}", large), (AS_PNG, other)), 1):
        page.evaluate(script)
        photos.choose(page, chosen)
        photos.expect_there(page, number)
    sizes = [
        int(one.all_headers()["content-length"]) for one in sent if one.url.endswith("/photos")
    ]
    assert len(sizes) == 2
    assert sizes[0] < len(large["buffer"]) / 2
    assert sizes[1] > len(other["buffer"])


def test_photos_are_sent_again_after_a_503_and_one_that_fails_for_good_says_why_and_post_leads_to_it(
    page, alice, watch
):
    watch.expect("403", "422", "503")
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

    way = photos.Held(page)
    photos.choose(page, photos.file())
    way.expect(1)
    photos.describe(page, "A heron")
    steps.write(page, "Heron")
    expect(page.locator(".photos-wait")).to_be_visible()
    way.routes.pop().fulfill(status=403, body="")
    expect(photos.tile(page, 1)).to_contain_text("This page is out of date.")
    expect(photos.tile(page, 1).get_by_role("button", name="Retry")).to_be_focused()
    expect(page.locator(".photos-wait")).to_be_hidden()
    assert not list_posts(alice.card).items

    # After a 503 photos are sent again to their places, and are not there twice.
    page.unroute(photos.PHOTOS)
    page.goto("/posts/new")
    lost = []

    def lose_the_answer(route):
        lost.append(route.fetch().status)
        route.fulfill(status=503, headers={"Retry-After": "600"}, body="")

    page.route(photos.PHOTOS, lose_the_answer, times=1)
    photos.choose(page, photos.file())
    expect(photos.tile(page, 1)).to_contain_text("The server is busy.")
    assert lost == [200]
    photos.answer_once(page, 503, **{"Retry-After": "1"})
    photos.choose(page, photos.files(1))
    expect(photos.tiles(page).nth(1)).to_have_attribute("data-state", "there")  # by itself
    photos.describe(page, "first", "second")
    photos.press(page, 1, "Retry")
    photos.expect_there(page, 2)
    photos.expect_order(page, "first", "second")
    assert len(list_album(alice).items) == 2


# Descriptions of photos: asked for once, never forced, counted near the limit.


@pytest.fixture
def two(page) -> Page:
    photos.choose(page, photos.files(2))
    photos.expect_there(page, 2)
    return page


def test_descriptions_are_asked_for_once_never_forced_and_counted_as_the_server_does(two, watch):
    left = photos.tile(two, 1).locator(".tile-left")
    photos.description(two, 1).fill("x" * 1899)
    expect(left).to_be_hidden()
    photos.description(two, 1).fill("x" * 1999 + "e\u0301")
    expect(left).to_have_text("Characters left: 0")
    photos.description(two, 1).fill("陈" * 990)
    expect(left).to_have_text("Bytes left: 30")
    photos.description(two, 1).fill("x" * 2001)
    expect(left).to_have_text("Characters left: -1")

    photos.description(two, 2).fill("صورة لطائر")  # from right to left
    expect(photos.description(two, 2)).to_have_css("direction", "rtl")
    expect(photos.description(two, 1)).to_have_css("direction", "ltr")
    photos.describe(two, "x" * 2001, "A heron")

    watch.expect("422")
    steps.write(two, "Too long a description")
    expect(photos.tile(two, 1)).to_contain_text("Use up to 2000 characters")
    photos.expect_order(two, "x" * 2001, "A heron")  # both photos and all words are still there
    photos.describe(two, "Shorter")
    photos.post_button(two).click()
    expect(two.get_by_role("img", name="Shorter", exact=True)).to_be_visible()

    # Posting asks for descriptions once; one can post without, and a setting turns the question off.
    two.goto("/posts/new")
    photos.choose(two, photos.files(2))
    photos.expect_there(two, 2)
    expect(two.get_by_text("No description")).to_have_count(2)
    photos.description(two, 1).fill("A heron")
    expect(photos.tile(two, 1).get_by_text("No description")).to_be_hidden()
    expect(photos.tile(two, 2).get_by_text("No description")).to_be_visible()
    photos.post_button(two).click()
    question = two.get_by_role("dialog", name="Describe your photos?")
    question.get_by_role("button", name="Describe").click()
    expect(photos.description(two, 2)).to_be_focused()
    photos.post_button(two).click()  # it does not ask again

    expect(steps.title(two)).to_have_text("Post")
    expect(two.get_by_role("img", name="Photo without description")).to_be_visible()

    two.goto("/posts/new")
    photos.choose(two, photos.files(2))
    photos.expect_there(two, 2)
    photos.post_button(two).click()
    two.keyboard.press("Escape")
    expect(two.get_by_role("dialog", name="Describe your photos?")).to_be_hidden()
    expect(photos.post_button(two)).to_be_focused()
    steps.same_place(two, "/posts/new")  # nothing is posted
    photos.post_button(two).click()
    expect(steps.title(two)).to_have_text("Post")
    expect(two.get_by_role("img", name="Photo without description")).to_have_count(2)

    begin_one(two)
    two.get_by_role("button", name="Post without").click()
    expect(steps.title(two)).to_have_text("Post")

    two.goto("/settings/appearance")
    two.get_by_label("Remind me to describe photos").uncheck()
    two.get_by_role("button", name="Save").click()
    expect(steps.toast(two)).to_contain_text("Settings saved.")
    begin_one(two)
    expect(steps.title(two)).to_have_text("Post")


def begin_one(page: Page) -> None:
    """Presses Post, with a photo that has no description."""
    page.goto("/posts/new")
    photos.choose(page, photos.file())
    photos.expect_there(page, 1)
    photos.post_button(page).click()


# A draft keeps its photos: after a reload, and on the other device.


def with_photos(alice) -> list[int]:
    """How many photos each draft has."""
    return [len(draft.composition.photos) for draft in drafts_of(alice)]


# Photos in a story: each of its posts takes its own.


def of_part(page: Page, number: int):
    return page.locator("[data-part]").nth(number - 2)


def choose(page: Page, number: int, *texts: str) -> None:
    part = of_part(page, number)
    part.get_by_label("Add photos").set_input_files(photos.files(len(texts)))
    for place, text in enumerate(texts):
        part.locator("[data-tile] textarea").nth(place).fill(text)
    expect(part.locator("[data-state=there]")).to_have_count(len(texts))


def test_drafts_and_further_posts_keep_their_photos_after_a_reload_and_on_the_other_device(
    alice, signed_in
):
    page = signed_in(alice)
    page.clock.install()
    page.goto("/posts/new")
    steps.composer(page).fill("A heron")
    photos.choose(page, photos.files(2))
    photos.describe(page, "Its beak", "Its legs")
    steps.let_save(page, lambda: with_photos(alice) == [2])
    expect(page.locator(".composer-saved")).to_contain_text("Saved ")
    page.reload()
    expect(photos.description(page, 1)).to_have_value("Its beak")
    photos.description(page, 2).fill("Its long legs")
    steps.composer(page).press("Control+End")
    steps.composer(page).press_sequentially(" stands")
    steps.let_save(page, lambda: texts_of(alice) == ["A heron stands"])
    assert with_photos(alice) == [2]

    phone = signed_in(alice, viewport=PHONE)
    phone.goto("/drafts")
    expect(phone.locator(".shelved-photos")).to_contain_text("2 photos")
    phone.get_by_role("link", name="Continue").click()
    expect(photos.description(phone, 1)).to_have_value("Its beak")
    expect(photos.description(phone, 2)).to_have_value("Its long legs")
    phone.get_by_role("button", name="Post", exact=True).click()
    expect(steps.title(phone)).to_have_text("Post")
    (post,) = list_posts(alice.card).items
    assert [one.says for one in post.photos] == ["Its beak", "Its long legs"]
    assert drafts_of(alice) == []

    # Each further post of a story takes photos of its own, and has them after a removal and a reload.
    page = signed_in(alice)
    page.clock.install()
    page.goto("/posts/new")
    steps.composer(page).fill("One")
    add = page.get_by_role("button", name="Add another post")
    add.click()
    page.get_by_label("Text of post 2").fill("Two")
    choose(page, 2, "Gone")
    add.click()
    choose(page, 3, "A heron", "Another heron")  # and no words
    expect(of_part(page, 3).locator("legend", has_text="Photo 2 of 2")).to_have_count(1)
    add.click()
    page.get_by_label("Text of post 4").fill("Four")
    page.get_by_role("button", name="Remove post 2").click()
    expect(page.locator("[name='2-photo']")).to_have_count(2)  # the numbers follow

    steps.let_save(page, lambda: stories(alice) == [[2, 0]])
    page.reload()
    expect(of_part(page, 2).locator("[data-tile] textarea").first).to_have_value("A heron")
    expect(page.get_by_label("Text of post 3")).to_have_value("Four")
    steps.composer(page).fill("One more")
    steps.let_save(page, lambda: drafts_of(alice)[0].composition.content == "One more")
    assert stories(alice) == [[2, 0]]

    of_part(page, 2).get_by_role("button", name="Move earlier").nth(1).click()
    expect(of_part(page, 2).locator("[data-tile] textarea").last).to_have_value("A heron")
    page.get_by_role("button", name="Post", exact=True).click()
    expect(steps.title(page)).to_have_text("Post")
    shown = page.locator(".post-photo img")
    expect(shown).to_have_count(2)
    assert [one.get_attribute("alt") for one in shown.all()] == ["Another heron", "A heron"]
    expect(page.get_by_text("Four", exact=True)).to_be_visible()


def stories(alice) -> list[list[int]]:
    """How many photos the further posts of each draft have."""
    drafts = [draft.composition for draft in drafts_of(alice)]
    return [[len(part.photos) for part in draft.parts] for draft in drafts]
