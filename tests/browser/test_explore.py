"""People one may know, on Explore: why, dismissing, undoing and following."""

import pytest
from playwright.sync_api import Locator, Page, expect

from accounts.profile.writes import edit_profile
from relations.follows.writes import follow
from relations.suggested import look_for_people
from tests.browser import steps
from tests.browser.screens import DESKTOP, PHONE
from tests.conftest import person, post
from tests.relations.nearby import befriend


@pytest.fixture(autouse=True)
def suggested(alice, bob, carol, drain_stream) -> None:
    """Carol and Dave are suggested to Alice; Erin has posted."""
    befriend(alice, bob)
    befriend(bob, carol)
    dave = person("dave", "דוד " + "Rhabarberbarbara" * 3)
    edit_profile(by=dave, bio="I bake. " * 20, location="")
    follow(by=bob, user_id=dave.user_id)
    post(person("erin"))
    look_for_people(alice.user_id)
    drain_stream()


def row(page: Page, handle: str) -> Locator:
    return page.locator(f"#suggestion-{handle}")


def dismiss(page: Page, handle: str) -> None:
    row(page, handle).get_by_role("button", name="Don’t suggest").click()


def test_one_dismisses_undoes_and_follows_and_the_focus_stays_there(alice, signed_in, look):
    page = signed_in(alice)
    page.goto("/explore")
    known = page.get_by_role("region", name="People you may know")
    expect(known.get_by_role("article")).to_have_count(2)
    expect(row(page, "carol")).to_contain_text("Friends with Bob Brandt")
    dismiss(page, "carol")
    expect(row(page, "carol")).to_contain_text("We won’t suggest @carol any more.")
    expect(row(page, "carol")).to_be_focused()
    expect(known.get_by_role("article")).to_have_count(1)
    assert look(page, sizes=(DESKTOP, PHONE, {"width": 320, "height": 800})) == []

    row(page, "carol").get_by_role("button", name="Undo").click()
    expect(row(page, "carol")).to_contain_text("Friends with Bob Brandt")
    expect(row(page, "carol")).to_be_focused()
    button = row(page, "carol").get_by_role("button", name="Carol 陈").first
    with page.expect_response("**/follow"):
        button.click()
    steps.expect_state(button, on=True)
    page.reload()
    expect(row(page, "dave")).to_be_visible()
    expect(row(page, "carol")).to_have_count(0)

    # An empty search has them too, and they can be dismissed there.
    box = page.get_by_role("main").get_by_role("searchbox", name="Search people")
    box.fill("erin")
    expect(page.locator("article.person")).to_have_count(1)
    box.fill("")
    dismiss(page, "dave")
    expect(row(page, "dave")).to_contain_text("Undo")
    page.reload()
    expect(page.locator("article.person")).to_have_count(1)
    expect(row(page, "dave")).to_have_count(0)
