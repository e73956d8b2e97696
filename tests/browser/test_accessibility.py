"""No page breaks a rule of axe-core (WCAG 2.2 A and AA, best practices)."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from accounts.profile.writes import edit_profile
from feed.likes.writes import like_post
from lens.concepts.blocks import CONCEPTS
from moderation.cases.writes import claim_case
from moderation.log.writes import record
from moderation.people.reads import people_url
from moderation.rules.writes import save_settings
from relations.follows.writes import follow
from relations.friends.writes import create_circle
from socialsite.streams.worker import Worker
from tests.accounts.scenes import note
from tests.browser import photographs as photos
from tests.browser import steps
from tests.browser.screens import DESKTOP, PHONE, sideways
from tests.conftest import person, post
from tests.injected.faults import IS_LONG, share
from tests.moderation.cases import (
    QUEUE,
    about,
    full_case,
    held_post,
    report_by_each,
)
from tests.moderation.staff import all_post
from tests.privacy.lives import erase
from tests.relations.scenes import befriend

embedded_alone = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")

TEXTS = [
    "Ein Satz auf Deutsch mit einer Rhabarberbarbarabarbarbarenbartbarbierbierbarbärbel.",
    "今天看完了一本写海岛的小说。",
    "صباح الخير من البحر",
    "בוקר טוב מהים 🌊",
    "समुद्र से सुप्रभात",
    "Look: https://example.org/a/very/long/address/that/does/not/fit/into/one/line and @bob",
    "👩‍👩‍👧‍👦" * 5,
]

LONG = "\n".join(["A line of a post that is longer than its menu."] * 10)

Check = Callable[[Page], None]


@pytest.fixture
def check(look) -> Check:
    def check_page(page: Page) -> None:
        assert look(page) == []

    return check_page


@pytest.fixture
def alices(signed_in, alice, bob, carol, drain_stream) -> Page:
    """Alice's browser, among people who post in several scripts."""
    follow(by=alice, user_id=bob.user_id)
    follow(by=bob, user_id=alice.user_id)
    follow(by=carol, user_id=alice.user_id)
    for text in TEXTS:
        post_id = post(bob, text)
    own = post(alice, "My own words")
    for fan in (alice, carol):
        like_post(by=fan, post_id=post_id, author_id=bob.user_id)
    like_post(by=carol, post_id=own, author_id=alice.user_id)
    edit_profile(by=bob, name="Bob ברנדט", bio=TEXTS[5], location="İstanbul")
    drain_stream()
    page = signed_in(alice)
    page.goto("/")
    return page


@embedded_alone
@pytest.mark.timeout(900 if IS_LONG else 120)
def test_what_menus_open_dialogs_a_refused_post_and_toasts(alices, alice, bob, check, watch):
    steps.card(alices, TEXTS[-1]).locator(".post-time").click()
    expect(steps.title(alices)).to_have_text("Post")
    alices.get_by_role("link", name="2 likes").click()
    expect(steps.title(alices)).to_have_text("Liked by")
    # On the pages of long posts: what an open menu covers in part, axe takes for a small target.
    alices.goto(f"/@bob/posts/{post(bob, LONG)}")
    steps.open_menu(steps.posts(alices))
    check(alices)
    alices.goto(f"/@alice/posts/{post(alice, LONG)}")
    steps.open_menu(steps.posts(alices))
    entry = alices.get_by_role("link", name="Delete post")
    check(alices)
    alices.set_viewport_size(DESKTOP)
    entry.click()
    expect(alices.get_by_role("dialog")).to_be_visible()
    check(alices)

    alices.goto("/")
    watch.expect("422", "503", "htmx:sendError")
    alices.locator(".account summary").click()
    check(alices)
    create_circle(by=alice, name="Choir")
    for name in ("Rename", "Delete"):
        alices.goto("/circles")
        alices.locator(".circles").get_by_role("link", name=name).click()
        expect(alices.get_by_role("dialog")).to_be_visible()
        check(alices)
    alices.goto("/")
    steps.write(alices, "x" * 1020)
    expect(alices.get_by_role("alert")).to_be_visible()
    alices.context.set_offline(True)
    steps.heart(steps.posts(alices).first).click()
    expect(steps.toast(alices)).to_contain_text("offline")
    check(alices)


