"""Moderators work through their queue, with a mouse and by keyboard alone."""

import re

import pytest
from playwright.sync_api import Page, expect

from moderation.models import ActionKind
from tests.browser import steps
from tests.moderation.cases import about, actions, strikes
from tests.moderation.queues import QUEUE, private_post, report, reported_people, reporters

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")

DECISION = re.compile(r"/decide")


@pytest.fixture
def desk(signed_in, mod) -> Page:
    """The moderator's browser."""
    return signed_in(mod)


def row(page: Page, handle: str):
    return page.locator(".case-row").filter(has_text=f"@{handle}")


def strip(page: Page):
    return page.locator(".done-strip")


def dialog(page: Page):
    return page.get_by_role("dialog")


def is_looking(page: Page) -> None:
    expect(page.locator("#looking")).to_contain_text("You are reviewing this")


def test_reports_of_one_person_are_read_and_closed_with_the_mouse(desk, bob):
    report(bob, by=reporters(3), post_id=private_post(bob, "Between friends"))
    desk.goto(QUEUE)
    expect(row(desk, "bob")).to_contain_text("3 reports")
    row(desk, "bob").click()
    is_looking(desk)
    evidence = desk.locator("#evidence")
    expect(evidence).not_to_contain_text("Between friends")
    evidence.get_by_role("button", name="Show (this is logged)").click()
    expect(evidence).to_contain_text("Between friends")
    expect(evidence.get_by_role("heading")).to_be_focused()

    desk.get_by_label("Note for other moderators").fill("Seen")
    desk.get_by_role("button", name="Add note").click()
    expect(desk.locator("#notes li")).to_contain_text("Seen")
    expect(desk.get_by_role("button", name="Add note")).to_be_focused()
    expect(evidence, "a note leaves the page as it is").to_contain_text("Between friends")

    desk.get_by_role("button", name="Dismiss").click()
    dialog(desk).get_by_role("button", name="Confirm").click()
    expect(desk.get_by_text("All done. No reports are waiting.")).to_be_visible()
    expect(strip(desk)).to_contain_text("Dismissed: @bob")
    assert [action.kind for action in actions(about(bob))] == [ActionKind.DISMISS]


def test_one_case_after_the_other_is_closed_by_keyboard_alone(desk, alice):
    people = reported_people(3, by=alice)
    first, second, _ = people
    desk.goto(QUEUE)
    desk.keyboard.press("j")
    steps.expect_focus(row(desk, first.handle))
    desk.keyboard.press("j")
    desk.keyboard.press("x")
    expect(row(desk, second.handle).get_by_role("checkbox")).to_be_checked()
    desk.keyboard.press("k")
    desk.keyboard.press("Enter")
    expect(steps.title(desk)).to_contain_text(first.card.name)
    desk.keyboard.press("n")
    expect(steps.title(desk)).to_contain_text(second.card.name)
    is_looking(desk)
    desk.keyboard.press("2")
    expect(dialog(desk)).to_be_visible()
    desk.keyboard.press("Escape")
    expect(desk.get_by_role("button", name="Warn")).to_be_focused()
    close_by(desk, "2", "Enter", f"Warned: @{second.handle}")
    desk.keyboard.press("u")
    expect(steps.toast(desk)).to_contain_text("Undone.")
    desk.keyboard.press("h")
    expect(desk.locator(".case-row")).to_have_count(3)

    desk.keyboard.press("j")
    steps.expect_focus(row(desk, first.handle))
    desk.keyboard.press("Enter")
    for number, reported in enumerate(people):
        expect(steps.title(desk)).to_contain_text(reported.card.name)
        confirm = "Enter" if number % 2 else "Control+Enter"
        close_by(desk, "1", confirm, f"Dismissed: @{reported.handle}")
    expect(desk.get_by_text("All done. No reports are waiting.")).to_be_visible()
    assert [len(actions(about(reported))) for reported in people] == [1, 2, 1]


def close_by(desk: Page, key: str, confirm: str, done: str) -> None:
    desk.keyboard.press(key)
    expect(dialog(desk).get_by_role("button", name="Confirm")).to_be_focused()
    desk.keyboard.press(confirm)
    expect(strip(desk)).to_contain_text(done)
    expect(strip(desk).get_by_role("paragraph")).to_be_focused()


def test_keys_that_are_pressed_before_their_script_is_here_count_in_their_order(desk, alice):
    _, second = reported_people(2, by=alice)
    held = steps.hold(desk, "**/keys*.js")
    desk.goto(QUEUE)
    for key in ("j", "j", "x"):
        desk.keyboard.press(key)
    steps.let_go(desk, "**/keys*.js", held)
    expect(row(desk, second.handle).get_by_role("checkbox")).to_be_checked()


def test_keys_do_nothing_while_one_writes_or_has_turned_them_off(desk, bob, carol, alice):
    report(bob, by=[carol])
    desk.goto(about(bob).url)
    desk.get_by_label("Note for other moderators").fill("1")
    desk.keyboard.type("2 3u h")
    expect(dialog(desk)).to_be_hidden()
    desk.goto("/settings/appearance")
    desk.get_by_label("Keyboard shortcuts").uncheck()
    desk.get_by_role("button", name="Save").click()
    expect(steps.toast(desk)).to_contain_text("saved")
    desk.goto(about(bob).url)
    is_looking(desk)
    desk.keyboard.press("1")
    expect(dialog(desk)).to_be_hidden()


def test_what_the_person_is_told_follows_what_is_typed(desk, bob, carol):
    report(bob, by=[carol], text="Buy this")
    desk.goto(about(bob).url)
    desk.get_by_role("button", name="Limit").click()
    told = dialog(desk).locator("#told")
    expect(told).to_contain_text("Your account was limited")
    words = dialog(desk).get_by_label("In your own words")
    with desk.expect_response(DECISION):
        words.press_sequentially("Write me.")
    expect(told).to_contain_text("Write me.")
    expect(words).to_be_focused()
    dialog(desk).get_by_label("Until lifted").check()
    expect(told).to_contain_text("Until a moderator")
    words.press("Control+Enter")
    expect(strip(desk)).to_contain_text("Limited: @bob")
    assert strikes(bob)[0].text.endswith("Write me.")


def test_two_moderators_see_who_looks(desk, admin, signed_in, bob, carol):
    report(bob, by=[carol])
    desk.goto(about(bob).url)
    is_looking(desk)
    other = signed_in(admin)
    other.goto(QUEUE)
    expect(row(other, "bob")).to_contain_text("Mod Miller is reviewing this")
    other.goto(about(bob).url)
    expect(other.get_by_role("button", name="Dismiss")).to_have_count(0)
    desk.get_by_role("button", name="Stop reviewing").click()
    expect(desk.get_by_role("button", name="Review this case")).to_be_focused()
    other.reload()
    is_looking(other)
    other.goto("/")
    desk.reload()
    steps.reload_until(desk, desk.get_by_role("button", name="Dismiss"))
    is_looking(desk)
