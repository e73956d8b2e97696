"""A browser is never at odds with itself: its tabs, and the pages that it opens one after the other, go on with one
draft, and lose nothing of it."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser import steps
from tests.browser.test_drafts import are_kept, saved, type_more
from tests.faults.processes import wait_until
from tests.feed.composing.shelves import drafts_of, texts_of

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")

HIDE = """() => {
    Object.defineProperty(document, "hidden", { configurable: true, value: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""
SAVE = "feed.composing.views.save_draft"


@pytest.fixture
def page(signed_in, alice) -> Page:
    page = signed_in(alice)
    page.goto("/posts/new")
    return page


def test_a_page_that_is_left_while_it_saves_loses_no_letter_and_the_next_one_goes_on(
    page, alice, hold
):
    answer = hold(SAVE)
    steps.composer(page).fill("Half")
    expect(page.locator(".composer-saved")).to_contain_text("Saving …")
    type_more(page, " a")
    page.evaluate(HIDE)  # two savings are on their way
    page.goto("/settings")
    answer.set()
    are_kept(alice, ["Half a"])

    page.goto("/posts/new")
    type_more(page, " thought")
    are_kept(alice, ["Half a thought"])
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
    wait_until(lambda: planned_time_of(alice) == "2027-05-06T10:00", seconds=60)
    (before,) = drafts_of(alice)

    page.reload()
    expect(page.get_by_label("Who can see this")).to_have_value("friends")
    expect(page.get_by_label("Answer 1", exact=True)).to_have_value("Tea")
    expect(page.get_by_label("Publish at")).to_have_value("2027-05-06T10:00")
    expect(page.get_by_label("How long it stays")).to_have_value("1d")
    expect(page.get_by_role("button", name="Schedule", exact=True)).to_be_visible()
    type_more(page, "!")
    are_kept(alice, ["Just us!"])
    (after,) = drafts_of(alice)
    assert (after.composition.audience, after.composition.poll) == (
        before.composition.audience,
        before.composition.poll,
    )
    assert after.composition.planned_time == "2027-05-06T10:00"


def planned_time_of(alice) -> str:
    return drafts_of(alice)[0].composition.planned_time


def test_two_tabs_show_one_text_and_save_one_draft(page, alice):
    other = page.context.new_page()
    other.goto("/posts/new")
    type_more(page, "Plan")
    expect(steps.composer(other)).to_have_value("Plan")
    are_kept(alice, ["Plan"])
    saved(page)
    type_more(other, " A")
    expect(steps.composer(page)).to_have_value("Plan A")
    are_kept(alice, ["Plan A"])
    type_more(page, " or B")
    are_kept(alice, ["Plan A or B"])
    page.get_by_role("button", name="Post", exact=True).click()
    expect(steps.title(page)).to_have_text("Post")
    assert texts_of(alice) == []
