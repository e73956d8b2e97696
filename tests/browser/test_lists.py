"""A list from a profile to Home's tabs and out as a starter pack, in a browser at two sizes."""

import pytest
from playwright.sync_api import expect

from relations.lists.writes import add_to_list, create_list, offer_pack
from tests.browser import steps
from tests.conftest import person, post

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")


def test_a_list_is_made_read_beside_home_and_offered(alice, bob, signed_in, drain_stream, look):
    post(bob, "Rye bread today")
    page = signed_in(alice)
    page.goto("/@bob")
    page.locator(".profile-menu summary").click()
    page.get_by_role("link", name="Lists…").click()
    assert look(page) == []
    page.get_by_label("New list").fill("Bakers")
    page.get_by_role("button", name="Save").click()
    expect(steps.toast(page)).to_contain_text("Saved. Only you can see it.")
    drain_stream()

    page.goto("/lists")
    assert look(page) == []
    page.locator(".circles").get_by_role("link", name="Edit list Bakers").click()
    page.get_by_label("Show it beside Home’s tabs").check()
    assert look(page) == []
    page.get_by_role("button", name="Save").click()
    expect(steps.card(page, "Rye bread today")).to_be_visible()
    assert look(page) == []
    page.goto("/")
    page.locator(".tabs").get_by_role("link", name="Bakers").click()
    expect(page.locator(".tabs [aria-current]")).to_have_text("Bakers")

    page.get_by_role("link", name="1 person").click()
    assert look(page) == []
    page.get_by_role("link", name="Starter pack").click()
    page.get_by_label("Title").fill("Who bakes")
    assert look(page) == []
    page.get_by_role("button", name="Offer as starter pack").click()
    expect(page.get_by_role("heading", name="Who bakes")).to_be_visible()
    assert look(page) == []

    page.goto("/lists")
    page.locator(".circles").get_by_role("link", name="Delete list Bakers").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(steps.toast(page)).to_contain_text("List deleted.")


def test_everyone_of_a_pack_is_followed_with_one_press(alice, bob, carol, signed_in, look):
    list_id = create_list(by=alice, name="Bakers")
    for one in (bob, carol, dora := person("dora")):
        add_to_list(by=alice, list_id=list_id, user_id=one.user_id)
    offer_pack(by=alice, list_id=list_id, title="Who bakes", about="Bread first.")
    page = signed_in(dora)
    page.goto("/lists/packs")
    assert look(page) == []
    page.get_by_role("link", name="Who bakes").click()
    page.get_by_role("button", name="Follow all").click()
    expect(steps.toast(page)).to_contain_text("You now follow 2 more people.")
    for button in page.locator(".person .follow").all():
        steps.expect_state(button, on=True)
    page.get_by_role("button", name="Take me out").click()
    expect(page.locator(".person")).to_have_count(2)
