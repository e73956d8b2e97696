"""Two people write to each other in their browsers: what arrives, what stays in its place, and what nobody asks for."""

import time
from datetime import timedelta

import pytest
from playwright.sync_api import Locator, Page, expect

from chats.writes import delete_message
from tests.browser.screens import PHONE, SIZES, sideways
from tests.browser.steps import hold, let_go, tab_to, toast
from tests.chats.scenes import knows, write
from tests.conftest import post
from tests.feed.scenes import answer

SOON = 15  # seconds in which a message has to arrive: asked for every 3 seconds, on a machine that does much else
MANY = 60
A_POLL = 15_500  # milliseconds
WEEK = 7 * 86_400_000
SHORT = {"width": 390, "height": 560}
HIDDEN = """(hidden) => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
    document.dispatchEvent(new Event("visibilitychange"));
}"""
IS_ON_TOP = """(element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}"""
AS_COMPOSED = """(field) => field.dispatchEvent(new KeyboardEvent("keydown",
    { key: "Enter", isComposing: true, bubbles: true, cancelable: true }))"""


@pytest.fixture
def known(alice, bob) -> None:
    """Both may write to each other without asking."""
    knows(alice, bob)
    knows(bob, alice)


@pytest.fixture
def long(known, alice, bob, drain_stream, monkeypatch) -> None:
    """More messages than a page shows."""
    monkeypatch.setattr("chats.writes.BURST", 2 * MANY)
    monkeypatch.setattr("chats.reads.OVERLAP", timedelta(0))  # they come within a second
    for number in range(MANY):
        write(bob, alice, f"Line {number:02} of a long talk")
    drain_stream()


@pytest.fixture
def page(signed_in, alice, known) -> Page:
    """Alice's browser."""
    return signed_in(alice)


def bubbles(page: Page) -> Locator:
    return page.locator(".bubble .message-text")


def field(page: Page) -> Locator:
    return page.get_by_label("Message", exact=True)


def send(page: Page, text: str) -> None:
    field(page).fill(text)
    page.get_by_role("button", name="Send").click()


def said(page: Page, text: str) -> Locator:
    """The one message with this text."""
    return page.locator(".chat-message").filter(has_text=text)


def menu_of(page: Page, text: str) -> Locator:
    said(page, text).locator("summary").click()
    return said(page, text).locator(".menu-list")


def open_chat(page: Page, other: str) -> None:
    """Opens a conversation, and waits until its script is there."""
    page.goto(f"/messages/@{other}")
    page.wait_for_load_state("networkidle")


def look_now(page: Page) -> None:
    """The page looks for news, as it does by itself every few seconds."""
    page.evaluate("document.getElementById('chat-news').dispatchEvent(new Event('news'))")


def from_end(page: Page) -> int:
    return page.evaluate(
        "Math.round(document.documentElement.scrollHeight - innerHeight - scrollY)"
    )


def top_of(element: Locator) -> float:
    return element.evaluate("(element) => element.getBoundingClientRect().top")


def count_looks(page: Page) -> None:
    """Counts when the page looks for news, whether or not the look before has been answered."""
    page.evaluate("looks = 0; document.addEventListener('news', () => { looks += 1; }, true)")


# What arrives, and where one reads


def test_a_message_stands_on_the_others_page_within_seconds_after_a_failed_look_and_on_going_back(
    page, alice, bob, signed_in, watch
):
    watch.expect("503")
    of_bob = signed_in(bob)
    open_chat(page, "bob")
    open_chat(of_bob, "alice")
    send(page, "Tea at four?")
    started = time.monotonic()
    expect(bubbles(of_bob)).to_have_text(["Tea at four?"])
    assert time.monotonic() - started < SOON
    send(of_bob, "Gladly.")
    expect(bubbles(of_bob)).to_have_count(2)
    look_now(page)
    expect(bubbles(page)).to_have_text(["Tea at four?", "Gladly."])
    expect(bubbles(of_bob)).to_have_text(["Tea at four?", "Gladly."])
    expect(said(page, "Tea")).to_contain_text("Seen")

    # A screen reader is told what others say, not what one has just said oneself.
    says = page.locator("#chat-says")
    expect(says).to_have_role("status")
    expect(says).to_contain_text("Gladly.")
    expect(says).not_to_contain_text("Tea")
    expect(of_bob.locator("#chat-says")).not_to_contain_text("Gladly.")
    expect(page.locator(".chat-day")).to_have_count(1)

    # A look that fails says nothing, and the next one brings what came.
    page.route("**/news?*", lambda route: route.fulfill(status=503))
    write(bob, alice, "Still here?")
    with page.expect_response("**/news?*"):
        look_now(page)
    expect(toast(page)).to_have_text("")
    page.unroute("**/news?*")
    expect(bubbles(page).last).to_have_text("Still here?")

    # Going back shows what came meanwhile.
    page.get_by_role("main").get_by_role("link", name="Bob").click()
    page.wait_for_url("**/@bob")
    write(bob, alice, "And cake?")
    page.go_back()
    expect(bubbles(page)).to_have_text(["Tea at four?", "Gladly.", "Still here?", "And cake?"])


