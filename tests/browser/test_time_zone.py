"""Times on the pages are those of the device. The zone chosen in Settings: tests/web/test_time_zones.py."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from django.utils.formats import date_format
from playwright.sync_api import Page, expect

from socialsite.table import ids
from tests.browser import steps
from tests.conftest import post

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")


def expect_time(page: Page, moment: datetime, zone: str) -> None:
    label = " UTC" if zone == "UTC" else ""
    text = date_format(moment.astimezone(ZoneInfo(zone)), "DATETIME_FORMAT") + label
    expect(page.locator(".post-when time")).to_have_text(text)


def test_times_are_those_of_the_device_from_the_second_page_on(visitor, alice):
    post_id = post(alice, "What time is it?")
    created, address = ids.time_of(post_id), f"/@alice/posts/{post_id}"
    page = visitor(timezone_id="Asia/Tokyo")
    page.goto(address)
    expect_time(page, created, "UTC")
    page.get_by_role("link", name="Local").first.click()
    steps.same_place(page, "/local")
    page.go_back()  # the browser kept the first page, which is asked for again
    expect_time(page, created, "Asia/Tokyo")

    # A device that travels brings its new zone.
    cookies = page.context.cookies()
    page = visitor(timezone_id="Europe/Berlin")
    page.context.add_cookies(cookies)
    page.goto("/@alice")
    page.locator(".post-time").click()
    expect_time(page, created, "Europe/Berlin")
