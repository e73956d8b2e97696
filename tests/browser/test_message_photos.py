"""Photos in private messages: chosen, pasted, dropped, described, sent, and opened large."""

import pytest
from playwright.sync_api import Locator, Page, expect

from accounts.people.viewer import Viewer
from chats.reads import MessageCard
from tests.browser import photographs as photos
from tests.browser import steps
from tests.browser.screens import PHONE, SIZES
from tests.chats.scenes import knows, seen_by, write

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")


@pytest.fixture(autouse=True)
def friends(alice, bob) -> None:
    knows(bob, alice)
    knows(alice, bob)


def send(page: Page) -> None:
    page.get_by_role("button", name="Send", exact=True).click()


def last(page: Page) -> Locator:
    return page.locator(".chat-message").last


def read_by(viewer: Viewer, other: Viewer) -> MessageCard:
    return seen_by(viewer, other).messages[-1]


@pytest.mark.parametrize("size", SIZES)
def test_photos_are_chosen_pasted_described_sent_and_opened_large(signed_in, alice, bob, size, axe):
    page = signed_in(alice, viewport=size)
    page.goto("/messages/@bob")
    photos.choose(page, photos.file())
    photos.expect_there(page, 1)
    assert photos.bring(page.get_by_label("Message", exact=True), "paste", [photos.files(2)[1]])
    photos.expect_there(page, 2)
    photos.describe(page, "The canal", "A heron")
    assert axe(page) == []
    send(page)
    expect(last(page).get_by_role("img", name="A heron", exact=True)).to_be_visible()
    expect(photos.tiles(page)).to_have_count(0)
    assert [one.alt for one in read_by(bob, alice).photos] == ["The canal", "A heron"]

    page.get_by_label("Message", exact=True).fill("And this")
    photos.choose(page, photos.file())  # again, in the fresh form
    photos.expect_there(page, 1)
    send(page)
    expect(last(page)).to_contain_text("And this")

    reader = signed_in(bob, viewport=size)
    reader.goto("/messages/@alice")
    expect(reader.get_by_role("img", name="A heron", exact=True)).to_be_visible()
    assert axe(reader) == []
    reader.get_by_role("img", name="The canal", exact=True).click()
    viewer = reader.get_by_role("dialog")
    expect(viewer).to_contain_text("Photo 1 of 2")
    reader.keyboard.press("ArrowRight")
    expect(viewer).to_contain_text("Photo 2 of 2")
    expect(viewer).to_contain_text("A heron")
    reader.keyboard.press("Escape")
    steps.same_place(reader, "/messages/@alice")


def test_photos_that_are_chosen_while_a_message_is_on_its_way_are_for_the_next(
    signed_in, alice, bob, hold
):
    page = signed_in(alice)
    page.goto("/messages/@bob")
    photos.choose(page, photos.file())
    photos.expect_there(page, 1)
    photos.describe(page, "A heron")
    answer = hold("chats.writes.send_message")
    page.get_by_label("Message", exact=True).fill("Look at this")
    with page.expect_request(lambda one: one.method == "POST"):
        send(page)
    way = photos.Held(page)
    photos.choose(page, photos.file())
    way.expect(1)
    answer.set()
    expect(last(page)).to_contain_text("Look at this")
    expect(page.get_by_label("Message", exact=True)).to_have_value("")
    way.let_go()
    photos.expect_there(page, 1)
    photos.describe(page, "The canal")
    send(page)
    expect(last(page).get_by_role("img", name="The canal")).to_be_visible()
    expect(photos.tiles(page)).to_have_count(0)
    assert [one.alt for one in read_by(bob, alice).photos] == ["The canal"]


def test_send_pressed_for_a_photo_that_comes_while_a_message_is_on_its_way_sends_it_once_both_are_there(
    signed_in, alice, bob, hold
):
    page = signed_in(alice)
    page.goto("/messages/@bob")
    answer = hold("chats.writes.send_message")
    page.get_by_label("Message", exact=True).fill("Look at this")
    with page.expect_request(lambda one: one.method == "POST"):
        send(page)
    way = photos.Held(page)
    photos.choose(page, photos.file())
    way.expect(1)
    photos.describe(page, "The canal")
    send(page)
    answer.set()
    expect(page.get_by_text("Look at this", exact=True)).to_be_visible()
    expect(page.locator(".photos-wait")).to_contain_text("Sends when 1 photo has arrived.")
    way.let_go()
    expect(last(page).get_by_role("img", name="The canal")).to_be_visible()
    expect(photos.tiles(page)).to_have_count(0)
    assert [one.alt for one in read_by(bob, alice).photos] == ["The canal"]


def test_a_photo_that_is_chosen_while_a_message_is_refused_stays_with_those_it_had(
    signed_in, alice, hold, watch
):
    watch.expect("422")
    page = signed_in(alice)
    page.goto("/messages/@bob")
    photos.choose(page, photos.file())
    photos.expect_there(page, 1)
    photos.describe(page, "A heron")
    page.get_by_label("Message", exact=True).fill("x" * 2_001)
    answer = hold("chats.views._refused")
    with page.expect_request(lambda one: one.method == "POST"):
        send(page)
    way = photos.Held(page)
    photos.choose(page, photos.file())
    way.expect(1)
    answer.set()
    expect(page.locator(".field-error")).to_be_visible()
    way.let_go()
    photos.expect_there(page, 2)


def test_send_waits_for_photos_which_stay_after_a_refusal_below_the_newest_message(
    signed_in, alice, bob, watch
):
    watch.expect("422")
    for number in range(20):
        write(bob, alice, f"Message {number}")
    page = signed_in(alice)
    page.goto("/messages/@bob")
    way = photos.Held(page)
    photos.choose(page, photos.file())
    way.expect(1)
    photos.describe(page, "The canal")
    page.get_by_label("Message", exact=True).fill("x" * 2_001)
    send(page)
    expect(page.locator(".photos-wait")).to_contain_text("Sends when 1 photo has arrived.")
    way.let_go()
    expect(page.locator(".field-error")).to_be_visible()
    photos.expect_order(page, "The canal")
    page.get_by_label("Message", exact=True).fill("Shorter")
    send(page)
    expect(last(page)).to_contain_text("Shorter")
    assert [one.alt for one in read_by(bob, alice).photos] == ["The canal"]

    # Photos are dropped anywhere on the conversation, and Enter sends them alone.
    page.unroute(photos.PHOTOS)
    page.get_by_label("Message", exact=True).focus()
    assert photos.bring(page.locator("#messages"), "drop", photos.files(2))
    photos.expect_there(page, 2)
    page.get_by_label("Message", exact=True).press("Enter")
    expect(last(page).get_by_role("img")).to_have_count(2)
    assert len(read_by(bob, alice).photos) == 2

    # The newest message stands above the photos that are chosen, on a phone too.
    page.set_viewport_size(PHONE)
    page.goto("/messages/@bob")
    expect(last(page)).to_be_in_viewport(ratio=1)
    photos.choose(page, photos.file())
    photos.expect_there(page, 1)
    expect(page.locator(".chat-foot .new-photo")).to_be_visible()
    page.wait_for_function(
        "() => [...document.querySelectorAll('.chat-message')].at(-1).getBoundingClientRect().bottom"
        " <= document.querySelector('.chat-foot').getBoundingClientRect().top"
    )
