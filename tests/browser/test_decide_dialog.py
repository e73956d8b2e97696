"""The dialog of a decision stays until its moderator closes it: what a colleague does meanwhile is said in it, keys
stay in it, and what was typed goes only when they say so."""

import re

import pytest
from playwright.sync_api import Page, expect

from accounts.viewer import Viewer
from moderation.cases.services.claim import claim_case, leave_case
from moderation.models import ActionKind
from tests.accounts.codes import proved_long_ago, with_second_factor
from tests.browser import steps
from tests.conftest import person
from tests.moderation.cases import about, actions, decide, strikes
from tests.moderation.queues import report

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")


@pytest.fixture(params=["without a second factor", "with a proof that is old"])
def desk(request, settings, signed_in, mod) -> Page:
    """The moderator's browser."""
    if request.param == "without a second factor":
        return signed_in(mod)
    with_second_factor(mod)
    settings.STAFF_SECOND_FACTOR = True
    page = signed_in(mod)
    proved_long_ago(mod)
    return page


@pytest.fixture
def recent(signed_in, mod) -> Page:
    """The moderator's browser where nothing is asked for."""
    return signed_in(mod)


@pytest.fixture
def zoe(table) -> Viewer:
    return person("zoe")


@pytest.fixture
def case(bob, carol):
    report(bob, by=[carol], text="Buy this")
    return about(bob)


def dialog(page: Page):
    return page.locator("#modal")


def words(page: Page):
    return dialog(page).get_by_label("In your own words")


def question(page: Page):
    return dialog(page).get_by_role("group", name="Discard what you wrote?")


def begin_to_warn(page: Page, case) -> None:
    page.goto(case.url)
    expect(page.locator("#looking")).to_contain_text("You are reviewing this")
    page.get_by_role("button", name="Warn").click()
    words(page).press_sequentially("Please stop")


def test_a_colleagues_report_is_said_in_the_dialog_and_nothing_typed_is_lost(
    desk, signed_in, alice, case
):
    begin_to_warn(desk, case)
    other = signed_in(alice)
    other.goto("/@bob/report")
    other.get_by_label("Violence").check()
    other.get_by_label("What should a moderator know?").fill("And this")
    other.get_by_role("main").get_by_role("button", name="Report").click()
    expect(steps.toast(other)).to_contain_text("A moderator will look into it.")
    words(desk).press_sequentially(" doing")
    said = dialog(desk).get_by_role("alert")
    expect(said).to_contain_text("something was added")
    expect(words(desk)).to_be_focused()
    words(desk).press_sequentially(" 1 2 h u that.")
    said.get_by_role("link", name="See what’s new").click()
    expect(dialog(desk).locator(".news")).to_contain_text("And this")
    expect(words(desk)).to_have_value("Please stop doing 1 2 h u that.")
    expect(desk).to_have_url(re.compile(case.url))


def test_what_was_seen_can_be_decided_without_another_refusal(recent, carol, zoe, bob, case):
    begin_to_warn(recent, case)
    report(bob, by=[zoe], comment="And this")
    dialog(recent).get_by_role("link", name="See what’s new").click()
    expect(dialog(recent).locator(".news")).to_contain_text("And this")
    dialog(recent).get_by_role("button", name="Confirm").click()
    expect(recent.locator(".done-strip")).to_contain_text("Warned: @bob")
    assert strikes(bob)[0].text.endswith("Please stop")


def test_posts_that_were_reported_meanwhile_can_be_chosen_and_choices_stay(recent, zoe, bob, case):
    recent.goto(case.url)
    recent.get_by_role("button", name="Hide posts").click()
    dialog(recent).get_by_label("Buy this").check()
    report(bob, by=[zoe], text="Buy that")
    dialog(recent).get_by_role("link", name="See what’s new").click()
    with recent.expect_response(re.compile("/decide")):  # the preview
        dialog(recent).get_by_label("Buy that").check()
    expect(dialog(recent).get_by_label("Buy this")).to_be_checked()
    dialog(recent).get_by_role("button", name="Confirm").click()
    expect(recent.locator(".done-strip")).to_contain_text("@bob")
    assert len(actions(about(bob))[0].posts) == 2


