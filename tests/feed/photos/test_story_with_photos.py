"""Photos in the further posts of a story: each post has its own, and all are published together or not at all."""

import secrets

import pytest
from django.test import Client

from feed.posts.models import Audience
from feed.profiles.reads import list_posts
from feed.publishing.photos import CannotAttach
from feed.publishing.writes import MOST_POSTS, Part, PartRefused, publish_post
from photos.forms import MOST_PHOTOS
from socialsite.site_settings.site_setup import SiteRules
from socialsite.site_settings.word_filters import Effect, Word
from socialsite.table import ids
from tests.conftest import HTMX
from tests.feed.composing.shelves import autosave, drafts_of, fields
from tests.feed.photographs import photo, post_photos
from tests.feed.photos.test_files_of_closed_posts import SEEN_BY, files_on, opens, readers  # noqa: F401
from tests.feed.photos.test_photos_in_the_composer import file
from tests.feed.photos.test_publish_photos import photo_of
from tests.feed.test_publish import contents
from tests.kept import keep_site_rules
from tests.looks import broken_invariants
from tests.web.html import Html

BOTH = pytest.mark.parametrize("extra", [{}, {"headers": HTMX}], ids=["page", "htmx"])


def send(browser: Client, extra=None, **form: object):
    form = {"nonce": secrets.token_urlsafe(16), "content": "One"} | form
    address = form.pop("address", "/posts")
    return browser.post(address, form, **(extra or {}))


def names(page: Html, name: str) -> list[str]:
    return [one["value"] for one in page.all(name=name)]


@BOTH
def test_each_post_of_a_story_shows_its_own_photos(alice, log_in, drain_stream, extra):
    first, second = photo(alice), photo(alice)
    form = {
        "photo": [first],
        "description": ["A"],
        "2-content": "",
        "2-photo": [second],
        "2-description": ["B"],
        "2-photos": [file()],
        "2-descriptions": ["C"],
        "3-content": "Three",
    }
    response = send(log_in(alice), extra, **form)
    assert response.status_code == (200 if extra else 302)
    drain_stream()
    root = photo_of(alice, first).post_id
    page = Client().get(f"/@alice/posts/{root}").content.decode()
    places = [page.index(f'alt="{letter}"') for letter in "ABC"]
    assert places == sorted(places)
    assert len({photo_of(alice, one).post_id for one in (first, second)}) == 2
    assert broken_invariants() == {}


def test_ten_posts_with_four_photos_each_are_one_transaction(alice, drain_stream):
    of_each = [[photo(alice) for _ in range(MOST_PHOTOS)] for _ in range(MOST_POSTS)]
    parts = [Part(f"Post {n}", photos=tuple(one)) for n, one in enumerate(of_each[1:], 2)]
    publish_post(by=alice, content="Post 1", nonce="n", photos=of_each[0], parts=parts)
    drain_stream()
    assert len(contents(alice)) == MOST_POSTS
    assert all(photo_of(alice, one).post_id for some in of_each for one in some)
    assert broken_invariants() == {}


def test_the_same_story_twice_is_one_and_with_other_photos_another(alice):
    one, other = photo(alice), photo(alice)
    form = {"by": alice, "content": "One", "nonce": "form"}
    first = publish_post(**form, parts=[Part("Two", photos=(one,))])
    assert publish_post(**form, parts=[Part("Two", photos=(one,))]) == first
    assert publish_post(**form, parts=[Part("Two", photos=(other,))]) != first


def test_a_photo_that_is_gone_refuses_the_whole_story(alice):
    used, free = photo(alice), photo(alice)
    post_photos(alice, used)
    for gone in (used, ids.new_id()):
        parts = [Part("Two", photos=(gone,))]
        with pytest.raises(CannotAttach) as refusal:
            publish_post(by=alice, content="One", nonce="n", photos=[free], parts=parts)
        assert refusal.value.photo_ids == (gone,)
    assert contents(alice) == ["Look"]


