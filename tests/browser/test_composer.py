"""The composer counts characters as people do, and sends once."""

import pytest
from playwright.sync_api import Page, expect

from feed.profiles.reads import list_posts
from tests.browser import steps

PUBLISH = "feed.composing.writes.publish_post"


@pytest.fixture
def page(signed_in, alice) -> Page:
    page = signed_in(alice)
    page.goto("/")
    return page


def test_characters_are_counted_as_people_do_and_as_the_server_does(page, watch):
    family, accented = "👩‍👩‍👧‍👦", "e\u0301"
    left = page.locator(".counter-left")
    steps.composer(page).fill("x" * 949)
    expect(left).to_be_empty()
    steps.composer(page).fill("x" * 960 + family * 10)
    expect(left).to_have_text("30")
    steps.composer(page).fill("x" * 980 + accented * 25)
    expect(left).to_have_text("-5")
    expect(page.locator(".counter")).to_have_class("counter is-used is-over")

    # Bytes, where they are the limit.
    steps.composer(page).fill("陈" * 1000)  # 3,000 bytes
    expect(left).to_have_text("0")
    steps.composer(page).fill("🙂" * 875)  # 3,500 bytes
    expect(left).to_have_text("Bytes left: 0")
    watch.expect("422")
    steps.write(page, "🙂" * 876)
    expect(page.get_by_role("alert")).to_contain_text("Use up to 3500 bytes (this has 3504).")
    expect(left).to_have_text("Bytes left: -4")  # also by the form that came back
    expect(steps.composer(page)).to_have_value("🙂" * 876)

    # What the counter allows the server takes.
    steps.composer(page).fill("x" * 985 + "\n \n\n\n" + "y" * 3 + family * 10)
    expect(left).to_have_text("0")
    page.get_by_role("button", name="Post", exact=True).click()
    expect(steps.posts(page)).to_have_count(1)


def test_text_is_kept_when_the_connection_is_lost_and_sending_twice_posts_once(
    page, hold, alice, watch
):
    watch.expect("htmx:sendError")
    page.context.set_offline(True)
    steps.write(page, "On the train")
    expect(steps.toast(page)).to_contain_text("You seem to be offline.")
    expect(steps.composer(page)).to_have_value("On the train")
    page.context.set_offline(False)

    answer = hold(PUBLISH)
    for _ in range(3):
        steps.composer(page).press("Control+Enter")
    answer.set()
    expect(steps.card(page, "On the train")).to_have_count(1)
    page.reload()
    expect(steps.posts(page)).to_have_count(1)
    assert len(list_posts(alice.card).items) == 1
