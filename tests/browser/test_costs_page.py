"""The costs page on a desktop: its tables show all their columns, and its fields stand in one line."""

import pytest
from playwright.sync_api import expect

from costs.stored import count_stored
from tests.costs.test_page import PAGE, a_week

__all__ = ["a_week"]

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")

CUT = """() => [...document.querySelectorAll(".cost-scroll")].filter((one) => one.scrollWidth > one.clientWidth)
    .map((one) => one.getAttribute("aria-labelledby"))"""
MIDDLES = """() => [...document.querySelectorAll(".cost-form :is(input, select, button)")].map((one) => {
    const {top, bottom} = one.getBoundingClientRect();
    return Math.round((top + bottom) / 2);
})"""


@pytest.mark.usefixtures("a_week")
def test_no_column_is_cut_and_fields_stand_in_one_line(admin, signed_in, drain_stream, watch):
    watch.expect("422", "The specified value")
    count_stored(by=admin)
    drain_stream()
    for locale, language in (("en-GB", "en"), ("de-DE", "de"), ("zh-CN", "zh-hans")):
        page = signed_in(admin, viewport={"width": 1280, "height": 850}, locale=locale)
        for query in ("", "?days=7&active=abc&followers=1"):
            page.goto(f"{PAGE}{query}")
            expect(page.locator("html")).to_have_attribute("lang", language)
            assert page.locator(".cost-scroll").count() == 5
            assert page.evaluate(CUT) == [], language
            assert len(set(page.evaluate(MIDDLES))) == 1, language
