"""Polls as people meet them: asked and answered by mouse and keyboard."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser import steps
from tests.browser.screens import sideways
from tests.feed.polls.polling import DRINKS, ask, choose

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")


def poll(page: Page) -> Locator:
    return page.locator(".poll")


def results(page: Page) -> Locator:
    return poll(page).get_by_role("listitem")


def answers(page: Page) -> Locator:
    """The fields of answers that one sees."""
    return page.locator(".part-poll input[type=text]:visible")


def begin_poll(page: Page) -> None:
    page.goto("/posts/new")
    page.locator(".part-poll > summary").click()
    expect(answers(page).first).to_be_visible()


def test_a_poll_is_asked_with_as_many_answers_as_it_needs(alice, signed_in, look):
    page = signed_in(alice)
    begin_poll(page)
    expect(answers(page)).to_have_count(2)
    expect(answers(page).first).to_be_focused()
    for number, text in enumerate(["Tea", "Mud", "Coffee", "Water"]):
        if number >= 2:
            page.get_by_role("button", name="Add an answer").click()
            expect(answers(page).nth(number)).to_be_focused()
        answers(page).nth(number).fill(text)
    page.get_by_role("button", name="Remove answer 2").click()
    expect(answers(page)).to_have_count(3)
    assert [field.input_value() for field in answers(page).all()] == [*DRINKS]
    expect(answers(page).nth(1)).to_be_focused()
    assert look(page) == []
    steps.write(page, "What do you drink?")
    expect(steps.title(page)).to_have_text("Post")
    expect(results(page).locator("bdi")).to_have_text([*DRINKS])
    expect(poll(page)).to_contain_text("You can’t vote in your own poll")


def test_by_keyboard_one_votes_and_votes_again(alice, bob, signed_in):
    post_id = ask(alice, change=True)
    page = signed_in(bob)
    page.goto(f"/@alice/posts/{post_id}")
    steps.tab_to(page, page.get_by_label("Tea"))
    page.keyboard.press("ArrowDown")
    expect(page.get_by_label("Coffee")).to_be_checked()
    expect(page.locator("progress")).to_have_count(0)  # no results yet
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(poll(page)).to_be_focused()
    expect(results(page).nth(1)).to_contain_text("your choice")
    expect(poll(page)).to_contain_text("1 person voted")
    page.keyboard.press("Tab")
    expect(page.get_by_text("Change your vote")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    expect(page.get_by_label("Water")).to_be_checked()
    page.keyboard.press("Enter")
    expect(results(page).nth(2)).to_contain_text("your choice")


def test_with_large_text_results_are_no_wider_than_the_card(alice, signed_in):
    post_id = ask(alice)
    page = signed_in(alice, viewport={"width": 320, "height": 640})
    page.goto(f"/@alice/posts/{post_id}")
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    expect(results(page)).to_have_count(3)
    assert sideways(page) <= 0


def test_polls_are_accessible_and_one_that_was_closed_meanwhile_says_so(
    alice, bob, carol, signed_in, drain_stream, look, watch
):
    watch.expect("409")
    open_id, early_id = ask(alice), ask(alice, several=True, early=True, change=True)
    choose(carol, alice, early_id, 0, 1)
    drain_stream()
    page = signed_in(bob)
    page.goto("/@alice")
    expect(poll(page)).to_have_count(2)
    page.get_by_text("Show the results").click()
    assert look(page) == []

    page.goto(f"/@alice/posts/{open_id}")
    choose(bob, alice, open_id, 0)  # in another tab
    page.get_by_label("Water").check()
    page.get_by_role("button", name="Vote", exact=True).click()
    expect(poll(page).get_by_role("alert")).to_contain_text("You’ve already voted")
    expect(results(page).first).to_contain_text("your choice")
    expect(page.get_by_role("button", name="Vote", exact=True)).to_have_count(0)
    assert look(page) == []
