"""A group in the browser: founded, accepted, written in, named, left."""

import pytest
from playwright.sync_api import Page, expect

from relations.follows.writes import follow
from tests.browser import steps
from tests.browser.test_messages import look_now

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")


def test_a_group_from_its_beginning_to_its_end(alice, bob, signed_in, drain_stream):
    follow(by=alice, user_id=bob.user_id)
    follow(by=bob, user_id=alice.user_id)
    founder: Page = signed_in(alice)
    founder.goto("/messages")
    founder.get_by_role("link", name="New group").click()
    founder.get_by_label("Name of the group").fill("Tea on Sunday")
    founder.get_by_label("Bob").check()
    founder.get_by_role("button", name="Create group").click()
    expect(steps.title(founder)).to_contain_text("Tea on Sunday")
    drain_stream()

    other: Page = signed_in(bob)
    other.goto("/messages/requests")
    other.get_by_role("link", name="Tea on Sunday").click()
    other.get_by_role("button", name="Accept").click()
    expect(other.locator("#messages")).to_contain_text("You joined.")
    other.get_by_label("Message", exact=True).fill("I’ll bring cake.")
    other.get_by_role("button", name="Send").click()
    expect(other.locator(".message-mine .bubble")).to_contain_text("I’ll bring cake.")

    look_now(founder)
    expect(founder.locator(".message-author")).to_have_text("B Bob Brandt")
    founder.get_by_role("link", name="Tea on Sunday").click()
    founder.get_by_label("Name of the group").fill("Cake on Sunday")
    founder.get_by_role("button", name="Save the name").click()
    expect(steps.title(founder)).to_contain_text("Cake on Sunday")
    founder.get_by_role("button", name="Leave the group").click()
    expect(founder).to_have_url("/messages")

    other.reload()
    other.get_by_role("link", name="Cake on Sunday").click()
    expect(other.locator(".chat-member")).to_have_count(1)
    expect(other.locator(".chat-member")).to_contain_text("Founder")
