"""A story stands in lists as one card: its first post, with the number of the others, which its page shows in order."""

import pytest
from django.test import Client

from feed.home.reads import get_timeline
from feed.posts.models import Audience, LikeCount, Post
from feed.posts.reads import Pointer
from feed.publishing.changes import change_audience
from feed.publishing.writes import Part, delete_post, publish_post
from feed.sharing.writes import repost
from feed.threads.writes import reply
from operations.reconcile import reconcile_page
from relations.follows.writes import follow
from relations.own_choices.writes import favourite
from socialsite.streams.worker import Worker
from socialsite.table import change, ids, keys, query, row
from socialsite.table.reading import scan
from tests.conftest import post
from tests.faults.looks import timeline_of
from tests.looks import broken_invariants
from tests.moderation.restricting import withhold
from tests.privacy.erasing import erase
from tests.relations.relations import befriend
from tests.web.html import Html

TEXTS = ["Once upon a time", "there was a table", "with one partition key", "and a sort key"]


def tell(author, **more) -> str:
    first, *others = TEXTS
    parts = [Part(text) for text in others]
    return publish_post(by=author, content=first, nonce=ids.new_id(), parts=parts, **more)


def posts_of(author) -> list[str]:
    """All posts of a story by someone who wrote nothing else, in order."""
    return [row(Post, raw).post_id for raw in query(keys.posts(author.user_id), consistent=True)]


def said(page: Html) -> list[str]:
    return [one.text for one in page.all("div", class_="post-text")]


@pytest.mark.parametrize(
    ("reader", "address"),
    [
        *(("alice", address) for address in ("/", "/local", "/@alice")),
        *(("bob", address) for address in ("/", "/local", "/@alice", "/favourites")),
    ],
)
def test_it_is_one_card_that_says_how_many_more(alice, bob, log_in, drain_stream, reader, address):
    follow(by=bob, user_id=alice.user_id)
    favourite(by=bob, user_id=alice.user_id)
    first = tell(alice)
    drain_stream()
    page = Html(log_in({"alice": alice, "bob": bob}[reader]).get(address))
    assert page.post_ids() == [first]
    link = page.one("a", class_="post-story")
    assert (link.text, link["href"]) == ("3 more in this story", f"/@alice/posts/{first}")
    assert said(Html(Client().get(str(link["href"])))) == TEXTS
    assert not broken_invariants()


def test_a_new_follower_a_friend_and_a_reader_who_returns_get_the_first_post_alone(
    alice, bob, carol, drain_stream
):
    first = tell(alice)
    for_friends = tell(alice, audience=Audience.FRIENDS)
    follow(by=bob, user_id=alice.user_id)
    befriend(alice, carol)
    drain_stream()
    assert timeline_of(bob) == [first]
    assert timeline_of(carol) == [for_friends]
    assert not broken_invariants()


def test_it_is_one_new_post_on_the_pill(alice, bob, log_in, drain_stream):
    follow(by=bob, user_id=alice.user_id)
    drain_stream()
    browser = log_in(bob)
    pulse = str(Html(browser.get("/")).one("div", id="pulse")["hx-get"])
    tell(alice)
    drain_stream()
    answer = browser.get(pulse, headers={"HX-Request": "true"}).content.decode()
    assert "1 new post" in answer


def test_a_feed_of_atom_has_it_once(alice):
    tell(alice)
    assert Client().get("/@alice/feed.atom").content.decode().count("<entry>") == 1


def test_whoever_reposts_it_brings_all_of_it(alice, bob, carol, log_in, drain_stream):
    follow(by=carol, user_id=bob.user_id)
    repost(by=bob, post=Pointer(tell(alice), alice.user_id))
    drain_stream()
    page = Html(log_in(carol).get("/"))
    assert page.one("a", class_="post-story").text == "3 more in this story"


def test_the_number_is_of_those_that_readers_can_see(alice, bob, drain_stream):
    first = tell(alice)
    _first, second, third, _fourth = posts_of(alice)
    drain_stream()
    delete_post(by=alice, post_id=second)
    withhold(alice, third)
    drain_stream()
    (card,) = get_timeline(alice).items
    assert (card.post_id, card.part_count) == (first, 1)


def test_what_its_author_adds_later_is_a_post_of_its_own(alice, bob, drain_stream):
    follow(by=bob, user_id=alice.user_id)
    first = tell(alice)
    last = posts_of(alice)[-1]
    later = reply(by=alice, to=Pointer(last, alice.user_id), content="The end", nonce=ids.new_id())
    drain_stream()
    assert timeline_of(bob) == [later, first]
    assert next(one for one in get_timeline(bob).items if one.post_id == first).part_count == 3
    assert not broken_invariants()


def test_without_its_first_post_the_others_stand_for_themselves(alice, bob, log_in, drain_stream):
    follow(by=bob, user_id=alice.user_id)
    first = tell(alice)
    rest = posts_of(alice)[1:]
    drain_stream()
    delete_post(by=alice, post_id=first)
    drain_stream()
    assert Html(log_in(bob).get("/@alice")).post_ids() == rest[::-1]
    assert Html(log_in(bob).get("/")).post_ids() == rest[::-1]
    assert not broken_invariants()


def test_an_author_who_leaves_takes_all_of_it_along(alice, bob):
    worker = Worker()
    follow(by=bob, user_id=alice.user_id)
    tell(alice)
    worker.drain()
    erase(alice, worker)
    assert posts_of(alice) == []
    assert not broken_invariants()


def test_readers_of_another_audience_get_the_first_post_alone(alice, bob, drain_stream):
    follow(by=bob, user_id=alice.user_id)
    first = tell(alice, audience=Audience.ONLY_ME)
    change_audience(by=alice, post_id=first, audience=Audience.EVERYONE)
    drain_stream()
    assert timeline_of(bob) == [first]
    assert not broken_invariants()


def test_a_story_from_before_stays_as_it_was(alice, bob, drain_stream):
    """Its posts are marked as nothing, and were brought one by one."""
    follow(by=bob, user_id=alice.user_id)
    first = post(alice, TEXTS[0])
    second = reply(by=alice, to=Pointer(first, alice.user_id), content="Two", nonce=ids.new_id())
    drain_stream()
    assert timeline_of(bob) == [second, first]


def test_a_wrong_number_is_mended(alice, drain_stream):
    first = tell(alice)
    drain_stream()
    change(LikeCount, keys.like_count(first), [LikeCount.parts.set(9)])
    assert broken_invariants()
    list(reconcile_page(list(scan()), begun=ids.new_id()))
    drain_stream()
    assert not broken_invariants()
