"""Quoting: a post that carries another one, until its author takes it out."""

import pytest
from django.test import Client

from accounts.people.restrictions import Restriction
from feed.home.reads import get_timeline
from feed.posts.models import Audience, Post, Withheld
from feed.posts.reads import Pointer
from feed.profiles.reads import list_posts
from feed.publishing.models import QuoteRefusal
from feed.publishing.writes import delete_post, publish_post
from feed.sharing.reads import list_quotes
from feed.sharing.writes import CannotQuote, repost, withdraw_quote
from relations.blocks.writes import block, mute
from relations.follows.writes import follow
from relations.reads import get_person
from socialsite.table import NotFound, change, fetch, get, keys, query
from socialsite.table.ids import new_id
from tests.conftest import person, post
from tests.feed.scenes import card_of, quoted_by, quotes_counted
from tests.looks import broken_invariants
from tests.moderation.cases import restrict, withhold
from tests.notifications.told import told
from tests.streams.crowd import returning
from tests.web.html import Html


@pytest.fixture
def post_id(alice) -> str:
    return post(alice, "A thought")


def send(browser: Client, post_id: str, content: str = "Look", **extra):
    form = {"content": content, "nonce": "n" * 22} | extra
    return browser.post(f"/@alice/posts/{post_id}/quote", form)


def test_a_quote_carries_the_post_and_is_counted(alice, bob, carol, post_id, drain_stream):
    quoting = quoted_by(bob, alice, post_id)
    drain_stream()
    card = card_of(bob, quoting, carol)
    assert card.quoted is not None
    assert (card.quoted.post_id, card.quoted.author.handle) == (post_id, "alice")
    assert quotes_counted(post_id) == 1
    assert [one.post_id for one in list_quotes(post_id, viewer=carol).items] == [quoting]
    assert told(alice) == ["Bob quoted your post"]
    assert not broken_invariants()


def test_the_page_shows_the_quoted_post_with_a_link(alice, bob, post_id, log_in):
    quoting = quoted_by(bob, alice, post_id)
    page = Html(log_in(alice).get(f"/@bob/posts/{quoting}"))
    assert "A thought" in page.one("blockquote").text
    assert page.one("a", class_="quoted-link")["href"] == f"/@alice/posts/{post_id}"


def test_sending_the_form_publishes_and_leads_to_the_post(alice, bob, post_id, log_in):
    browser = log_in(bob)
    assert "A thought" in browser.get(f"/@alice/posts/{post_id}/quote").content.decode()
    first, again = send(browser, post_id), send(browser, post_id)
    assert first.status_code == 302
    assert first["Location"] == again["Location"]
    assert len(list(query(keys.quotes(post_id)))) == 1


def test_an_empty_quote_is_refused_beside_the_field(alice, bob, post_id, log_in):
    response = send(log_in(bob), post_id, " ")
    assert response.status_code == 422
    assert "Write something first." in response.content.decode()


def test_home_reads_quoted_posts_with_the_page(
    alice, bob, carol, post_id, drain_stream, log_in, measure
):
    follow(by=carol, user_id=bob.user_id)
    quoting = quoted_by(bob, alice, post_id)
    drain_stream()
    (card,) = get_timeline(returning(carol)).items
    assert (card.post_id, card.quoted and card.quoted.post_id) == (quoting, post_id)
    browser = log_in(carol)
    browser.get("/")
    with measure() as meter:
        browser.get("/")
    assert len(meter.calls) == 3


def test_a_reposted_quote_carries_the_post_too(alice, bob, carol, post_id, drain_stream):
    quoting = quoted_by(bob, alice, post_id)
    repost(by=carol, post=Pointer(quoting, bob.user_id))
    drain_stream()
    (card,) = list_posts(get_person(carol.user_id, viewer=alice), viewer=alice).items
    assert (card.post_id, card.quoted and card.quoted.post_id) == (quoting, post_id)
    assert not broken_invariants()


@pytest.mark.parametrize("audience", [Audience.FOLLOWERS, Audience.FRIENDS, Audience.ONLY_ME])
def test_only_posts_for_everyone_are_quoted(alice, bob, log_in, audience):
    follow(by=bob, user_id=alice.user_id)
    closed = publish_post(by=alice, content="Psst", nonce=new_id(), audience=audience)
    assert log_in(bob).get(f"/@alice/posts/{closed}/quote").status_code == 404
    with pytest.raises(CannotQuote):
        quoted_by(bob, alice, closed)


def test_a_form_that_was_open_when_the_post_was_closed_keeps_the_text(alice, bob, post_id, log_in):
    follow(by=bob, user_id=alice.user_id)
    browser = log_in(bob)
    key = keys.post(alice.user_id, post_id)
    change(Post, key, [Post.audience.set(Audience.FOLLOWERS)])
    response = send(browser, post_id, "My words")
    assert response.status_code == 403
    assert "My words" in response.content.decode()
    assert "You can’t quote this post." in response.content.decode()
    assert not list(query(keys.posts(bob.user_id)))


def test_an_author_turns_quotes_off_and_on(alice, bob, post_id, log_in):
    address, browser = f"/@alice/posts/{post_id}", log_in(bob)
    log_in(alice).post(f"{address}/replies", {"replies": "", "quotes": "nobody"})
    assert browser.get(f"{address}/quote").status_code == 404
    assert f"{address}/quote" not in browser.get(address).content.decode()
    assert send(browser, post_id).status_code == 403
    with pytest.raises(CannotQuote):
        quoted_by(bob, alice, post_id)
    assert quoted_by(alice, alice, post_id, "My own")
    log_in(alice).post(f"{address}/replies", {"replies": "", "quotes": ""})
    assert send(browser, post_id).status_code == 302