@embedded_alone
@pytest.mark.timeout(900 if IS_LONG else 120)
def test_the_pages_of_who_wants_to_join_and_of_a_newcomer(admin, alice, visitor, signed_in, check):
    save_settings(by=admin, values={"banner": "Tea at four.", "sign_up": "approval"})
    hidden = {"posts": [post(alice)], "rules": ["spam"]}
    record(by=admin.user_id, action="hide", person_id=alice.user_id, detail=hidden)
    save_settings(by=admin, values={"public_log": True, "log_shows_names": True})
    page = visitor()
    page.goto("/about/log")
    expect(page.get_by_text("1 post was hidden")).to_be_visible()
    check(page)
    page.goto("/signup")
    expect(page.get_by_label("Why would you like to join?")).to_be_visible()
    check(page)
    save_settings(by=admin, values={"sign_up": "closed"})
    page.goto("/signup")
    expect(page.get_by_text("We’re not taking new accounts")).to_be_visible()
    check(page)
    newcomer = signed_in(person("bob"))
    newcomer.goto("/")
    check(newcomer)


# The pages about building blocks break no rule of axe-core, are never too wide, and their diagrams are named.
#
# They are pages of one kind: each run looks at a third of them, and with `FAULTS=long` at all.


@pytest.fixture
def debug_mode(settings) -> None:
    settings.DEBUG = True


@embedded_alone
@pytest.mark.usefixtures("debug_mode")
def test_no_page_breaks_a_rule_on_any_screen(signed_in, alice, bob, drain_stream, look):
    befriend(alice, bob)
    follow(by=alice, user_id=bob.user_id)
    liked = post(bob, "Hello")
    like_post(by=alice, post_id=liked, author_id=bob.user_id)
    drain_stream()
    page = signed_in(alice)
    problems = []
    for name, concept in share(CONCEPTS.items(), one_of=3, salt="concepts"):
        page.goto(f"/dev/concepts/{name}")
        expect(page.get_by_role("img", name=f"{concept.title}: keys")).to_be_visible()
        problems += look(page)
    page.goto("/dev/model")
    problems += look(page)
    page.goto("/dev/concepts")
    assert problems + look(page) == []


# The composer with photos breaks no rule of accessibility in any state of its photos, and fits small screens.

# Of what stands in the page itself: beside it, the links come up where there are few people to follow.
SHIFTS = """
    window.shifts = 0;
    const isInSide = ({ node }) => node?.parentElement?.closest(".side");
    const isBeside = (moved) => moved.some(isInSide) && moved.every((one) => !one.node || isInSide(one));
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
            if (!entry.hadRecentInput && !isBeside(entry.sources)) window.shifts += entry.value;
        }
    }).observe({ type: "layout-shift", buffered: true });
"""
TALL = 3000  # so that no bar lies over a photo
TWICE = "document.documentElement.style.setProperty('font-size', '200%')"


@pytest.fixture
def page(signed_in, alice) -> Page:
    page = signed_in(alice)
    page.goto("/posts/new")
    return page


@embedded_alone
def test_no_rule_is_broken_while_photos_come_fail_and_wait(page, look, watch):
    watch.expect("403", "422")
    way = photos.Held(page)
    photos.choose(page, photos.files(4))
    way.expect(2)
    way.routes.pop(0).fulfill(status=403, body="")
    way.expect(2)
    way.routes.pop(0).fulfill(status=422, body="<p role=alert>We couldn’t read this photo.</p>")
    way.expect(2)
    # Two are sent at a time, and either may come first.
    expect(page.get_by_text("We couldn’t read this photo.")).to_be_visible()
    expect(page.locator(".tile-says", has_text="This page is out of date.")).to_be_visible()
    assert look(page, height=TALL) == []
    photos.press(page, 1, "Remove")
    photos.press(page, 1, "Remove")
    steps.write(page, "With photos")
    assert look(page, height=TALL) == []  # asked for descriptions
    page.get_by_role("button", name="Post without").click()
    expect(page.locator(".photos-wait")).to_be_visible()
    assert look(page, height=TALL) == []


@embedded_alone
def test_nothing_moves_by_itself_while_photos_arrive_and_all_is_within_reach_of_a_narrow_phone(
    signed_in, alice, bob
):
    page = signed_in(alice)
    page.add_init_script(SHIFTS)
    page.goto("/")
    way = photos.Held(page)
    photos.choose(page, photos.files(2))
    way.expect(2)
    page.wait_for_timeout(600)  # what moves sooner after an input is not counted
    page.evaluate("shifts = 0")
    way.let_go(2)
    photos.expect_there(page, 2)
    page.wait_for_timeout(300)
    assert page.evaluate("shifts") == 0

    # With large text.
    page = signed_in(bob)
    page.goto("/posts/new")
    page.set_viewport_size({"width": 320, "height": 640})
    page.evaluate(TWICE)
    photos.choose(page, photos.files(2))
    photos.expect_there(page, 2)
    photos.describe(page, "A heron", "Donaudampfschifffahrtsgesellschaftskapitän" * 3)
    assert sideways(page) <= 0
    for name in ("Move earlier", "Move later", "Remove"):
        button = photos.tile(page, 2).get_by_role("button", name=name)
        button.scroll_into_view_if_needed()
        expect(button).to_be_in_viewport(ratio=1)
    photos.description(page, 2).fill("Another heron")
    assert photos.description(page, 2).evaluate("(area) => area.scrollWidth <= area.clientWidth")


