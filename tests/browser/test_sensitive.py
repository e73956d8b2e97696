"""What moderators marked or withheld, as one meets it: a cover that opens by pointer and keys, a line that says why."""

import pytest
from playwright.sync_api import Page, expect

from accounts.restrictions import Restriction
from feed.models import Withheld
from relations.services.follow import follow
from tests.browser import steps
from tests.conftest import post
from tests.moderation.restricting import let_wait, mark_sensitive, restrict, withhold

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")

TEXT = "Not for every eye"
WHERE = pytest.mark.parametrize("path", ["/", "/@bob/posts/{post}"], ids=["card", "page"])


@pytest.fixture
def sensitive(alice, bob, drain_stream) -> str:
    follow(by=alice, user_id=bob.user_id)
    post_id = post(bob, TEXT)
    drain_stream()
    mark_sensitive(bob, post_id)
    return post_id


def cover(page: Page):
    return page.locator("details.covered summary")


@WHERE
def test_the_cover_opens_and_closes_and_stays_on_the_page(sensitive, alice, signed_in, path):
    page = signed_in(alice)
    page.goto(path.format(post=sensitive))
    address = page.url
    expect(page.get_by_text(TEXT)).to_be_hidden()
    cover(page).click()
    expect(page.get_by_text(TEXT)).to_be_visible()
    expect(cover(page)).to_contain_text("Hide")
    cover(page).click()
    expect(page.get_by_text(TEXT)).to_be_hidden()
    expect(page).to_have_url(address)


def test_it_opens_without_scripts(sensitive, visitor):
    page = visitor(java_script_enabled=False)
    page.goto("/local")
    cover(page).click()
    expect(page.get_by_text(TEXT)).to_be_visible()


@WHERE
def test_it_opens_by_keys(sensitive, alice, signed_in, path):
    page = signed_in(alice)
    page.goto(path.format(post=sensitive))
    steps.tab_to(page, cover(page))
    page.keyboard.press("Enter")
    expect(page.get_by_text(TEXT)).to_be_visible()
    page.keyboard.press("Space")
    expect(page.get_by_text(TEXT)).to_be_hidden()


def test_on_paper_there_is_the_cover(sensitive, alice, signed_in):
    page = signed_in(alice)
    page.goto(f"/@bob/posts/{sensitive}")
    page.emulate_media(media="print")
    expect(page.get_by_text("Sensitive content")).to_be_visible()
    expect(page.get_by_text("Show", exact=True)).to_be_hidden()
    expect(page.get_by_text(TEXT)).to_be_hidden()


@WHERE
def test_covers_closed_and_open_are_accessible(sensitive, alice, signed_in, look, path):
    page = signed_in(alice)
    page.goto(path.format(post=sensitive))
    assert look(page) == []
    cover(page).click()
    assert look(page) == []


@pytest.mark.parametrize("path", ["/@alice", "/@alice/posts/{held}"], ids=["cards", "page"])
def test_withheld_posts_are_accessible(alice, signed_in, look, path):
    held, hidden = post(alice, "First words"), post(alice, "Second words")
    withhold(alice, held, Withheld.HELD)
    withhold(alice, hidden, Withheld.HIDDEN)
    page = signed_in(alice)
    page.goto(path.format(held=held))
    expect(page.get_by_text("Waiting for review. Only you can see it.")).to_be_visible()
    assert look(page) == []


def test_the_pages_of_somebody_restricted_are_accessible(alice, bob, signed_in, look, watch):
    watch.expect("410 /@bob")
    restrict(bob, Restriction.SUSPENDED)
    for restriction in (Restriction.LIMITED, Restriction.FROZEN):
        restrict(alice, restriction)
    page = signed_in(alice)
    for path in ("/", "/posts/new", "/standing", "/@bob"):
        page.goto(path)
        assert look(page) == []
    restrict(alice, Restriction.SUSPENDED)
    for path in ("/local", "/standing"):
        page.goto(path)
        assert look(page) == []


def test_a_press_that_is_refused_is_taken_back_and_says_why(alice, bob, signed_in, watch):
    watch.expect("403")
    post(bob, "Nice words")
    restrict(alice, Restriction.FROZEN)
    page = signed_in(alice)
    page.goto("/@bob")
    heart = steps.heart(steps.card(page, "Nice words"))
    heart.click()
    expect(steps.toast(page)).to_contain_text("you can read everything here, but you can’t post")
    steps.expect_state(heart, on=False)


def test_who_waits_reads_so_and_signs_out(alice, signed_in):
    let_wait(alice)
    page = signed_in(alice)
    page.goto("/")
    steps.same_place(page, "/standing")
    expect(page.get_by_role("heading", name="Your account is waiting for approval")).to_be_visible()
    page.get_by_role("button", name="Sign out").click()
    steps.same_place(page, "/")
    expect(page.locator(".banner")).to_have_count(0)