def test_a_long_talk_begins_at_its_end_and_neither_older_nor_new_messages_move_what_is_read(
    page, alice, bob, long, drain_stream
):
    page.add_init_script("requestAnimationFrame(() => { window.first = scrollY; })")
    page.set_viewport_size(SHORT)
    open_chat(page, "bob")
    assert page.evaluate("first") > 500  # before the first picture, so nothing jumps
    assert from_end(page) <= 1
    expect(bubbles(page)).to_have_count(50)

    page.evaluate("scrollTo(0, 0)")
    eldest = bubbles(page).first
    expect(eldest).to_have_text("Line 10 of a long talk")
    line = said(page, "Line 10")
    before = top_of(line)
    page.get_by_role("link", name="Older messages").click()
    expect(bubbles(page)).to_have_count(MANY)
    assert abs(top_of(line) - before) < 60  # as the button above it goes
    assert page.evaluate("scrollY") > 300
    expect(bubbles(page).first).to_have_text("Line 00 of a long talk")
    expect(page.get_by_role("link", name="Older messages")).to_have_count(0)
    expect(page.locator(".chat-day")).to_have_count(1)

    # What comes moves nothing either.
    page.clock.install()
    open_chat(page, "bob")
    page.evaluate("scrollTo(0, 900)")
    line = said(page, "Line 25")
    before = top_of(line)
    write(bob, alice, "News from the canal")
    drain_stream()
    look_now(page)
    expect(said(page, "News from the canal")).to_be_attached()
    assert abs(top_of(line) - before) <= 1
    page.clock.fast_forward(A_POLL)
    expect(page.locator("#messages-badge")).to_contain_text("1")
    expect(page).to_have_title("(2) Messages with Bob Brandt · socialsite")  # and one who follows

    page.get_by_role("button", name="New messages").click()
    expect(page.get_by_role("button", name="New messages")).to_have_count(0)
    expect(said(page, "News from the canal")).to_be_in_viewport()
    expect(page.locator("#messages-badge")).to_have_text("")
    expect(page).to_have_title("(1) Messages with Bob Brandt · socialsite")


def test_what_goes_moves_nothing_and_the_page_asks_less_when_it_is_quiet_and_nothing_in_a_hidden_tab(
    page, alice, bob, known, drain_stream
):
    first = write(bob, alice, "Goes\nand\nhas\nmany\nlines").message
    write(alice, bob, "An answer to it", answers=first.message_id)
    for number in range(20):
        write(bob, alice, f"Line {number:02}")
    page.clock.install()
    page.set_viewport_size(SHORT)
    open_chat(page, "bob")
    expect(said(page, "An answer").locator(".message-answered")).to_contain_text("Goes")
    delete_message(by=bob, chat_id=first.chat_id, message_id=first.message_id)
    drain_stream()
    look_now(page)
    line, before = said(page, "Line 12"), top_of(said(page, "Line 12"))
    expect(page.get_by_text("Message deleted")).to_have_count(2)  # and where it is quoted
    assert abs(top_of(line) - before) <= 1

    # All of them live for seven days, to the second, and leave no line of a day behind.
    page.clock.fast_forward(WEEK - 60_000)
    expect(said(page, "Line 12")).to_be_attached()
    page.clock.fast_forward(120_000)
    expect(page.locator(".chat-message")).to_have_count(0)
    expect(page.locator(".chat-day")).to_have_count(0)

    # It asks often at first, less when it is quiet, and for nothing in a hidden tab.
    open_chat(page, "bob")
    count_looks(page)
    page.clock.run_for(59_000)
    at_first = page.evaluate("looks")
    assert 18 <= at_first <= 20
    page.clock.run_for(600_000)
    later = page.evaluate("looks")
    assert later - at_first < 40
    page.evaluate(HIDDEN, True)
    page.clock.run_for(600_000)
    assert page.evaluate("looks") == later
    with page.expect_request("**/news?*"):
        page.evaluate(HIDDEN, False)
        page.clock.fast_forward(3_000)
    page.clock.run_for(3_000)
    assert page.evaluate("looks") >= later + 2


