"""Scheduled posts on their page: changed, posted and deleted."""

import pytest
from playwright.sync_api import Page, expect

from feed.polls.models import PollWish
from feed.posts.models import Audience
from tests.browser import steps
from tests.feed.composing.shelves import schedule, scheduled_of, texts_of
from tests.feed.test_publish import contents

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")


COMPOSE_SCRIPT = "**/js/compose.*js"


def edit(page: Page) -> None:
    page.goto("/scheduled")
    page.get_by_role("link", name="Edit").click()


def test_it_is_changed_with_everything_in_it_and_posted_at_once_without_its_time(signed_in, alice):
    poll = PollWish(("Tea", "Coffee"), "3d")
    card = schedule(
        alice, hours=30, content="Whihc?", poll=poll, warning="Drinks", audience=Audience.FRIENDS
    )
    page = signed_in(alice)
    edit(page)
    expect(page.get_by_label("Publish at")).to_have_value(card.typed_time)
    expect(page.locator(".schedule-zone")).to_contain_text("Time zone: Berlin")
    steps.composer(page).fill("Which?")
    page.get_by_role("button", name="Save changes", exact=True).click()
    expect(steps.toast(page)).to_contain_text("Scheduled for ")
    expect(page.locator(".shelved-text")).to_have_text("Which?")
    (new,) = scheduled_of(alice)
    assert (new.slot, new.composition.poll) == (card.slot, poll)
    assert (new.composition.warning, new.composition.audience) == ("Drinks", Audience.FRIENDS)
    assert page.evaluate("Object.keys(localStorage)") == []

    edit(page)
    page.get_by_label("Publish at").fill("")
    page.get_by_role("button", name="Post", exact=True).click()  # the button says so
    expect(steps.title(page)).to_have_text("Post")
    assert (contents(alice), scheduled_of(alice)) == (["Which?"], [])


def test_a_reload_keeps_changes_cancel_drops_them_and_a_dialog_asks_before_it_is_deleted(
    signed_in, alice
):
    schedule(alice, hours=30, content="Stays")
    page = signed_in(alice)
    held = steps.hold(page, COMPOSE_SCRIPT)
    change_and_cancel(page)
    assert page.evaluate("Object.keys(localStorage)") == []
    steps.let_go(page, COMPOSE_SCRIPT, held)

    edit(page)
    expect(steps.composer(page)).to_have_attribute("data-ready", "yes")
    steps.composer(page).fill("Half a change")
    page.reload()
    expect(steps.composer(page)).to_have_value("Half a change")
    change_and_cancel(page)
    edit(page)
    expect(steps.composer(page)).to_have_value("Stays")
    page.goto("/posts/new")
    expect(steps.composer(page)).to_have_value("")
    assert (texts_of(alice), [one.version for one in scheduled_of(alice)]) == ([], [1])

    page.goto("/scheduled")
    page.get_by_role("link", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()  # it asks
    expect(steps.toast(page)).to_contain_text("Scheduled post deleted.")
    assert scheduled_of(alice) == []


def change_and_cancel(page: Page) -> None:
    edit(page)
    expect(steps.composer(page)).to_have_attribute("data-ready", "yes")
    steps.composer(page).fill("Never mind")
    page.get_by_role("main").get_by_role("link", name="Cancel").click()
    expect(page).to_have_url("/scheduled")
