"""A word is muted from a post's menu, and its posts are behind a line that opens."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser import steps
from tests.conftest import post

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")


def test_a_word_is_muted_from_a_post_and_its_posts_open_with_a_press(
    alice, bob, signed_in, drain_stream, look, watch
):
    watch.expect("422")
    post(bob, "Vote on Sunday! #election")
    post(bob, "Soup for lunch")
    drain_stream()
    page = signed_in(alice)
    page.goto("/local")
    steps.open_menu(steps.card(page, "Vote on Sunday"))
    page.get_by_role("link", name="Mute words…").locator("visible=true").click()
    word = page.locator("#modal").get_by_label("Word, phrase or #tag")
    expect(word).to_have_value("#election")
    word.fill("")
    page.locator("#modal").get_by_role("button", name="Mute", exact=True).click()
    expect(page.locator("#modal .field-error")).to_have_text("Enter a word.")
    word.fill("election")
    assert look(page) == []
    page.locator("#modal").get_by_role("button", name="Mute", exact=True).click()
    line = page.locator(".muted-by > summary")
    expect(line).to_have_text(re.compile("Muted: election"))
    assert page.url.endswith("/local")
    text = page.get_by_text("Vote on Sunday")
    expect(text).to_be_hidden()
    expect(page.get_by_text("Soup for lunch")).to_be_visible()
    assert look(page) == []
    line.click()
    expect(text).to_be_visible()
    page.goto("/settings/muted-words")
    assert look(page) == []
    page.get_by_role("button", name="Remove election").click()
    expect(page.locator(".muted-words")).to_have_count(0)
    page.goto("/local")
    expect(text).to_be_visible()
