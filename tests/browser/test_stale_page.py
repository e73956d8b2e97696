"""A page that is out of date says so, or leads to the sign-in page; what was typed is never lost."""

import pytest
from playwright.sync_api import Page, expect

from feed.access_patterns import list_posts
from feed.services.delete_post import delete_post
from tests.browser import steps
from tests.conftest import post


@pytest.fixture
def page(signed_in, alice, bob) -> Page:
    post(alice, "Old post")
    page = signed_in(alice)
    page.goto("/")
    return page


def test_after_signing_in_anew_in_another_tab_a_post_can_be_sent_after_a_reload(page, watch):
    watch.expect("403")
    steps.composer(page).fill("Written for an hour")
    page.context.clear_cookies(name="csrf")
    page.get_by_role("button", name="Post", exact=True).click()

    expect(steps.toast(page)).to_contain_text("This page is out of date.")
    expect(steps.composer(page)).to_have_value("Written for an hour")
    steps.toast(page).get_by_role("link", name="Reload").click()
    expect(steps.toast(page)).to_have_text("")
    expect(steps.composer(page)).to_have_value("Written for an hour")
    page.get_by_role("button", name="Post", exact=True).click()
    expect(steps.posts(page).first).to_contain_text("Written for an hour")


def test_a_like_on_a_page_that_is_out_of_date_is_taken_back(page, watch):
    watch.expect("403")
    page.context.clear_cookies(name="csrf")
    heart = steps.heart(steps.card(page, "Old post"))
    heart.click()

    expect(steps.toast(page)).to_contain_text("This page is out of date.")
    steps.expect_state(heart, on=False)


def test_after_signing_out_in_another_tab_one_signs_in_and_finds_the_text_again(page):
    steps.composer(page).fill("Nearly done")
    other = page.context.new_page()
    other.goto("/local")
    steps.sign_out(other)
    expect(steps.sign_up_link(other)).to_be_visible()

    page.get_by_role("button", name="Post", exact=True).click()
    expect(page.get_by_role("heading", name="Welcome back")).to_be_visible()
    steps.sign_in(page, "alice")
    expect(steps.composer(page)).to_have_value("Nearly done")


def test_without_htmx_a_stale_form_gets_a_page_that_explains(page, watch):
    watch.expect("403")
    page.goto("/posts/new")
    page.context.clear_cookies(name="csrf")
    steps.write(page, "Also kept")

    expect(page.get_by_role("heading", name="This page was open for a long time")).to_be_visible()
    page.goto("/posts/new")
    expect(steps.composer(page)).to_have_value("Also kept")


def test_a_post_that_is_gone_says_so_when_it_is_liked(page, alice, watch):
    watch.expect("404")
    card = steps.card(page, "Old post")
    delete_post(by=alice, post_id=list_posts(alice.card).items[0].post_id)
    steps.heart(card).click()

    expect(steps.toast(page)).to_contain_text("This is no longer here. Reload the page.")
    steps.expect_state(steps.heart(card), on=False)