@pytest.mark.parametrize("size", SIZES)
def test_the_form_stays_above_the_bar_and_is_never_covered(page, alice, bob, size, look):
    for text in ("Donaudampfschifffahrtsgesellschaft" * 9, "שלום, מה שלומך?", "🎉🎉", "Tea?"):
        write(bob, alice, text)
    page.set_viewport_size(size)
    open_chat(page, "bob")
    write_here, button = field(page), page.get_by_role("button", name="Send")
    for scale in ("100%", "200%"):
        page.evaluate(f"document.documentElement.style.fontSize = '{scale}'")
        for place in ("0", "1e6"):
            page.evaluate(f"scrollTo(0, {place})")
            expect(button).to_be_in_viewport(ratio=1)
            assert write_here.evaluate(IS_ON_TOP)
            assert button.evaluate(IS_ON_TOP)
        assert sideways(page) <= 0
        last = said(page, "Tea?").locator(".bubble")
        assert last.evaluate(IS_ON_TOP)
    page.evaluate("document.documentElement.style.fontSize = ''")
    assert (
        said(page, "שלום").locator(".message-text").evaluate("e => getComputedStyle(e).direction")
        == "rtl"
    )
    large = said(page, "🎉").locator(".message-text")
    assert float(large.evaluate("e => parseFloat(getComputedStyle(e).fontSize)")) > 30
    assert look(page) == []


# Writing


def test_enter_sends_or_begins_a_line_and_a_draft_waits_in_every_window(
    page, signed_in, alice, bob
):
    write(bob, alice, "Tea?")
    open_chat(page, "bob")
    with page.expect_response("**/draft"):
        field(page).press_sequentially("Half a sen")
    other = page.context.new_page()
    open_chat(other, "bob")
    expect(field(other)).to_have_value("Half a sen")
    field(page).press_sequentially("tence")
    with page.expect_response("**/draft"):  # what was typed last is kept as one leaves
        page.evaluate(HIDDEN, True)
    page.goto("/messages")
    open_chat(page, "bob")
    expect(field(page)).to_have_value("Half a sentence")
    send(page, "Half a sentence, and all of it")
    expect(bubbles(page)).to_have_text(["Tea?", "Half a sentence, and all of it"])
    other.reload()
    expect(field(other)).to_have_value("")
    expect(bubbles(other)).to_have_count(2)

    # Enter sends, or begins a line where one wished so or touches the screen.
    write_here = field(page)
    write_here.press_sequentially("One")
    write_here.press("Shift+Enter")
    write_here.press_sequentially("line more")
    assert write_here.evaluate(AS_COMPOSED)  # chooses a word of an input method
    expect(write_here).to_have_value("One\nline more")
    write_here.press("Enter")
    expect(bubbles(page).last).to_have_text("One line more")
    expect(write_here).to_have_value("")
    expect(write_here).to_be_focused()
    write_here.press("Enter")  # nothing is written
    expect(bubbles(page)).to_have_count(3)

    page.goto("/settings/appearance")
    page.get_by_label("Enter begins a new line").check()
    page.get_by_role("button", name="Save").click()
    open_chat(page, "bob")
    field(page).press_sequentially("Two")
    field(page).press("Enter")
    expect(field(page)).to_have_value("Two\n")
    expect(bubbles(page)).to_have_count(3)

    touched = signed_in(bob, has_touch=True, is_mobile=True, viewport=PHONE)
    open_chat(touched, "alice")
    field(touched).press_sequentially("Three")
    field(touched).press("Enter")
    expect(field(touched)).to_have_value("Three\n")


