"""Choosing when a post is published: in the zone of the device, or in the one that was set."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from playwright.sync_api import Page, expect

from tests.browser import steps
from tests.feed.composing.shelves import scheduled_of, texts_of

TOKYO = ZoneInfo("Asia/Tokyo")


def in_tokyo(days: int = 3) -> str:
    later = datetime.now(UTC).astimezone(TOKYO) + timedelta(days=days)
    return later.strftime("%Y-%m-%dT10:30")


def choose_time(page: Page, typed: str) -> None:
    steps.composer(page).fill("Later")
    page.locator(".part-when > summary").click()
    page.get_by_label("Publish at").fill(typed)


def moments(alice) -> list[str]:
    return [
        card.slot.publish_at.astimezone(TOKYO).strftime("%Y-%m-%dT%H:%M")
        for card in scheduled_of(alice)
    ]


def test_it_is_the_time_of_the_device_also_where_its_draft_is_continued_unless_a_zone_was_set(
    signed_in, alice
):
    page = signed_in(alice, timezone_id="Asia/Tokyo")
    page.goto("/posts/new")  # the first page, which is in UTC
    typed = in_tokyo()
    choose_time(page, typed)
    expect(page.locator(".schedule-zone")).to_contain_text("Time zone: Tokyo")
    expect(page.locator(".composer-saved")).to_contain_text("Saved ")

    elsewhere = signed_in(alice, timezone_id="America/New_York")
    elsewhere.goto("/drafts")
    expect(elsewhere.get_by_text("Not scheduled yet.")).to_contain_text("10:30 a.m. JST")
    elsewhere.get_by_role("link", name="Continue").click()
    expect(elsewhere.locator(".schedule-zone")).to_contain_text("Time zone: Tokyo")
    elsewhere.get_by_role("button", name="Schedule", exact=True).click()
    expect(steps.toast(elsewhere)).to_contain_text("10:30 a.m. JST")
    assert (moments(alice), texts_of(alice)) == ([typed], [])

    elsewhere.goto("/settings/appearance")  # a zone that was set there counts more
    elsewhere.get_by_label("Time zone").select_option("Europe/Athens")
    elsewhere.get_by_role("button", name="Save").click()
    expect(steps.toast(elsewhere)).to_contain_text("Settings saved.")
    elsewhere.goto("/posts/new")
    choose_time(elsewhere, typed)
    expect(elsewhere.locator(".schedule-zone")).to_contain_text("Time zone: Athens")
    elsewhere.get_by_role("button", name="Schedule", exact=True).click()
    expect(steps.toast(elsewhere)).to_contain_text("10:30 a.m. EE")  # EET, in summer EEST
