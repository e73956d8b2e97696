"""People one may know, on Explore and beside the timeline: why, dismissing and undoing, with scripts and without."""

import pytest
from playwright.sync_api import Locator, Page, expect

from accounts.services.edit_profile import edit_profile
from relations.services.follow import follow
from relations.suggested.looking import look_for_people
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


def test_one_dismisses_and_undoes_and_the_focus_stays_there(alice, signed_in):
    page = signed_in(alice)
    page.goto("/explore")
    known = page.get_by_role("region", name="People you may know")
    expect(known.get_by_role("article")).to_have_count(2)
    expect(row(page, "carol")).to_contain_text("Friends with Bob Brandt")

    dismiss(page, "carol")
    expect(row(page, "carol")).to_contain_text("We won’t suggest @carol any more.")
    expect(row(page, "carol")).to_be_focused()
    expect(known.get_by_role("article")).to_have_count(1)

    row(page, "carol").get_by_role("button", name="Undo").click()
    expect(row(page, "carol")).to_contain_text("Friends with Bob Brandt")
    expect(row(page, "carol")).to_be_focused()

    dismiss(page, "carol")
    expect(row(page, "carol")).to_contain_text("We won’t suggest @carol any more.")
    page.reload()
    expect(known.get_by_role("article")).to_have_count(1)
    expect(row(page, "carol")).to_have_count(0)


def test_one_follows_somebody_one_may_know(alice, signed_in):
    page = signed_in(alice)
    page.goto("/explore")
    button = row(page, "carol").get_by_role("button", name="Carol 陈").first
    with page.expect_response("**/follow"):
        button.click()
    steps.expect_state(button, on=True)
    page.reload()
    expect(row(page, "dave")).to_be_visible()
    expect(row(page, "carol")).to_have_count(0)


def test_an_empty_search_has_them_too(alice, signed_in):
    page = signed_in(alice)
    page.goto("/explore")
    box = page.get_by_role("main").get_by_role("searchbox", name="Search people")
    box.fill("erin")
    expect(page.locator("article.person")).to_have_count(1)
    box.fill("")
    expect(row(page, "carol")).to_be_visible()
    dismiss(page, "carol")
    expect(row(page, "carol")).to_contain_text("Undo")


def test_beside_the_timeline_they_stand_first(alice, signed_in):
    page = signed_in(alice)
    page.goto("/")
    card = page.get_by_role("region", name="People to follow")
    expect(card.locator(".handle")).to_have_text(["@carol", "@dave", "@erin"])
    expect(card.locator(".reason").first).to_have_text("Friends with Bob Brandt")


def test_without_scripts_one_dismisses_undoes_and_follows(alice, signed_in):
    page = signed_in(alice, java_script_enabled=False)
    page.goto("/explore")
    dismiss(page, "carol")
    steps.same_place(page, "/explore?dismissed=carol")
    expect(row(page, "carol")).to_contain_text("We won’t suggest @carol any more.")
    row(page, "carol").get_by_role("button", name="Undo").click()
    steps.same_place(page, "/explore")
    row(page, "carol").get_by_role("button", name="Follow").click()
    steps.same_place(page, "/explore")
    expect(row(page, "carol")).to_have_count(0)
    expect(row(page, "dave")).to_be_visible()


@pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")
def test_the_page_breaks_no_rule_and_fits_its_screen(alice, signed_in, look):
    page = signed_in(alice)
    page.goto("/explore")
    dismiss(page, "carol")
    expect(row(page, "carol")).to_contain_text("Undo")
    assert look(page, sizes=(DESKTOP, PHONE, {"width": 320, "height": 800})) == []
