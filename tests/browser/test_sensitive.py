"""What moderators marked or withheld, as one meets it: a cover that opens by pointer and keys, a line that says why."""

import pytest
from playwright.sync_api import expect

from accounts.people.restrictions import Restriction
from feed.posts.models import Withheld
from relations.follows.writes import follow
from tests.browser import steps
from tests.conftest import post
from tests.moderation.restricting import mark_sensitive, restrict, withhold

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
        assert look(page) == []

        cover.click()
        expect(text).to_be_visible()
        expect(cover).to_contain_text("Hide")
        assert look(page) == []
        cover.click()
        expect(text).to_be_hidden()
        steps.same_place(page, path)

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
    for path in ("/", "/posts/new", "/standing", "/@bob"):
        page.goto(path)
        assert look(page) == []
    restrict(alice, Restriction.SUSPENDED)
    for path in ("/local", "/standing"):
        page.goto(path)
        assert look(page) == []
