"""Stories of care, with few clicks: someone in danger is written to, an account secured, a brigade acted on, a
reporter muted."""

import pytest
from playwright.sync_api import Page, expect

from moderation.cases.reporters import get_reporter
from moderation.models import ActionKind
from socialsite.site_settings.site_setup import DANGER, URGENT
from tests.browser import steps
from tests.conftest import person, post
from tests.moderation.cases import (
    QUEUE,
    about,
    decide,
    info,
    report,
    reporters,
    strikes,
    withheld,
)

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")


class Clicks:
    """Presses, and counts."""

    def __init__(self, page: Page) -> None:
        self.page, self.count = page, 0

    def on(self, role: str, name: str, *, within: str = "main") -> None:
        self.count += 1
        self.page.locator(within).get_by_role(role, name=name, exact=True).first.click()


def test_someone_in_danger_is_written_to_in_three_presses_and_breaks_no_rule(
    mod, alice, bob, signed_in, drain_stream
):
    report(alice, bob, rule_id=DANGER, severity=URGENT, comment="He says goodbye.")
    desk = signed_in(mod)
    desk.goto(QUEUE)
    clicks = Clicks(desk)
    clicks.count += 1
    desk.locator(".case-row").filter(has_text="@bob").click()
    clicks.on("link", "Send help")
    clicks.on("button", "Send", within="#modal")
    expect(desk.locator("#modal")).to_be_hidden()
    assert clicks.count <= 3
    assert strikes(bob) == []
    drain_stream()
    page = signed_in(bob)
    page.goto("/notifications")
    expect(page.get_by_role("main")).to_contain_text("You are not in trouble.")


def test_a_hacked_account_is_secured_from_a_report_and_comes_back(
    mod, alice, bob, signed_in, drain_stream
):
    mine, spam = post(alice, "My cat sleeps"), post(alice, "Buy cheap watches")
    report(bob, alice, spam, rule_id="spam", comment="This is not like her")
    desk = signed_in(mod)
    desk.goto(QUEUE)
    clicks = Clicks(desk)
    clicks.count += 1
    desk.locator(".case-row").filter(has_text="@alice").click()
    clicks.on("link", "Secure the account")
    expect(desk.get_by_label("Buy cheap watches")).to_be_checked()
    clicks.count += 1
    desk.get_by_label("My cat sleeps").uncheck()
    clicks.on("button", "Secure the account")
    expect(steps.toast(desk)).to_contain_text("The account is secured. 1 post is hidden.")
    expect(desk.locator("#case")).to_contain_text("Secured")
    assert clicks.count <= 4
    assert info(alice).secured
    assert strikes(alice) == []
    assert (withheld(alice, mine), withheld(alice, spam)) == (None, "secured")

    drain_stream()
    page = signed_in(alice)  # as if she had come back
    page.goto("/notifications")
    page.get_by_role("link", name="See what to do").click()
    expect(page.get_by_role("main")).to_contain_text("You haven’t done anything wrong")
    page.get_by_role("button", name="Show my posts again").click()
    expect(steps.toast(page)).to_contain_text("Your posts are back.")
    assert withheld(alice, spam) is None


def test_a_brigade_is_acted_on_in_one_wave(mod, bob, signed_in, drain_stream):
    people = reporters(5)
    for one in people:
        report(one, bob, rule_id="spam")
    drain_stream()
    desk = signed_in(mod)
    desk.goto(QUEUE)
    expect(desk.locator(".hints")).to_contain_text("Looks like a brigade")
    clicks = Clicks(desk)
    clicks.on("button", "Look at all")
    expect(desk.get_by_text("5 of 5 chosen")).to_be_visible()
    clicks.count += 2
    desk.get_by_role("radio", name="Limit", exact=True).check()
    desk.get_by_label("Rule that was broken").select_option("spam")
    clicks.on("button", "Limit: 5 cases")
    expect(desk.locator("#wave-state")).to_contain_text("Under way")
    drain_stream()
    expect(desk.locator("#wave-state")).to_contain_text("5 cases decided.")
    assert all(info(one).limited_until for one in people)
    assert clicks.count <= 4


def test_a_reporter_who_is_nearly_always_wrong_is_muted(mod, alice, bob, signed_in, drain_stream):
    for number in range(5):
        accused = person(f"accused{number}")
        report(alice, accused, rule_id="spam")
        decide(mod, about(accused), ActionKind.DISMISS)
    report(alice, bob, rule_id="spam", comment="Again")
    drain_stream()
    desk = signed_in(mod)
    desk.goto(about(bob).url)
    clicks = Clicks(desk)
    clicks.on("link", "5 rejected, 1 open")
    expect(desk.get_by_role("main")).to_contain_text("Nearly always wrong")
    clicks.on("button", "Mute")
    expect(steps.toast(desk)).to_contain_text("Their reports are muted. They are not told.")
    assert clicks.count <= 2
    assert get_reporter(alice.user_id).muted_until
