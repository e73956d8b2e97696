"""The pages of drafts and scheduled posts with entries of every kind, on each screen and in each language."""

from datetime import timedelta

import pytest
from playwright.sync_api import expect

from feed.composing.composition import Composition, Seen
from feed.composing.draft_writes import save_draft
from feed.publishing.writes import Part
from relations.friends.writes import create_circle, delete_circle
from socialsite.clock import utc_now
from socialsite.due.work import do_due
from socialsite.table import ids
from tests.browser import steps
from tests.browser.screens import SIZES, sideways
from tests.browser.test_matrix import LANGUAGES, TEXTS
from tests.feed.composing.shelves import drafts_of, schedule
from tests.injected.rotation import share
from tests.streams.crowd import returning

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")


@pytest.fixture
def author(alice):
    """Alice with drafts of every kind, one of which could not be published, and with scheduled posts."""
    circle = create_circle(by=alice, name="Choir")
    schedule(alice, content="For the choir", audience="circle", circle=circle)
    delete_circle(by=returning(alice), circle_id=circle)
    do_due(utc_now() + timedelta(hours=2))
    for text in TEXTS:
        save(alice, content=text)
    save(alice, content="Soon", planned_time="2026-05-06T10:00", planned_zone="Europe/Berlin")
    save(alice, content="Soup", warning="Food " * 15)
    save(alice, warning="No text yet")
    schedule(alice, hours=30, content=TEXTS[0], warning="Long words")
    schedule(alice, hours=300, content="One", parts=(Part("Two"),), audience="friends")
    save(alice, content="Brief", audience="me", expires_in="1d")
    return alice


def save(by, **composed) -> None:
    save_draft(by=by, composition=Composition(**composed), seen=Seen(ids.new_id(), 0))


def test_pages_are_right_on_every_screen_in_every_language(author, signed_in, look):
    edited = schedule(author, hours=20)
    draft = drafts_of(author)[0]
    paths = ("/drafts", "/scheduled", draft.url, edited.edit_url, edited.delete_url)
    browsers = {name: signed_in(author, locale=locale) for name, locale in LANGUAGES.items()}
    problems = []
    for number, path in enumerate(paths):
        for language in share(LANGUAGES, one_of=3, salt=f"shelf {number} in a language"):
            page = browsers[language]
            page.goto(path)
            expect(page.locator("html")).to_have_attribute("lang", language)
            problems += look(page)
    assert problems == []


def test_rows_fit_their_screen_with_large_text_too(author, signed_in):
    page = signed_in(author)
    for path in ("/drafts", "/scheduled"):
        page.goto(path)
        for scale in ("100%", "200%"):
            page.evaluate(f"document.documentElement.style.setProperty('font-size', '{scale}')")
            for width in (320, 390, 820):
                page.set_viewport_size({"width": width, "height": 800})
                assert sideways(page) <= 0, f"{path}, {width} wide, text of {scale}"


@pytest.mark.parametrize("size", SIZES)
def test_both_are_found_from_the_menu_and_the_composer_and_used_by_keys(author, signed_in, size):
    page = signed_in(author, viewport=size)
    page.goto("/posts/new")
    page.get_by_role("link", name="Drafts").first.click()
    expect(steps.title(page)).to_have_text("Drafts")
    page.goto("/")
    page.locator(".account summary").click()
    page.get_by_role("link", name="Drafts").click()
    expect(steps.title(page)).to_have_text("Drafts")
    page.get_by_role("link", name="Scheduled", exact=True).click()
    expect(steps.title(page)).to_have_text("Scheduled posts")

    row = page.locator(".shelved").first
    row.get_by_role("link", name="Edit").focus()
    for name in ("Publish now", "Delete"):
        page.keyboard.press("Tab")
        expect(row.get_by_text(name, exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(row.get_by_text("Delete", exact=True)).to_be_focused()
