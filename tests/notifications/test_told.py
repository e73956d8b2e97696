"""People are told of what concerns them, once the stream worker has seen it."""

import pytest

from feed.likes.writes import like_post, unlike_post
from feed.posts.models import Audience
from feed.publishing.writes import delete_post, publish_post
from notifications.writes import choose_notifications
from relations.blocks.writes import block, mute
from relations.follows.writes import accept_follow_request, follow, request_follow, unfollow
from relations.friends.writes import accept_friend, decline_friend, request_friend
from socialsite.telling import OptOut
from tests.conftest import person, post
from tests.feed.answers import answer
from tests.notifications.told import told, waiting
from tests.relations.relations import lock


def like(by, post_id, author):
    like_post(by=by, post_id=post_id, author_id=author.user_id)


def test_an_author_is_told_who_likes_a_post(alice, bob, drain_stream):
    like(bob, post(alice), alice)
    drain_stream()
    assert told(alice) == ["Bob liked your post"]
    assert waiting(alice).notifications == 1
    assert told(bob) == []


def test_nobody_is_told_of_what_they_did_themselves(alice, drain_stream):
    mine = post(alice, "I am @alice")
    like(alice, mine, alice)
    answer(alice, alice, mine)
    drain_stream()
    assert told(alice) == []
    assert waiting(alice).notifications == 0


def test_likes_of_one_post_are_one_line(alice, bob, carol, drain_stream):
    mine = post(alice)
    like(bob, mine, alice)
    drain_stream()
    like(carol, mine, alice)
    drain_stream()
    assert told(alice) == ["Bob and Carol liked your post"]
    assert waiting(alice).notifications == 1


def test_of_many_likes_two_people_at_most_are_named(alice, drain_stream):
    mine = post(alice)
    for number in range(12):
        like(person(f"fan{number}", f"Fan {number}"), mine, alice)
    drain_stream()
    (line,) = told(alice)
    assert line.endswith(" and 11 others liked your post")


def test_a_like_taken_back_and_given_again_is_told_once(alice, bob, drain_stream):
    mine = post(alice)
    like(bob, mine, alice)
    unlike_post(by=bob, post_id=mine)
    like(bob, mine, alice)
    drain_stream()
    unlike_post(by=bob, post_id=mine)
    drain_stream()
    assert (told(alice), waiting(alice).notifications) == ([], 0)
    like(bob, mine, alice)
    drain_stream()
    assert told(alice) == ["Bob liked your post"]


def test_the_person_answered_and_the_author_of_the_thread_are_told(alice, bob, carol, drain_stream):
    root = post(alice)
    reply = answer(bob, alice, root)
    drain_stream()
    answer(carol, bob, reply)
    drain_stream()
    assert told(alice) == ["Carol replied", "Bob replied"]
    assert told(bob) == ["Carol replied"]


def test_a_reply_that_mentions_whom_it_answers_is_told_once(alice, bob, drain_stream):
    answer(bob, alice, post(alice), "Yes, @alice")
    drain_stream()
    assert told(alice) == ["Bob replied"]


def test_a_deleted_reply_is_taken_back(alice, bob, drain_stream):
    reply = answer(bob, alice, post(alice))
    drain_stream()
    delete_post(by=bob, post_id=reply)
    drain_stream()
    assert (told(alice), waiting(alice).notifications) == ([], 0)


@pytest.mark.parametrize("text", [".@bob look", "/@bob", "看@bob吧", "＠bob"])
def test_people_are_told_whatever_stands_beside_their_handle(alice, bob, drain_stream, text):
    post(alice, text)
    drain_stream()
    assert told(bob) == ["Alice mentioned you"]


def test_people_are_told_who_mentions_them(alice, bob, drain_stream):
    post(alice, "Hello @bob")
    drain_stream()
    assert told(bob) == ["Alice mentioned you"]


def test_nobody_is_told_of_a_post_that_is_not_for_them(alice, bob, drain_stream):
    """Otherwise the badge would tell of it."""
    publish_post(by=alice, content="Poor @bob", nonce="n", audience=Audience.FRIENDS)
    drain_stream()
    assert (told(bob), waiting(bob).notifications) == ([], 0)


