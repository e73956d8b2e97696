"""Times on the pages are those of the device, or of the zone chosen in Settings."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from django.utils.formats import date_format
from playwright.sync_api import Page, expect

from socialsite.table import ids
from tests.conftest import post

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")


@pytest.fixture
def created(alice) -> datetime:
    """When Alice's post was published."""
    return ids.time_of(post(alice, "What time is it?"))


def expect_time(page: Page, moment: datetime, zone: str) -> None:
    label = " UTC" if zone == "UTC" else ""
    text = date_format(moment.astimezone(ZoneInfo(zone)), "DATETIME_FORMAT") + label
    expect(page.locator(".post-when")).to_have_text(text)


def open_post(page: Page) -> None:
    page.goto("/@alice")
    page.locator(".post-time").click()


def test_a_visitor_sees_the_times_of_their_device_from_the_second_page_on(visitor, created):
    page = visitor(timezone_id="Asia/Tokyo")
    open_post(page)
    expect_time(page, created, "Asia/Tokyo")


def test_the_first_page_says_utc_and_is_asked_for_again_on_the_way_back(visitor, created):
    page = visitor(timezone_id="Asia/Tokyo")
    page.goto("/@alice")
    address = page.locator(".post-time").get_attribute("href")
    page.context.clear_cookies()
    page.goto(address)
    expect_time(page, created, "UTC")
    page.get_by_role("link", name="Local").first.click()
    page.go_back()
    expect_time(page, created, "Asia/Tokyo")


def test_without_scripts_times_are_utc_and_say_so(visitor, created):
    page = visitor(timezone_id="Asia/Tokyo", java_script_enabled=False)
    open_post(page)
    expect_time(page, created, "UTC")


def test_a_device_that_travels_brings_its_new_zone(visitor, created):
    page = visitor(timezone_id="Asia/Tokyo")
    open_post(page)
    cookies = page.context.cookies()
    page = visitor(timezone_id="Europe/Berlin")
    page.context.add_cookies(cookies)
    open_post(page)
    expect_time(page, created, "Europe/Berlin")


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_a_zone_chosen_in_settings_goes_before_the_devices(alice, signed_in, created, scripts):
    page = signed_in(alice, timezone_id="Europe/Berlin", java_script_enabled=scripts)
    page.goto("/settings/appearance")
    box = page.get_by_label("Time zone")
    expect(box.locator("option:checked")).to_have_text("As my device says")
    box.select_option(label="Nepal: Kathmandu")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Settings saved.")).to_be_visible()
    expect(box.locator("option:checked")).to_have_text("Nepal: Kathmandu")
    open_post(page)
    expect_time(page, created, "Asia/Kathmandu")
