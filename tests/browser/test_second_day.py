"""A second day of moderation, as its people live it: 88 reports of 44 people, two at the same case, a proof of
identity that is too old, a colleague who leaves with cases on the desk, and a wave of spam, ended and undone."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from itertools import cycle

import pytest
from playwright.sync_api import Locator, Page, expect

from accounts.people.viewer import Viewer
from accounts.permissions import grant_role
from moderation.cases.reads import is_open, read_case
from socialsite.clock import utc_now
from socialsite.due.work import do_due
from tests.accounts.codes import proved_long_ago, with_second_factor
from tests.browser import steps
from tests.conftest import PASSWORD, person
from tests.moderation.cases import about, broken, info, strikes
from tests.moderation.queues import QUEUE, report, reporters

pytestmark = [
    pytest.mark.engines("embedded", reason="looks at pages, which no engine changes"),
    pytest.mark.timeout(300),
]

SEVERITY = {"violence": 1, "harassment": 2, "spam": 3}


@dataclass
class Reported:
    guests: list[
        Viewer
    ]  # the first one, and each fourth after that, for violence, the others for harassment
    spammers: list[Viewer]

    def all(self) -> list[Viewer]:
        return self.guests + self.spammers


@pytest.fixture
def reported(table, drain_stream) -> Reported:
    """Forty-four people, each reported by the same two, with all that the worker does about it."""
    people = Reported(
        guests=[person(f"guest{number:02}") for number in range(20)],
        spammers=[person(f"spam{number:02}") for number in range(24)],
    )
    crowd = reporters(2)
    rules = cycle(["violence", "harassment", "harassment", "harassment"])
    for one in people.all():
        rule = next(rules) if one in people.guests else "spam"
        report(one, by=crowd, rule=rule, severity=SEVERITY[rule], text="Look at this")
    drain_stream()
    return people


@pytest.fixture
def mei(table) -> Viewer:
    return person("mei", "Mei", role="moderator")


def rows(page: Page) -> Locator:
    return page.locator(".case-row")


def row(page: Page, one: Viewer) -> Locator:
    return rows(page).filter(has_text=f"@{one.handle}")


def scroll_to_the_end(page: Page, count: int) -> None:
    while (shown := rows(page).count()) < count:
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        expect(rows(page).nth(shown)).to_be_attached()


def open_cases(people: Reported) -> int:
    return sum(is_open(read_case(about(one))) for one in people.all())


@pytest.fixture
def work(drain_stream) -> Callable[[], None]:
    """What the worker and the clock do by themselves."""

    def done() -> None:
        drain_stream()
        do_due(now=utc_now() + timedelta(seconds=2))
        drain_stream()

    return done


def test_a_second_day(reported, work, signed_in, settings, watch, mod, admin, mei):
    settings.STAFF_SECOND_FACTOR = True
    watch.expect("401", "404", "409")
    app, _ = with_second_factor(mod), with_second_factor(mei)
    desk, other = signed_in(mod), signed_in(mei)
    for one in (mod, mei):
        proved_long_ago(one, minutes=1)
    urgent, serious = reported.guests[::4], reported.guests[1]

    # What is worst stands first, and everybody counts.
    desk.goto(QUEUE)
    for number, one in enumerate(urgent):
        expect(rows(desk).nth(number)).to_contain_text(f"@{one.handle}")
    expect(rows(desk).first).to_contain_text("2 reports")

    # A colleague takes the urgent cases, and leaves before any is decided.
    other.goto(f"{QUEUE}?severity=1")
    other.get_by_role("button", name="Select all shown").click()
    other.get_by_role("button", name="Assign to me").click()
    expect(steps.toast(other)).to_contain_text("5 cases assigned to you")
    desk.goto(f"{QUEUE}?queue=desks")
    expect(rows(desk)).to_have_count(5)
    grant_role(by=admin, user_id=mei.user_id, role="")
    work()
    desk.goto(f"{QUEUE}?severity=1")
    expect(rows(desk)).to_have_count(5)
    other.goto(QUEUE)
    expect(steps.title(other)).to_have_text("Not found")
    assert open_cases(reported) == 44

    # While a decision is written more is reported, and the proof of identity gets too old. No word is lost.
    proved_long_ago(mod)
    desk.goto(about(serious).url)
    desk.get_by_role("button", name="Warn").click()
    dialog = desk.get_by_role("dialog")
    dialog.get_by_label("In your own words").fill("Please stop")
    report(serious, by=[mei], rule="harassment", severity=2, comment="And this")
    dialog.get_by_role("button", name="Confirm").click()
    desk.get_by_label("Your password").fill(PASSWORD)
    desk.get_by_label("Code from your app").fill(app.code())
    desk.get_by_role("button", name="Confirm", exact=True).last.click()
    expect(dialog.get_by_text("something was added").first).to_be_visible()
    expect(dialog.get_by_label("In your own words")).to_have_value("Please stop")
    dialog.get_by_role("button", name="Confirm").click()
    expect(desk.locator(".done-strip")).to_contain_text(f"Warned: @{serious.handle}")
    assert strikes(serious)[0].text.endswith("Please stop")

    # Two dozen accounts of spam, more than a page: all selected, one decision, previewed, done, and undone.
    desk.goto(f"{QUEUE}?severity=3")
    scroll_to_the_end(desk, 24)
    desk.get_by_role("button", name="Select all shown").click()
    desk.get_by_role("button", name="Act on selected").click()
    desk.get_by_label("Suspend").check()
    expect(desk.locator("#told")).to_contain_text("Your account was suspended")
    desk.get_by_label("Rule that was broken").select_option("spam")
    desk.get_by_role("button", name="Suspend: 24 cases").click()
    state = desk.locator("#wave-state")
    expect(state).to_contain_text("Under way")
    work()
    expect(state).to_contain_text("24 cases decided.")
    assert all(info(one).suspended_until for one in reported.spammers)
    assert open_cases(reported) == 19
    desk.get_by_role("button", name="Undo all").click()
    expect(state).to_contain_text("Undoing")
    work()
    expect(state).to_contain_text("24 actions were undone.")
    assert not any(info(one).suspended_until for one in reported.spammers)
    assert not broken(before_the_worker=False)
