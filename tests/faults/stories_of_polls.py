"""Polls are asked, answered, ended and deleted."""

from datetime import timedelta

from feed.cards.reads import get_post
from feed.likes.writes import like_post, unlike_post
from feed.polls.models import PollWish
from feed.publishing.writes import delete_post, publish_post
from socialsite.clock import utc_now
from socialsite.due.work import do_due
from tests.conftest import person
from tests.faults.looks import assert_all_is_well, told_of
from tests.faults.stories import SMALL_BATCHES, Story, scenario
from tests.feed.scenes import ask, vote_for, votes_counted, votes_of

LATER = timedelta(days=8)


@scenario()
def a_poll_is_published() -> Story:
    alice = person("alice")
    poll = PollWish(("Tea", "Coffee"))

    def check() -> None:
        assert_all_is_well()

    return Story(lambda: publish_post(by=alice, content="?", nonce="form", poll=poll), check)


@scenario()
def a_vote_is_cast_by_two() -> Story:
    alice, bob, carol = person("alice"), person("bob"), person("carol")
    post_id = ask(alice, several=True)
    like_post(by=bob, post_id=post_id, author_id=alice.user_id)

    def act() -> None:
        vote_for(bob, alice, post_id, 0, 2)
        vote_for(carol, alice, post_id, 2)

    def check() -> None:
        assert_all_is_well()
        assert votes_counted(post_id) == {"voters": 2, "votes0": 1, "votes2": 2}

    return Story(act, check)


@scenario()
def a_vote_is_changed() -> Story:
    alice, bob = person("alice"), person("bob")
    post_id = ask(alice, change=True)
    vote_for(bob, alice, post_id, 0)

    def check() -> None:
        assert_all_is_well()
        assert votes_counted(post_id) == {"voters": 1, "votes2": 1}

    return Story(lambda: vote_for(bob, alice, post_id, 2), check)


@scenario()
def a_like_is_taken_back_and_the_vote_stays() -> Story:
    alice, bob = person("alice"), person("bob")
    post_id = ask(alice)
    vote_for(bob, alice, post_id, 1)
    like_post(by=bob, post_id=post_id, author_id=alice.user_id)

    def check() -> None:
        assert_all_is_well()
        card = get_post(post_id, alice.user_id, viewer=bob)
        assert (card.liked, card.like_count, card.poll and card.poll.chosen) == (False, 0, "1")

    return Story(lambda: unlike_post(by=bob, post_id=post_id), check)


@scenario(constants=SMALL_BATCHES | {"feed.polls.writes.CHUNK": 2})
def a_poll_is_deleted() -> Story:
    alice = person("alice")
    post_id = ask(alice)
    for number in range(5):
        vote_for(person(f"voter_{number}"), alice, post_id, number % 3)

    def check() -> None:
        assert_all_is_well()
        assert votes_of(post_id) == []

    return Story(lambda: delete_post(by=alice, post_id=post_id), check)


@scenario(
    constants={
        "feed.polls.checks.utc_now": lambda: utc_now() + LATER,
        "notifications.stream_handlers.PEOPLE_A_STEP": 2,
    }
)
def a_poll_ends() -> Story:
    alice = person("alice")
    voters = [person(f"voter_{number}") for number in range(3)]
    post_id = ask(alice)
    for voter in voters:
        vote_for(voter, alice, post_id, 1)

    def act() -> None:
        for tries in range(2):  # what a crash left to its next try
            do_due(utc_now() + LATER * (1 + tries))

    def check() -> None:
        assert_all_is_well()
        assert [told_of(one) for one in (alice, *voters)] == [[("e", 1)]] * 4

    return Story(act, check)
