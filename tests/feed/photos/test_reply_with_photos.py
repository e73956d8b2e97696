"""Photos in replies: shown in the thread like those of other posts, to those whom the thread is for."""

import secrets

import pytest
from django.test import Client

from accounts.people.restrictions import Restriction
from feed.posts.models import Audience, Post, Reply
from feed.posts.reads import Pointer
from feed.profiles.reads import list_media, list_posts
from feed.publishing.changes import change_audience, describe_photos, edit_post
from feed.publishing.writes import delete_post, publish_post
from feed.threads.reads import get_conversation
from feed.threads.writes import reply
from photos.files import list_places
from socialsite.site_settings.site_setup import SiteRules
from socialsite.site_settings.word_filters import Effect, Word
from socialsite.table import get, ids, keys
from tests.conftest import HTMX
from tests.feed.photographs import photo, post_photos
from tests.feed.photos.test_files_of_closed_posts import SEEN_BY, files_on, opens, readers  # noqa: F401
from tests.feed.photos.test_photos_in_the_composer import file
from tests.kept import keep_site_rules
from tests.looks import broken_invariants
from tests.moderation.restricting import restrict
from tests.relations.relations import lock_older_posts
from tests.web.html import Html

BOTH = pytest.mark.parametrize("extra", [{}, {"headers": HTMX}], ids=["page", "htmx"])


@pytest.fixture
def root(alice) -> Pointer:
    return Pointer(publish_post(by=alice, content="Look", nonce="root"), alice.user_id)


def url_of(root: Pointer) -> str:
    return f"/@alice/posts/{root.post_id}"


def answer(by, to: Pointer, *photos: str, content: str = "Mine", nonce: str = "") -> str:
    return reply(by=by, to=to, content=content, nonce=nonce or ids.new_id(), photos=photos)


def send(browser: Client, root: Pointer, extra, **form: object):
    form = {"nonce": secrets.token_urlsafe(16), "content": "Mine"} | form
    return browser.post(f"{url_of(root)}/reply", form, **extra)


def says(browser_of, root: Pointer) -> list[list[str]]:
    branches = get_conversation(root.post_id, root.author_id, viewer=browser_of).branches
    return [[one.says for one in node.card.photos] for branch in branches for node in branch.chain]


@BOTH
def test_a_reply_shows_its_photos_in_the_thread(alice, bob, log_in, root, drain_stream, extra):
    one = photo(bob, "Before")
    given = {"photo": [one], "description": ["A"], "photos": [file()], "descriptions": ["B"]}
    response = send(log_in(bob), root, extra, content="", **given)
    assert response.status_code == (200 if extra else 302)
    drain_stream()
    page = log_in(alice).get(url_of(root)).content.decode()
    assert page.index('alt="A"') < page.index('alt="B"')
    assert 'alt="A"' in Client().get(url_of(root)).content.decode()
    assert broken_invariants() == {}


@BOTH
def test_what_is_refused_keeps_text_and_photos(bob, log_in, root, extra):
    used, free = photo(bob), photo(bob)
    post_photos(bob, used)
    response = send(log_in(bob), root, extra, photo=[used, free], description=["", "Free"])
    assert response.status_code == 422
    page = Html(response)
    assert page.value("content") == "Mine"
    assert [one["value"] for one in page.all(name="photo")] == [free]
    assert "another post shows it" in page.one(class_="photos-note").text
    response = send(log_in(bob), root, extra, content="x" * 1001, photos=[file()])
    assert response.status_code == 422
    assert len(Html(response).all(name="photo")) == 1


def test_without_script_photos_are_moved_and_taken_out_where_one_answers(bob, log_in, root):
    one, other = photo(bob), photo(bob)
    browser = log_in(bob)
    plain = Html(browser.get(f"{url_of(root)}/reply"))
    assert plain.all("input", type="file", name="photos")
    assert len(plain.all("textarea", name="descriptions")) == 4
    form = {"photo": [one, other], "description": ["One", "Other"]}
    page = Html(send(browser, root, {}, arrange=f"earlier {other}", **form))
    assert [tile["value"] for tile in page.all(name="photo")] == [other, one]
    assert page.one("button", value=f"remove {one}")["formaction"] == f"{url_of(root)}/reply"
    page = Html(send(browser, root, {}, arrange=f"remove {one}", **form))
    assert [tile["value"] for tile in page.all(name="photo")] == [other]
    assert page.value("content") == "Mine"
    assert list_posts(bob.card).items == []


