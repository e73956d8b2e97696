"""Photos and a poll in quotes: as in any post for everyone, and nothing that was typed is lost where it is refused."""

import secrets

import pytest
from django.test import Client

from feed.cards.reads import get_post
from feed.polls.models import PollWish
from feed.polls.writes import CLOSE_POLL
from feed.posts.models import Post
from feed.posts.reads import Pointer
from feed.profiles.reads import list_media, list_posts
from feed.publishing.writes import SubmittedAndDeleted, delete_post
from feed.sharing.writes import quote, withdraw_quote
from feed.threads.writes import choose_replies
from photos.files import list_places
from relations.blocks.writes import block
from socialsite.site_settings.word_filters import Effect
from socialsite.table import change, keys
from tests.conftest import post
from tests.feed.composing.test_publish_due import planned
from tests.feed.photographs import photo, post_photos
from tests.feed.photos.test_files_of_closed_posts import files_on, opens
from tests.feed.photos.test_photos_in_the_composer import file
from tests.feed.polls.polling import DRINKS, choose, poll_of
from tests.feed.quoting import card_of, quoted_by
from tests.looks import broken_invariants
from tests.moderation.site import word_rule
from tests.web.html import Html

POLL = PollWish(DRINKS, length="3d", several=True)
FIELDS = {"poll_options": [*DRINKS], "poll_ends": "3d", "poll_several": "on"}


@pytest.fixture
def post_id(alice) -> str:
    return post(alice, "A thought")


def send(browser: Client, post_id: str, **form: object):
    form = {"nonce": secrets.token_urlsafe(16), "content": "Look"} | form
    return browser.post(f"/@alice/posts/{post_id}/quote", form)


def ends_of_polls() -> list[str]:
    return [due.subject for due in planned() if due.kind == CLOSE_POLL]


def shown(page: Html) -> tuple[list[str], list[str]]:
    """The photos and the answers that the composer shows."""
    tiles = [one["value"] for one in page.all(name="photo")]
    return tiles, [text for one in page.all(name="poll_options") if (text := one["value"])]


def test_a_quote_shows_its_photos_its_poll_and_the_post(alice, bob, log_in, post_id, drain_stream):
    given = {"photo": [photo(bob)], "description": ["A"], "photos": [file()], "descriptions": ["B"]}
    address = send(log_in(bob), post_id, **given, **FIELDS)["Location"]
    drain_stream()
    _, text = Client().get(address).content.decode().split("<article")
    places = [text.index(one) for one in ('alt="A"', 'alt="B"', "Coffee", "<blockquote")]
    assert places == sorted(places)
    (quoting,) = list_media(bob.card, viewer=alice).items
    assert [one.says for one in quoting.photos] == ["A", "B"]
    assert ends_of_polls() == [quoting.post_id]
    choose(alice, bob, quoting.post_id, 0, 2)
    drain_stream()
    assert poll_of(bob, quoting.post_id, alice).voters == 1
    assert broken_invariants() == {}


def test_a_photo_is_words_enough_but_no_question(bob, log_in, post_id):
    browser = log_in(bob)
    assert send(browser, post_id, content="", photo=[photo(bob)]).status_code == 302
    answer = send(browser, post_id, content="", photo=[photo(bob)], **FIELDS)
    assert answer.status_code == 422
    assert "Write something first." in answer.content.decode()


def test_the_same_form_twice_is_one_post_and_another_poll_or_photo_is_another(bob, log_in, post_id):
    one, other = photo(bob), photo(bob)
    browser, form = log_in(bob), {"nonce": "n" * 22, **FIELDS}
    first = send(browser, post_id, photo=[one], **form)["Location"]
    assert send(browser, post_id, photo=[one], **form)["Location"] == first
    assert send(browser, post_id, photo=[other], **form)["Location"] != first
    assert send(browser, post_id, nonce="n" * 22)["Location"] != first
    assert len(list_posts(bob.card, viewer=bob).items) == 3


def test_the_form_of_a_deleted_quote_says_so(alice, bob, post_id, drain_stream):
    form = {"by": bob, "post": Pointer(post_id, alice.user_id), "content": "Look", "nonce": "form"}
    form |= {"poll": POLL, "photos": [photo(bob)]}
    delete_post(by=bob, post_id=quote(**form))
    for _ in range(3):
        drain_stream()
    assert list(list_places(bob.user_id)) == [], "so that the photo is refused first"
    with pytest.raises(SubmittedAndDeleted):
        quote(**form)


