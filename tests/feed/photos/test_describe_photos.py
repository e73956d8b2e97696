"""What photos show can be said after posting, and an edited text takes the room that it needs."""

import pytest
from django.test import Client

from feed.cards.reads import get_post, get_post_of_photos
from feed.posts.content_checks import RefusedByRules
from feed.posts.models import Audience, Withheld
from feed.publishing.changes import change_audience, edit_post
from socialsite.site_settings.site_setup import SiteRules
from socialsite.site_settings.word_filters import Effect, Word
from tests.conftest import HTMX, post
from tests.feed.photographs import photo, post_photos
from tests.kept import keep_site_rules
from tests.moderation.restricting import withhold
from tests.web.html import Html


def says(alice, post_id) -> list[str]:
    return [one.alt for one in get_post(post_id, alice.user_id, viewer=alice).photos]


def test_descriptions_are_shown_and_changed_in_the_post_and_in_the_photos(alice, log_in):
    one, other = photo(alice, "Before"), photo(alice)
    address = f"/@alice/posts/{(post_id := post_photos(alice, one, other))}"
    browser = log_in(alice)
    page = Html(browser.get(f"{address}/descriptions"))
    assert [page.value(name) for name in (one, other)] == ["Before", ""]
    long = "A heron. " * 60
    form = {one: "", other: long}
    for _ in range(2):  # sent again, it changes nothing more
        assert browser.post(f"{address}/descriptions", form).status_code == 302
    assert says(alice, post_id)[0] == ""
    assert 0 < len(says(alice, post_id)[1].encode()) <= 300
    whole = get_post_of_photos(post_id, alice.user_id, viewer=alice)
    assert [shown.alt for shown in whole.photos] == ["", long.strip()]
    card = browser.post(f"{address}/descriptions", {one: "Now", other: ""}, headers=HTMX)
    assert Html(card).one("article")["id"] == f"post-{post_id}"
    assert says(alice, post_id) == ["Now", ""]


def test_nobody_describes_the_photos_of_others_or_of_a_post_without(alice, bob, log_in):
    one = photo(alice, "Before")
    post_id = post_photos(alice, one)
    form, address = {one: "Changed"}, f"/@alice/posts/{post_id}/descriptions"
    assert Client().post(address, form)["Location"].startswith("/login")
    for handle in ("alice", "bob"):
        other = log_in(bob).post(f"/@{handle}/posts/{post_id}/descriptions", form)
        assert other.status_code == 404
    assert log_in(alice).get(f"/@alice/posts/{post(alice)}/descriptions").status_code == 404
    assert says(alice, post_id) == ["Before"]


def test_a_description_meets_the_word_filters_and_a_withheld_post_waits(alice, log_in):
    one = photo(alice, "Before")
    post_id = post_photos(alice, one)
    address = f"/@alice/posts/{post_id}/descriptions"
    for effect, status in ((Effect.REFUSE, 422), (Effect.HOLD, 409)):
        keep_site_rules(SiteRules(words=(Word("w1", "word", "heron", effect, "spam", ""),)))
        answer = log_in(alice).post(address, {one: "A heron"})
        assert answer.status_code == status
        assert Html(answer).value(one) == "A heron"
    keep_site_rules(SiteRules())
    withhold(alice, post_id, Withheld.HIDDEN)
    assert log_in(alice).post(address, {one: "Now"}).status_code == 409
    assert says(alice, post_id) == ["Before"]


def test_a_text_that_grows_takes_the_room_of_the_copies(alice):
    photos = [photo(alice, letter * 300) for letter in "abcd"]
    post_id = post_photos(alice, *photos)
    edit_post(by=alice, post_id=post_id, content="é" * 1000, version=1)
    short = says(alice, post_id)
    assert all(40 <= len(one.encode()) < 300 for one in short)
    whole = get_post_of_photos(post_id, alice.user_id, viewer=alice)
    assert [one.alt for one in whole.photos] == [letter * 300 for letter in "abcd"]


def test_a_post_with_photos_can_lose_its_words_and_another_cannot(alice, log_in):
    with_photos, without = post_photos(alice), post(alice)
    for post_id, status in ((with_photos, 302), (without, 422)):
        address = f"/@alice/posts/{post_id}/edit"
        sent = log_in(alice).post(address, {"content": "", "version": "1"})
        assert sent.status_code == status


def test_a_post_that_is_shown_to_others_is_judged_with_its_descriptions(alice):
    keep_site_rules(SiteRules(words=(Word("w1", "word", "heron", Effect.REFUSE, "spam", ""),)))
    post_id = post_photos(alice, photo(alice, "A heron"), audience=Audience.ONLY_ME)
    with pytest.raises(RefusedByRules):
        change_audience(by=alice, post_id=post_id, audience=Audience.EVERYONE)
