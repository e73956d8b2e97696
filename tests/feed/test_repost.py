"""Reposting: the button, its three items, the count, and what goes with a like."""

import pytest
from django.test import Client

from accounts.people.cards import PersonCard
from accounts.people.reads import get_user_info
from feed.cards.reads import get_post
from feed.likes.writes import like_post, unlike_post
from feed.posts.models import Audience, LikeCount
from feed.posts.reads import Pointer
from feed.profiles.reads import list_liked
from feed.publishing.writes import delete_post, publish_post
from feed.sharing.reads import list_reposters
from feed.sharing.writes import repost, take_repost_back
from socialsite.table import fetch, get, keys, query
from socialsite.table.ids import new_id
from tests.conftest import HTMX, post
from tests.feed.answers import answer
from tests.looks import broken_invariants
from tests.web.html import Html

ON, OFF = {"on": "1"}, {"on": "0"}


@pytest.fixture
def post_id(alice) -> str:
    return post(alice)


def press(browser: Client, post_id: str, form: dict[str, str], **extra):
    return browser.post(f"/@alice/posts/{post_id}/repost", form, **extra)


def stored(viewer, post_id: str) -> list[str]:
    """The types of what a repost consists of, among them those of the person's own posts."""
    wanted = [keys.reposter(post_id, viewer.user_id), keys.like_trace(viewer.user_id, post_id)]
    lists = fetch(wanted, consistent=True).values()
    own = query(keys.posts(viewer.user_id), consistent=True)
    return sorted(raw["type"]["S"] for raw in (*lists, *own))


def counted(post_id: str) -> int:
    return int(get(LikeCount, keys.like_count(post_id)).reposts or 0)


def test_a_repost_is_one_transaction_of_three_items(alice, bob, post_id, requests_of):
    with requests_of() as requests:
        repost(by=bob, post=Pointer(post_id, alice.user_id))
    assert requests.operations == ["GetItem", "TransactWriteItems"]
    puts = [action["Put"]["Item"] for action in requests.made[1].parameters["TransactItems"]]
    assert [put["type"]["S"] for put in puts] == ["Repost", "Reposter", "LikeTrace"]


def test_pressing_leads_back_to_the_post(alice, bob, post_id, log_in):
    response = press(log_in(bob), post_id, ON)
    assert (response.status_code, response["Location"]) == (302, f"/@alice/posts/{post_id}")
    assert stored(bob, post_id) == ["LikeTrace", "Repost", "Reposter"]


def test_pressing_over_htmx_answers_the_button_with_the_repost_counted(alice, bob, post_id, log_in):
    page = Html(press(log_in(bob), post_id, ON, headers=HTMX))
    assert page.elements[0]["class"] == "repost"
    button = page.one("button")
    assert (button["aria-pressed"], button["value"]) == ("true", "0")
    assert page.one(class_="repost-count").text == "1 repost"


def test_pressing_twice_reposts_once_and_is_taken_back_once(
    alice, bob, carol, post_id, log_in, drain_stream
):
    for viewer in (bob, bob, carol):
        press(log_in(viewer), post_id, ON)
    drain_stream()
    assert counted(post_id) == 2
    for _ in range(2):
        page = Html(press(log_in(bob), post_id, OFF, headers=HTMX))
        assert page.one("button")["aria-pressed"] == "false"
    drain_stream()
    assert counted(post_id) == 1
    assert stored(bob, post_id) == []
    assert not broken_invariants()


def test_a_repost_is_no_like_and_outlives_one(alice, bob, post_id, log_in, drain_stream):
    where = {"post_id": post_id, "author_id": alice.user_id}
    repost(by=bob, post=Pointer(post_id, alice.user_id))
    assert not get_post(*where.values(), viewer=bob).liked
    like_post(by=bob, **where)
    like_post(by=bob, **where)
    drain_stream()
    card = get_post(*where.values(), viewer=bob)
    assert (card.liked, card.reposted, card.like_count, card.repost_count) == (True, True, 1, 1)
    unlike_post(by=bob, post_id=post_id)
    unlike_post(by=bob, post_id=post_id)
    drain_stream()
    card = get_post(*where.values(), viewer=bob)
    assert (card.liked, card.reposted, card.like_count, card.repost_count) == (False, True, 0, 1)
    assert not broken_invariants()


