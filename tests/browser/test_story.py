"""The whole story, as two people live it: every step through the pages, the stream worker running beside."""

from playwright.sync_api import expect

from tests.browser import steps
from tests.conftest import post


def test_a_newcomer_finds_people_posts_is_liked_and_leaves(worker, bob, signed_in, strict):
    post(bob, "Bob's first words")
    page, bobs = strict, signed_in(bob)

    steps.sign_up(page, "dora", "Dora Díaz")
    expect(steps.toast(page)).to_contain_text("Welcome, Dora Díaz!")
    page.get_by_role("link", name="Go to your timeline").click()
    expect(page.get_by_text("It’s quiet here so far.")).to_be_visible()

    page.get_by_role("main").get_by_role("link", name="Find people").click()
    bobs_row = page.locator("article.person").filter(has_text="Bob Brandt")
    steps.reload_until(page, bobs_row)
    bobs_row.get_by_role("link", name="Bob Brandt").click()
    with page.expect_response("**/follow"):
        page.get_by_role("main").get_by_role("button", name="Follow Bob Brandt").click()
    expect(page.get_by_role("link", name="1 follower")).to_be_visible()

    page.get_by_role("link", name="Home").click()
    steps.reload_until(page, steps.card(page, "Bob's first words"))

    bobs.goto("/@dora")
    with bobs.expect_response("**/follow"):
        bobs.get_by_role("button", name="Follow Dora").click()
    steps.expect_state(bobs.get_by_role("button", name="Dora Díaz"), on=True)

    steps.composer(page).fill("Dora says hello")
    steps.composer(page).press("Control+Enter")
    expect(steps.posts(page).first).to_contain_text("Dora says hello")
    expect(steps.toast(page)).to_contain_text("Post published.")
    expect(steps.composer(page)).to_have_value("")

    bobs.goto("/")
    steps.reload_until(bobs, steps.card(bobs, "Dora says hello"))
    liked = steps.card(bobs, "Dora says hello")
    with bobs.expect_response("**/like"):
        steps.heart(liked).click()
    expect(steps.likes(liked)).to_contain_text("1")

    own = steps.card(page, "Dora says hello")
    steps.reload_until(page, own.get_by_role("link", name="1 like"))
    with bobs.expect_response("**/like"):
        steps.heart(liked).click()
    expect(steps.likes(liked)).to_be_hidden()
    steps.reload_until(page, own.locator(".like-count[hidden]"))

    steps.open_menu(own)
    own.get_by_role("link", name="Delete post").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_text("Post deleted")).to_be_visible()
    expect(own).to_have_count(0)

    steps.sign_out(page)
    expect(steps.sign_up_link(page)).to_be_visible()
    page.goto("/settings/profile")
    expect(page.get_by_role("heading", name="Welcome back")).to_be_visible()
