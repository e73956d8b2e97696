"""Without JavaScript people can post, like, delete, and read on and back."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser import steps
from tests.conftest import post


@pytest.fixture
def page_of_alice(signed_in, alice) -> Page:
    return signed_in(alice, java_script_enabled=False)


def test_a_post_is_written_on_home_and_shown_on_its_own_page(page_of_alice):
    page = page_of_alice
    page.goto("/")
    steps.write(page, "Written without a script")

    expect(steps.title(page)).to_have_text("Post")
    expect(steps.card(page, "Written without a script")).to_be_visible()
    expect(steps.toast(page)).to_contain_text("Post published.")


def test_a_post_that_is_refused_comes_back_to_be_mended(page_of_alice, watch):
    watch.expect("422")
    page = page_of_alice
    page.goto("/posts/new")
    steps.write(page, "x" * 1001)

    expect(page.get_by_role("alert")).to_contain_text("Use up to 1000 characters (this has 1001).")
    expect(steps.composer(page)).to_have_value("x" * 1001)
    steps.write(page, "shorter")
    expect(steps.card(page, "shorter")).to_be_visible()


def test_a_post_is_deleted_over_a_page_that_asks(page_of_alice, alice):
    post(alice, "To be deleted")
    page = page_of_alice
    page.goto("/@alice")
    steps.open_menu(steps.card(page, "To be deleted"))
    page.get_by_role("link", name="Delete post").click()

    expect(steps.title(page)).to_have_text("Delete post")
    expect(steps.card(page, "To be deleted")).to_be_visible()
    page.get_by_role("button", name="Delete").click()
    expect(steps.toast(page)).to_contain_text("Post deleted.")
    expect(steps.posts(page)).to_have_count(0)


def test_a_post_is_liked_and_unliked(page_of_alice, bob, drain_stream):
    page = page_of_alice
    page.goto(f"/@bob/posts/{post(bob, 'Like me')}")
    steps.heart(page.get_by_role("article")).click()
    steps.expect_state(steps.heart(page.get_by_role("article")), on=True)

    drain_stream()
    page.reload()
    page.get_by_role("link", name="1 like").click()
    expect(steps.title(page)).to_have_text("Liked by")
    expect(page.get_by_role("article", name="Alice Archer")).to_be_visible()

    page.get_by_role("link", name="Back").click()
    steps.heart(page.get_by_role("article")).click()
    steps.expect_state(steps.heart(page.get_by_role("article")), on=False)
    drain_stream()
    page.reload()
    expect(steps.likes(page.get_by_role("article"))).to_be_hidden()


def test_older_posts_are_behind_a_link_and_newer_ones_behind_another(page_of_alice, alice):
    for number in range(25):
        post(alice, f"Number {number:02}")
    page = page_of_alice
    page.goto("/")
    expect(steps.posts(page)).to_have_count(20)
    expect(steps.posts(page).first).to_contain_text("Number 24")

    page.get_by_role("link", name="Older posts").click()
    expect(steps.posts(page)).to_have_count(5)
    expect(steps.posts(page).first).to_contain_text("Number 04")
    expect(page.get_by_text("You’ve reached the end.")).to_be_visible()

    page.get_by_role("link", name="Newer posts").click()
    expect(steps.posts(page)).to_have_count(20)
    expect(steps.posts(page).first).to_contain_text("Number 24")