def test_what_is_typed_is_sent_once_and_kept_while_a_message_is_on_its_way_or_cannot_be_sent(
    page, bob, watch
):
    watch.expect("503", "422", "htmx:sendError", "/messages/@bob")
    open_chat(page, "bob")
    held = hold(page, "**/messages/@bob")
    field(page).press_sequentially("Hello")
    field(page).press("Enter")
    field(page).press("Enter")
    page.get_by_role("button", name="Send").click()
    expect(field(page)).to_have_value("Hello")
    let_go(page, "**/messages/@bob", held)
    expect(bubbles(page)).to_have_text(["Hello"])
    expect(field(page)).to_have_value("")

    held = hold(page, "**/messages/@bob")
    field(page).press_sequentially("Are you there")
    field(page).press("Enter")
    field(page).press_sequentially(" tonight?")
    let_go(page, "**/messages/@bob", held)
    expect(bubbles(page)).to_have_text(["Hello", "Are you there"])
    expect(field(page)).to_have_value("tonight?")
    expect(field(page)).to_be_focused()
    page.reload()
    expect(bubbles(page)).to_have_text(["Hello", "Are you there"])

    # What cannot be sent stays in the form.
    open_chat(page, "bob")
    field(page).fill("")
    page.context.set_offline(True)
    send(page, "Into the tunnel")
    expect(toast(page)).to_contain_text("offline")
    expect(field(page)).to_have_value("Into the tunnel")
    page.context.set_offline(False)

    page.route("**/messages/@bob", lambda route: route.fulfill(status=503))
    send(page, "Into the storm")
    expect(toast(page)).to_contain_text("We can’t save this right now.")
    expect(field(page)).to_have_value("Into the storm")
    page.unroute("**/messages/@bob")

    send(page, "x" * 2_001)
    expect(page.get_by_role("alert").filter(has_text="2000 characters")).to_be_visible()
    expect(field(page)).to_have_value("x" * 2_001)
    expect(field(page)).to_be_focused()
    send(page, "Out of it")
    expect(bubbles(page).last).to_have_text("Out of it")
    expect(page.locator(".chat-form .field-error")).to_have_count(0)


# What one does with a message


def test_messages_are_answered_kept_and_deleted_on_the_open_page_and_by_the_keyboard_alone(
    page, alice, bob
):
    write(bob, alice, "The code is 1234")
    write(alice, bob, "Oops")
    open_chat(page, "bob")
    menu_of(page, "The code").get_by_role("link", name="Reply").click()
    quote = page.locator("#chat-answers")
    expect(quote).to_contain_text("The code is 1234")
    expect(field(page)).to_be_focused()
    quote.get_by_role("link", name="Cancel reply").click()
    expect(quote).to_have_count(0)

    menu_of(page, "The code").get_by_role("link", name="Reply").click()
    send(page, "Thank you")
    expect(said(page, "Thank you").locator(".message-answered")).to_contain_text("The code is 1234")
    expect(quote).to_have_count(0)
    send(page, "By the way")
    expect(bubbles(page)).to_have_count(4)
    expect(said(page, "By the way").locator(".message-answered")).to_have_count(0)

    menu_of(page, "Oops").get_by_role("button", name="Delete for everyone").click()
    expect(page.get_by_text("Message deleted")).to_be_visible()
    code = page.locator(".chat-message").first
    code.locator("summary").click()
    code.get_by_role("button", name="Keep").click()
    expect(code).to_contain_text("You kept this")
    page.reload()
    expect(said(page, "Thank you").locator(".message-answered")).to_contain_text("The code is 1234")
    expect(page.get_by_text("Message deleted")).to_be_visible()
    expect(page.locator(".chat-message").first).to_contain_text("You kept this")

    # The keyboard alone writes answers and opens menus.
    write(bob, alice, "Tea?")
    open_chat(page, "bob")
    summary = said(page, "Tea?").locator("summary")
    tab_to(page, summary)
    page.keyboard.press("Enter")
    link = said(page, "Tea?").get_by_role("link", name="Reply")
    tab_to(page, link)
    page.keyboard.press("Enter")
    expect(field(page)).to_be_focused()
    page.keyboard.type("Gladly.")
    page.keyboard.press("Enter")
    expect(said(page, "Gladly.").locator(".message-answered")).to_contain_text("Tea?")
    expect(field(page)).to_be_focused()
    summary = said(page, "Gladly.").locator("summary")
    summary.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    expect(summary).to_be_focused()
    expect(page.locator(".menu-list:visible")).to_have_count(0)


