"""What a site tells of its moderation: everyone finds the figures of the year, a person the reasons of a decision."""

import csv

import pytest
from playwright.sync_api import Locator, Page, expect

from moderation.models import ActionKind
from moderation.reports.writes import file_report
from socialsite.clock import utc_now
from tests.browser.screens import sideways
from tests.moderation.cases import about, decide, reporters

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")


class Clicks:
    """Clicks on what is asked for, and counts them."""

    def __init__(self) -> None:
        self.number = 0

    def __call__(self, what: Locator) -> None:
        what.click()
        self.number += 1


@pytest.fixture
def year(alice, mod, drain_stream) -> int:
    """A year in which six people reported Alice, and she was limited."""
    for one in reporters(6):
        file_report(by=one, person_id=alice.user_id, rule_id="spam")
    decide(mod, about(alice), ActionKind.LIMIT, rule_id="spam", text="So many ads")
    drain_stream()
    return utc_now().year


def test_an_admin_enters_what_the_site_cannot_know_and_everyone_finds_the_figures_and_takes_them(
    visitor, signed_in, admin, year, look, tmp_path
):
    desk: Page = signed_in(admin)
    desk.goto("/moderation/overview")
    click = Clicks()
    click(desk.get_by_role("link", name="Figures of the year"))
    click(desk.get_by_role("link", name="Enter numbers"))
    desk.get_by_label("Orders of authorities to act against content").fill("7")
    click(desk.get_by_role("button", name="Save"))
    expect(desk.get_by_role("heading", name="Transparency")).to_be_visible()
    expect(desk.locator(".tile").filter(has_text="Orders to act against content")).to_contain_text(
        "7"
    )
    assert click.number <= 3

    page: Page = visitor()
    page.goto("/about")
    click = Clicks()
    click(page.get_by_role("main").get_by_role("link", name="Site rules"))
    click(page.get_by_role("main").get_by_role("link", name="Transparency"))
    expect(page.get_by_role("heading", name="Reports by reason: 6")).to_be_visible()
    expect(page.get_by_role("main")).to_contain_text("Others, fewer than 5 each")
    assert look(page) == []
    assert sideways(page) <= 0
    with page.expect_download() as loading:
        click(page.get_by_role("link", name="Download as CSV"))
    file = tmp_path / "figures.csv"
    loading.value.save_as(file)
    rows = list(csv.reader(file.read_text().splitlines()))
    assert ["15(1)(b)", "notices", "spam", "Scams and/or fraud", "6"] in rows
    assert click.number <= 3


def test_a_person_reads_all_reasons_of_a_decision_and_appeals(signed_in, alice, year, look):
    page: Page = signed_in(alice)
    page.goto("/standing")
    click = Clicks()
    click(page.get_by_role("link", name="Read more or appeal"))
    main = page.get_by_role("main")
    for said in ("Statement of reasons", "So many ads", "Someone reported it to us.", "in every country",
                 "A person. No program decided.", "out of court"):  # fmt: skip
        expect(main).to_contain_text(said)
    assert look(page) == []
    assert sideways(page) <= 0
    main.get_by_role("textbox").fill("These were no ads")
    click(main.get_by_role("button"))
    expect(main).to_contain_text("These were no ads")
    assert click.number <= 2
