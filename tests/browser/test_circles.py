"""Circles are created, renamed and deleted on their page, and chosen in the composer."""

import pytest
from playwright.sync_api import Locator, Page, expect

from relations.friends.writes import create_circle, file_friend
from tests.browser import steps
from tests.browser.screens import SIZES
from tests.relations.relations import befriend

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")


def row(page: Page, name: str) -> Locator:
    return page.locator(".circles li").filter(has_text=name)


@pytest.mark.parametrize("size", SIZES)
def test_a_circle_from_its_creation_to_its_end(signed_in, alice, bob, size, watch):
    watch.expect("422")
    befriend(alice, bob)
    family = create_circle(by=alice, name="Family")
    file_friend(by=alice, user_id=bob.user_id, circles=[family], note="")
    page = signed_in(alice, viewport=size)
    page.goto("/circles")
    page.get_by_label("New circle").fill("Choir")
    page.get_by_role("button", name="Create").click()
    expect(row(page, "Choir")).to_contain_text("0 friends")
    expect(steps.toast(page)).to_contain_text("Circle created.")

    row(page, "Family").get_by_role("link", name="Rename").click()
    page.locator("form.confirm").get_by_label("Name").fill("Choir")
    page.get_by_role("button", name="Rename").click()
    expect(page.locator(".field-error")).to_have_text("You already have a circle with this name.")
    page.locator("form.confirm").get_by_label("Name").fill("Clan")
    page.get_by_role("button", name="Rename").click()
    expect(row(page, "Clan")).to_contain_text("1 friend")

    row(page, "Clan").get_by_role("link", name="Delete").click()
    expect(page.locator("form.confirm")).to_contain_text("1 friend leaves the circle")
    page.get_by_role("button", name="Delete").click()
    expect(page.locator(".circles li")).to_have_count(1)
    expect(steps.toast(page)).to_contain_text("Circle deleted.")

    # The composer offers those that there are.
    page.goto("/")
    page.get_by_label("Who can see this").select_option("Circle: Choir")
    steps.write(page, "For the choir")
    audience = steps.card(page, "For the choir").locator(".post-audience")
    expect(audience).to_have_attribute("title", "Circle Choir only")