def test_what_is_refused_keeps_text_photos_and_poll(alice, bob, log_in, post_id):
    used, free = photo(bob), photo(bob)
    post_photos(bob, used)
    browser = log_in(bob)
    answer = send(browser, post_id, photo=[used, free], **FIELDS)
    assert answer.status_code == 422
    assert shown(Html(answer)) == ([free], [*DRINKS])
    assert "another post shows it" in Html(answer).one(class_="photos-note").text
    choose_replies(by=alice, post_id=post_id, replies="", quotable=False)
    answer = send(browser, post_id, photo=[free], description=["A heron"], **FIELDS)
    assert answer.status_code == 403
    page = Html(answer)
    assert (page.value("content"), page.value("description")) == ("Look", "A heron")
    assert shown(page) == ([free], [*DRINKS])
    assert "open" in page.one("details", class_="part-poll").attributes
    assert "selected" in page.one("option", value="3d").attributes


def test_a_block_meanwhile_refuses_the_quote_keeps_all_and_leaves_the_photo_free(
    alice, bob, log_in, post_id, monkeypatch
):
    def seen_before(*args, **how):
        card = get_post(*args, **how)
        block(by=alice, user_id=bob.user_id)
        return card

    one, browser = photo(bob), log_in(bob)
    monkeypatch.setattr("feed.sharing.views.get_post", seen_before)
    answer = send(browser, post_id, photo=[one], **FIELDS)
    assert answer.status_code == 403
    assert "You can’t quote this post." in answer.content.decode()
    assert shown(Html(answer)) == ([one], [*DRINKS])
    assert ends_of_polls() == []
    assert post_photos(bob, one)


def test_without_script_photos_are_moved_and_taken_out_where_one_quotes(bob, log_in, post_id):
    one, other = photo(bob), photo(bob)
    browser, address = log_in(bob), f"/@alice/posts/{post_id}/quote"
    plain = Html(browser.get(address))
    assert plain.all("input", type="file", name="photos")
    assert len(plain.all("textarea", name="descriptions")) == 4
    form = {"photo": [one, other], "description": ["One", "Other"], **FIELDS}
    page = Html(send(browser, post_id, arrange=f"earlier {other}", **form))
    assert shown(page) == ([other, one], [*DRINKS])
    assert page.one("button", value=f"remove {one}")["formaction"] == address
    page = Html(send(browser, post_id, arrange=f"remove {one}", **form))
    assert shown(page) == ([other], [*DRINKS])
    assert page.value("content") == "Look"
    assert list_posts(bob.card).items == []


def test_word_rules_read_descriptions_and_answers(admin, bob, log_in, post_id):
    word_rule(admin, "coffee", Effect.REFUSE)
    word_rule(admin, "heron", Effect.REFUSE)
    browser = log_in(bob)
    assert send(browser, post_id, **FIELDS).status_code == 422
    answer = send(browser, post_id, photo=[photo(bob)], description=["A heron"])
    assert answer.status_code == 422


def test_a_held_quote_shows_its_photos_to_nobody_until_it_is_released(
    admin, alice, bob, log_in, post_id, drain_stream
):
    word_rule(admin, "heron", Effect.HOLD)
    browser = log_in(bob)
    sent = {"photo": [photo(bob)], "description": ["A heron"]}
    address = send(browser, post_id, **sent, **FIELDS)["Location"]
    drain_stream()
    for other in (Client(), log_in(alice)):
        assert files_on(other, address) == files_on(other, "/@bob/media") == set()
        assert "A heron" not in other.get(f"/@alice/posts/{post_id}/quotes").content.decode()
    own = files_on(browser, address)
    assert own
    assert not any(opens(Client(), one) for one in own)
    change(Post, keys.post(bob.user_id, address.rsplit("/")[-1]), [Post.withheld.remove()])
    drain_stream()
    drain_stream()
    assert all(opens(Client(), one) for one in files_on(Client(), address))


def test_a_withdrawn_quote_keeps_its_photos_and_its_poll(alice, bob, post_id, drain_stream):
    quoting = quoted_by(bob, alice, post_id, photos=[photo(bob, "A heron")], poll=POLL)
    choose(alice, bob, quoting, 1)
    withdraw_quote(by=alice, quoting=Pointer(quoting, bob.user_id))
    drain_stream()
    card = card_of(bob, quoting, alice)
    assert card.quoted is None
    assert [one.says for one in card.photos] == ["A heron"]
    assert card.poll.voters == 1
    assert files_on(Client(), card.url)
    assert broken_invariants() == {}


def test_a_deleted_quote_takes_photos_and_the_planned_end_along(alice, bob, post_id, drain_stream):
    quoting = quoted_by(bob, alice, post_id, photos=[photo(bob)], poll=POLL)
    delete_post(by=bob, post_id=quoting)
    for _ in range(3):
        drain_stream()
    assert list(list_places(bob.user_id)) == []
    assert ends_of_polls() == []
    assert broken_invariants() == {}