@BOTH
def test_a_refusal_stands_beside_the_post_and_all_photos_are_kept(alice, log_in, extra):
    first, used, free = photo(alice), photo(alice), photo(alice)
    post_photos(alice, used)
    form = {"photo": [first], "2-content": "Two", "2-photo": [used, free]}
    response = send(log_in(alice), extra, **form, **{"2-description": ["", "Free"]})
    assert response.status_code == 422
    page = Html(response)
    assert (names(page, "photo"), names(page, "2-photo")) == ([first], [free])
    notes = [one.text for one in page.all(class_="photos-note") if one.text]
    assert len(notes) == 1
    assert page.value("2-content") == "Two"


def test_a_fifth_photo_of_a_further_post_and_the_same_in_two_are_told(alice, log_in):
    mine = [photo(alice) for _ in range(4)]
    response = send(log_in(alice), **{"2-content": "Two", "2-photo": mine, "2-photos": [file()]})
    assert response.status_code == 422
    assert names(Html(response), "2-photo") == mine
    response = send(log_in(alice), photo=mine[:1], **{"2-content": "Two", "2-photo": mine[:1]})
    assert response.status_code == 422
    assert "only once" in response.content.decode()
    assert contents(alice) == []


def test_without_script_photos_are_moved_and_the_story_grows_with_them(alice, log_in):
    one, other = photo(alice, "One"), photo(alice, "Other")
    browser = log_in(alice)
    form = {"2-content": "Two", "2-photo": [one, other], "2-description": ["One", "Other"]}
    moved = Html(send(browser, address="/posts/photos", **form, **{"2-arrange": f"later {one}"}))
    assert names(moved, "2-photo") == [other, one]
    assert names(moved, "photo") == []
    left = Html(send(browser, address="/posts/photos", **form, **{"2-arrange": f"remove {one}"}))
    assert names(left, "2-photo") == [other]
    files = {"2-photos": [file()], "2-descriptions": ["New"]}
    grown = Html(send(browser, add="1", **form, **files))
    assert names(grown, "2-photo")[:2] == [one, other]
    assert [one.text for one in grown.all(name="2-description")] == ["One", "Other", "New"]
    assert grown.value("3-content") == ""
    assert grown.all("textarea", name="3-descriptions")


def test_word_rules_read_descriptions_of_further_posts(alice, log_in):
    keep_site_rules(SiteRules(words=(Word("w1", "word", "heron", Effect.REFUSE, "spam", ""),)))
    one = photo(alice)
    form = {"2-content": "Two", "2-photo": [one], "2-description": ["A heron"]}
    assert send(log_in(alice), **form).status_code == 422
    with pytest.raises(PartRefused):
        publish_post(by=alice, content="One", nonce="n", parts=[Part("Two", photos=(one,))])
    assert list_posts(alice.card).items == []


def test_a_draft_keeps_the_photos_of_all_its_posts(alice, log_in, drain_stream):
    first, second = photo(alice), photo(alice)
    browser = log_in(alice)
    form = fields("One", photo=[first], **{"2-content": "", "2-photo": [second]})
    form["2-description"] = ["B"]
    assert autosave(browser, form)["status"] == 200
    (draft,) = drafts_of(alice)
    page = Html(browser.get(draft.url))
    assert (names(page, "photo"), names(page, "2-photo")) == ([first], [second])
    assert photo_of(alice, second).ttl is None
    drain_stream()
    assert browser.post("/posts", form | {"version": "1"}).status_code == 302
    drain_stream()
    assert photo_of(alice, second).post_id
    assert broken_invariants() == {}


@pytest.mark.parametrize("audience", SEEN_BY)
def test_each_reader_of_a_story_gets_addresses_that_only_they_can_use(
    alice,
    readers,  # noqa: F811
    audience,
):
    parts = [Part("Two", photos=(photo(alice),))]
    post_id = publish_post(by=alice, content="One", nonce="n", parts=parts, audience=audience)
    url = f"/@alice/posts/{post_id}"
    named = {kind: files_on(browser, url) for kind, browser in readers.items()}
    assert {kind for kind, files in named.items() if files} == SEEN_BY[audience]
    for owner, files in named.items():
        for address in files:
            can = {kind for kind, browser in readers.items() if opens(browser, address)}
            assert can == (set(readers) if audience == Audience.EVERYONE else {owner})
