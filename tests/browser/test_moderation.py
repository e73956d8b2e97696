"""Moderators at work, with mouse and keyboard."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from accounts.people.viewer import Viewer
from moderation.cases.reads import is_open, read_case
from moderation.cases.writes import claim_case
from moderation.models import ActionKind
from tests.browser import steps
from tests.browser.screens import SIZES, sideways
from tests.browser.test_accessibility import SHIFTS
from tests.conftest import person, post
from tests.feed.scenes import photo, post_photos, real_files
from tests.moderation.cases import (
    QUEUE,
    about,
    actions_of,
    case_photos,
    info,
    looks,
    private_post,
    report,
    report_by_each,
    reported_people,
    reporters,
    strikes,
    withheld,
)
from tests.moderation.staff import SPAM, all_post, newcomers

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


def test_reports_of_one_person_are_read_and_closed_with_the_mouse_and_a_colleague_sees_who_looks(
    desk, admin, signed_in, bob
):
    report_by_each(bob, by=reporters(3), post_id=private_post(bob, "Between friends"))
    desk.goto(QUEUE)
    expect(row(desk, "bob")).to_contain_text("3 reports")
    row(desk, "bob").click()
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
    assert [action.kind for action in actions_of(about(bob))] == [ActionKind.DISMISS]


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
        is_looking(desk)
        confirm = "Enter" if number % 2 else "Control+Enter"
        close_by(desk, "1", confirm, f"Dismissed: @{reported.handle}")
    expect(desk.get_by_text("All done. No reports are waiting.")).to_be_visible()
    assert [len(actions_of(about(reported))) for reported in people] == [1, 2, 1]


def close_by(desk: Page, key: str, confirm: str, done: str) -> None:
    desk.keyboard.press(key)
    expect(dialog(desk).get_by_role("button", name="Confirm")).to_be_focused()
    desk.keyboard.press(confirm)
    expect(strip(desk)).to_contain_text(done)
    expect(strip(desk).get_by_role("paragraph")).to_be_focused()


# Waves, people, word filters and hints are dealt with by the keyboard alone.

PEOPLE, WORDS = "/moderation/people", "/moderation/words"


def case_row(page: Page, handle: str) -> Locator:
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


def test_a_wave_is_begun_previewed_started_found_again_and_undone_and_a_hint_put_away(
    desk, worker, alice
):
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
    steps.expect_focus(case_row(desk, first.handle))
    desk.keyboard.press("Enter")
    steps.same_place(desk, about(first).url)

    all_post(newcomers(5))
    desk.goto(QUEUE)
    steps.reload_until(desk, desk.locator(".setup-list", has_text=SPAM))
    press(desk, "Look at all")
    expect(desk.get_by_text("5 of 5 chosen")).to_be_visible()
    desk.goto(QUEUE)
    press(desk, "Put away", key="Space")
    expect(steps.toast(desk)).to_contain_text("The hint was put away.")
    expect(desk.get_by_text("This may be a wave")).to_have_count(0)


def test_people_are_selected_for_a_wave_and_one_is_found_noted_and_reported_as_staff(
    desk, alice, bob, drain_stream
):
    drain_stream()
    desk.goto(PEOPLE)
    for handle in ("moddy", "bob", "alice"):  # the newest first
        desk.keyboard.press("j")
        steps.expect_focus(case_row(desk, handle))
        if handle != "moddy":
            desk.keyboard.press("x")
    expect(case_row(desk, "alice").get_by_role("checkbox")).to_be_checked()
    expect(case_row(desk, "bob").get_by_role("checkbox")).to_be_checked()
    press(desk, "Act on selected")
    expect(desk.get_by_text("2 of 2 chosen")).to_be_visible()

    desk.goto(PEOPLE)
    steps.tab_to(desk, desk.get_by_role("main").locator("input[name=q]"))
    desk.keyboard.type("alice")
    desk.keyboard.press("Enter")
    expect(case_row(desk, "bob")).to_have_count(0)
    desk.keyboard.press("j")
    steps.expect_focus(case_row(desk, "alice"))
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


# The dialog of a decision stays until its moderator closes it: what a colleague does meanwhile is said in it,
# keys stay in it, and what was typed goes only when they say so.


@pytest.fixture
def zoe(table) -> Viewer:
    return person("zoe")


@pytest.fixture
def case(bob, carol):
    report_by_each(bob, by=[carol], text="Buy this")
    return about(bob)


def open_dialog(page: Page):
    return page.locator("#modal")


def words(page: Page):
    return open_dialog(page).get_by_label("In your own words")


def question(page: Page):
    return open_dialog(page).get_by_role("group", name="Discard what you wrote?")


def test_what_was_reported_meanwhile_is_said_seen_and_decided_with_nothing_typed_lost(
    desk, zoe, bob, case
):
    desk.goto(case.url)
    desk.get_by_role("button", name="Hide posts").click()
    open_dialog(desk).get_by_label("Buy this").check()
    words(desk).press_sequentially("Please stop")
    report_by_each(bob, by=[zoe], text="Buy that", comment="And this")
    said = open_dialog(desk).get_by_role("alert")
    expect(said).to_contain_text("something was added")
    expect(words(desk)).to_be_focused()
    words(desk).press_sequentially(" doing 1 2 h u that.")
    said.get_by_role("link", name="See what’s new").click()
    expect(open_dialog(desk).locator(".news")).to_contain_text("And this")
    expect(words(desk)).to_have_value("Please stop doing 1 2 h u that.")
    expect(desk).to_have_url(re.compile(case.url))

    with desk.expect_response(re.compile("/decide")):  # the preview
        open_dialog(desk).get_by_label("Buy that").check()
    expect(open_dialog(desk).get_by_label("Buy this"), "what was chosen stays").to_be_checked()
    open_dialog(desk).get_by_role("button", name="Confirm").click()
    expect(desk.locator(".done-strip"), "no other refusal").to_contain_text("@bob")
    assert len(actions_of(about(bob))[0].posts) == 2
    assert strikes(bob)[0].text.endswith("Please stop doing 1 2 h u that.")


def test_a_refused_decision_or_a_review_begun_by_another_leaves_what_is_typed_in_the_dialog(
    desk, admin, alice, zoe, bob, case, watch
):
    watch.expect("409")
    desk.goto(case.url)
    expect(desk.locator("#looking")).to_contain_text("You are reviewing this")
    note = desk.get_by_label("Note for other moderators")
    note.fill("Half a thought")
    desk.get_by_role("button", name="Warn").click()
    words(desk).press_sequentially("Please stop")
    held = steps.hold(desk, "**/decide?*")
    open_dialog(desk).get_by_role("button", name="Confirm").click()
    words(desk).press_sequentially(", now")
    report_by_each(bob, by=[zoe], rule="violence", severity=1, comment="And this")
    steps.let_go(desk, "**/decide?*", held)
    expect(open_dialog(desk).get_by_role("alert")).to_contain_text("something was added")
    expect(open_dialog(desk).get_by_role("alert")).to_be_focused()
    expect(words(desk)).to_have_value("Please stop, now")
    assert not actions_of(about(bob))
    expect(desk.locator("#case")).to_contain_text("And this")
    expect(note).to_have_value("Half a thought")
    open_dialog(desk).get_by_role("button", name="Confirm").click()
    expect(desk.locator(".done-strip")).to_contain_text("Warned: @bob")

    # A colleague is first to begin a review.
    report_by_each(alice, by=[zoe])
    held = steps.hold(desk, "**/claim?*")
    desk.goto(about(alice).url)
    desk.get_by_role("button", name="Warn").click()
    words(desk).press_sequentially("Please stop")
    claim_case(by=admin, case_id=about(alice))
    steps.let_go(desk, "**/claim?*", held)
    expect(desk.locator("#looking")).to_contain_text("Addy Admin is reviewing this")
    expect(words(desk)).to_have_value("Please stop")
    expect(desk.get_by_role("button", name="Dismiss")).to_have_count(0)


def test_keys_count_in_their_order_stay_in_the_dialog_and_do_nothing_while_one_writes(
    desk, zoe, bob, case
):
    report_by_each(zoe, by=[bob])
    held = steps.hold(desk, "**/keys*.js")
    desk.goto(QUEUE)
    for key in ("j", "j", "x"):  # before their script is here
        desk.keyboard.press(key)
    steps.let_go(desk, "**/keys*.js", held)
    expect(desk.locator(".case-row").nth(1).get_by_role("checkbox")).to_be_checked()

    desk.goto(case.url)
    is_looking(desk)
    desk.get_by_role("button", name="Warn").click()
    expect(open_dialog(desk).get_by_role("button", name="Confirm")).to_be_focused()
    for key in ("h", "n", "u", "1", "j", "g", "e", "?"):
        desk.keyboard.press(key)
    desk.locator("#modal-title").click()  # nothing has the focus
    for key in ("h", "3", "n", "u"):
        desk.keyboard.press(key)
    expect(open_dialog(desk).get_by_role("heading", name="Warn")).to_be_visible()
    desk.keyboard.press("Escape")
    expect(open_dialog(desk), "without typed text it closes at once").to_be_hidden()
    expect(desk).to_have_url(re.compile(case.url))

    # Pressed in the dialog before their script is here, they are not made up for after it.
    held = steps.hold(desk, "**/keys*.js")
    desk.goto(case.url)
    desk.get_by_role("button", name="Warn").click()
    expect(open_dialog(desk).get_by_role("button", name="Confirm")).to_be_focused()
    desk.keyboard.press("?")
    desk.keyboard.press("Escape")
    expect(open_dialog(desk)).to_be_hidden()
    steps.let_go(desk, "**/keys*.js", held)
    desk.keyboard.press("j")
    steps.expect_focus(desk.locator(".case-row").first)
    expect(open_dialog(desk)).to_be_hidden()

    desk.goto(case.url)
    desk.get_by_label("Note for other moderators").fill("1")
    desk.keyboard.type("2 3u h")
    expect(open_dialog(desk), "while one writes").to_be_hidden()
    expect(desk.get_by_label("Note for other moderators")).to_have_value("12 3u h")
    desk.goto("/settings/appearance")
    desk.get_by_label("Keyboard shortcuts").uncheck()
    desk.get_by_role("button", name="Save").click()
    expect(steps.toast(desk)).to_contain_text("saved")
    desk.goto(case.url)
    is_looking(desk)
    desk.keyboard.press("1")
    expect(open_dialog(desk), "turned off").to_be_hidden()


def test_closing_the_dialog_with_typed_text_asks_each_time_and_what_is_told_follows_the_typing(
    desk, bob, case
):
    ways = {
        "Escape": lambda: desk.keyboard.press("Escape"),
        "Cancel": open_dialog(desk).get_by_role("link", name="Cancel").click,
        "beside it": lambda: desk.mouse.click(5, 5),
    }
    desk.goto(case.url)
    is_looking(desk)
    desk.get_by_role("button", name="Warn").click()
    words(desk).press_sequentially("Please stop")
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
    expect(open_dialog(desk)).to_be_hidden()

    desk.get_by_role("button", name="Limit").click()
    told = dialog(desk).locator("#told")
    expect(told).to_contain_text("Your account was limited")
    with desk.expect_response(DECISION):
        words(desk).press_sequentially("Write me.")
    expect(told).to_contain_text("Write me.")
    expect(words(desk)).to_be_focused()
    dialog(desk).get_by_label("Until lifted").check()
    expect(told).to_contain_text("Until a moderator")
    words(desk).press("Control+Enter")
    expect(strip(desk)).to_contain_text("Limited: @bob")
    assert strikes(bob)[0].text.endswith("Write me.")


# Moderators open photos of reported posts one by one, and nothing on the page moves.

sizes = pytest.mark.parametrize("viewport", SIZES)
HIGH = 3000  # pixels, so that no bar at the end of the window lies over what is measured
SHAPES = ((1600, 1200), (700, 2000), (120, 90))


@pytest.fixture
def address(alice, bob, drain_stream) -> str:
    """The case of a post with three photos of different shapes, two of them described."""
    says = iter(("A heron", "Two boats under a bridge, and somebody who waves", ""))
    photos = [
        photo(bob, next(says), width=width, height=height, files=real_files(width, height))
        for width, height in SHAPES
    ]
    report(alice, bob, post_photos(bob, *photos, content="By the canal"))
    drain_stream()
    return about(bob).url


def boxes(page: Page) -> list[tuple[float, float]]:
    """How large each photo or cover is."""
    found = page.locator(".case-photo :is(img, svg)")
    all_boxes = [found.nth(number).bounding_box() for number in range(found.count())]
    return [(round(box["width"]), round(box["height"])) for box in all_boxes if box]


def button(page: Page, number: int):
    return page.get_by_role("button", name=f"Show photo {number} (this is logged)")


@sizes
def test_a_photo_opens_in_the_place_of_its_cover_and_all_fits(
    signed_in, mod, address, viewport, look
):
    page = signed_in(mod, viewport=viewport)
    page.add_init_script(SHIFTS)
    page.goto(address)
    expect(page.locator("svg[data-hash]")).to_have_count(0)  # drawn
    is_looking(page)
    before = boxes(page)
    assert len(before) == 3
    page.evaluate("window.shifts = 0")
    button(page, 1).focus()
    page.keyboard.press("Enter")
    picture = page.get_by_role("img", name="A heron")
    expect(picture).to_have_js_property("complete", True)
    expect(picture).not_to_have_js_property("naturalWidth", 0)
    expect(page.get_by_role("checkbox", name="Larger").first).to_be_focused()
    button(page, 2).click()
    expect(page.get_by_role("img", name="Two boats")).to_have_js_property("complete", True)
    expect(picture).to_be_visible()
    assert boxes(page) == before
    assert page.evaluate("window.shifts") < 0.01
    assert len(looks()) == 2
    assert len(case_photos()) == 3
    assert look(page, height=HIGH) == []
    page.set_viewport_size({"width": 320, "height": 640})
    assert sideways(page) <= 0
    page.get_by_role("link", name="Hide photo 1").click()
    expect(page.locator(".case-photo svg")).to_have_count(3)
    assert look(page, height=HIGH) == []
