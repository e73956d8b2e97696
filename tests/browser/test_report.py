"""Reporting a post and a person, and reading and answering what moderators decided."""

import pytest
from playwright.sync_api import Page, expect

from moderation.cases.reads import read_case
from moderation.cases.writes import answer_appeal, appeal
from moderation.models import ActionKind
from relations.follows.writes import follow
from tests.browser import steps
from tests.browser.screens import SIZES, sideways
from tests.conftest import post
from tests.moderation.cases import about, decide, report
from tests.moderation.reports import report_by
from tests.relations.relations import relationship

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")

sizes = pytest.mark.parametrize("size", SIZES)


@pytest.fixture
def bobs_post(alice, bob, drain_stream) -> str:
    """At the top of Alice's home."""
    follow(by=alice, user_id=bob.user_id)
    post_id = post(bob, "Buy my tea")
    drain_stream()
    return post_id


def open_report(page: Page, text: str) -> None:
    steps.open_menu(steps.card(page, text))
    page.get_by_role("link", name="Report post").click()


@sizes
def test_reporting_a_post_from_its_menu(signed_in, alice, bob, bobs_post, size):
    page = signed_in(alice, viewport=size)
    page.goto("/")
    open_report(page, "Buy my tea")
    form = page.locator("form.report")
    form.get_by_label("Spam").check()
    form.get_by_label("What should a moderator know?").fill("Under each post")
    form.get_by_role("button", name="Report").click()
    expect(steps.toast(page)).to_contain_text("Thanks. A moderator will look into it.")
    expect(page.get_by_role("dialog")).to_have_count(0)
    steps.same_place(page, "/")
    page.goto("/settings/reports")
    expect(page.locator(".own-report")).to_contain_text("Bob Brandt @bob 1 post · Spam")
    expect(page.locator(".outcome")).to_have_text("We’re looking into it")
    assert report_by(alice, bob).posts == {bobs_post}


def test_reporting_and_blocking_a_person_from_their_page(signed_in, alice, bob):
    page = signed_in(alice)
    page.goto("/@bob")
    page.locator(".profile-menu summary").click()
    page.locator(".profile-menu").get_by_role("link", name="Report").click()
    form = page.locator("form.report")
    form.get_by_label("Harassment or hate").check()
    form.get_by_label("Block this person too").check()
    form.get_by_role("button", name="Report").click()
    expect(steps.toast(page)).to_contain_text("Thanks.")
    steps.same_place(page, "/@bob")
    assert relationship(alice, bob).blocks
    page.get_by_role("link", name="Report").click()
    expect(form).to_be_visible()
    expect(page.get_by_label("Block this person too")).to_have_count(0)


@pytest.mark.usefixtures("bobs_post")
def test_the_dialog_says_what_it_lacks_and_keeps_the_rest_and_muting_clears_the_page(
    signed_in, alice, look, watch
):
    watch.expect("422")
    page = signed_in(alice)
    page.goto("/")
    open_report(page, "Buy my tea")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_have_accessible_name("Report this post by Bob Brandt")
    assert look(page) == []
    dialog.get_by_role("button", name="Report").click()
    expect(dialog.get_by_role("alert")).to_be_visible()
    assert look(page) == []
    dialog.get_by_label("Something else").check()
    dialog.get_by_label("Mute this person too").check()
    dialog.get_by_role("button", name="Report").click()
    alert = dialog.get_by_role("alert")
    expect(alert).to_contain_text("What should a moderator know?")
    expect(alert).to_be_focused()
    expect(dialog.get_by_text("Tell us in a sentence what’s wrong.")).to_have_count(1)
    expect(dialog.get_by_label("Something else")).to_be_checked()
    expect(dialog.get_by_label("Mute this person too")).to_be_checked()
    assert look(page) == []
    dialog.get_by_label("What should a moderator know?").fill("It smells")
    dialog.get_by_role("button", name="Report").click()
    expect(steps.toast(page)).to_contain_text("Thanks.")
    expect(steps.posts(page), "muting clears the page").to_have_count(0)
    steps.same_place(page, "/")


