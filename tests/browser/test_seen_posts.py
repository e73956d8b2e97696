"""Photos of posts, and what moderators marked."""

import pytest
from playwright.sync_api import Page, expect

from accounts.people.restrictions import Restriction
from feed.posts.models import Withheld
from relations.follows.writes import follow
from tests.browser import steps
from tests.browser.screens import SIZES
from tests.conftest import post
from tests.feed.scenes import photo, post_photos, real_files
from tests.moderation.cases import mark_sensitive, restrict, withhold

sizes = pytest.mark.parametrize("viewport", SIZES)
SHEET, ADDRESS = "**/css/photo.css", "document.body.dataset.photo"
TALL = 3000  # so that no bar lies over a photo
SHOWN = ["A heron", "", "Two boats", "A bridge"]


@pytest.fixture
def address(alice) -> str:
    """A post with four photos, one of them without a description."""
    files = real_files(600, 400)
    photos = [photo(alice, text, width=600, height=400, files=files) for text in SHOWN]
    return f"/@alice/posts/{post_photos(alice, *photos)}"


def tiles(page: Page):
    return page.locator(".post-photo > a:first-child")


@sizes
def test_the_viewer_opens_moves_and_closes_and_waits_for_its_styles_and_warnings_for_a_press(
    alice, address, visitor, viewport
):
    page = visitor(viewport=viewport)
    page.goto(address)
    tiles(page).nth(1).focus()
    page.keyboard.press("Enter")
    viewer = page.get_by_role("dialog", name="Photo 2 of 4")
    expect(viewer).to_be_visible()
    expect(viewer.get_by_text("This photo has no description.")).to_be_in_viewport()
    for key, number in (("ArrowRight", 3), ("End", 4), ("ArrowRight", 4), ("Home", 1)):
        page.keyboard.press(key)
        expect(page.get_by_role("dialog", name=f"Photo {number} of 4")).to_be_visible()
        expect(page).to_have_url(f"{address}/photos/{number}")
    expect(page.get_by_text("A heron").last).to_be_in_viewport()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(tiles(page).first).to_be_focused()
    expect(page).to_have_url(address)

    tiles(page).first.click()
    page.get_by_role("button", name="Next photo").click()
    expect(page.get_by_role("dialog", name="Photo 2 of 4")).to_be_visible()
    page.go_back()  # closes it too
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page).to_have_url(address)
    page.reload()
    expect(tiles(page)).to_have_count(4)

    # The viewer waits for its styles, and is a page without them.
    page.goto(address)
    held = steps.hold(page, SHEET)
    tiles(page).first.click()
    expect(page.locator(f"link[href='{page.evaluate(ADDRESS)}']")).to_be_attached()
    expect(page.get_by_role("dialog")).to_have_count(0)
    steps.let_go(page, SHEET, held)
    expect(page.get_by_role("dialog")).to_have_css("background-color", "rgb(17, 17, 17)")

    page.goto(address)
    page.route(SHEET, lambda route: route.abort())
    tiles(page).nth(1).click()
    expect(page).to_have_url(f"{address}/photos/2")
    expect(page.get_by_role("heading", name="Photo 2 of 4")).to_be_visible()

    # Photos behind a warning load once they are opened.
    files = real_files(600, 400)
    post_id = post_photos(alice, photo(alice, files=files), warning="Spiders")
    page.unroute(SHEET)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"/@alice/posts/{post_id}")
    page.wait_for_load_state("networkidle")
    assert not [url for url in asked if "/m/" in url]
    with page.expect_response(lambda answer: "/m/" in answer.url):
        page.get_by_text("Spiders").click()


def test_cards_pages_the_viewer_and_the_album_are_accessible(alice, bob, address, signed_in, look):
    page = signed_in(bob)
    page.goto("/photos")
    assert look(page, height=TALL) == []  # empty
    page = signed_in(alice)
    photo(alice, files=real_files(600, 400))
    for path in (f"{address}/photos/1", "/@alice/media", f"{address}/descriptions", "/photos"):
        page.goto(path)
        assert look(page, height=TALL if path == "/photos" else 0) == []
    expect(page.locator(".album-photo")).to_have_count(5)
    page.goto(address)
    alt = page.locator("a.photo-alt").first
    alt.click()
    expect(page.locator(".post-photos-says")).to_have_text("A heron")
    expect(alt).to_have_attribute("aria-expanded", "true")
    assert look(page) == []
    alt.click()
    expect(page.locator(".post-photos-says")).to_have_count(0)
    tiles(page).first.click()
    expect(page.get_by_role("dialog", name="Photo 1 of 4")).to_be_visible()
    assert look(page) == []


# What moderators marked or withheld, as one meets it: a cover that opens by pointer and keys, a line that says
# why.

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")

TEXT = "Not for every eye"


def test_a_cover_opens_and_closes_by_pointer_and_keys(alice, bob, signed_in, drain_stream, look):
    follow(by=alice, user_id=bob.user_id)
    post_id = post(bob, TEXT)
    drain_stream()
    mark_sensitive(bob, post_id)
    page = signed_in(alice)
    cover, text = page.locator("details.covered summary"), page.get_by_text(TEXT)
    for path in ("/", f"/@bob/posts/{post_id}"):
        page.goto(path)
        expect(text).to_be_hidden()
        steps.tab_to(page, cover)
        page.keyboard.press("Enter")
        expect(text).to_be_visible()
        page.keyboard.press("Space")
        expect(text).to_be_hidden()

        cover.click()
        expect(text).to_be_visible()
        expect(cover).to_contain_text("Hide")
        cover.click()
        expect(text).to_be_hidden()
        steps.same_place(page, path)
    assert look(page) == []
    cover.click()
    assert look(page) == []
    cover.click()

    page.emulate_media(media="print")
    expect(page.get_by_text("Sensitive content"), "on paper there is the cover").to_be_visible()
    expect(page.get_by_text("Show", exact=True)).to_be_hidden()
    expect(text).to_be_hidden()


def test_what_is_withheld_and_pages_of_the_restricted_are_accessible(
    alice, bob, signed_in, look, watch
):
    watch.expect("410 /@bob")
    held, hidden = post(alice, "First words"), post(alice, "Second words")
    withhold(alice, held, Withheld.HELD)
    withhold(alice, hidden, Withheld.HIDDEN)
    page = signed_in(alice)
    for path in ("/@alice", f"/@alice/posts/{held}"):
        page.goto(path)
        expect(page.get_by_text("Waiting for review. Only you can see it.")).to_be_visible()
    assert look(page) == []

    restrict(bob, Restriction.SUSPENDED)
    for restriction in (Restriction.LIMITED, Restriction.FROZEN):
        restrict(alice, restriction)
    for path in ("/posts/new", "/standing", "/@bob"):
        page.goto(path)
        assert look(page) == []
    restrict(alice, Restriction.SUSPENDED)
    page.goto("/local")
    assert look(page) == []