@pytest.mark.parametrize("blocker", ["author", "quoting"])
def test_a_block_refuses_quotes_and_hides_the_quoted_post(alice, bob, carol, post_id, blocker):
    quoting = quoted_by(bob, alice, post_id)
    one, other = (alice, bob) if blocker == "author" else (bob, alice)
    block(by=one, user_id=other.user_id)
    with pytest.raises(CannotQuote):
        quoted_by(bob, alice, post_id)
    assert card_of(bob, quoting, carol).quoted is not None
    assert card_of(bob, quoting, bob).quoted is None


def test_people_whom_the_viewer_mutes_are_not_quoted(alice, bob, carol, post_id):
    quoting = quoted_by(bob, alice, post_id)
    mute(by=carol, user_id=alice.user_id)
    assert card_of(bob, quoting, carol).quoted is None


def test_a_deleted_post_leaves_a_line_in_its_quotes(
    alice, bob, carol, post_id, log_in, drain_stream
):
    quoting = quoted_by(bob, alice, post_id)
    drain_stream()
    delete_post(by=alice, post_id=post_id)
    page = Html(log_in(carol).get(f"/@bob/posts/{quoting}"))
    assert "The quoted post can’t be shown." in page.one(class_="quoted-gone").text
    drain_stream()
    assert not list(query(keys.quotes(post_id)))
    assert not broken_invariants()


def test_a_deleted_quote_is_counted_off(alice, bob, post_id, drain_stream):
    quoting = quoted_by(bob, alice, post_id)
    drain_stream()
    delete_post(by=bob, post_id=quoting)
    drain_stream()
    assert quotes_counted(post_id) == 0
    assert told(alice) == []
    assert not broken_invariants()


@pytest.mark.parametrize("why", Withheld)
def test_a_withheld_quote_is_neither_counted_nor_listed(
    alice, bob, carol, post_id, drain_stream, why
):
    quoting = quoted_by(bob, alice, post_id)
    withhold(bob, quoting, why)
    drain_stream()
    assert quotes_counted(post_id) == 0
    assert list_quotes(post_id, viewer=carol).items == []


@pytest.mark.parametrize("why", [*Withheld, Restriction.SUSPENDED, Restriction.LIMITED])
def test_what_moderators_keep_from_others_is_not_shown_in_quotes(
    alice, bob, carol, post_id, log_in, drain_stream, why
):
    follow(by=carol, user_id=bob.user_id)
    quoting = quoted_by(bob, alice, post_id)
    drain_stream()
    browsers = [Client(), log_in(carol), log_in(bob)]
    pages = [f"/@bob/posts/{quoting}", "/@bob", "/"]

    def quote_it() -> set[str]:
        answers = {path: [one.get(path).content.decode() for one in browsers] for path in pages}
        return {path for path, texts in answers.items() for text in texts if "A thought" in text}

    assert quote_it() == {*pages}
    if why in Restriction:
        restrict(alice, why)
    else:
        withhold(alice, post_id, why)
    assert quote_it() == set()


def test_a_frozen_person_quotes_nothing(post_id, log_in):
    frozen = person("frosty")
    restrict(frozen, Restriction.FROZEN)
    assert send(log_in(frozen), post_id).status_code == 403
    assert not list(query(keys.quotes(post_id)))


# The author of a quoted post takes it out of a post that quotes it, for good.


def test_the_quoted_author_takes_the_quote_back_for_good(
    alice, bob, carol, post_id, log_in, drain_stream
):
    quoting = quoted_by(bob, alice, post_id)
    drain_stream()
    address = f"/@bob/posts/{quoting}"
    assert f"{address}/withdraw" in log_in(alice).get(address).content.decode()
    for _ in range(2):
        assert log_in(alice).post(f"{address}/withdraw").status_code == 302
    card = card_of(bob, quoting, carol)
    assert (card.quoted, card.quote_withdrawn) == (None, True)
    drain_stream()
    assert quotes_counted(post_id) == 0
    assert list_quotes(post_id, viewer=carol).items == []
    with pytest.raises(CannotQuote):
        quoted_by(bob, alice, post_id)
    assert quoted_by(carol, alice, post_id)
    drain_stream()
    assert not broken_invariants()


def test_nobody_else_takes_a_quote_back(alice, bob, carol, post_id, log_in):
    quoting = quoted_by(bob, alice, post_id)
    address = f"/@bob/posts/{quoting}/withdraw"
    for other in (bob, carol):
        assert log_in(other).post(address).status_code == 404
    assert log_in(alice).get(address).status_code == 405
    assert Client().post(address)["Location"].startswith("/login")
    with pytest.raises(NotFound):
        withdraw_quote(by=alice, quoting=Pointer(post_id, alice.user_id))
    refusal = keys.quote_refusal(alice.user_id, post_id, bob.user_id)
    assert not fetch([refusal], consistent=True)
    assert card_of(bob, quoting, carol).quoted is not None


def test_a_refusal_is_in_the_partition_of_the_quoted_author(alice, bob, post_id):
    quoting = quoted_by(bob, alice, post_id)
    withdraw_quote(by=alice, quoting=Pointer(quoting, bob.user_id))
    refusal = get(QuoteRefusal, keys.quote_refusal(alice.user_id, post_id, bob.user_id))
    assert (refusal.post_id, refusal.other_id) == (post_id, bob.user_id)
