"""Reporting, and a second day of moderation as its people live it."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from itertools import cycle

import pytest
from playwright.sync_api import Locator, Page, expect

from accounts.people.viewer import Viewer
from accounts.permissions import grant_role
from moderation.cases.reads import is_open, read_case
from moderation.cases.writes import answer_appeal
from moderation.models import ActionKind
from relations.follows.writes import follow
from socialsite.clock import utc_now
from socialsite.due.work import do_due
from tests.accounts.scenes import proved_long_ago, with_second_factor
from tests.browser import steps
from tests.browser.screens import SIZES, sideways
from tests.conftest import PASSWORD, person, post
from tests.moderation.cases import (
    QUEUE,
    about,
    broken,
    decide,
    info,
    report,
    report_by,
    report_by_each,
    reporters,
    strikes,
)
from tests.relations.scenes import relationship

embedded_alone = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")

sizes = pytest.mark.parametrize("size", SIZES)


@pytest.fixture
def bobs_post(alice, bob, drain_stream) -> str:
    """At the top of Alice's home."""
    follow(by=alice, user_id=bob.user_id)
    post_id = post(bob, "Buy my tea")
    drain_stream()
    return post_id


def open_report(page: Page, text: str) -> None:
    steps.open_menu(steps.card(page, text))
    page.get_by_role("link", name="Report post").click()


@embedded_alone
@sizes
def test_a_post_and_a_person_are_reported_and_the_dialog_says_what_it_lacks_and_keeps_the_rest(
    signed_in, alice, bob, bobs_post, look, watch, size
):
    watch.expect("422")
    page = signed_in(alice, viewport=size)
    page.goto("/")
    open_report(page, "Buy my tea")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_have_accessible_name("Report this post by Bob Brandt")
    dialog.get_by_role("button", name="Report").click()
    expect(dialog.get_by_role("alert")).to_be_visible()
    assert look(page) == []
    dialog.get_by_label("Something else").check()
    dialog.get_by_label("Mute this person too").check()
    dialog.get_by_role("button", name="Report").click()
    alert = dialog.get_by_role("alert")
    expect(alert).to_contain_text("What should a moderator know?")
    expect(alert).to_be_focused()
    expect(dialog.get_by_text("Tell us in a sentence what’s wrong.")).to_have_count(1)
    expect(dialog.get_by_label("Something else")).to_be_checked()
    expect(dialog.get_by_label("Mute this person too")).to_be_checked()
    dialog.get_by_label("Spam").check()
    dialog.get_by_label("What should a moderator know?").fill("Under each post")
    dialog.get_by_role("button", name="Report").click()
    expect(steps.toast(page)).to_contain_text("Thanks. A moderator will look into it.")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(steps.posts(page), "muting clears the page").to_have_count(0)
    steps.same_place(page, "/")
    page.goto("/settings/reports")
    expect(page.locator(".own-report")).to_contain_text("Bob Brandt @bob 1 post · Spam")
    expect(page.locator(".outcome")).to_have_text("We’re looking into it")
    assert look(page) == []
    assert report_by(alice, bob).posts == {bobs_post}

    # A person is reported and blocked from their page.
    page.goto("/@bob")
    page.locator(".profile-menu summary").click()
    page.locator(".profile-menu").get_by_role("link", name="Report").click()
    form = page.locator("form.report")
    form.get_by_label("Harassment or hate").check()
    form.get_by_label("Block this person too").check()
    form.get_by_role("button", name="Report").click()
    expect(steps.toast(page)).to_contain_text("Thanks.")
    steps.same_place(page, "/@bob")
    assert relationship(alice, bob).blocks
    page.get_by_role("link", name="Report").click()
    expect(form).to_be_visible()
    expect(page.get_by_label("Block this person too")).to_have_count(0)


@embedded_alone
def test_by_the_keyboard_alone(signed_in, alice, bob, bobs_post):
    page = signed_in(alice)
    page.goto("/")
    summary = steps.card(page, "Buy my tea").locator("summary")
    steps.tab_to(page, summary)
    page.keyboard.press("Enter")
    entry = steps.card(page, "Buy my tea").get_by_role("link", name="Report post")
    steps.tab_to(page, entry)
    page.keyboard.press("Enter")
    first = page.get_by_role("radio").first
    expect(first).to_be_focused()
    page.keyboard.press("Escape")
    expect(summary).to_be_focused()
    page.keyboard.press("Enter")
    steps.tab_to(page, entry)
    page.keyboard.press("Enter")
    expect(first).to_be_focused()
    page.keyboard.press("ArrowDown")  # from "Someone is in danger" to the first rule
    page.keyboard.press("Space")
    steps.tab_to(page, page.get_by_role("dialog").get_by_role("button", name="Report"))
    page.keyboard.press("Enter")
    expect(steps.toast(page)).to_contain_text("Thanks.")
    expect(summary).to_be_focused()
    assert report_by(alice, bob).rule_id == "child"


@embedded_alone
@sizes
def test_a_suspended_person_reads_why_and_appeals(signed_in, alice, bob, mod, size, look):
    page = signed_in(bob, viewport=size)
    report(alice, bob, post(bob, "Buy my tea"), rule_id="spam")
    decide(mod, about(bob), ActionKind.SUSPEND, text="Enough of your tea", rule_id="spam")
    page.goto("/local")
    page.locator(".banner").get_by_role("link", name="See why").click()
    expect(page.locator(".strike")).to_contain_text("Enough of your tea")
    page.get_by_role("link", name="Read more or appeal").click()
    expect(page.get_by_text("Rule: No spam")).to_be_visible()
    page.get_by_label("What did we get wrong?").fill("It was a gift")
    page.get_by_role("button", name="Appeal").press("Enter")
    expect(page.locator(".message")).to_contain_text("It was a gift")
    expect(page.locator("#strike-said"), "the focus is not lost").to_be_focused()
    expect(page.get_by_text("Your appeal is waiting for an answer")).to_be_visible()
    assert look(page) == []

    action_id = page.url.rpartition("/")[2]
    version = int(read_case(about(bob)).version)
    answer_appeal(
        by=mod,
        case_id=about(bob),
        action_id=action_id,
        text="Then all is well",
        version=version,
        grant=True,
    )
    page.reload()
    expect(page.locator(".message-staff")).to_contain_text("Then all is well")
    expect(page.locator(".chips")).to_contain_text("Your appeal was granted")
    assert look(page) == []
    page.set_viewport_size({"width": 320, "height": 640})
    assert sideways(page) <= 0
    page.goto("/standing")
    expect(page.get_by_text("Your account is in good standing")).to_be_visible()


# A second day of moderation, as its people live it: 88 reports of 44 people, two at the same case, a proof of
# identity that is too old, a colleague who leaves with cases on the desk, and a wave of spam, ended and undone.

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
        report_by_each(one, by=crowd, rule=rule, severity=SEVERITY[rule], text="Look at this")
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


@embedded_alone
@pytest.mark.timeout(300)
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
    report_by_each(serious, by=[mei], rule="harassment", severity=2, comment="And this")
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
