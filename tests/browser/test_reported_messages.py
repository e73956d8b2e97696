"""Reporting private messages as people do it, and what a moderator then sees."""

import pytest
from playwright.sync_api import expect

from accounts.people.restrictions import Restriction
from tests.browser.screens import SIZES, sideways
from tests.chats.scenes import knows, write
from tests.moderation.cases import about, restrict

embedded_alone = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")

RUDE = "You are a fool"


@pytest.fixture
def talk(alice, bob) -> None:
    """What Alice and Bob said, the last thing by Bob."""
    knows(alice, bob)
    knows(bob, alice)
    write(alice, bob, "How are you?")
    write(bob, alice, RUDE)


@embedded_alone
@pytest.mark.parametrize("size", SIZES)
def test_a_message_is_reported_from_its_menu_and_a_moderator_reads_it(
    signed_in, alice, bob, mod, talk, look, size
):
    page = signed_in(alice, viewport=size)
    page.goto("/messages/@bob")
    message = page.locator(".chat-message", has_text=RUDE)
    message.locator("summary").click()
    message.get_by_role("link", name="Report…").click()
    expect(page.get_by_role("checkbox", name=RUDE)).to_be_checked()
    assert look(page) == []
    assert sideways(page) <= 0
    form = page.locator("form.report")
    form.get_by_label("Spam").check()
    form.get_by_role("button", name="Report").click()
    expect(page.locator(".own-report")).to_contain_text("1 message · Spam")

    desk = signed_in(mod, viewport=size)
    desk.goto(about(bob).url)
    said = desk.locator("#said")
    expect(said).to_contain_text("Not shown: this message was private.")
    said.get_by_role("button", name="Show (this is logged)").click()
    expect(said).to_contain_text(RUDE)
    expect(said).to_contain_text("How are you?")
    assert look(desk) == []
    assert sideways(desk) <= 0

    # With no right to write messages one reads until when.
    restrict(bob, Restriction.NO_MESSAGES)
    his = signed_in(bob)
    his.goto("/messages/@alice")
    expect(his.locator("#chat-form")).to_contain_text("you can’t write any")
    assert look(his) == []
