"""The bill before it comes: an administrator reads what a month costs, and how each figure is worked out."""

import pytest
from playwright.sync_api import expect

from costs.stored import count_stored
from tests.browser.screens import PHONE
from tests.costs.test_page import PAGE, a_week
from tests.injected.faults import share

__all__ = ["a_week"]

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")
# The names of rows stay in sight while the figures of more people are brought there.
FIRST_COLUMN = "one => one.getBoundingClientRect().left - one.closest('.cost-scroll').getBoundingClientRect().left"
CUT = """() => [...document.querySelectorAll(".cost-scroll")].filter((one) => one.scrollWidth > one.clientWidth)
    .map((one) => one.getAttribute("aria-labelledby"))"""
MIDDLES = """() => [...document.querySelectorAll(".cost-form :is(input, select, button)")].map((one) => {
    const {top, bottom} = one.getBoundingClientRect();
    return Math.round((top + bottom) / 2);
})"""


@pytest.mark.usefixtures("a_week")
def test_an_administrator_reads_the_whole_bill_in_two_clicks_also_on_a_phone_and_no_column_is_cut(
    admin, signed_in, drain_stream, look, watch
):
    page = signed_in(admin)
    page.goto("/moderation/site")
    page.locator("main").get_by_role("link", name="Costs", exact=True).click()
    bill = page.locator(".cost-bill")
    expect(bill.get_by_role("rowheader", name="Load balancer")).to_be_visible()
    expect(bill.locator(".cost-sum tr").first.locator("td")).to_have_count(5)
    expect(page.get_by_text("at list prices of us-east-1")).to_be_visible()
    page.locator(".cost-details > summary").click()
    formula = page.get_by_text("web = 730 * web_cores * (core_price + 2 * memory_price)")
    expect(formula).to_be_visible()
    expect(page.get_by_role("link", name="core_price")).to_have_attribute(
        "href", "https://aws.amazon.com/fargate/pricing/"
    )
    assert look(page) == []

    page.set_viewport_size(PHONE)
    name = bill.locator("tbody th").first
    page.locator(".cost-scroll", has=bill).evaluate("one => one.scrollBy(900, 0)")
    assert name.evaluate(FIRST_COLUMN) == 0
    expect(bill.locator(".cost-sum td").nth(4)).to_be_in_viewport()

    # No column is cut, and fields stand in one line.
    watch.expect("422", "The specified value")
    count_stored(by=admin)
    drain_stream()
    languages = (("en-GB", "en"), ("de-DE", "de"), ("zh-CN", "zh-hans"))
    for locale, language in share(languages, one_of=3, salt="language of the costs"):
        page = signed_in(admin, viewport={"width": 1280, "height": 850}, locale=locale)
        for query in ("", "?days=7&active=abc&followers=1"):
            page.goto(f"{PAGE}{query}")
            expect(page.locator("html")).to_have_attribute("lang", language)
            assert page.locator(".cost-scroll").count() == 6
            assert page.evaluate(CUT) == [], language
            assert len(set(page.evaluate(MIDDLES))) == 1, language
