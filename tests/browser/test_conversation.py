"""A conversation as people meet it: answered in place and at the foot of the page, with drafts of their own."""

import pytest
from playwright.sync_api import expect

from feed.posts.reads import Pointer
from feed.threads.writes import set_reply_aside
from tests.browser import steps
from tests.conftest import post
from tests.feed.answers import answer

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")


def test_a_reply_is_written_below_what_it_answers_with_its_draft_and_at_the_foot(
    alice, bob, signed_in
):
    for text in ("First", "Second"):
        post(alice, text)
    page = signed_in(bob)
    page.goto("/@alice")
    composers = page.get_by_label("Reply to @alice")
    for number, text in enumerate(("First", "Second"), 1):
        steps.card(page, text).get_by_role("link", name="Reply", exact=True).click()
        expect(composers).to_have_count(number)
    expect(composers.nth(0)).to_be_focused()  # that of the newer post, opened last, stands above
    composers.nth(0).fill("To the second")
    composers.nth(1).fill("To the first")

    page.reload()
    steps.card(page, "First").get_by_role("link", name="Reply", exact=True).click()
    expect(composers).to_have_value("To the first")
    page.get_by_role("button", name="Reply", exact=True).click()
    expect(steps.toast(page)).to_contain_text("Reply published.")
    expect(steps.card(page, "To the first")).to_be_visible()
    expect(composers).to_have_count(0)
    page.reload()
    expect(steps.posts(page)).to_have_count(2)

    # At the foot of a page it joins the list.
    root = post(alice, "What a morning")
    page = signed_in(bob)
    page.goto(f"/@alice/posts/{root}")
    for number, text in enumerate(("Frost on every roof", "And then the sun"), 1):
        page.get_by_label("Reply to @alice").fill(text)
        page.get_by_role("button", name="Reply", exact=True).click()
        expect(page.locator("#replies article")).to_have_count(number)
        expect(page.get_by_label("Reply to @alice")).to_have_value("")
    page.reload()
    expect(page.locator("#replies article")).to_have_count(2)


def test_a_conversation_is_accessible_and_fits(alice, bob, carol, signed_in, look):
    root = post(alice, "What a morning")
    first = answer(bob, alice, root, "Frost on every roof")
    for by in (alice, carol):
        deeper = answer(by, bob, first, f"So says {by.handle}")
        for number in range(6):
            deeper = answer(bob if number % 2 else alice, by, deeper, "And more")
            by = bob if number % 2 else alice
    answer(alice, alice, root, "Part two of this story")
    rude = Pointer(answer(bob, alice, root, "A rude reply"), bob.user_id)
    set_reply_aside(by=alice, reply=rude, on=True)
    page = signed_in(carol)
    for address in (f"/@bob/posts/{first}", f"/@bob/posts/{first}/reply", f"/@alice/posts/{root}"):
        page.goto(address)
        assert look(page) == []
    expect(steps.card(page, "A rude reply")).to_be_hidden()
    page.get_by_text("Replies hidden by the author").click()
    expect(steps.card(page, "A rude reply")).to_be_visible()
    assert look(page) == []
