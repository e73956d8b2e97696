"""Following who is locked, friends with circles, muting and blocking: by the pages alone."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from relations.blocks.writes import mute
from relations.follows.writes import follow, request_follow
from relations.friends.writes import file_friend, request_friend
from relations.own_choices.writes import favourite
from tests.browser import steps
from tests.browser.screens import DESKTOP, sideways
from tests.conftest import post
from tests.relations.relations import befriend, lock, relationship

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")

PROFILES = ("/@bob", "/@carol")


def menu(page: Page) -> Locator:
    return page.locator(".profile-menu")


def choose(page: Page, entry: str) -> None:
    menu(page).locator("summary").click()
    menu(page).locator("a, button").filter(has_text=entry).click()


def test_a_request_to_follow_is_withdrawn_sent_again_and_accepted(signed_in, alice, bob):
    lock(bob)
    asking = signed_in(alice)
    asking.goto("/@bob")
    button = asking.locator(f"#follow-{bob.user_id}")
    for wanted, words in ((True, "Requested"), (False, "Follow"), (True, "Requested")):
        with asking.expect_response("**/follow"):
            button.click()
        steps.expect_state(button, on=wanted)
        expect(button).to_contain_text(words)
        expect(asking.locator(".htmx-request")).to_have_count(0)
        assert relationship(alice, bob).asked_to_follow is wanted

    asked = signed_in(bob)
    asked.goto("/requests")
    asked.locator("article").get_by_role("button", name="Accept").click()
    expect(asked.get_by_text("@alice now follows you.")).to_be_visible()
    asking.reload()
    expect(button).to_contain_text("Following")


def test_becoming_friends_filing_one_in_a_circle_and_finding_them_there(
    signed_in, alice, bob, carol
):
    befriend(alice, carol)
    page = signed_in(alice)
    page.goto("/@bob")
    choose(page, "Add friend")
    expect(steps.toast(page)).to_contain_text("Friend request sent to @bob")
    asked = signed_in(bob)
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

    page.goto("/friends")
    expect(page.locator("article")).to_have_count(2)
    page.get_by_text("Filter friends").click()
    page.get_by_label("Search your notes and circles").fill("tea")
    page.get_by_role("button", name="Show").click()
    expect(page.locator("article")).to_have_count(1)
    expect(page.get_by_label("Search your notes and circles")).to_have_value("tea")


def test_muting_and_blocking_in_dialogs_and_taking_both_back(signed_in, alice, bob, axe):
    post(bob, "A word of Bob's")
    page = signed_in(alice)
    page.goto("/@bob")
    dialog = page.get_by_role("dialog")
    choose(page, "Mute")
    expect(dialog).to_have_accessible_name(re.compile("Mute Bob"))
    assert axe(page) == []
    page.get_by_label("7 days").check()
    page.get_by_role("button", name="Mute").click()
    expect(page.locator(".chips")).to_contain_text("You’ve muted this person until")
    steps.same_place(page, "/@bob")
    choose(page, "Unmute")
    expect(page.locator(".chips")).to_have_count(0)

    choose(page, "Block")
    expect(dialog).to_have_accessible_name(re.compile("Block Bob"))
    assert axe(page) == []
    page.locator("form.confirm").get_by_role("button", name="Block").click()
    expect(page.get_by_text("You’ve blocked Bob Brandt.")).to_be_visible()
    expect(page.get_by_text("A word of Bob's")).to_have_count(0)
    page.get_by_role("button", name="Unblock").click()
    expect(page.get_by_text("A word of Bob's")).to_be_visible()


def test_locking_the_account_and_unlocking_it_for_all_who_wait(signed_in, alice, bob):
    page = signed_in(alice)
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
    menu(page).get_by_role("button", name="Add to favourite people").press("Enter")
    expect(page.locator(".chips")).to_contain_text("Favourite")
    expect(menu(page).locator("summary")).to_be_focused()
    page.goto("/friends?show=favourites")
    page.get_by_role("button", name="Remove").press("Enter")
    expect(page.locator("article.answered")).to_be_focused()


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
def test_the_pages_break_no_rule_of_accessibility_and_fit_the_narrowest_screen(
    signed_in, alice, look
):
    page = signed_in(alice)
    problems = []
    for path in (
        *PROFILES, "/@bob/mute", "/@bob/block", "/@bob/circles", "/requests", "/friends?q=tea",
        "/friends?show=favourites", "/circles", "/settings/privacy", "/settings/blocks",
    ):  # fmt: skip
        page.set_viewport_size(DESKTOP)  # wide enough for whatever opens
        page.goto(path)
        # An open menu covers the tabs of a profile in part, which axe takes for small targets.
        for summary in page.locator("main summary").all() if path not in PROFILES else ():
            summary.click()
        problems += look(page)
        page.set_viewport_size({"width": 320, "height": 640})
        for summary in page.locator("main summary").all() if path in PROFILES else ():
            summary.click()
        for box in page.locator("main .menu-list, main .button").all():
            place = box.bounding_box()
            assert place is None or (place["x"] >= 0 and place["x"] + place["width"] <= 320), path
        assert sideways(page) <= 0, path
    assert problems == []
