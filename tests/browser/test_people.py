"""People: found, followed, befriended, and lists taken along."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from accounts.profile.writes import edit_profile
from relations.blocks.writes import block, mute
from relations.follows.writes import follow, request_follow, unfollow
from relations.friends.writes import file_friend, request_friend
from relations.own_choices.writes import favourite
from relations.reads import list_followers
from relations.suggested import look_for_people
from socialsite.table import Unavailable
from tests.browser import steps
from tests.browser.screens import DESKTOP, PHONE, SIZES, sideways
from tests.conftest import person, post
from tests.relations.scenes import befriend, lock, relationship
from tests.relations.scenes import befriend as relations_befriend

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")

CARD = "**/people-to-follow"
LONG = "A name that is rather long " * 3
TWICE = "addEventListener('DOMContentLoaded', () => { document.documentElement.style.fontSize = '200%' })"
SHIFT = """() => new Promise((resolve) => {
    let total = 0;
    const observer = new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) total += entry.value;
    });
    observer.observe({ type: "layout-shift", buffered: true });
    requestAnimationFrame(() => setTimeout(() => resolve(total), 100));
})"""


def expect_nothing_moves(page: Page, rows: int, *, is_shifted: bool = False) -> None:
    """Opens Home, and looks where the foot of the right column is before and after the card has come."""
    held = steps.hold(page, CARD)
    with page.expect_request(CARD):
        page.goto("/")
    foot = page.locator(".side .side-links")
    before = foot.bounding_box()
    steps.let_go(page, CARD, held)
    expect(page.locator(".side-person, .side-note")).to_have_count(rows)
    assert foot.bounding_box() == before
    assert is_shifted or page.evaluate(SHIFT) == 0


def test_nothing_moves_when_the_people_come_and_large_text_keeps_to_its_places(
    alice, bob, carol, mod, signed_in, drain_stream
):
    follow(by=bob, user_id=alice.user_id)
    authors = [person(f"author{number}", LONG) for number in range(9)]
    for author in authors:
        post(author)
    befriend(alice, bob)
    befriend(bob, authors[0])
    look_for_people(alice.user_id)
    for author in authors[1:]:
        follow(by=carol, user_id=author.user_id)
    for author in authors:
        follow(by=mod, user_id=author.user_id)
    drain_stream()

    page = signed_in(alice)
    expect_nothing_moves(page, 3)
    reasons = page.locator(".side-card .reason")
    expect(reasons).to_have_text([re.compile("Friends with"), "Posted lately", "Posted lately"])
    large = signed_in(alice, viewport={"width": 1600, "height": 900})
    large.add_init_script(TWICE)
    expect_nothing_moves(large, 3, is_shifted=True)  # by the larger text itself

    # With large text rows and badges keep to their places.
    page = large
    page.set_viewport_size(DESKTOP)
    for row in page.locator(".side-person").all():
        name, reason = (row.locator(one).bounding_box() for one in (".person-name", ".reason"))
        assert name["y"] + name["height"] <= reason["y"] + 1

    page.set_viewport_size(PHONE)
    assert page.locator(".nav-link .nav-badge").first.bounding_box()["height"] < 26


def test_for_few_people_and_without_scripts_the_card_keeps_no_gap(
    alice, bob, carol, signed_in, drain_stream
):
    authors = [person(f"author{number}") for number in range(3)]
    for author in authors:
        post(author)
        follow(by=carol, user_id=author.user_id)
    for author in authors[1:]:
        follow(by=bob, user_id=author.user_id)
    drain_stream()

    for viewer, rows in ((bob, ".side-person"), (carol, ".side-note")):
        page = signed_in(viewer)
        page.goto("/")
        expect(page.locator(".side-person, .side-note")).to_have_count(1)
        row, more = page.locator(rows), page.get_by_role("link", name="Find people").last
        gap = more.bounding_box()["y"] - row.bounding_box()["y"] - row.bounding_box()["height"]
        assert gap == 14
        assert page.evaluate(SHIFT) < 0.02

    # Nor where no script fetches them.
    page = signed_in(alice, java_script_enabled=False)
    page.goto("/")
    card = page.get_by_role("region", name="People to follow")
    expect(card.get_by_role("link", name="Find people")).to_be_visible()
    assert card.bounding_box()["height"] < 120


# People one may know, on Explore: why, dismissing, undoing and following.


@pytest.fixture
def suggested(alice, bob, carol, drain_stream) -> None:
    """Carol and Dave are suggested to Alice; Erin has posted."""
    befriend(alice, bob)
    befriend(bob, carol)
    dave = person("dave", "דוד " + "Rhabarberbarbara" * 3)
    edit_profile(by=dave, bio="I bake. " * 20, location="")
    follow(by=bob, user_id=dave.user_id)
    post(person("erin"))
    look_for_people(alice.user_id)
    drain_stream()


def row(page: Page, handle: str) -> Locator:
    return page.locator(f"#suggestion-{handle}")


def dismiss(page: Page, handle: str) -> None:
    row(page, handle).get_by_role("button", name="Don’t suggest").click()


@pytest.mark.usefixtures("suggested")
def test_one_dismisses_undoes_and_follows_and_the_focus_stays_there(alice, signed_in, look):
    page = signed_in(alice)
    page.goto("/explore")
    known = page.get_by_role("region", name="People you may know")
    expect(known.get_by_role("article")).to_have_count(2)
    expect(row(page, "carol")).to_contain_text("Friends with Bob Brandt")
    dismiss(page, "carol")
    expect(row(page, "carol")).to_contain_text("We won’t suggest @carol any more.")
    expect(row(page, "carol")).to_be_focused()
    expect(known.get_by_role("article")).to_have_count(1)
    assert look(page, sizes=(DESKTOP, PHONE, {"width": 320, "height": 800})) == []

    row(page, "carol").get_by_role("button", name="Undo").click()
    expect(row(page, "carol")).to_contain_text("Friends with Bob Brandt")
    expect(row(page, "carol")).to_be_focused()
    button = row(page, "carol").get_by_role("button", name="Carol 陈").first
    with page.expect_response("**/follow"):
        button.click()
    steps.expect_state(button, on=True)
    page.reload()
    expect(row(page, "dave")).to_be_visible()
    expect(row(page, "carol")).to_have_count(0)

    page.goto("/explore/people")
    dismiss(page, "dave")
    expect(row(page, "dave")).to_contain_text("Undo")
    page.reload()
    expect(row(page, "dave")).to_have_count(0)


# Following shows at once, with the count beside it; what the server refuses is taken back.

FOLLOW = "relations.follows.writes.follow"


@pytest.fixture
def page(alice, bob, signed_in) -> Page:
    page = signed_in(alice)
    page.goto("/@bob")
    return page


def button(page: Page) -> Locator:
    return page.get_by_role("button", name="Bob Brandt")


def test_a_follow_shows_at_once_counts_right_when_taken_back_and_is_undone_if_refused(
    page, hold, alice, bob, carol, monkeypatch, watch
):
    follow(by=carol, user_id=bob.user_id)
    page.reload()
    answer = hold(FOLLOW)
    button(page).click()
    button(page).click()
    steps.expect_state(button(page), on=False)
    with page.expect_response(
        lambda response: "on=0" in (response.request.post_data or "")
    ):  # sent behind the first
        answer.set()
    steps.expect_state(button(page), on=False)
    expect(page.get_by_role("link", name="1 follower", exact=True)).to_be_visible()
    assert [row.user_id for row in list_followers(bob.user_id).items] == [carol.user_id]

    # It shows within 100 ms, while the server still works.
    unfollow(by=carol, user_id=bob.user_id)
    page.reload()
    answer = hold(FOLLOW)
    assert steps.shown_after(button(page)) < 100
    steps.expect_state(button(page), on=True)
    expect(page.get_by_role("link", name="1 follower", exact=True)).to_be_visible()
    assert list_followers(bob.user_id).items == []

    with page.expect_response("**/follow"):
        answer.set()
    page.reload()
    steps.expect_state(button(page), on=True)
    with page.expect_response("**/follow"):
        button(page).click()
    expect(page.get_by_role("link", name="0 followers", exact=True)).to_be_visible()

    # Unfollow is offered only after the pointer has left once.
    with page.expect_response("**/follow"):
        button(page).click()
    expect(button(page)).to_have_text("Following Bob Brandt", use_inner_text=True)
    page.mouse.move(5, 5)
    button(page).hover()
    expect(button(page)).to_have_text("Unfollow Bob Brandt", use_inner_text=True)

    with page.expect_response("**/follow"):
        button(page).click()
    steps.expect_state(button(page), on=False)
    watch.expect("503", "404")

    def fail(**_: object) -> None:
        raise Unavailable

    with monkeypatch.context() as engine:
        engine.setattr(FOLLOW, fail)
        button(page).click()
        expect(steps.toast(page)).to_contain_text("We can’t save this right now.")
        steps.expect_state(button(page), on=False)
        expect(page.get_by_role("link", name="0 followers", exact=True)).to_be_visible()

    block(by=bob, user_id=alice.user_id)  # who then is answered like someone who is not there
    button(page).click()
    expect(steps.toast(page)).to_contain_text("no longer here")
    steps.expect_state(button(page), on=False)


# Following who is locked, friends with circles, muting and blocking: by the pages alone.

PROFILES = ("/@bob", "/@carol")
# Kinds of pages that `test_accessibility.py` looks at.
SEEN_ELSEWHERE = (*PROFILES, "/friends?show=favourites", "/circles")


def menu(page: Page) -> Locator:
    return page.locator(".profile-menu")


def choose(page: Page, entry: str) -> None:
    menu(page).locator("summary").click()
    menu(page).locator("a, button").filter(has_text=entry).click()


def test_requests_to_a_locked_account_are_withdrawn_sent_again_and_accepted(
    signed_in, alice, bob, carol
):
    page = signed_in(bob)
    page.goto("/settings/privacy")
    page.get_by_role("switch", name="Lock my account").check()
    page.get_by_role("button", name="Save").click()
    expect(steps.toast(page)).to_contain_text("saved")
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

    page.goto("/requests")
    page.locator("article").get_by_role("button", name="Accept").click()
    expect(page.get_by_text("@alice now follows you.")).to_be_visible()
    asking.reload()
    expect(button).to_contain_text("Following")

    # Unlocking accepts all who wait, if one wishes.
    request_follow(by=carol, user_id=bob.user_id)
    page.goto("/settings/privacy")
    expect(page.get_by_label("Accept all")).to_be_hidden()
    page.get_by_role("switch", name="Lock my account").uncheck()
    page.get_by_label("Accept all").check()
    page.get_by_role("button", name="Save").click()
    expect(steps.toast(page)).to_contain_text("You have 1 new follower.")


def circle_row(page: Page, name: str) -> Locator:
    return page.locator(".circles li").filter(has_text=name)


@pytest.mark.parametrize("size", SIZES)
def test_friends_are_filed_in_circles_and_found_there_and_circles_are_made_renamed_and_deleted(
    signed_in, alice, bob, carol, size, watch
):
    relations_befriend(alice, carol)
    watch.expect("422")
    page = signed_in(alice, viewport=size)
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

    # A circle from its creation to its end.
    page.goto("/circles")
    page.get_by_label("New circle").fill("Choir")
    page.get_by_role("button", name="Create").click()
    expect(circle_row(page, "Choir")).to_contain_text("0 friends")
    expect(steps.toast(page)).to_contain_text("Circle created.")

    circle_row(page, "Family").get_by_role("link", name="Rename").click()
    page.locator("form.confirm").get_by_label("Name").fill("Choir")
    page.get_by_role("button", name="Rename").click()
    expect(page.locator(".field-error")).to_have_text("You already have a circle with this name.")
    page.locator("form.confirm").get_by_label("Name").fill("Clan")
    page.get_by_role("button", name="Rename").click()
    expect(circle_row(page, "Clan")).to_contain_text("1 friend")

    circle_row(page, "Clan").get_by_role("link", name="Delete").click()
    expect(page.locator("form.confirm")).to_contain_text("1 friend leaves the circle")
    page.get_by_role("button", name="Delete").click()
    expect(page.locator(".circles li")).to_have_count(1)
    expect(steps.toast(page)).to_contain_text("Circle deleted.")

    # The composer offers those that there are.
    page.goto("/")
    page.get_by_label("Who can see this").select_option("Circle: Choir")
    steps.write(page, "For the choir")
    audience = steps.card(page, "For the choir").locator(".post-audience")
    expect(audience).to_have_attribute("title", "Circle Choir only")


def test_favourites_mutes_and_blocks_are_chosen_in_the_menu_and_taken_back(signed_in, alice, bob):
    page = signed_in(alice)
    page.goto("/@bob")
    menu(page).locator("summary").press("Enter")
    menu(page).get_by_role("button", name="Add to favourite people").press("Enter")
    expect(page.locator(".chips")).to_contain_text("Favourite")
    expect(menu(page).locator("summary")).to_be_focused()
    page.goto("/friends?show=favourites")
    page.get_by_role("button", name="Remove").press("Enter")
    expect(page.locator("article.answered")).to_be_focused()

    # Muting and blocking ask in dialogs, and are taken back.
    post(bob, "A word of Bob's")
    page.goto("/@bob")
    dialog = page.get_by_role("dialog")
    choose(page, "Mute")
    expect(dialog).to_have_accessible_name(re.compile("Mute Bob"))
    page.get_by_label("7 days").check()
    page.get_by_role("button", name="Mute").click()
    expect(page.locator(".chips")).to_contain_text("You’ve muted this person until")
    steps.same_place(page, "/@bob")
    choose(page, "Unmute")
    expect(page.locator(".chips")).to_have_count(0)

    choose(page, "Block")
    expect(dialog).to_have_accessible_name(re.compile("Block Bob"))
    page.locator("form.confirm").get_by_role("button", name="Block").click()
    expect(page.get_by_text("You’ve blocked Bob Brandt.")).to_be_visible()
    expect(page.get_by_text("A word of Bob's")).to_have_count(0)
    page.get_by_role("button", name="Unblock").click()
    expect(page.get_by_text("A word of Bob's")).to_be_visible()


@pytest.fixture
def much_between(alice, bob, carol, mod) -> None:
    """Something in every list."""
    relations_befriend(alice, bob)
    file_friend(by=alice, user_id=bob.user_id, circles=["Family", "Choir"], note="likes tea")
    favourite(by=alice, user_id=bob.user_id)
    follow(by=bob, user_id=alice.user_id)
    request_friend(by=carol, user_id=alice.user_id)
    request_friend(by=alice, user_id=mod.user_id)
    lock(alice)
    request_follow(by=carol, user_id=alice.user_id)
    mute(by=alice, user_id=carol.user_id)


@pytest.mark.usefixtures("much_between")
@pytest.mark.long
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
        if path not in SEEN_ELSEWHERE:
            problems += look(page)
        page.set_viewport_size({"width": 320, "height": 640})
        for summary in page.locator("main summary").all() if path in PROFILES else ():
            summary.click()
        for box in page.locator("main .menu-list, main .button").all():
            place = box.bounding_box()
            assert place is None or (place["x"] >= 0 and place["x"] + place["width"] <= 320), path
        assert sideways(page) <= 0, path
    assert problems == []
