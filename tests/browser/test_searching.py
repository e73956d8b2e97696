"""The page of the search, as it is used: while one types, through its tabs, to a post and back."""

import re

import pytest
from playwright.sync_api import Page, expect

from feed.likes.writes import like_post
from relations.follows.writes import follow
from tests.browser import steps
from tests.browser.screens import DESKTOP, PHONE
from tests.conftest import person, post
from tests.injected.faults import share

WIDE = DESKTOP | {"width": 1280}


@pytest.fixture
def page(alice, bob, carol, drain_stream, signed_in) -> Page:
    """Alice's browser. Many wrote about bread."""
    person("breadmaker", "Ada Bread")
    for number in range(22):
        post(bob, f"Bread number {number}, with #butter")
    best = post(
        carol, "Bread & salt, #breadcrumbs and a long line about how to keep them: " + "dry " * 60
    )
    like_post(by=bob, post_id=best, author_id=carol.user_id)
    post(bob, "Bread at last")
    follow(by=alice, user_id=bob.user_id)
    drain_stream()
    return signed_in(alice)


@pytest.mark.parametrize("size", share([PHONE, WIDE], one_of=2, salt="the page of the search"))
def test_a_word_leads_from_everything_to_posts_and_further_back(page, look, size):
    page.set_viewport_size(size)
    page.goto("/search")
    field = page.get_by_role("main").get_by_role("searchbox")
    tabs = page.get_by_role("navigation", name="Where to search")
    found = page.locator("#found")
    assert look(page, sizes=(size,)) == []
    page.set_viewport_size(size)
    field.press_sequentially("bread", delay=30)
    expect(page.locator("#found-says")).to_have_text("7 results")
    expect(found.locator("article.person")).to_have_count(1)
    expect(found.get_by_role("link", name="breadcrumbs").first).to_be_visible()
    expect(steps.posts(page)).to_have_count(5)
    expect(steps.posts(page).first.locator("mark")).to_have_text("Bread")
    assert look(page, sizes=(size,)) == []
    page.set_viewport_size(size)

    found.get_by_role("link", name="More posts").click()
    steps.same_place(page, "/search?tab=posts&q=bread")
    expect(tabs.locator("[aria-current]")).to_have_text("Posts")
    expect(steps.posts(page)).to_have_count(20)
    page.get_by_role("link", name="Older posts").click()
    expect(steps.posts(page)).to_have_count(24)
    assert look(page, sizes=(size,)) == []
    page.set_viewport_size(size)
    page.get_by_role("link", name="Most liked").click()
    expect(steps.posts(page).first).to_contain_text("salt")
    tabs.get_by_role("link", name="Tags").click()
    expect(found.locator(".chip")).to_have_text(["breadcrumbs"])
    tabs.get_by_role("link", name="People").click()
    expect(found.locator("article.person")).to_have_count(1)
    assert look(page, sizes=(size,)) == []


@pytest.mark.parametrize("is_first", [True, False], ids=["before that to the press", "after it"])
def test_an_answer_to_typing_that_does_not_know_of_a_press_in_the_list_does_not_take_it_back(
    page, hold, is_first
):
    page.goto("/search?tab=people&q=car")
    button = page.locator("#found").get_by_role("button", name="Carol")
    field = page.get_by_role("main").get_by_role("searchbox")
    found = hold("finding.views.page_or_fragment")  # which has read by then
    with page.expect_request("**/search?*"):
        field.fill("caro")
    followed = hold("relations.follows.views.find_person")
    with page.expect_request("**/follow"):
        button.click()
    answers = [("**/search?*", found), ("**/follow", followed)]
    for address, answer in answers if is_first else reversed(answers):
        with page.expect_response(address):
            answer.set()
    expect(page).to_have_url(re.compile("q=caro$"))
    steps.expect_state(button, on=True)
    page.reload()
    steps.expect_state(button, on=True)