def test_the_same_form_twice_is_one_reply_and_other_photos_are_another(bob, root, drain_stream):
    one, other = photo(bob), photo(bob)
    first = answer(bob, root, one, nonce="form")
    assert answer(bob, root, one, nonce="form") == first
    assert answer(bob, root, other, nonce="form") != first


def test_word_rules_read_descriptions_of_replies(bob, log_in, root):
    keep_site_rules(SiteRules(words=(Word("w1", "word", "heron", Effect.REFUSE, "spam", ""),)))
    response = send(log_in(bob), root, {}, photo=[photo(bob)], description=["A heron"])
    assert response.status_code == 422


@pytest.mark.parametrize("audience", SEEN_BY)
def test_each_reader_of_the_thread_gets_addresses_that_only_they_can_use(
    alice,
    readers,  # noqa: F811
    drain_stream,
    audience,
):
    root = Pointer(
        publish_post(by=alice, content="Look", nonce="r", audience=audience), alice.user_id
    )
    answer(alice, root, photo(alice), photo(alice))
    drain_stream()
    drain_stream()
    named = {kind: files_on(browser, url_of(root)) for kind, browser in readers.items()}
    assert {kind for kind, files in named.items() if files} == SEEN_BY[audience]
    for owner, files in named.items():
        for address in files:
            can = {kind for kind, browser in readers.items() if opens(browser, address)}
            assert can == (set(readers) if audience == Audience.EVERYONE else {owner})


def hidden(alice, bob, root, reply_id):
    restrict(bob, Restriction.SUSPENDED)


def closed(alice, bob, root, reply_id):
    change_audience(by=alice, post_id=root.post_id, audience=Audience.FRIENDS)


def deleted(alice, bob, root, reply_id):
    delete_post(by=bob, post_id=reply_id)


def locked(alice, bob, root, reply_id):
    lock_older_posts(alice)


@pytest.mark.parametrize("close", [hidden, closed, deleted, locked])
def test_once_the_thread_or_reply_is_closed_its_public_files_are_gone(
    alice, bob, root, drain_stream, close
):
    reply_id = answer(bob, root, photo(bob))
    visitor = Client()
    assert files_on(visitor, url_of(root)) == set(), "until the worker was there"
    drain_stream()
    drain_stream()
    before = files_on(visitor, url_of(root))
    assert before
    assert all(opens(visitor, one) for one in before)
    close(alice, bob, root, reply_id)
    for _ in range(3):
        drain_stream()
    assert files_on(visitor, url_of(root)) == set()
    assert not any(opens(visitor, one) for one in before)
    assert broken_invariants() == {}


def test_a_thread_opened_again_shows_the_photos_of_its_replies_at_other_addresses(
    alice, bob, root, drain_stream
):
    answer(bob, root, photo(bob))
    visitor = Client()
    change_audience(by=alice, post_id=root.post_id, audience=Audience.FRIENDS)
    for _ in range(3):
        drain_stream()
    assert files_on(visitor, url_of(root)) == set()
    change_audience(by=alice, post_id=root.post_id, audience=Audience.EVERYONE)
    for _ in range(3):
        drain_stream()
    assert files_on(visitor, url_of(root))
    assert broken_invariants() == {}


def test_the_copy_in_the_thread_follows_descriptions_and_edits(alice, bob, root, drain_stream):
    one = photo(bob, "x" * 300)
    reply_id = answer(bob, root, one, content="Short")
    describe_photos(by=bob, post_id=reply_id, descriptions={one: "y" * 300})
    assert says(alice, root) == [["y" * 300]]
    edit_post(by=bob, post_id=reply_id, content="é" * 1000, version=1)
    drain_stream()
    drain_stream()
    assert broken_invariants() == {}


def test_a_deleted_reply_takes_its_photos_along_and_leaves_its_place_bare(
    alice, bob, root, drain_stream
):
    reply_id = answer(bob, root, photo(bob))
    answer(alice, Pointer(reply_id, bob.user_id))
    place = get(Post, keys.post(bob.user_id, reply_id))
    delete_post(by=bob, post_id=reply_id)
    for _ in range(3):
        drain_stream()
    assert list(list_places(bob.user_id)) == []
    assert get(Reply, keys.reply_place(place.root_id, place.path)).photos is None
    assert broken_invariants() == {}


def test_a_reply_with_photos_is_among_its_authors_media(alice, bob, root):
    reply_id = answer(bob, root, photo(bob, "A heron"))
    assert [card.post_id for card in list_media(bob.card, viewer=alice).items] == [reply_id]
