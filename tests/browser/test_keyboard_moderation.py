"""Waves, people, word filters and hints are dealt with by the keyboard alone."""

import pytest
from playwright.sync_api import Locator, Page, expect

from moderation.cases.reads import is_open, read_case
from tests.browser import steps
from tests.conftest import post
from tests.moderation.cases import about, info, withheld
from tests.moderation.hints import SPAM, all_post, newcomers
from tests.moderation.queues import QUEUE, reported_people

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")

PEOPLE, WORDS = "/moderation/people", "/moderation/words"


@pytest.fixture
def desk(signed_in, mod) -> Page:
    """The moderator's browser."""
    return signed_in(mod)


def row(page: Page, handle: str) -> Locator:
    return page.locator(".case-row").filter(has_text=f"@{handle}")


def press(page: Page, name: str, key: str = "Enter") -> None:
    """Goes to a button by Tab, and presses it."""
    steps.tab_to(page, page.get_by_role("main").get_by_role("button", name=name, exact=True))
    page.keyboard.press(key)


def start_wave(page: Page, action: str, button: str) -> None:
    """Chooses the action by arrows and the rule by its letters, and starts the wave."""
    steps.tab_to(page, page.get_by_role("radio", checked=True).first)
    wanted = page.get_by_role("radio", name=action)
    while not wanted.is_checked():
        page.keyboard.press("ArrowDown")
        chosen = page.evaluate("document.activeElement.value")
        expect(page.locator("input[name=shown]")).to_have_value(chosen)
    expect(wanted).to_be_focused()
    press(page, button)


def test_a_wave_is_begun_previewed_started_found_again_and_undone(desk, worker, alice):
    first, second, third = reported_people(3, by=alice)
    desk.goto(QUEUE)
    for key in ("j", "x", "j", "x"):
        desk.keyboard.press(key)
    press(desk, "Act on selected")
    expect(desk.get_by_label("Rule that was broken")).to_have_value("spam")
    start_wave(desk, "Limit", "Limit: 2 cases")
    state = desk.locator("#wave-state")
    expect(state).to_contain_text("2 cases decided.")
    assert all(info(one).limited_until for one in (first, second))
    assert is_open(read_case(about(third)))
    desk.goto("/moderation/waves")
    desk.keyboard.press("j")
    steps.expect_focus(desk.locator(".case-row"))
    desk.keyboard.press("Enter")
    expect(state).to_contain_text("2 cases decided.")
    desk.wait_for_load_state()
    desk.keyboard.press("u")
    expect(state).to_contain_text("2 actions were undone.")
    assert not info(first).limited_until
    desk.wait_for_load_state()
    desk.keyboard.press("j")
    steps.expect_focus(row(desk, first.handle))
    desk.keyboard.press("Enter")
    steps.same_place(desk, about(first).url)


def test_people_are_selected_for_a_wave_and_one_is_found_noted_and_reported_as_staff(
    desk, alice, bob, drain_stream
):
    drain_stream()
    desk.goto(PEOPLE)
    for handle in ("moddy", "bob", "alice"):  # the newest first
        desk.keyboard.press("j")
        steps.expect_focus(row(desk, handle))
        if handle != "moddy":
            desk.keyboard.press("x")
    expect(row(desk, "alice").get_by_role("checkbox")).to_be_checked()
    expect(row(desk, "bob").get_by_role("checkbox")).to_be_checked()
    press(desk, "Act on selected")
    expect(desk.get_by_text("2 of 2 chosen")).to_be_visible()

    desk.goto(PEOPLE)
    steps.tab_to(desk, desk.get_by_role("main").locator("input[name=q]"))
    desk.keyboard.type("alice")
    desk.keyboard.press("Enter")
    expect(row(desk, "bob")).to_have_count(0)
    desk.keyboard.press("j")
    steps.expect_focus(row(desk, "alice"))
    desk.keyboard.press("Enter")
    expect(steps.title(desk)).to_have_text("Alice Archer")
    steps.tab_to(desk, desk.locator("#notes textarea"))
    desk.keyboard.type("Writes well")
    press(desk, "Add note")
    expect(desk.locator("#notes li")).to_contain_text("Writes well")
    expect(desk.get_by_role("button", name="Add note")).to_be_focused()
    rule = desk.get_by_role("main").locator("select[name=rule]")
    steps.tab_to(desk, rule)
    steps.choose(desk, rule, "Spam")
    press(desk, "Open a case")
    steps.same_place(desk, about(alice).url)


def try_filter(page: Page, pattern: str) -> None:
    page.goto(WORDS)
    steps.tab_to(page, page.get_by_role("main").locator("input[name=pattern]"))
    page.keyboard.type(pattern)
    page.keyboard.press("Enter")
    said = f"1 of the newest 1 public posts contains {pattern}."
    expect(page.get_by_text(said)).to_be_visible()


def test_a_word_filter_is_tried_saved_changed_and_removed_and_its_hits_become_a_wave(
    signed_in, admin, alice, drain_stream
):
    post_id = post(alice, "Buy zzspam")
    drain_stream()
    page = signed_in(admin)
    try_filter(page, "zzspam")
    press(page, "Save filter")
    expect(steps.toast(page)).to_contain_text("Filter saved.")
    steps.tab_to(page, page.locator(".setup-list").get_by_role("link").first)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Posts caught")).to_be_visible()
    steps.tab_to(page, page.get_by_role("main").locator("input[name=pattern]"))
    page.keyboard.press("Control+a")
    page.keyboard.type("zzspam*")
    press(page, "Save without a trial")
    expect(page.locator(".setup-list")).to_contain_text("zzspam*")
    steps.tab_to(page, page.locator(".setup-list").get_by_role("button").first)
    page.keyboard.press("Enter")
    expect(steps.toast(page)).to_contain_text("Filter removed.")

    try_filter(page, "zzspam")
    press(page, "Act on 1 post")
    expect(page.get_by_text("1 of 1 chosen")).to_be_visible()
    rule = page.get_by_label("Rule that was broken")
    steps.tab_to(page, rule)
    steps.choose(page, rule, "No spam")
    expect(page.locator("#told")).to_contain_text("No spam")
    press(page, "Hide posts: 1 case")
    expect(page.locator("#wave-state")).to_contain_text("Under way")
    drain_stream()
    expect(page.locator("#wave-state")).to_contain_text("1 case decided.")
    assert withheld(alice, post_id)


def test_a_hint_is_looked_at_and_put_away(desk, drain_stream):
    all_post(newcomers(5))
    drain_stream()
    desk.goto(QUEUE)
    expect(desk.locator(".setup-list")).to_contain_text(SPAM)
    press(desk, "Look at all")
    expect(desk.get_by_text("5 of 5 chosen")).to_be_visible()
    desk.goto(QUEUE)
    press(desk, "Put away", key="Space")
    expect(steps.toast(desk)).to_contain_text("The hint was put away.")
    expect(desk.get_by_text("This may be a wave")).to_have_count(0)