# Requests


def test_a_request_is_answered_and_the_one_who_asked_can_go_on_at_once(
    signed_in, alice, bob, drain_stream
):
    of_alice, of_bob = signed_in(alice), signed_in(bob, viewport=PHONE)
    open_chat(of_alice, "bob")
    expect(of_alice.get_by_text("gets this as a request")).to_be_visible()
    send(of_alice, "We met. See https://example.org")
    expect(bubbles(of_alice)).to_have_count(1)
    expect(of_alice.get_by_text("@bob hasn’t answered your request yet.")).to_be_visible()
    expect(field(of_alice)).to_have_count(0)

    drain_stream()
    of_bob.goto("/messages/requests")
    of_bob.get_by_role("link", name="We met").click()
    expect(bubbles(of_bob).get_by_role("link")).to_have_count(0)
    expect(of_bob.locator(".message-menu")).to_have_count(0)
    of_bob.get_by_role("button", name="Accept").click()
    expect(bubbles(of_bob).get_by_role("link")).to_have_count(1)
    expect(of_bob.get_by_role("button", name="Accept")).to_have_count(0)

    look_now(of_alice)
    send(of_alice, "Thanks!")
    expect(bubbles(of_alice)).to_have_count(2)


# What the page asks for, and what follows it


# The other pages that follow what the pulse tells


def test_open_notifications_messages_and_threads_show_what_came_with_badge_and_title_in_every_tab(
    page, alice, bob, drain_stream
):
    page.clock.install()
    page.goto("/notifications")
    expect(page.get_by_text("Nothing yet.")).to_be_visible()
    mine = post(alice, "Anyone at the canal?")
    answer(bob, alice, mine, "I am.")
    drain_stream()
    page.clock.fast_forward(A_POLL)
    expect(page.locator(".note").first).to_contain_text("I am.")
    expect(page.locator(".note").nth(1)).to_contain_text("followed you")
    expect(page.get_by_text("Nothing yet.")).to_have_count(0)
    expect(page.locator("#bell-badge")).to_have_text("")  # as it is read

    # List, badge and title of messages follow in every tab.
    page.goto("/messages")
    expect(page.get_by_text("No messages yet.")).to_be_visible()
    write(bob, alice, "Tea?")
    drain_stream()
    page.clock.fast_forward(A_POLL)
    row = page.get_by_role("link", name="Tea?")
    expect(row).to_contain_text("New:")
    expect(page.get_by_text("No messages yet.")).to_have_count(0)
    expect(page.locator("#messages-badge")).to_contain_text("1")
    expect(page).to_have_title("(1) Messages · socialsite")
    write(bob, alice, "Or coffee?")
    drain_stream()
    page.clock.fast_forward(2 * A_POLL)
    row = page.get_by_role("link", name="Or coffee?")
    expect(row, "a further one of the same conversation").to_contain_text("New:")
    expect(page.locator("#messages-badge")).to_contain_text("1")

    row.focus()
    other = page.context.new_page()
    open_chat(other, "bob")
    expect(other.locator("#messages-badge")).to_have_text("")
    page.clock.fast_forward(2 * A_POLL)
    expect(page.locator("#messages-badge")).to_have_text("")
    expect(page).to_have_title("Messages · socialsite")
    expect(row).not_to_contain_text("New:")
    expect(row).to_be_focused()

    # An open thread says how many answers came.
    mine = post(alice, "Anyone at the canal?")
    drain_stream()
    page.goto(f"/@alice/posts/{mine}")
    for text, words in (("I am.", "1 new reply"), ("So am I.", "2 new replies")):
        answer(bob, alice, mine, text)
        drain_stream()
        page.clock.fast_forward(A_POLL)
        pill = page.get_by_role("button", name=words)
        expect(pill).to_be_visible()
    expect(page.locator("#replies article")).to_have_count(0)
    pill.click()
    expect(page.locator("#replies article")).to_have_count(2)
    expect(page.locator("#replies article").first).to_be_focused()
    expect(pill).to_have_count(0)
