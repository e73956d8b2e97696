"""A conversation as people meet it: answered in place, at the foot of the page, and without scripts."""

import pytest
from playwright.sync_api import expect

from tests.browser import steps
from tests.browser.conftest import DESKTOP, PHONE
from tests.conftest import post
from tests.feed.answers import answer

WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")


def test_a_reply_stands_under_what_it_answers(alice, bob, signed_in):
    post(alice, "What a morning")
    page = signed_in(bob)
    page.goto("/@alice")
    steps.card(page, "What a morning").get_by_role("link", name="Reply", exact=True).click()
    composer = page.get_by_label("Reply to @alice")
    expect(composer).to_be_focused()
    composer.fill("Frost on every roof")
    page.get_by_role("button", name="Reply", exact=True).click()
    expect(steps.toast(page)).to_contain_text("Reply published.")
    expect(steps.card(page, "Frost on every roof")).to_be_visible()
    expect(composer).to_have_count(0)
    page.reload()
    expect(steps.posts(page)).to_have_count(1)


def test_two_composers_keep_their_own_drafts(alice, bob, signed_in):
    for text in ("First", "Second"):
        post(alice, text)
    page = signed_in(bob)
    page.goto("/@alice")
    for text in ("First", "Second"):
        steps.card(page, text).get_by_role("link", name="Reply", exact=True).click()
        page.get_by_label("Reply to @alice").last.wait_for()
        expect(page.get_by_label("Reply to @alice")).to_have_count(1 + (text == "Second"))
    fields = page.get_by_label("Reply to @alice")
    fields.nth(0).fill("To the second")
    fields.nth(1).fill("To the first")
    page.reload()
    steps.card(page, "First").get_by_role("link", name="Reply", exact=True).click()
    expect(page.get_by_label("Reply to @alice")).to_have_value("To the first")


def test_a_reply_at_the_foot_joins_the_list_and_the_composer_is_empty_again(alice, bob, signed_in):
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


def test_without_scripts_a_reply_is_a_form_on_a_page(alice, bob, signed_in):
    post(alice, "What a morning")
    page = signed_in(bob, java_script_enabled=False)
    page.goto("/@alice")
    steps.card(page, "What a morning").get_by_role("link", name="Reply", exact=True).click()
    page.get_by_label("Reply to @alice").fill("Frost on every roof")
    page.get_by_role("button", name="Reply", exact=True).click()
    expect(steps.title(page)).to_have_text("Conversation")
    expect(steps.posts(page)).to_have_count(2)


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_a_conversation_is_accessible_and_fits(alice, bob, carol, signed_in, axe, size):
    root = post(alice, "What a morning")
    first = answer(bob, alice, root, "Frost on every roof")
    for by in (alice, carol):
        deeper = answer(by, bob, first, f"So says {by.handle}")
        for number in range(6):
            deeper = answer(bob if number % 2 else alice, by, deeper, "And more")
            by = bob if number % 2 else alice
    answer(alice, alice, root, "Part two of this story")
    page = signed_in(carol, viewport=size)
    for address in (f"/@alice/posts/{root}", f"/@bob/posts/{first}", f"/@bob/posts/{first}/reply"):
        page.goto(address)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            assert axe(page) == []
        assert page.evaluate(WIDER) <= 0
