"""Following who is locked, friends with circles, muting and blocking: by the pages alone, with and without scripts."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from relations.services.befriend import request_friend
from relations.services.block import block
from relations.services.favourite import favourite
from relations.services.file_friend import file_friend
from relations.services.follow import follow
from relations.services.follow_requests import request_follow
from relations.services.mute import mute
from tests.browser import steps
from tests.browser.screens import DESKTOP
from tests.conftest import post
from tests.relations.relations import befriend, lock, relationship

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")

both = pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])

PROFILES = ("/@bob", "/@carol")


def menu(page: Page) -> Locator:
    return page.locator(".profile-menu")


def choose(page: Page, entry: str) -> None:
    menu(page).locator("summary").click()
    menu(page).locator("a, button").filter(has_text=entry).click()


@both
def test_asking_to_follow_and_being_let_in(signed_in, alice, bob, scripts):
    lock(bob)
    asking = signed_in(alice, java_script_enabled=scripts)
    asking.goto("/@bob")
    button = asking.locator(f"#follow-{bob.user_id}")
    button.click()
    expect(button).to_contain_text("Requested")
    steps.expect_state(button, on=True)

    asked = signed_in(bob, java_script_enabled=scripts)
    asked.goto("/requests")
    asked.locator("article").get_by_role("button", name="Accept").click()
    expect(asked.get_by_text("@alice now follows you.")).to_be_visible()
    asking.reload()
    expect(button).to_contain_text("Following")


@both
def test_withdrawing_a_request_by_pressing_again(signed_in, alice, bob, scripts):
    lock(bob)
    page = signed_in(alice, java_script_enabled=scripts)
    page.goto("/@bob")
    button = page.locator(f"#follow-{bob.user_id}")
    button.click()
    steps.expect_state(button, on=True)
    button.click()
    steps.expect_state(button, on=False)
    expect(button).to_contain_text("Follow")
    expect(page.locator(".htmx-request")).to_have_count(0)
    assert not relationship(alice, bob).asked_to_follow


@both
def test_becoming_friends_and_putting_somebody_into_a_circle(signed_in, alice, bob, scripts):
    page = signed_in(alice, java_script_enabled=scripts)
    page.goto("/@bob")
    choose(page, "Add friend")
    expect(steps.toast(page)).to_contain_text("Friend request sent to @bob")

    asked = signed_in(bob, java_script_enabled=scripts)
    asked.goto("/@alice")
    asked.locator(".ask").get_by_role("button", name="Accept").click()
    expect(asked.locator(".chips")).to_contain_text("Friend")

    page.goto("/@bob")
    choose(page, "Circles and note")
    page.get_by_label("New circle").fill("Family")
    page.get_by_label("Private note").fill("likes tea")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".own-note")).to_contain_text("likes tea")
    page.get_by_role("link", name="Family").click()
    expect(page).to_have_url(re.compile(r"/friends\?circle=[0-9A-Z]{26}$"))
    expect(page.locator(".chip[aria-current]")).to_contain_text("Family")
    expect(page.locator("article")).to_have_count(1)


@both
def test_narrowing_friends_down(signed_in, alice, bob, carol, scripts):
    for friend in (bob, carol):
        befriend(alice, friend)
    file_friend(by=alice, user_id=carol.user_id, circles=["Choir"], note="sings low")
    page = signed_in(alice, java_script_enabled=scripts)
    page.goto("/friends")
    expect(page.locator("article")).to_have_count(2)
    page.get_by_text("Filter friends").click()
    page.get_by_label("Search your notes and circles").fill("low")
    page.get_by_role("button", name="Show").click()
    expect(page.locator("article")).to_have_count(1)
    expect(page.get_by_label("Search your notes and circles")).to_have_value("low")


@both
def test_muting_for_a_week_and_unmuting(signed_in, alice, bob, scripts):
    page = signed_in(alice, java_script_enabled=scripts)
    page.goto("/@bob")
    choose(page, "Mute")
    page.get_by_label("7 days").check()
    page.get_by_role("button", name="Mute").click()
    expect(page.locator(".chips")).to_contain_text("You’ve muted this person until")
    steps.same_place(page, "/@bob")
    choose(page, "Unmute")
    expect(page.locator(".chips")).to_have_count(0)


@both
def test_blocking_and_unblocking(signed_in, alice, bob, scripts):
    post(bob, "A word of Bob's")
    page = signed_in(alice, java_script_enabled=scripts)
    page.goto("/@bob")
    choose(page, "Block")
    page.locator("form.confirm").get_by_role("button", name="Block").click()
    expect(page.get_by_text("You’ve blocked Bob Brandt.")).to_be_visible()
    expect(page.get_by_text("A word of Bob's")).to_have_count(0)
    page.get_by_role("button", name="Unblock").click()
    expect(page.get_by_text("A word of Bob's")).to_be_visible()


@both
def test_locking_the_account_and_unlocking_it_for_all_who_wait(signed_in, alice, bob, scripts):
    page = signed_in(alice, java_script_enabled=scripts)
    page.goto("/settings/privacy")
    page.get_by_role("switch", name="Lock my account").check()
    page.get_by_role("button", name="Save").click()
    expect(steps.toast(page)).to_contain_text("saved")
    request_follow(by=bob, user_id=alice.user_id)
    page.reload()
    expect(page.get_by_label("Accept all")).to_be_hidden()
    page.get_by_role("switch", name="Lock my account").uncheck()
    page.get_by_label("Accept all").check()
    page.get_by_role("button", name="Save").click()
    expect(steps.toast(page)).to_contain_text("You have 1 new follower.")


def test_the_focus_stays_with_the_menu_and_the_row(signed_in, alice, bob):
    page = signed_in(alice)
    page.goto("/@bob")
    menu(page).locator("summary").press("Enter")
    menu(page).get_by_role("button", name="Add to favourites").press("Enter")
    expect(page.locator(".chips")).to_contain_text("Favourite")
    expect(menu(page).locator("summary")).to_be_focused()
    page.goto("/friends?show=favourites")
    page.get_by_role("button", name="Remove").press("Enter")
    expect(page.locator("article.answered")).to_be_focused()


def test_a_refusal_is_a_toast_and_the_button_goes_back(signed_in, alice, bob, watch):
    """Someone who blocks is answered like someone who is not there."""
    watch.expect("404")
    page = signed_in(alice)
    page.goto("/@bob")
    block(by=bob, user_id=alice.user_id)
    button = page.locator(f"#follow-{bob.user_id}")
    button.click()
    expect(steps.toast(page)).to_contain_text("no longer here")
    steps.expect_state(button, on=False)


@pytest.fixture
def much_between(alice, bob, carol, mod) -> None:
    """Something in every list."""
    befriend(alice, bob)
    file_friend(by=alice, user_id=bob.user_id, circles=["Family", "Choir"], note="likes tea")
    favourite(by=alice, user_id=bob.user_id)
    follow(by=bob, user_id=alice.user_id)
    request_friend(by=carol, user_id=alice.user_id)
    request_friend(by=alice, user_id=mod.user_id)
    lock(alice)
    request_follow(by=carol, user_id=alice.user_id)
    mute(by=alice, user_id=carol.user_id)


@pytest.mark.usefixtures("much_between")
def test_the_pages_break_no_rule_of_accessibility(signed_in, alice, look):
    page = signed_in(alice)
    problems = []
    for path in (
        *PROFILES, "/@bob/mute", "/@bob/block", "/@bob/circles", "/requests", "/friends",
        "/friends?q=tea", "/friends?show=favourites", "/circles", "/settings/privacy",
        "/settings/blocks",
    ):  # fmt: skip
        page.set_viewport_size(DESKTOP)  # wide enough for whatever opens
        page.goto(path)
        # An open menu covers the tabs of a profile in part, which axe takes for small targets.
        for summary in page.locator("main summary").all() if path not in PROFILES else ():
            summary.click()
        problems += look(page)
    assert problems == []


@pytest.mark.usefixtures("much_between")
@pytest.mark.parametrize("path", ["/@bob", "/requests", "/friends?q=tea", "/settings/privacy"])
def test_nothing_sticks_out_on_the_narrowest_screen(signed_in, alice, path):
    page = signed_in(alice, viewport={"width": 320, "height": 640})
    page.goto(path)
    for summary in page.locator("main summary").all():
        summary.click()
    for box in page.locator("main .menu-list, main .button").all():
        place = box.bounding_box()
        assert place is None or (place["x"] >= 0 and place["x"] + place["width"] <= 320)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


@pytest.mark.usefixtures("much_between")
def test_the_dialogs_break_no_rule_of_accessibility(signed_in, alice, axe):
    page = signed_in(alice)
    for entry in ("Mute", "Block"):
        page.goto("/@bob")
        choose(page, entry)
        expect(page.get_by_role("dialog")).to_be_visible()
        expect(page.get_by_role("dialog")).to_have_accessible_name(re.compile(f"{entry} Bob"))
        assert axe(page) == []