def test_new_followers_are_one_line_and_leave_it(alice, bob, carol, drain_stream):
    follow(by=bob, user_id=alice.user_id)
    follow(by=carol, user_id=alice.user_id)
    drain_stream()
    assert told(alice) == ["Bob and Carol followed you"]
    unfollow(by=bob, user_id=alice.user_id)
    drain_stream()
    assert told(alice) == ["Carol followed you"]


def test_a_request_waits_until_it_is_answered(alice, bob, drain_stream):
    request_friend(by=bob, user_id=alice.user_id)
    drain_stream()
    assert told(alice) == ["Bob wants to be your friend"]
    assert (waiting(alice).notifications, waiting(alice).requests) == (1, 1)
    accept_friend(by=alice, user_id=bob.user_id)
    drain_stream()
    assert told(bob) == ["Alice accepted your request. You are friends now."]
    assert (told(alice), waiting(alice).requests) == ([], 0)


def test_a_declined_request_is_told_to_nobody(alice, bob, drain_stream):
    request_friend(by=bob, user_id=alice.user_id)
    drain_stream()
    decline_friend(by=alice, user_id=bob.user_id)
    drain_stream()
    assert told(bob) == []
    assert (told(alice), waiting(alice).requests) == ([], 0)


def test_people_are_not_told_of_followers_they_accepted(alice, bob, drain_stream):
    lock(alice)
    request_follow(by=bob, user_id=alice.user_id)
    drain_stream()
    assert told(alice) == ["Bob wants to follow you"]
    accept_follow_request(by=alice, user_id=bob.user_id)
    drain_stream()
    assert told(bob) == ["Alice accepted your request. You follow them now."]
    assert told(alice) == []


def test_nobody_is_told_of_people_they_mute_or_block(alice, bob, carol, drain_stream):
    mine = post(alice)
    mute(by=alice, user_id=bob.user_id)
    like(bob, mine, alice)
    like(carol, mine, alice)
    block(by=alice, user_id=carol.user_id)
    drain_stream()
    assert (told(alice), waiting(alice).notifications) == ([], 0)


def test_a_block_hides_what_was_told_before(alice, bob, drain_stream):
    answer(bob, alice, post(alice))
    drain_stream()
    block(by=alice, user_id=bob.user_id)
    assert told(alice) == []


@pytest.mark.parametrize(
    ("opted_out", "expected"),
    [
        ((), ["Bob followed you", "Bob liked your post"]),
        ((OptOut.LIKES,), ["Bob followed you"]),
        ((OptOut.LIKES, OptOut.FOLLOWS), []),
        ((OptOut.STRANGERS,), []),
        ((OptOut.NEWCOMERS,), []),
    ],
)
def test_people_choose_what_they_are_told(alice, bob, drain_stream, opted_out, expected):
    choose_notifications(by=alice, opted_out=opted_out)
    like(bob, post(alice), alice)
    follow(by=bob, user_id=alice.user_id)
    drain_stream()
    assert sorted(told(alice)) == expected


@pytest.mark.parametrize("opted_out", [OptOut.STRANGERS, OptOut.NEWCOMERS])
def test_followed_people_are_neither_strangers_nor_new(alice, bob, drain_stream, opted_out):
    follow(by=alice, user_id=bob.user_id)
    choose_notifications(by=alice, opted_out=[opted_out])
    like(bob, post(alice), alice)
    drain_stream()
    assert told(alice) == ["Bob liked your post"]


def test_two_filters_show_words_and_people_alone(alice, bob, drain_stream):
    mine = post(alice)
    like(bob, mine, alice)
    answer(bob, alice, mine)
    follow(by=bob, user_id=alice.user_id)
    drain_stream()
    assert told(alice, "mentions") == ["Bob replied"]
    assert told(alice, "follows") == ["Bob followed you"]
    assert len(told(alice)) == 3
