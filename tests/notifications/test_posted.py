"""People are notified of new posts of favourites where they asked for it, one line a day for each favourite."""

import pytest

from feed.posts.models import Audience
from feed.publishing.changes import change_audience
from feed.publishing.writes import delete_post, publish_post
from notifications import stream_handlers
from notifications.writes import choose_notifications, read_notifications
from relations.blocks.writes import mute
from relations.own_choices.writes import favourite, subscribe, unsubscribe
from socialsite.streams.models import JobKind
from socialsite.streams.worker import Worker
from socialsite.table import ids, keys, query
from socialsite.telling import OptOut
from tests.conftest import person, post
from tests.feed.answers import answer
from tests.looks import broken_invariants
from tests.moderation.restricting import withhold
from tests.notifications.told import told, waiting
from tests.streams.records import handle_all, unread

ONE_POST = "Bob published a post"


def wants_posts(reader, author) -> None:
    favourite(by=reader, user_id=author.user_id)
    subscribe(by=reader, user_id=author.user_id)


@pytest.fixture(autouse=True)
def subscribed(alice, bob) -> None:
    wants_posts(alice, bob)


def new(reader) -> int:
    return waiting(reader).notifications


def test_a_post_is_told_to_those_who_asked_for_it_and_no_one_else(alice, bob, carol, drain_stream):
    favourite(by=carol, user_id=bob.user_id)
    post(bob)
    drain_stream()
    assert (told(alice), new(alice)) == ([ONE_POST], 1)
    assert (told(carol), new(carol)) == ([], 0)
    assert told(alice, "mentions") == told(alice, "follows") == []
    assert not list(query(keys.jobs(JobKind.NOTIFY_OF_POST)))
    unsubscribe(by=alice, user_id=bob.user_id)
    post(bob)
    drain_stream()
    assert told(alice) == [ONE_POST]


def test_the_posts_of_a_day_are_one_line_with_the_newest_that_one_may_see(alice, bob, drain_stream):
    mine = [post(bob, f"Number {number}") for number in range(3)]
    drain_stream()
    assert (told(alice), new(alice)) == (["Bob published 3 posts"], 1)
    delete_post(by=bob, post_id=mine[2])
    assert told(alice) == ["Bob published 2 posts"]  # at once
    drain_stream()
    assert told(alice) == ["Bob published 2 posts"]
    delete_post(by=bob, post_id=mine[0])
    drain_stream()
    assert told(alice) == [ONE_POST]
    delete_post(by=bob, post_id=mine[1])
    drain_stream()
    assert (told(alice), new(alice)) == ([], 0)
    assert broken_invariants() == {}


def test_what_came_after_reading_opens_a_new_line(alice, bob, drain_stream):
    post(bob)
    drain_stream()
    read_notifications(by=alice, up_to=waiting(alice).changes)
    post(bob)
    drain_stream()
    assert (told(alice), new(alice)) == ([ONE_POST, ONE_POST], 1)


def test_replies_and_what_one_may_not_see_are_not_told(alice, bob, carol, drain_stream):
    answer(bob, carol, post(carol))
    for audience in (Audience.FOLLOWERS, Audience.FRIENDS, Audience.ONLY_ME):
        publish_post(by=bob, content="x", nonce=ids.new_id(), audience=audience)
    held = post(bob)
    withhold(bob, held)
    drain_stream()
    assert (told(alice), new(alice)) == ([], 0)


def test_another_audience_tells_those_who_may_see_it_now_and_takes_it_back(
    alice, bob, drain_stream
):
    mine = publish_post(by=bob, content="x", nonce="n", audience=Audience.FRIENDS)
    drain_stream()
    assert new(alice) == 0
    change_audience(by=bob, post_id=mine, audience=Audience.EVERYONE)
    drain_stream()
    assert (told(alice), new(alice)) == ([ONE_POST], 1)
    change_audience(by=bob, post_id=mine, audience=Audience.FOLLOWERS)
    drain_stream()
    assert (told(alice), new(alice)) == ([], 0)


def test_people_opt_out_and_mute(alice, bob, carol, drain_stream):
    wants_posts(carol, bob)
    choose_notifications(by=alice, opted_out=[OptOut.POSTS])
    mute(by=carol, user_id=bob.user_id)
    post(bob)
    drain_stream()
    assert new(alice) == new(carol) == 0


def test_all_of_many_are_told_once_step_by_step(bob, drain_stream, monkeypatch):
    """Also if someone reads between the look at their bell and the commit."""
    monkeypatch.setattr(stream_handlers, "PEOPLE_A_STEP", 2)
    readers = [person(f"reader{number}") for number in range(5)]
    for reader in readers:
        wants_posts(reader, bob)
    first = post(bob)
    drain_stream()
    plain, read = stream_handlers._writes, []

    def read_meanwhile(pointer, people):
        writes = plain(pointer, people)
        if readers[0].user_id in people and not read:
            read.append(read_notifications(by=readers[0], up_to=10_000))
        return writes

    monkeypatch.setattr(stream_handlers, "_writes", read_meanwhile)
    second = post(bob)
    drain_stream()
    assert first != second
    assert read
    assert told(readers[0]) == [ONE_POST, ONE_POST]
    assert [told(reader) for reader in readers[1:]] == [["Bob published 2 posts"]] * 4
    assert [new(reader) for reader in readers] == [1] * 5
    assert broken_invariants() == {}


def test_a_step_that_is_made_again_after_reading_tells_nothing_again(alice, bob):
    """As when the worker dies after the step, before it notes that it read the job's record."""
    post(bob)
    worker = Worker()
    worker.step()
    records = unread()
    handle_all(records)
    assert new(alice) == 1
    read_notifications(by=alice, up_to=waiting(alice).changes)
    handle_all(records)
    worker.drain()
    assert (told(alice), new(alice)) == ([ONE_POST], 0)


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_a_step_of_forty_eight_people_fits_one_transaction(alice, bob, drain_stream, requests_of):
    for number in range(stream_handlers.PEOPLE_A_STEP - 1):
        wants_posts(person(f"reader{number}"), bob)
    post(bob)
    with requests_of() as requests:
        drain_stream()
    written = [len(one.parameters.get("TransactItems", [])) for one in requests.made]
    assert max(written) == 2 * stream_handlers.PEOPLE_A_STEP + 3
    assert new(alice) == 1
