"""The moderators' queue as it is worked: asking a senior, handing over a desk, and all of it by keyboard alone. What
each story costs in presses is bounded."""

import pytest
from playwright.sync_api import Page, expect

from accounts.permissions import JUNIOR
from moderation.cases.reads import read_case
from moderation.cases.writes import assign_case
from tests.browser import steps
from tests.browser.screens import sideways
from tests.conftest import person, post
from tests.moderation.cases import QUEUE, about, actions_of, report, reported_people

HIGH = 4500  # pixels, so that no bar at the end of the window lies over what is measured
pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")


class Presses:
    """Counts the clicks and keys that a story takes, without the letters of what is typed."""

    def __init__(self, page: Page) -> None:
        self.page, self.number = page, 0

    def click(self, name: str, role: str = "button", **options: object) -> None:
        self.number += 1
        self.page.get_by_role(role, name=name, **options).first.click()  # type: ignore[arg-type]

    def key(self, name: str) -> None:
        self.number += 1
        self.page.keyboard.press(name)


def row(page: Page, handle: str):
    return page.locator(".case-row").filter(has_text=f"@{handle}")


def dialog(page: Page):
    return page.get_by_role("dialog")


def test_a_junior_asks_a_senior_who_answers_and_the_case_comes_back_also_beyond_the_limits(
    signed_in, alice, bob, mod, watch
):
    watch.expect("422")
    jun = person("jun", "Jun", role=JUNIOR)
    report(alice, bob, post(bob, "They eat cats"), rule_id="spam")
    desk = signed_in(jun)
    desk.goto(QUEUE)
    expect(row(desk, "bob")).to_contain_text("They eat cats")
    asks = Presses(desk)
    row(desk, "bob").get_by_role("link").click()
    asks.number += 1
    asks.click("Ask a senior", "link")
    dialog(desk).get_by_label("What do you want to know?").fill("Is this satire?")
    asks.click("Ask", exact=True)
    expect(steps.toast(desk)).to_contain_text("Asked.")
    expect(row(desk, "bob")).to_have_count(0)
    assert asks.number <= 3

    senior = signed_in(mod)
    senior.goto(QUEUE)
    answers = Presses(senior)
    answers.click("For seniors", "link")
    expect(row(senior, "bob")).to_contain_text("Waits for a senior")
    row(senior, "bob").get_by_role("link").click()
    answers.number += 1
    expect(senior.get_by_role("note")).to_contain_text("Is this satire?")
    answers.click("Answer", "link")
    dialog(senior).get_by_label("Your answer").fill("Yes. Dismiss it.")
    answers.click("Give back")
    expect(steps.toast(senior)).to_contain_text("It’s back on their desk.")
    assert answers.number <= 4

    desk.goto(f"{QUEUE}?queue=mine")
    expect(row(desk, "bob")).to_be_visible()

    # Beyond the limits the message leads to a senior.
    desk.goto(about(bob).url)
    desk.get_by_role("button", name="Suspend").click()
    dialog(desk).get_by_label("30 days").check()
    dialog(desk).get_by_role("button", name="Confirm").click()
    expect(dialog(desk)).to_contain_text("Junior moderators restrict people for 7 days at most.")
    dialog(desk).get_by_role("link", name="Ask a senior").click()
    expect(dialog(desk).get_by_label("What do you want to know?")).to_be_focused()
    assert not actions_of(about(bob))


def test_the_queue_is_worked_by_keyboard_alone_and_a_desk_is_handed_over(signed_in, alice, mod):
    first, second, third = reported_people(3, by=alice)
    desk = signed_in(mod)
    desk.goto(QUEUE)
    keys = Presses(desk)
    keys.key("j")
    steps.expect_focus(row(desk, first.handle))
    keys.key("a")
    expect(steps.toast(desk)).to_contain_text("1 case assigned to you.")
    keys.key("j")
    steps.expect_focus(row(desk, second.handle))
    keys.key("e")
    question = desk.get_by_label("What do you want to know?")
    expect(question).to_be_focused()
    desk.keyboard.type("Is it a bot?")
    keys.key("Control+Enter")
    expect(steps.toast(desk)).to_contain_text("Asked.")
    expect(steps.title(desk)).to_contain_text(third.card.name)  # the next case opened
    expect(desk.locator("#looking")).to_contain_text("You are reviewing this")
    keys.key("1")
    expect(dialog(desk).get_by_role("button", name="Confirm")).to_be_focused()
    keys.key("Enter")
    expect(desk.get_by_text("All done. No reports are waiting.")).to_be_visible()
    keys.key("m")
    expect(row(desk, first.handle)).to_be_visible()
    keys.key("?")
    expect(dialog(desk)).to_contain_text("Ask a senior, or answer a junior")
    assert keys.number <= 9
    assert read_case(about(second)).raised

    # A desk is handed over in three presses.
    mei = person("mei", "Mei", role="moderator")
    on_the_desk = [first, person("tim"), person("ulla")]
    for one in on_the_desk[1:]:
        report(alice, one)
        assign_case(by=mod, case_id=about(one), moderator_id=mod.user_id)
    desk.goto(f"{QUEUE}?queue=mine")
    presses = Presses(desk)
    presses.click("Your desk", "link")
    desk.get_by_label("To").select_option(mei.user_id)
    presses.number += 1
    desk.get_by_label("Note on each case").fill("My shift is over.")
    presses.click("Hand over all cases")
    expect(steps.toast(desk)).to_contain_text("3 cases handed over.")
    expect(desk.get_by_text("No cases are assigned to you.")).to_be_visible()
    assert presses.number <= 3
    assert {read_case(about(one)).assigned_to for one in on_the_desk} == {mei.user_id}


def test_a_phone_shows_the_queue_and_the_desk_without_scrolling_sideways(
    signed_in, alice, bob, mod, look
):
    """Also with text twice as large, in which all is accessible, too; in the usual size: test_accessibility.py."""
    report(alice, bob, post(bob, "A" * 110))
    desk = signed_in(mod, viewport={"width": 390, "height": 844})
    for path in (QUEUE, f"{QUEUE}?order=pressing&reason=spam", "/moderation/desk", about(bob).url):
        desk.goto(path)
        for fold in desk.locator("details.reason-group:not([open]) > summary").all():
            fold.click()
        assert sideways(desk) <= 0, path
        desk.evaluate("document.documentElement.style.fontSize = '200%'")
        assert sideways(desk) <= 0, f"{path} with large text"
    assert look(desk, height=HIGH) == []
    desk.goto(f"{QUEUE}?order=pressing&reason=spam")
    assert look(desk, height=HIGH) == []