def test_by_the_keyboard_alone(signed_in, alice, bob, bobs_post):
    page = signed_in(alice)
    page.goto("/")
    summary = steps.card(page, "Buy my tea").locator("summary")
    steps.tab_to(page, summary)
    page.keyboard.press("Enter")
    entry = steps.card(page, "Buy my tea").get_by_role("link", name="Report post")
    steps.tab_to(page, entry)
    page.keyboard.press("Enter")
    first = page.get_by_role("radio").first
    expect(first).to_be_focused()
    page.keyboard.press("Escape")
    expect(summary).to_be_focused()
    page.keyboard.press("Enter")
    steps.tab_to(page, entry)
    page.keyboard.press("Enter")
    expect(first).to_be_focused()
    page.keyboard.press("Space")
    steps.tab_to(page, page.get_by_role("dialog").get_by_role("button", name="Report"))
    page.keyboard.press("Enter")
    expect(steps.toast(page)).to_contain_text("Thanks.")
    expect(summary).to_be_focused()
    assert report_by(alice, bob).rule_id == "violence"


@sizes
def test_a_suspended_person_reads_why_and_appeals(signed_in, alice, bob, mod, size):
    page = signed_in(bob, viewport=size)
    report(alice, bob, post(bob, "Buy my tea"), rule_id="spam")
    decide(mod, about(bob), ActionKind.SUSPEND, text="Enough of your tea", rule_id="spam")
    page.goto("/local")
    page.locator(".banner").get_by_role("link", name="See why").click()
    expect(page.locator(".strike")).to_contain_text("Enough of your tea")
    page.get_by_role("link", name="Read more or appeal").click()
    expect(page.get_by_text("Rule: No spam")).to_be_visible()
    page.get_by_label("What did we get wrong?").fill("It was a gift")
    page.get_by_role("button", name="Appeal").press("Enter")
    expect(page.locator(".message")).to_contain_text("It was a gift")
    expect(page.locator("#strike-said"), "the focus is not lost").to_be_focused()
    expect(page.get_by_text("Your appeal is waiting for an answer")).to_be_visible()

    action_id = page.url.rpartition("/")[2]
    version = int(read_case(about(bob)).version)
    answer_appeal(
        by=mod,
        case_id=about(bob),
        action_id=action_id,
        text="Then all is well",
        version=version,
        grant=True,
    )
    page.reload()
    expect(page.locator(".message-staff")).to_contain_text("Then all is well")
    expect(page.locator(".chips")).to_contain_text("Your appeal was granted")
    page.goto("/standing")
    expect(page.get_by_text("Your account is in good standing")).to_be_visible()


@pytest.fixture
def much_decided(alice, bob, carol, mod, bobs_post) -> str:
    """Bob has posts hidden and appealed, and is frozen; Alice reported him and Carol. The id of what he appealed."""
    report(alice, carol, comment="She asks and asks")
    report(alice, bob, bobs_post, rule_id="spam", comment="Tea, again and again")
    posts = [bobs_post, post(bob, "More tea")]
    hidden = decide(mod, about(bob), ActionKind.HIDE, *posts, text="No advertising, please.")
    appeal(person_id=bob.user_id, action_id=hidden, text="It was a gift")
    answer_appeal(
        by=mod,
        case_id=about(bob),
        action_id=hidden,
        text="For whom?",
        version=int(read_case(about(bob)).version),
        grant=None,
    )
    decide(mod, about(bob), ActionKind.FREEZE, text="A rest")
    return hidden


def test_the_pages_break_no_rule_and_fit_every_screen(signed_in, alice, bob, much_decided, look):
    hers = alice, ("/@bob/report", "/settings/reports")
    his = bob, ("/standing", f"/standing/{much_decided}")
    problems = []
    for person, paths in (hers, his):
        page = signed_in(person)
        for path in paths:
            page.goto(path)
            problems += look(page)
            page.set_viewport_size({"width": 320, "height": 640})
            assert sideways(page) <= 0, path
    assert problems == []