def test_a_like_outlives_a_repost(alice, bob, post_id, drain_stream):
    like_post(by=bob, post_id=post_id, author_id=alice.user_id)
    repost(by=bob, post=Pointer(post_id, alice.user_id))
    take_repost_back(by=bob, post_id=post_id)
    drain_stream()
    card = get_post(post_id, alice.user_id, viewer=bob)
    assert (card.liked, card.reposted, card.like_count, card.repost_count) == (True, False, 1, 0)
    assert not broken_invariants()


def test_what_is_reposted_alone_is_not_among_the_likes(alice, bob, post_id):
    repost(by=bob, post=Pointer(post_id, alice.user_id))
    liked = post(alice)
    like_post(by=bob, post_id=liked, author_id=alice.user_id)
    own = PersonCard(bob.user_id, "bob", "Bob", "/@bob", "")
    assert [card.post_id for card in list_liked(own, viewer=bob).items] == [liked]


def test_the_people_who_reposted_are_listed(alice, bob, carol, post_id, log_in):
    for viewer in (bob, carol):
        repost(by=viewer, post=Pointer(post_id, alice.user_id))
    assert [one.handle for one in list_reposters(post_id).items] == ["bob", "carol"]
    text = log_in(alice).get(f"/@alice/posts/{post_id}/reposters").content.decode()
    assert "@bob" in text
    assert "@carol" in text


@pytest.mark.parametrize("audience", [Audience.FOLLOWERS, Audience.FRIENDS, Audience.ONLY_ME])
def test_only_posts_for_everyone_are_reposted(alice, log_in, audience):
    closed = publish_post(by=alice, content="Psst", nonce=new_id(), audience=audience)
    browser = log_in(alice)
    assert press(browser, closed, ON).status_code == 404
    assert "/repost" not in browser.get(f"/@alice/posts/{closed}").content.decode()


def test_a_post_that_is_not_there_is_not_reposted(alice, bob, post_id, log_in):
    browser, other = log_in(bob), new_id()
    for address in (f"/@alice/posts/{other}", f"/@bob/posts/{post_id}"):
        assert browser.post(f"{address}/repost", ON).status_code == 404
    assert stored(bob, post_id) == []


def test_a_repost_has_no_page_and_takes_nothing(alice, bob, post_id, log_in):
    repost(by=bob, post=Pointer(post_id, alice.user_id))
    (own,) = query(keys.posts(bob.user_id))
    browser, address = log_in(alice), f"/@bob/posts/{own['post_id']['S']}"
    for page in ("", "/reposters", "/likers", "/reply", "/delete"):
        assert browser.get(f"{address}{page}").status_code == 404
    for deed in ("like", "repost"):
        assert browser.post(f"{address}/{deed}", ON).status_code == 404
    sent = {"content": "Hm", "nonce": "n" * 22}
    assert browser.post(f"{address}/reply", sent).status_code == 404
    assert log_in(bob).post(f"{address}/delete").status_code in (302, 404)
    assert stored(bob, post_id) == ["LikeTrace", "Repost", "Reposter"]


def test_deleting_a_post_clears_its_reposts(alice, bob, carol, post_id, drain_stream):
    for viewer in (bob, carol):
        repost(by=viewer, post=Pointer(post_id, alice.user_id))
    like_post(by=bob, post_id=post_id, author_id=alice.user_id)
    drain_stream()
    delete_post(by=alice, post_id=post_id)
    drain_stream()
    assert stored(bob, post_id) == stored(carol, post_id) == []
    assert not broken_invariants()


def test_a_repost_that_crosses_the_deletion_is_cleared(alice, bob, post_id, drain_stream):
    delete_post(by=alice, post_id=post_id)
    drain_stream()
    repost(by=bob, post=Pointer(post_id, alice.user_id))
    drain_stream()
    assert stored(bob, post_id) == []
    assert not broken_invariants()


def test_a_repost_is_not_counted_as_a_post(alice, bob, post_id, drain_stream):
    repost(by=bob, post=Pointer(post_id, alice.user_id))
    drain_stream()
    assert get_user_info(bob.user_id).posts == 0
    assert not broken_invariants()


def test_replies_are_reposted_with_their_thread(alice, bob, carol, post_id, log_in):
    first = answer(bob, alice, post_id)
    assert log_in(carol).post(f"/@bob/posts/{first}/repost", ON).status_code == 302
    (own,) = query(keys.posts(carol.user_id))
    assert (own["root_id"]["S"], own["repost_of"]["S"]) == (post_id, first)
