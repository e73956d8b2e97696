"""Drafts and scheduled posts, as their author meets them."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Page, expect

from accounts.people.viewer import Viewer
from feed.composing.composition import Composition, Seen
from feed.composing.draft_writes import save_draft
from feed.polls.models import PollWish
from feed.posts.models import Audience
from feed.publishing.writes import Part
from relations.friends.writes import create_circle, delete_circle
from socialsite.clock import utc_now
from socialsite.due.work import do_due
from socialsite.table import ids
from tests.browser import steps
from tests.browser.screens import PHONE, SIZES, sideways
from tests.browser.test_layouts import LANGUAGES_OF_BROWSERS, TEXTS
from tests.feed.scenes import drafts_of, schedule, scheduled_of, texts_of
from tests.feed.test_publishing import contents
from tests.injected.faults import share
from tests.streams.crowd import returning


@pytest.fixture
def alices(signed_in, alice) -> Callable[..., Page]:
    """`alices(viewport=PHONE)`: a page in a browser of Alice's, of whose clock the test is the master."""

    def open_browser(**options: Any) -> Page:
        page = signed_in(alice, **options)
        page.clock.install()
        return page

    return open_browser


@pytest.fixture
def page(alices) -> Page:
    page = alices()
    page.goto("/posts/new")
    return page


def are_kept(viewer: Viewer, texts: list[str], page: Page) -> None:
    """Lets the page save what is typed, until these are the person's drafts."""
    steps.let_save(page, lambda: texts_of(viewer) == texts)


def saved(page: Page) -> None:
    """Lets the page save what is typed, and say so."""
    steps.let_save(
        page, lambda: (page.locator(".composer-saved").text_content() or "").startswith("Saved ")
    )


def type_more(page: Page, text: str) -> None:
    """As one types on: the caret stands at the end."""
    steps.composer(page).press("Control+End")
    steps.composer(page).press_sequentially(text)


def test_a_draft_is_soon_kept_goes_on_elsewhere_and_is_deleted_in_a_dialog_that_asks(
    page, alice, alices
):
    steps.composer(page).fill("Half")
    are_kept(alice, ["Half"], page)
    saved(page)
    page.reload()
    expect(steps.composer(page)).to_have_value("Half")
    type_more(page, " a thought")
    page.goto("/drafts")  # leaving saves it
    are_kept(alice, ["Half a thought"], page)
    page.reload()
    expect(page.locator(".shelved-text")).to_have_text("Half a thought")
    assert [draft.version for draft in drafts_of(alice)] == [2]

    phone = alices(viewport=PHONE)
    phone.goto("/drafts")
    phone.get_by_role("link", name="Continue").click()
    expect(steps.composer(phone)).to_have_value("Half a thought")
    type_more(phone, ", ended here")
    are_kept(alice, ["Half a thought, ended here"], phone)
    saved(phone)
    phone.get_by_role("button", name="Post", exact=True).click()
    expect(steps.title(phone)).to_have_text("Post")
    assert texts_of(alice) == []

    phone.goto("/posts/new")
    expect(steps.composer(phone)).to_have_value("")
    steps.composer(phone).fill("Second")  # a draft of its own
    are_kept(alice, ["Second"], phone)
    saved(phone)

    # A draft is deleted in a dialog that asks.
    phone.goto("/drafts")
    phone.get_by_role("link", name="Delete").click()
    dialog = phone.get_by_role("dialog")
    expect(dialog).to_contain_text("Second")
    dialog.get_by_role("button", name="Delete").click()
    expect(steps.toast(phone)).to_contain_text("Draft deleted.")
    assert texts_of(alice) == []
    phone.goto("/posts/new")
    expect(steps.composer(phone)).to_have_value("")
    assert steps.kept(phone) == {}


