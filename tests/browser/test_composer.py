"""The composer keeps drafts, counts characters as people do, and sends once."""

import pytest
from playwright.sync_api import Page, expect

from feed.access_patterns import list_posts
from tests.browser import steps

PUBLISH = "feed.services.composing.publish_composed.publish_post"


@pytest.fixture
def page(signed_in, alice) -> Page:
    page = signed_in(alice)
    page.goto("/")
    return page


def test_a_draft_survives_a_reload_and_waits_on_the_composers_own_page(page):
    steps.composer(page).fill("Half a sentence")
    page.reload()
    expect(steps.composer(page)).to_have_value("Half a sentence")

    page.goto("/posts/new")
    expect(steps.composer(page)).to_have_value("Half a sentence")
    steps.write(page, "The whole sentence")
    expect(steps.title(page)).to_have_text("Post")
    page.goto("/")
    expect(steps.composer(page)).to_have_value("")


def test_a_draft_ends_when_it_is_posted(page):
    steps.write(page, "Done")
    expect(steps.posts(page).first).to_contain_text("Done")
    page.reload()
    expect(steps.composer(page)).to_have_value("")


def test_a_draft_ends_with_the_sign_in(page, alice, signed_in):
    steps.composer(page).fill("Nobody else shall read this")
    steps.sign_out(page)
    expect(steps.sign_up_link(page)).to_be_visible()

    assert page.evaluate("JSON.stringify(localStorage)") == "{}"


def test_an_emoji_family_and_an_accented_letter_count_as_one(page):
    family, accented = "👩‍👩‍👧‍👦", "e\u0301"
    left = page.locator(".counter-left")
    steps.composer(page).fill("x" * 949)
    expect(left).to_be_empty()
    steps.composer(page).fill("x" * 960 + family * 10)
    expect(left).to_have_text("30")
    steps.composer(page).fill("x" * 980 + accented * 25)
    expect(left).to_have_text("-5")
    expect(page.locator(".counter")).to_have_class("counter is-used is-over")


def test_what_the_counter_allows_the_server_takes(page):
    text = "x" * 985 + "\n \n\n\n" + "y" * 3 + "👩‍👩‍👧‍👦" * 10
    steps.composer(page).fill(text)
    expect(page.locator(".counter-left")).to_have_text("0")
    steps.write(page, text)
    expect(steps.posts(page)).to_have_count(1)


def test_bytes_are_counted_where_they_are_the_limit(page, watch):
    watch.expect("422")
    left = page.locator(".counter-left")
    steps.composer(page).fill("陈" * 1000)  # 3,000 bytes
    expect(left).to_have_text("0")
    steps.composer(page).fill("🙂" * 875)  # 3,500 bytes
    expect(left).to_have_text("Bytes left: 0")
    steps.write(page, "🙂" * 876)
    expect(left).to_have_text("Bytes left: -4")
    expect(page.get_by_role("alert")).to_contain_text("Use up to 3500 bytes (this has 3504).")
    expect(steps.composer(page)).to_have_value("🙂" * 876)


def test_sending_twice_posts_once(page, hold, alice):
    answer = hold(PUBLISH)
    steps.composer(page).fill("Only once")
    for _ in range(3):
        steps.composer(page).press("Control+Enter")
    answer.set()
    expect(steps.posts(page)).to_have_count(1)
    page.reload()

    expect(steps.posts(page)).to_have_count(1)
    assert len(list_posts(alice.card).items) == 1


def test_text_is_kept_when_the_connection_is_lost(page, watch):
    watch.expect("htmx:sendError")
    page.context.set_offline(True)
    steps.write(page, "On the train")
    expect(steps.toast(page)).to_contain_text("You seem to be offline.")
    expect(steps.composer(page)).to_have_value("On the train")

    page.context.set_offline(False)
    page.get_by_role("button", name="Post", exact=True).click()
    expect(steps.posts(page).first).to_contain_text("On the train")