def test_it_says_who_closed_the_case_and_keeps_the_words(recent, admin, mod, case):
    begin_to_warn(recent, case)
    leave_case(by=mod, case_id=case)
    decide(admin, case, ActionKind.WARN, text="Careful")
    expect(dialog(recent).get_by_role("alert")).to_contain_text("Addy Admin has since closed")
    expect(words(recent)).to_have_value("Please stop")


def test_what_is_typed_while_the_decision_is_refused_stays(recent, zoe, bob, case, watch):
    watch.expect("409")
    begin_to_warn(recent, case)
    held = steps.hold(recent, "**/decide?*")
    dialog(recent).get_by_role("button", name="Confirm").click()
    words(recent).press_sequentially(", now")
    report(bob, by=[zoe], comment="And this")
    steps.let_go(recent, "**/decide?*", held)
    expect(dialog(recent).get_by_role("alert")).to_be_focused()
    expect(words(recent)).to_have_value("Please stop, now")
    assert not actions(about(bob))


def test_a_review_that_another_began_first_leaves_the_dialog_alone(recent, admin, case, watch):
    watch.expect("409")
    held = steps.hold(recent, "**/claim?*")
    recent.goto(case.url)
    recent.get_by_role("button", name="Warn").click()
    words(recent).press_sequentially("Please stop")
    claim_case(by=admin, case_id=case)
    steps.let_go(recent, "**/claim?*", held)
    expect(recent.locator("#looking")).to_contain_text("Addy Admin is reviewing this")
    expect(words(recent)).to_have_value("Please stop")
    expect(recent.get_by_role("button", name="Dismiss")).to_have_count(0)


def test_keys_stay_in_the_dialog(recent, case):
    recent.goto(case.url)
    recent.get_by_role("button", name="Warn").click()
    expect(dialog(recent).get_by_role("button", name="Confirm")).to_be_focused()
    for key in ("h", "n", "u", "1", "j", "g", "e", "?"):
        recent.keyboard.press(key)
    recent.locator("#modal-title").click()  # nothing has the focus
    for key in ("h", "3", "n", "u"):
        recent.keyboard.press(key)
    expect(dialog(recent).get_by_role("heading", name="Warn")).to_be_visible()
    recent.keyboard.press("Escape")
    expect(dialog(recent)).to_be_hidden()
    expect(recent).to_have_url(re.compile(case.url))


def test_keys_pressed_in_the_dialog_are_not_made_up_for_after_it(recent, case):
    held = steps.hold(recent, "**/keys*.js")
    recent.goto(case.url)
    recent.get_by_role("button", name="Warn").click()
    expect(dialog(recent).get_by_role("button", name="Confirm")).to_be_focused()
    recent.keyboard.press("?")
    recent.keyboard.press("Escape")
    expect(dialog(recent)).to_be_hidden()
    steps.let_go(recent, "**/keys*.js", held)
    recent.keyboard.press("j")
    steps.expect_focus(recent.locator(".case-row").first)
    expect(dialog(recent)).to_be_hidden()


@pytest.mark.parametrize("way", ["Escape", "Cancel", "beside it"])
def test_closing_it_with_typed_text_asks(recent, case, way):
    def close() -> None:
        if way == "Escape":
            recent.keyboard.press("Escape")
        elif way == "Cancel":
            dialog(recent).get_by_role("link", name="Cancel").click()
        else:
            recent.mouse.click(5, 5)

    begin_to_warn(recent, case)
    close()
    expect(question(recent).get_by_role("button", name="Keep writing")).to_be_focused()
    recent.keyboard.press("Enter")
    expect(question(recent)).to_be_hidden()
    expect(words(recent)).to_be_focused()
    expect(words(recent)).to_have_value("Please stop")
    close()
    question(recent).get_by_role("button", name="Discard").click()
    expect(dialog(recent)).to_be_hidden()


def test_escape_asks_each_time(recent, case):
    begin_to_warn(recent, case)
    for _ in range(3):
        recent.keyboard.press("Escape")
        expect(question(recent)).to_be_visible()
    expect(words(recent)).to_have_value("Please stop")


def test_without_typed_text_it_closes_at_once(recent, case):
    recent.goto(case.url)
    recent.get_by_role("button", name="Warn").click()
    expect(dialog(recent)).to_be_visible()
    recent.keyboard.press("Escape")
    expect(dialog(recent)).to_be_hidden()