def test_two_devices_keep_both_texts_and_signing_out_keeps_the_last_letters_on_the_server_alone(
    page, alice, alices, watch
):
    watch.expect("409", "422")
    steps.composer(page).fill("Plan")
    saved(page)
    phone = alices(viewport=PHONE)
    phone.goto(drafts_of(alice)[0].url)
    type_more(phone, " A")
    are_kept(alice, ["Plan A"], phone)
    saved(phone)

    type_more(page, " B")
    page.clock.fast_forward(steps.A_SAVING)
    expect(steps.toast(page)).to_contain_text("Both texts are in your drafts.")
    steps.let_save(page, lambda: sorted(texts_of(alice)) == ["Plan A", "Plan B"])

    page.get_by_role("button", name="Post", exact=True).click()
    expect(steps.title(page)).to_have_text("Post")
    assert texts_of(alice) == ["Plan A"]

    # What is typed over a draft that was published elsewhere is a draft of its own.
    phone.get_by_role("button", name="Post", exact=True).click()
    expect(steps.title(phone)).to_have_text("Post")
    page.goto("/posts/new")
    steps.composer(page).fill("Twice")
    saved(page)
    phone.goto(drafts_of(alice)[0].url)
    phone.get_by_role("button", name="Post", exact=True).click()
    expect(steps.title(phone)).to_have_text("Post")
    assert texts_of(alice) == []
    type_more(page, " is better")
    are_kept(alice, ["Twice is better"], page)

    # Signing out keeps the last letters on the server alone.
    steps.composer(page).fill("Twice is better, goodbye")
    steps.sign_out(page)
    expect(steps.sign_up_link(page)).to_be_visible()
    assert steps.kept(page) == {}
    assert texts_of(alice) == ["Twice is better, goodbye"]


LEFT_BY_A_DEAD_BROWSER = """([draft, version, text]) => {
    localStorage.setItem(`draft:alice:draft:${draft}`, text);
    localStorage.setItem(`draft:at:alice:draft:${draft}`, JSON.stringify({ draft, version, isSent: false }));
}"""


# A browser is never at odds with itself: its tabs, and the pages that it opens one after the other, go on with
# one draft, and lose nothing of it.

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")