# The pages where moderators work break no rule of accessibility, and fit a narrow screen.

BAR = 60  # pixels, at the foot of a phone
HIGH = 4500  # pixels, so that no bar at the end of the window lies over what is measured


@pytest.fixture
def desk(signed_in, mod) -> Page:
    """The moderator's browser."""
    return signed_in(mod)


@pytest.fixture
def everything(mod, admin, bob, carol) -> str:
    """A case with all that one can have: the address of its page."""
    return full_case(mod, bob, reported_by=(admin, carol)).url


def expect_narrow(page: Page) -> None:
    page.set_viewport_size({"width": 320, "height": 640})
    assert sideways(page) <= 0, page.url


@embedded_alone
def test_a_case_and_its_dialog_are_accessible_and_fit_in_every_language(
    signed_in, mod, everything, look, alice, bob, carol, admin
):
    report_by_each(alice, by=[carol])
    claim_case(by=admin, case_id=about(alice))
    held_post(carol)
    languages = (("en", "en-GB"), ("de", "de-DE"), ("zh-hans", "zh-CN"))
    problems = []
    for language, locale in share(languages, one_of=3, salt="language of moderation"):
        page = signed_in(mod, locale=locale)
        for path in (QUEUE, about(alice).url, f"{everything}/decide?action=limit", everything):
            page.goto(path)
            expect(page.locator("html")).to_have_attribute("lang", language)
            problems += look(page, height=HIGH)
            expect_narrow(page)
        expect(page.locator("#looking .link-button")).to_be_visible()
        page.locator("#case button[name=action][value=suspend]").click()
        expect(page.get_by_role("dialog")).to_be_visible()
        problems += look(page, height=HIGH)
    assert problems == []


@embedded_alone
def test_other_accounts_their_searches_and_a_deleted_account_are_accessible(
    signed_in, desk, admin, look, bob, carol, alice
):
    for one in (bob, carol):
        note(one, "203.0.113.0/24", "a laptop")
    page = signed_in(admin)
    page.goto(people_url(bob.user_id))
    page.get_by_role("button", name="Show other accounts").click()
    expect(page.locator("#accounts")).to_contain_text("Same browser and network")
    problems = look(page, height=HIGH)
    page.goto("/moderation/people")
    page.get_by_text("Search by network").click()
    page.get_by_label("Network").fill("203.0.113.9")
    page.get_by_label("Network").press("Enter")
    expect(page.locator(".cases")).to_contain_text("@carol")
    expect_narrow(page)
    assert problems + look(page, height=HIGH) == []

    # A case about a deleted account.
    for rule, severity, comment in (
        ("violence", 1, "He writes to a child"),
        ("spam", 3, "And ads"),
    ):
        report_by_each(bob, by=[carol], text=comment, rule=rule, severity=severity, comment=comment)
    report_by_each(bob, by=[alice], rule="spam")
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


@embedded_alone
def test_hints_leave_the_first_case_on_the_first_screen_and_their_wave_is_accessible(
    desk, look, worker, bob, carol
):
    report_by_each(bob, by=[carol])
    for number, words in enumerate(("Cheap watches", "Cheap handbags", "Cheap holidays")):
        crowd = [person(f"new{number}{one}") for one in range(5 + number)]
        all_post(crowd, f"{words} for everyone who orders today https://spam{number}.example")
    for size in (PHONE, DESKTOP):
        desk.set_viewport_size(size)
        desk.goto(QUEUE)
        steps.reload_until(desk, desk.get_by_text("2 more hints"))
        first = desk.get_by_role("link", name="@bob").bounding_box()
        assert first is not None
        assert first["y"] + first["height"] < size["height"] - BAR, first
    desk.get_by_text("2 more hints").click()
    expect(desk.get_by_role("button", name="Look at all")).to_have_count(3)
    assert look(desk, height=HIGH) == []
    expect_narrow(desk)

    # The wave of a hint.
    hint = desk.locator(".hints li", has_text="linked to spam0.example")
    hint.get_by_role("button", name="Look at all").click()
    expect(desk.get_by_text("5 of 5 chosen")).to_be_visible()
    desk.get_by_role("radio", name="Suspend").check()
    expect(desk.locator("#told")).to_contain_text("suspended")
    problems = look(desk, height=HIGH)
    desk.get_by_label("Rule that was broken").select_option("spam")
    desk.get_by_role("button", name="Suspend:").click()
    expect(desk.get_by_role("button", name="Undo all")).to_be_visible()
    problems += look(desk, height=HIGH)
    desk.goto("/moderation/waves")
    assert problems + look(desk, height=HIGH) == []
