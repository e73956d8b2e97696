"""Photos in private messages: chosen, pasted, described and sent, opened large, and sent without a script."""

import pytest
from playwright.sync_api import Locator, Page, expect

from accounts.people.viewer import Viewer
from chats.reads import MessageCard
from tests.browser import photographs as photos
from tests.browser import steps
from tests.browser.screens import PHONE
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


@pytest.mark.parametrize("screen", [{}, {"viewport": PHONE}], ids=["desktop", "phone"])
def test_photos_are_chosen_pasted_described_sent_and_opened_large(
    signed_in, alice, bob, screen, axe
):
    page = signed_in(alice, **screen)
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

    reader = signed_in(bob, **screen)
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


def test_the_newest_message_of_a_phone_stands_above_the_photos_that_are_chosen(
    signed_in, alice, bob
):
    for number in range(20):
        write(bob, alice, f"Message {number}")
    page = signed_in(alice, viewport=PHONE)
    page.goto("/messages/@bob")
    expect(last(page)).to_be_in_viewport(ratio=1)
    photos.choose(page, photos.file())
    photos.expect_there(page, 1)
    expect(page.locator(".chat-foot .new-photo")).to_be_visible()
    page.wait_for_function(
        "() => [...document.querySelectorAll('.chat-message')].at(-1).getBoundingClientRect().bottom"
        " <= document.querySelector('.chat-foot').getBoundingClientRect().top"
    )


def test_send_waits_for_photos_and_what_was_chosen_stays_after_a_refusal(
    signed_in, alice, bob, watch
):
    watch.expect("422")
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


def test_photos_are_dropped_anywhere_on_the_conversation_and_enter_sends_them_alone(
    signed_in, alice, bob
):
    page = signed_in(alice)
    page.goto("/messages/@bob")
    page.get_by_label("Message", exact=True).focus()
    assert photos.bring(page.locator("#messages"), "drop", photos.files(2))
    photos.expect_there(page, 2)
    page.get_by_label("Message", exact=True).press("Enter")
    expect(last(page).get_by_role("img")).to_have_count(2)
    assert len(read_by(bob, alice).photos) == 2


def test_without_a_script_photos_go_with_the_form(signed_in, alice, bob, tmp_path):
    page = signed_in(alice, java_script_enabled=False)
    page.goto("/messages/@bob")
    page.locator("summary", has_text="Add photos").click()
    page.get_by_label("Photos", exact=True).set_input_files(photos.files(2))
    page.get_by_label("Photo 1", exact=True).fill("The canal")
    send(page)
    expect(page.get_by_role("img", name="The canal", exact=True)).to_be_visible()
    assert len(read_by(bob, alice).photos) == 2
    page.get_by_role("img", name="The canal", exact=True).click()
    expect(steps.title(page)).to_have_text("Photo 1 of 2")
    page.get_by_role("link", name="Back to the message").click()
    expect(page.get_by_role("img", name="The canal", exact=True)).to_be_visible()
