"""Photos in a story: each of its posts takes its own."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser import photographs as photos
from tests.browser import steps
from tests.faults.processes import wait_until
from tests.feed.composing.shelves import drafts_of

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")


def of_part(page: Page, number: int):
    return page.locator("[data-part]").nth(number - 2)


def choose(page: Page, number: int, *texts: str) -> None:
    part = of_part(page, number)
    part.get_by_label("Add photos").set_input_files(photos.files(len(texts)))
    for place, text in enumerate(texts):
        part.locator("[data-tile] textarea").nth(place).fill(text)
    expect(part.locator("[data-state=there]")).to_have_count(len(texts))


def test_a_further_post_takes_photos_and_has_them_after_a_removal_and_a_reload(signed_in, alice):
    page = signed_in(alice)
    page.goto("/posts/new")
    steps.composer(page).fill("One")
    add = page.get_by_role("button", name="Add another post")
    add.click()
    page.get_by_label("Text of post 2").fill("Two")
    choose(page, 2, "Gone")
    add.click()
    choose(page, 3, "A heron", "Another heron")  # and no words
    expect(of_part(page, 3).locator("legend", has_text="Photo 2 of 2")).to_have_count(1)
    add.click()
    page.get_by_label("Text of post 4").fill("Four")
    page.get_by_role("button", name="Remove post 2").click()
    expect(page.locator("[name='2-photo']")).to_have_count(2)  # the numbers follow

    wait_until(lambda: stories(alice) == [[2, 0]], seconds=60)
    page.reload()
    expect(of_part(page, 2).locator("[data-tile] textarea").first).to_have_value("A heron")
    expect(page.get_by_label("Text of post 3")).to_have_value("Four")
    steps.composer(page).fill("One more")
    wait_until(lambda: drafts_of(alice)[0].composition.content == "One more", seconds=60)
    assert stories(alice) == [[2, 0]]

    of_part(page, 2).get_by_role("button", name="Move earlier").nth(1).click()
    expect(of_part(page, 2).locator("[data-tile] textarea").last).to_have_value("A heron")
    page.get_by_role("button", name="Post", exact=True).click()
    expect(steps.title(page)).to_have_text("Post")
    shown = page.locator(".post-photo img")
    expect(shown).to_have_count(2)
    assert [one.get_attribute("alt") for one in shown.all()] == ["Another heron", "A heron"]
    expect(page.get_by_text("Four", exact=True)).to_be_visible()


def stories(alice) -> list[list[int]]:
    """How many photos the further posts of each draft have."""
    drafts = [draft.composition for draft in drafts_of(alice)]
    return [[len(part.photos) for part in draft.parts] for draft in drafts]
