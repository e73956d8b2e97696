"""Scheduled posts on their page: changed, published and deleted, by script and without."""

from datetime import timedelta

import pytest
from playwright.sync_api import Page, expect

from accounts.services.pause import end_pause, pause_account
from feed.models import Audience
from feed.polls.wish import PollWish
from socialsite.clock import utc_now
from socialsite.due.work import do_due
from tests.browser import steps
from tests.browser.screens import PHONE
from tests.feed.composing.shelves import drafts_of, schedule, scheduled_of, texts_of
from tests.feed.test_publish import contents
from tests.streams.crowd import returning

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")


def come(*, hours: float) -> None:
    """The clock looks, so many hours from now."""
    do_due(utc_now() + timedelta(hours=hours))


def edit(page: Page) -> None:
    page.goto("/scheduled")
    page.get_by_role("link", name="Edit").click()


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
def test_it_is_changed_with_everything_in_it(signed_in, alice, scripts):
    poll = PollWish(("Tea", "Coffee"), "3d")
    card = schedule(
        alice, hours=30, content="Whihc?", poll=poll, warning="Drinks", audience=Audience.FRIENDS
    )
    page = signed_in(alice, java_script_enabled=scripts)
    edit(page)
    expect(page.get_by_role("heading", name="Edit scheduled post")).to_have_count(1)
    expect(page.get_by_label("Publish at")).to_have_value(card.typed_time)
    expect(page.locator(".schedule-zone")).to_contain_text("Time zone: Berlin")
    steps.composer(page).fill("Which?")
    page.get_by_role("button", name="Save changes", exact=True).click()
    expect(steps.toast(page)).to_contain_text("Scheduled for ")
    expect(page.locator(".shelved-text")).to_have_text("Which?")
    (new,) = scheduled_of(alice)
    assert (new.slot, new.composition.poll) == (card.slot, poll)
    assert (new.composition.warning, new.composition.audience) == ("Drinks", Audience.FRIENDS)
    if scripts:
        assert page.evaluate("Object.keys(localStorage)") == []


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
def test_cancel_leaves_it_and_the_next_new_post_as_they_were(signed_in, alice, scripts):
    schedule(alice, hours=30, content="Stays")
    page = signed_in(alice, java_script_enabled=scripts)
    edit(page)
    steps.composer(page).fill("Never mind")
    page.get_by_role("main").get_by_role("link", name="Cancel").click()
    expect(page).to_have_url("/scheduled")
    edit(page)
    expect(steps.composer(page)).to_have_value("Stays")
    page.goto("/posts/new")
    expect(steps.composer(page)).to_have_value("")
    assert (texts_of(alice), [one.version for one in scheduled_of(alice)]) == ([], [1])


def test_cancel_drops_the_changes_before_its_script_is_here(signed_in, alice):
    schedule(alice, hours=30, content="Stays")
    page = signed_in(alice)
    steps.hold(page, "**/js/compose.*js")
    edit(page)
    expect(steps.composer(page)).to_have_attribute("data-ready", "yes")
    steps.composer(page).fill("Never mind")
    page.get_by_role("main").get_by_role("link", name="Cancel").click()
    expect(page).to_have_url("/scheduled")
    assert page.evaluate("Object.keys(localStorage)") == []


def test_a_reload_keeps_what_was_changed(signed_in, alice):
    schedule(alice, hours=30, content="Stays")
    page = signed_in(alice)
    edit(page)
    expect(steps.composer(page)).to_have_attribute("data-ready", "yes")
    steps.composer(page).fill("Half a change")
    page.reload()
    expect(steps.composer(page)).to_have_value("Half a change")


def test_two_devices_keep_both_texts(signed_in, alice):
    schedule(alice, hours=30, content="Plan")
    laptop, phone = signed_in(alice), signed_in(alice, viewport=PHONE)
    for page in (laptop, phone):
        edit(page)
    for page, text in ((phone, "Plan A"), (laptop, "Plan B")):
        steps.composer(page).fill(text)
        page.get_by_role("button", name="Save changes", exact=True).click()
        expect(page.locator(".shelved-text")).to_have_text(text)
    expect(steps.toast(laptop)).to_contain_text("What you wrote is a draft now.")
    assert [card.composition.content for card in scheduled_of(alice)] == ["Plan A"]
    assert texts_of(alice) == ["Plan B"]


def test_without_its_time_it_is_posted_at_once_and_the_button_says_so(signed_in, alice):
    schedule(alice, hours=30, content="Now")
    page = signed_in(alice)
    edit(page)
    page.get_by_label("Publish at").fill("")
    page.get_by_role("button", name="Post", exact=True).click()
    expect(steps.title(page)).to_have_text("Post")
    assert (contents(alice), scheduled_of(alice)) == (["Now"], [])


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
def test_it_is_published_now_or_deleted_after_asking(signed_in, alice, scripts):
    schedule(alice, hours=30, content="First")
    schedule(alice, hours=40, content="Second")
    page = signed_in(alice, java_script_enabled=scripts)
    page.goto("/scheduled")
    page.get_by_role("button", name="Publish now").first.click()
    expect(steps.title(page)).to_have_text("Post")
    page.goto("/scheduled")
    page.get_by_role("link", name="Delete").click()
    page.get_by_role("button", name="Delete", exact=True).click()
    expect(steps.toast(page)).to_contain_text("Scheduled post deleted.")
    assert (contents(alice), scheduled_of(alice)) == (["First"], [])


def test_the_clock_publishes_and_a_refused_one_is_a_draft_that_says_why(
    signed_in, alice, drain_stream
):
    page = signed_in(alice)
    schedule(alice, hours=1, content="On time")
    come(hours=2)
    page.goto("/")
    expect(steps.card(page, "On time")).to_be_visible()
    schedule(alice, hours=3, content="Too late")
    pause_account(by=alice)
    come(hours=4)
    end_pause(by=returning(alice))
    drain_stream()
    page.goto("/notifications")
    page.get_by_role("link", name="See why").click()
    expect(page.locator(".shelved")).to_contain_text("your account wasn’t open at that time")
    page.get_by_role("link", name="Continue").click()
    expect(steps.composer(page)).to_have_value("Too late")
    assert len(drafts_of(alice)) == 1
