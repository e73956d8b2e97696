"""The pages where moderators work break no rule of accessibility, and fit a narrow screen."""

import pytest
from playwright.sync_api import Page, expect

from accounts.profile.writes import edit_profile
from moderation.cases.writes import appeal, claim_case
from moderation.models import ActionKind
from moderation.people.reads import people_url
from socialsite.streams.worker import Worker
from tests.accounts.origins import note
from tests.browser import steps
from tests.browser.screens import DESKTOP, PHONE, sideways
from tests.conftest import person
from tests.injected.rotation import share
from tests.moderation.cases import about, decide, held_post
from tests.moderation.hints import SPAM, all_post, newcomers
from tests.moderation.queues import QUEUE, private_post, report, reporters
from tests.moderation.reported_pictures import give_pictures
from tests.privacy.erasing import erase

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")

BAR = 60  # pixels, at the foot of a phone
HIGH = 4500  # pixels, so that no bar at the end of the window lies over what is measured


@pytest.fixture
def desk(signed_in, mod) -> Page:
    """The moderator's browser."""
    return signed_in(mod)


@pytest.fixture
def everything(mod, admin, bob, carol) -> str:
    """A case with all that one can have: the address of its page."""
    give_pictures(bob)
    edit_profile(by=bob, bio="Buy this", location="Everywhere")
    report(bob, by=[admin])
    hidden = report(bob, by=[carol], text="First")
    action_id = decide(mod, about(bob), ActionKind.HIDE, hidden, text="Hidden")
    appeal(person_id=bob.user_id, action_id=action_id, text="It was a joke")
    report(bob, by=reporters(5), text="Second", rule="violence", severity=1, comment="Look!")
    report(bob, by=[person("zoe")], post_id=private_post(bob, "Between friends"))
    return about(bob).url


def expect_narrow(page: Page) -> None:
    page.set_viewport_size({"width": 320, "height": 640})
    assert sideways(page) <= 0, page.url


def test_no_page_breaks_a_rule_of_accessibility_or_is_too_wide(
    desk, everything, look, alice, bob, carol, admin
):
    report(alice, by=[carol])
    claim_case(by=admin, case_id=about(alice))
    held_post(carol)
    # Of what is built alike two a run, others each time.
    tabs = share(("held", "closed", "desks", "appeals"), one_of=2, salt="tabs of the queue")
    queues = QUEUE, *(f"{QUEUE}?queue={tab}" for tab in tabs)
    kinds = share(("hide", "reset", "limit"), one_of=2, salt="decisions")
    decisions = *(f"{everything}/decide?action={kind}" for kind in kinds), f"{everything}/assign"
    problems = []
    people = "/moderation/people?list=reported", people_url(bob.user_id)
    for path in (*queues, *people, about(alice).url, *decisions, everything):
        desk.goto(path)
        problems += look(desk, height=HIGH)
        expect_narrow(desk)
    expect(desk.locator("#looking")).to_contain_text("You are reviewing this")
    desk.get_by_role("button", name="Suspend").click()
    expect(desk.get_by_role("dialog")).to_be_visible()
    assert problems + look(desk, height=HIGH) == []


def test_it_fits_and_is_accessible_in_every_language(signed_in, mod, everything, look):
    languages = (("de", "de-DE"), ("zh-hans", "zh-CN"))
    for language, locale in share(languages, one_of=2, salt="language of moderation"):
        page = signed_in(mod, locale=locale)
        for path in (QUEUE, everything, f"{everything}/decide?action=limit"):
            page.goto(path)
            expect(page.locator("html")).to_have_attribute("lang", language)
            assert look(page, height=HIGH) == []


def test_other_accounts_and_the_searches_are_accessible(signed_in, admin, look, bob, carol):
    for one in (bob, carol):
        note(one, "203.0.113.0/24", "a laptop")
    page = signed_in(admin)
    page.goto(people_url(bob.user_id))
    problems = look(page, height=HIGH)
    page.get_by_role("button", name="Show other accounts").click()
    expect(page.locator("#accounts")).to_contain_text("Same browser and network")
    problems += look(page, height=HIGH)
    page.goto("/moderation/people")
    page.get_by_text("Search by network").click()
    page.get_by_label("Network").fill("203.0.113.9")
    page.get_by_label("Network").press("Enter")
    expect(page.locator(".cases")).to_contain_text("@carol")
    expect_narrow(page)
    assert problems + look(page, height=HIGH) == []


def test_a_hint_and_its_wave_are_accessible_before_and_after_it_runs(
    desk, everything, look, worker
):
    all_post(newcomers(5), f"{SPAM} https://spam.example")
    desk.goto(QUEUE)
    steps.reload_until(desk, desk.locator(".hints li", has_text="linked to spam.example"))
    problems = look(desk, height=HIGH)
    expect_narrow(desk)
    desk.get_by_role("button", name="Look at all").first.click()
    expect(desk.get_by_text("5 of 5 chosen")).to_be_visible()
    desk.get_by_role("radio", name="Suspend").check()
    expect(desk.locator("#told")).to_contain_text("suspended")
    problems += look(desk, height=HIGH)
    desk.get_by_label("Rule that was broken").select_option("spam")
    desk.get_by_role("button", name="Suspend:").click()
    expect(desk.get_by_role("button", name="Undo all")).to_be_visible()
    problems += look(desk, height=HIGH)
    desk.goto("/moderation/waves")
    assert problems + look(desk, height=HIGH) == []


def test_hints_leave_the_first_case_on_the_first_screen(desk, look, drain_stream, bob, carol):
    report(bob, by=[carol])
    for number, words in enumerate(("Cheap watches", "Cheap handbags", "Cheap holidays")):
        crowd = [person(f"new{number}{one}") for one in range(5 + number)]
        all_post(crowd, f"{words} for everyone who orders today https://spam{number}.example")
    drain_stream()
    for size in (PHONE, DESKTOP):
        desk.set_viewport_size(size)
        desk.goto(QUEUE)
        first = desk.get_by_role("link", name="@bob").bounding_box()
        assert first is not None
        assert first["y"] + first["height"] < size["height"] - BAR, first
    desk.get_by_text("2 more hints").click()
    expect(desk.get_by_role("button", name="Look at all")).to_have_count(3)
    assert look(desk, height=HIGH) == []


def test_a_case_about_a_deleted_account_is_accessible(desk, look, bob, carol, alice):
    for rule, severity, comment in (
        ("violence", 1, "He writes to a child"),
        ("spam", 3, "And ads"),
    ):
        report(bob, by=[carol], text=comment, rule=rule, severity=severity, comment=comment)
    report(bob, by=[alice], rule="spam")
    erase(bob, Worker())
    desk.goto(QUEUE)
    expect(desk.get_by_role("link", name="Deleted account")).to_be_visible()
    problems = look(desk, height=HIGH)
    expect_narrow(desk)
    desk.goto(about(bob).url)
    expect(desk.get_by_role("note")).to_contain_text("This account was deleted.")
    problems += look(desk, height=HIGH)
    expect_narrow(desk)
    desk.get_by_role("button", name="Dismiss").click()
    expect(desk.get_by_role("dialog")).to_contain_text("Deleted account")
    assert problems + look(desk, height=HIGH) == []
