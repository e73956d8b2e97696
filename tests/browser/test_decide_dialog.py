"""The dialog of a decision stays until its moderator closes it: what a colleague does meanwhile is said in it, keys
stay in it, and what was typed goes only when they say so."""

import re

import pytest
from playwright.sync_api import Page, expect

from accounts.people.viewer import Viewer
from moderation.cases.writes import claim_case
from tests.browser import steps
from tests.conftest import person
from tests.moderation.cases import about, actions, strikes
from tests.moderation.queues import report

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")


@pytest.fixture
def desk(signed_in, mod) -> Page:
    """The moderator's browser."""
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


def test_what_was_reported_meanwhile_is_said_seen_and_decided_with_nothing_typed_lost(
    desk, zoe, bob, case
):
    desk.goto(case.url)
    desk.get_by_role("button", name="Hide posts").click()
    dialog(desk).get_by_label("Buy this").check()
    words(desk).press_sequentially("Please stop")
    report(bob, by=[zoe], text="Buy that", comment="And this")
    said = dialog(desk).get_by_role("alert")
    expect(said).to_contain_text("something was added")
    expect(words(desk)).to_be_focused()
    words(desk).press_sequentially(" doing 1 2 h u that.")
    said.get_by_role("link", name="See what’s new").click()
    expect(dialog(desk).locator(".news")).to_contain_text("And this")
    expect(words(desk)).to_have_value("Please stop doing 1 2 h u that.")
    expect(desk).to_have_url(re.compile(case.url))

    with desk.expect_response(re.compile("/decide")):  # the preview
        dialog(desk).get_by_label("Buy that").check()
    expect(dialog(desk).get_by_label("Buy this"), "what was chosen stays").to_be_checked()
    dialog(desk).get_by_role("button", name="Confirm").click()
    expect(desk.locator(".done-strip"), "no other refusal").to_contain_text("@bob")
    assert len(actions(about(bob))[0].posts) == 2
    assert strikes(bob)[0].text.endswith("Please stop doing 1 2 h u that.")


def test_a_refused_decision_keeps_what_is_typed_meanwhile_and_shows_the_case_anew(
    desk, zoe, bob, case, watch
):
    watch.expect("409")
    desk.goto(case.url)
    expect(desk.locator("#looking")).to_contain_text("You are reviewing this")
    note = desk.get_by_label("Note for other moderators")
    note.fill("Half a thought")
    desk.get_by_role("button", name="Warn").click()
    words(desk).press_sequentially("Please stop")
    held = steps.hold(desk, "**/decide?*")
    dialog(desk).get_by_role("button", name="Confirm").click()
    words(desk).press_sequentially(", now")
    report(bob, by=[zoe], rule="violence", severity=1, comment="And this")
    steps.let_go(desk, "**/decide?*", held)
    expect(dialog(desk).get_by_role("alert")).to_contain_text("something was added")
    expect(dialog(desk).get_by_role("alert")).to_be_focused()
    expect(words(desk)).to_have_value("Please stop, now")
    assert not actions(about(bob))
    expect(desk.locator("#case")).to_contain_text("And this")
    expect(note).to_have_value("Half a thought")
    dialog(desk).get_by_role("button", name="Confirm").click()
    expect(desk.locator(".done-strip")).to_contain_text("Warned: @bob")


def test_a_review_that_another_began_first_leaves_the_dialog_alone(desk, admin, case, watch):
    watch.expect("409")
    held = steps.hold(desk, "**/claim?*")
    desk.goto(case.url)
    desk.get_by_role("button", name="Warn").click()
    words(desk).press_sequentially("Please stop")
    claim_case(by=admin, case_id=case)
    steps.let_go(desk, "**/claim?*", held)
    expect(desk.locator("#looking")).to_contain_text("Addy Admin is reviewing this")
    expect(words(desk)).to_have_value("Please stop")
    expect(desk.get_by_role("button", name="Dismiss")).to_have_count(0)


def test_keys_stay_in_the_dialog_which_closes_at_once_without_typed_text(desk, case):
    desk.goto(case.url)
    desk.get_by_role("button", name="Warn").click()
    expect(dialog(desk).get_by_role("button", name="Confirm")).to_be_focused()
    for key in ("h", "n", "u", "1", "j", "g", "e", "?"):
        desk.keyboard.press(key)
    desk.locator("#modal-title").click()  # nothing has the focus
    for key in ("h", "3", "n", "u"):
        desk.keyboard.press(key)
    expect(dialog(desk).get_by_role("heading", name="Warn")).to_be_visible()
    desk.keyboard.press("Escape")
    expect(dialog(desk)).to_be_hidden()
    expect(desk).to_have_url(re.compile(case.url))


def test_keys_pressed_in_the_dialog_are_not_made_up_for_after_it(desk, case):
    held = steps.hold(desk, "**/keys*.js")
    desk.goto(case.url)
    desk.get_by_role("button", name="Warn").click()
    expect(dialog(desk).get_by_role("button", name="Confirm")).to_be_focused()
    desk.keyboard.press("?")
    desk.keyboard.press("Escape")
    expect(dialog(desk)).to_be_hidden()
    steps.let_go(desk, "**/keys*.js", held)
    desk.keyboard.press("j")
    steps.expect_focus(desk.locator(".case-row").first)
    expect(dialog(desk)).to_be_hidden()


def test_closing_it_with_typed_text_asks_each_time(desk, case):
    ways = {
        "Escape": lambda: desk.keyboard.press("Escape"),
        "Cancel": dialog(desk).get_by_role("link", name="Cancel").click,
        "beside it": lambda: desk.mouse.click(5, 5),
    }
    begin_to_warn(desk, case)
    for way, close in ways.items():
        close()
        keep = question(desk).get_by_role("button", name="Keep writing")
        expect(keep, way).to_be_focused()
        desk.keyboard.press("Enter")
        expect(question(desk)).to_be_hidden()
        expect(words(desk)).to_be_focused()
        expect(words(desk)).to_have_value("Please stop")
    for _ in range(3):
        desk.keyboard.press("Escape")
        expect(question(desk), "Escape asks each time").to_be_visible()
    question(desk).get_by_role("button", name="Discard").click()
    expect(dialog(desk)).to_be_hidden()
