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


def test_the_second_post_of_a_story_takes_photos_and_numbers_follow_a_removal(signed_in, alice):
    page = signed_in(alice)
    page.goto("/posts/new")
    steps.composer(page).fill("One")
    add = page.get_by_role("button", name="Add another post")
    add.click()
    page.get_by_label("Text of post 2").fill("Two")
    choose(page, 2, "Gone")
    add.click()
    page.get_by_label("Text of post 3").fill("Three")
    choose(page, 3, "A heron", "Another heron")
    photos_of_last = of_part(page, 3).locator("legend", has_text="Photo 2 of 2")
    expect(photos_of_last).to_have_count(1)
    page.get_by_role("button", name="Remove post 2").click()
    expect(page.locator("[name='2-photo']")).to_have_count(2)
    of_part(page, 2).get_by_role("button", name="Move earlier").nth(1).click()
    page.get_by_role("button", name="Post", exact=True).click()
    expect(steps.title(page)).to_have_text("Post")
    shown = page.locator(".post-photo img")
    expect(shown).to_have_count(2)
    assert [one.get_attribute("alt") for one in shown.all()] == ["Another heron", "A heron"]
    expect(page.get_by_text("Three", exact=True)).to_be_visible()


def test_without_script_each_post_of_a_story_has_its_fields(signed_in, alice):
    page = signed_in(alice, java_script_enabled=False)
    page.goto("/posts/new")
    steps.composer(page).fill("One")
    page.get_by_role("button", name="Add another post").click()
    part = of_part(page, 2)
    part.get_by_label("Text of post 2").fill("Two")
    part.get_by_title("Add photos").locator("visible=true").click()
    part.get_by_label("Photos", exact=True).set_input_files(photos.files(2))
    part.get_by_label("Photo 1", exact=True).fill("A heron")
    part.get_by_label("Photo 2", exact=True).fill("Another heron")
    page.get_by_role("button", name="Add another post").click()
    part = of_part(page, 2)
    expect(part.locator("[data-tile]")).to_have_count(2)
    expect(part.locator("[data-tile] textarea").first).to_have_value("A heron")
    part.get_by_role("button", name="Move later").first.click()
    expect(part.locator("[data-tile] textarea").first).to_have_value("Another heron")
    page.get_by_role("button", name="Post", exact=True).click()
    expect(page.get_by_role("img", name="A heron", exact=True)).to_be_visible()
    expect(page.get_by_role("img", name="Another heron", exact=True)).to_be_visible()


def test_after_a_reload_a_further_post_without_words_has_its_photo_again(signed_in, alice):
    page = signed_in(alice)
    page.goto("/posts/new")
    steps.composer(page).fill("One")
    add = page.get_by_role("button", name="Add another post")
    add.click()
    choose(page, 2, "A heron")
    add.click()
    page.get_by_label("Text of post 3").fill("Three")
    wait_until(lambda: stories(alice) == [[1, 0]], seconds=20)
    page.reload()
    expect(of_part(page, 2).locator("[data-tile] textarea")).to_have_value("A heron")
    expect(page.get_by_label("Text of post 3")).to_have_value("Three")
    steps.composer(page).fill("One more")
    wait_until(lambda: drafts_of(alice)[0].composition.content == "One more", seconds=20)
    assert stories(alice) == [[1, 0]]


def stories(alice) -> list[list[int]]:
    """How many photos the further posts of each draft have."""
    drafts = [draft.composition for draft in drafts_of(alice)]
    return [[len(part.photos) for part in draft.parts] for draft in drafts]