HIDE = """() => {
    Object.defineProperty(document, "hidden", { configurable: true, value: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""
SAVE = "feed.composing.views.save_draft"


def test_no_letter_is_lost_on_a_page_that_is_left_while_it_saves_or_in_a_browser_that_died(
    page, alice, hold
):
    answer = hold(SAVE)
    steps.composer(page).fill("Half")
    steps.let_save(page, lambda: "Saving …" in page.locator(".composer-saved").inner_text())
    type_more(page, " a")
    page.evaluate(HIDE)  # two savings are on their way
    page.goto("/settings")
    answer.set()
    are_kept(alice, ["Half a"], page)

    page.goto("/posts/new")
    type_more(page, " thought")
    are_kept(alice, ["Half a thought"], page)
    saved(page)

    # Letters that only the browser had are back where the draft is continued.
    (draft,) = drafts_of(alice)
    page.evaluate(
        LEFT_BY_A_DEAD_BROWSER, [draft.draft_id, str(draft.version), "Half a thought, offline"]
    )
    page.goto(draft.url)
    expect(steps.composer(page)).to_have_value("Half a thought, offline")
    are_kept(alice, ["Half a thought, offline"], page)
    saved(page)


def test_a_reload_brings_back_what_was_chosen_beside_the_text(page, alice):
    page.locator(".part-poll > summary").click()
    page.get_by_label("Answer 1", exact=True).fill("Tea")
    saved(page)  # a poll without words is kept too
    assert [draft.composition.poll.options for draft in drafts_of(alice)] == [("Tea",)]
    steps.composer(page).fill("Just us")
    page.get_by_label("Who can see this").select_option("friends")
    page.locator(".part-when > summary").click()
    page.get_by_label("Publish at").fill("2027-05-06T10:00")
    page.get_by_label("How long it stays").select_option("1d")
    steps.let_save(page, lambda: planned_time_of(alice) == "2027-05-06T10:00")
    (before,) = drafts_of(alice)

    page.reload()
    expect(page.get_by_label("Who can see this")).to_have_value("friends")
    expect(page.get_by_label("Answer 1", exact=True)).to_have_value("Tea")
    expect(page.get_by_label("Publish at")).to_have_value("2027-05-06T10:00")
    expect(page.get_by_label("How long it stays")).to_have_value("1d")
    expect(page.get_by_role("button", name="Schedule", exact=True)).to_be_visible()
    type_more(page, "!")
    are_kept(alice, ["Just us!"], page)
    (after,) = drafts_of(alice)
    assert (after.composition.audience, after.composition.poll) == (
        before.composition.audience,
        before.composition.poll,
    )
    assert after.composition.planned_time == "2027-05-06T10:00"


def planned_time_of(alice) -> str:
    return drafts_of(alice)[0].composition.planned_time


def test_tabs_home_and_the_composers_own_page_share_one_draft_which_ends_wherever_it_is_posted(
    page, alice, alices, hold, watch
):
    other = page.context.new_page()
    other.goto("/posts/new")
    type_more(page, "Plan")
    expect(steps.composer(other)).to_have_value("Plan")
    are_kept(alice, ["Plan"], page)
    saved(page)
    type_more(other, " A")
    expect(steps.composer(page)).to_have_value("Plan A")
    are_kept(alice, ["Plan A"], other)
    type_more(page, " or B")
    are_kept(alice, ["Plan A or B"], page)
    page.get_by_role("button", name="Post", exact=True).click()
    expect(steps.title(page)).to_have_text("Post")
    assert texts_of(alice) == []

    other.close()

    # Home and the composer's own page share one, too.
    page.goto("/")
    steps.composer(page).fill("Once")
    page.reload()
    expect(steps.composer(page)).to_have_value("Once")
    page.goto("/posts/new")
    expect(steps.composer(page)).to_have_value("Once")
    saved(page)
    watch.expect("422")
    phone = alices(viewport=PHONE)
    phone.goto(drafts_of(alice)[0].url)
    phone.get_by_role("button", name="Post", exact=True).click()
    expect(steps.title(phone)).to_have_text("Post")
    page.goto("/")
    steps.let_save(page, lambda: steps.composer(page).input_value() == "")
    assert steps.kept(page) == {}

    answer = hold("feed.composing.views.save_draft")
    steps.composer(page).fill("Quick")
    page.clock.fast_forward(steps.A_SAVING)
    expect(page.locator(".composer-saved")).to_contain_text("Saving …")
    page.get_by_role("button", name="Post", exact=True).click()  # while it saves
    answer.set()
    expect(steps.card(page, "Quick")).to_have_count(1)
    expect(page.locator(".composer-saved")).to_have_text("")
    assert texts_of(alice) == []
    page.reload()
    expect(steps.composer(page)).to_have_value("")

    page.goto("/posts/new")
    steps.write(page, "There")
    expect(steps.title(page)).to_have_text("Post")
    page.goto("/")
    expect(steps.composer(page)).to_have_value("")


# Choosing when a post is published: in the zone of the device, or in the one that was set.

TOKYO = ZoneInfo("Asia/Tokyo")


def in_tokyo(days: int = 3) -> str:
    later = datetime.now(UTC).astimezone(TOKYO) + timedelta(days=days)
    return later.strftime("%Y-%m-%dT10:30")


def choose_time(page: Page, typed: str) -> None:
    steps.composer(page).fill("Later")
    page.locator(".part-when > summary").click()
    page.get_by_label("Publish at").fill(typed)


def moments(alice) -> list[str]:
    return [
        card.slot.publish_at.astimezone(TOKYO).strftime("%Y-%m-%dT%H:%M")
        for card in scheduled_of(alice)
    ]


def test_it_is_the_time_of_the_device_also_where_its_draft_is_continued_unless_a_zone_was_set(
    alices, alice
):
    page = alices(timezone_id="Asia/Tokyo")
    page.goto("/posts/new")  # the first page, which is in UTC
    typed = in_tokyo()
    choose_time(page, typed)
    expect(page.locator(".schedule-zone")).to_contain_text("Time zone: Tokyo")
    saved(page)

    elsewhere = alices(timezone_id="America/New_York")
    elsewhere.goto("/drafts")
    expect(elsewhere.get_by_text("Not scheduled yet.")).to_contain_text("10:30 a.m. JST")
    elsewhere.get_by_role("link", name="Continue").click()
    expect(elsewhere.locator(".schedule-zone")).to_contain_text("Time zone: Tokyo")
    elsewhere.get_by_role("button", name="Schedule", exact=True).click()
    expect(steps.toast(elsewhere)).to_contain_text("10:30 a.m. JST")
    assert (moments(alice), texts_of(alice)) == ([typed], [])

    elsewhere.goto("/settings/appearance")  # a zone that was set there counts more
    elsewhere.get_by_label("Time zone").select_option("Europe/Athens")
    elsewhere.get_by_role("button", name="Save").click()
    expect(steps.toast(elsewhere)).to_contain_text("Settings saved.")
    elsewhere.goto("/posts/new")
    choose_time(elsewhere, typed)
    expect(elsewhere.locator(".schedule-zone")).to_contain_text("Time zone: Athens")
    elsewhere.get_by_role("button", name="Schedule", exact=True).click()
    expect(steps.toast(elsewhere)).to_contain_text("10:30 a.m. EE")  # EET, in summer EEST


# Scheduled posts on their page: changed, posted and deleted.

COMPOSE_SCRIPT = "**/js/compose.*js"


def edit(page: Page) -> None:
    page.goto("/scheduled")
    page.get_by_role("link", name="Edit").click()


def test_a_scheduled_post_is_changed_posted_at_once_and_deleted_in_a_dialog_that_asks(
    signed_in, alice
):
    poll = PollWish(("Tea", "Coffee"), "3d")
    card = schedule(
        alice, hours=30, content="Whihc?", poll=poll, warning="Drinks", audience=Audience.FRIENDS
    )
    page = signed_in(alice)
    edit(page)
    expect(page.get_by_label("Publish at")).to_have_value(card.typed_time)
    expect(page.locator(".schedule-zone")).to_contain_text("Time zone: Berlin")
    steps.composer(page).fill("Which?")
    page.get_by_role("button", name="Save changes", exact=True).click()
    expect(steps.toast(page)).to_contain_text("Scheduled for ")
    expect(page.locator(".shelved-text")).to_have_text("Which?")
    (new,) = scheduled_of(alice)
    assert (new.slot, new.composition.poll) == (card.slot, poll)
    assert (new.composition.warning, new.composition.audience) == ("Drinks", Audience.FRIENDS)
    assert steps.kept(page) == {}

    edit(page)
    page.get_by_label("Publish at").fill("")
    page.get_by_role("button", name="Post", exact=True).click()  # the button says so
    expect(steps.title(page)).to_have_text("Post")
    assert (contents(alice), scheduled_of(alice)) == (["Which?"], [])

    # A reload keeps changes, Cancel drops them, and a dialog asks before it is deleted.
    schedule(alice, hours=30, content="Stays")
    held = steps.hold(page, COMPOSE_SCRIPT)
    change_and_cancel(page)
    assert steps.kept(page) == {}
    steps.let_go(page, COMPOSE_SCRIPT, held)

    edit(page)
    expect(steps.composer(page)).to_have_attribute("data-ready", "yes")
    steps.composer(page).fill("Half a change")
    page.reload()
    expect(steps.composer(page)).to_have_value("Half a change")
    change_and_cancel(page)
    edit(page)
    expect(steps.composer(page)).to_have_value("Stays")
    page.goto("/posts/new")
    expect(steps.composer(page)).to_have_value("")
    assert (texts_of(alice), [one.version for one in scheduled_of(alice)]) == ([], [1])

    page.goto("/scheduled")
    page.get_by_role("link", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()  # it asks
    expect(steps.toast(page)).to_contain_text("Scheduled post deleted.")
    assert scheduled_of(alice) == []


def change_and_cancel(page: Page) -> None:
    edit(page)
    expect(steps.composer(page)).to_have_attribute("data-ready", "yes")
    steps.composer(page).fill("Never mind")
    page.get_by_role("main").get_by_role("link", name="Cancel").click()
    expect(page).to_have_url("/scheduled")


# The pages of drafts and scheduled posts with entries of every kind, on each screen and in each language.


@pytest.fixture
def author(alice):
    """Alice with drafts of every kind, one of which could not be published, and with scheduled posts."""
    circle = create_circle(by=alice, name="Choir")
    schedule(alice, content="For the choir", audience="circle", circle=circle)
    delete_circle(by=returning(alice), circle_id=circle)
    do_due(utc_now() + timedelta(hours=2))
    for text in TEXTS:
        save(alice, content=text)
    save(alice, content="Soon", planned_time="2026-05-06T10:00", planned_zone="Europe/Berlin")
    save(alice, content="Soup", warning="Food " * 15)
    save(alice, warning="No text yet")
    schedule(alice, hours=30, content=TEXTS[0], warning="Long words")
    schedule(alice, hours=300, content="One", parts=(Part("Two"),), audience="friends")
    save(alice, content="Brief", audience="me", expires_in="1d")
    return alice


def save(by, **composed) -> None:
    save_draft(by=by, composition=Composition(**composed), seen=Seen(ids.new_id(), 0))


def test_pages_are_right_on_every_screen_in_every_language(author, signed_in, look):
    edited = schedule(author, hours=20)
    draft = drafts_of(author)[0]
    paths = ("/drafts", "/scheduled", draft.url, edited.edit_url, edited.delete_url)
    browsers = {
        name: signed_in(author, locale=locale) for name, locale in LANGUAGES_OF_BROWSERS.items()
    }
    problems = []
    for number, path in enumerate(paths):
        for language in share(
            LANGUAGES_OF_BROWSERS, one_of=3, salt=f"shelf {number} in a language"
        ):
            page = browsers[language]
            page.goto(path)
            expect(page.locator("html")).to_have_attribute("lang", language)
            problems += look(page)
    assert problems == []


@pytest.mark.parametrize("size", SIZES)
def test_both_are_found_from_the_menu_and_the_composer_used_by_keys_and_fit_their_screen(
    author, signed_in, size
):
    page = signed_in(author, viewport=size)
    page.goto("/posts/new")
    page.get_by_role("link", name="Drafts").first.click()
    expect(steps.title(page)).to_have_text("Drafts")
    page.goto("/")
    page.locator(".account summary").click()
    page.get_by_role("link", name="Drafts").click()
    expect(steps.title(page)).to_have_text("Drafts")
    page.get_by_role("link", name="Scheduled", exact=True).click()
    expect(steps.title(page)).to_have_text("Scheduled posts")

    row = page.locator(".shelved").first
    row.get_by_role("link", name="Edit").focus()
    for name in ("Publish now", "Delete"):
        page.keyboard.press("Tab")
        expect(row.get_by_text(name, exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(row.get_by_text("Delete", exact=True)).to_be_focused()

    # Rows fit their screen, with large text too.
    for path in ("/drafts", "/scheduled"):
        page.goto(path)
        for scale in ("100%", "200%"):
            page.evaluate(f"document.documentElement.style.setProperty('font-size', '{scale}')")
            for width in (320, 390, 820):
                page.set_viewport_size({"width": width, "height": 800})
                assert sideways(page) <= 0, f"{path}, {width} wide, text of {scale}"
