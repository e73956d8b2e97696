"""Without JavaScript people come, post, like, delete and go: forms are pages, and menus open by themselves."""

from playwright.sync_api import expect

from tests.browser import steps


def test_a_visitor_signs_up_posts_likes_deletes_signs_out_and_signs_in(table, visitor, watch):
    watch.expect("422")
    page = visitor(java_script_enabled=False)
    steps.sign_up(page, "dora", "Dora Díaz")
    expect(steps.toast(page)).to_contain_text("Welcome, Dora Díaz!")

    page.goto("/")
    steps.write(page, "x" * 1001)
    expect(page.get_by_role("alert")).to_contain_text("Use up to 1000 characters (this has 1001).")
    expect(steps.composer(page)).to_have_value("x" * 1001)
    steps.write(page, "Written without a script")
    expect(steps.title(page)).to_have_text("Post")
    expect(steps.toast(page)).to_contain_text("Post published.")

    card = steps.card(page, "Written without a script")
    for on in (True, False):
        steps.heart(card).click()
        steps.expect_state(steps.heart(card), on=on)

    steps.open_menu(card)
    page.get_by_role("link", name="Delete post").click()
    expect(steps.title(page)).to_have_text("Delete post")
    expect(card).to_be_visible()
    page.get_by_role("button", name="Delete").click()
    expect(steps.toast(page)).to_contain_text("Post deleted.")
    expect(steps.posts(page)).to_have_count(0)

    steps.sign_out(page)
    expect(steps.sign_up_link(page)).to_be_visible()
    steps.sign_in(page, "dora")
    expect(steps.title(page)).to_have_text("Home")
