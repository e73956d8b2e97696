"""The end of a poll: its author and those who voted are told, once, with the result."""

from datetime import timedelta

import pytest

from feed.posts.models import LikeCount
from feed.publishing.changes import change_audience
from feed.publishing.writes import delete_post
from feed.threads.writes import leave_thread
from notifications import stream_handlers
from notifications.writes import choose_notifications
from socialsite.clock import utc_now
from socialsite.due.work import do_due
from socialsite.streams.models import JobKind
from socialsite.streams.worker import Worker
from socialsite.table import change, keys, query
from socialsite.telling import OptOut
from tests.conftest import HTMX
from tests.feed.polls.polling import ask, choose, let_time_pass
from tests.looks import broken_invariants
from tests.moderation.restricting import withhold
from tests.notifications.told import told, waiting
from tests.streams.crowd import crowd
from tests.streams.records import handle_all, unread

WON = "The poll by Alice ended: “Coffee” won with 100%"


@pytest.fixture
def end(monkeypatch, drain_stream):
    """Lets the time of all polls come."""

    def end() -> None:
        let_time_pass(monkeypatch)
        do_due(utc_now() + timedelta(days=8))
        drain_stream()

    return end


def test_author_and_voters_are_told_the_result_and_no_one_else(
    alice, bob, carol, drain_stream, end, log_in
):
    post_id = ask(alice)
    choose(bob, alice, post_id, 1)
    drain_stream()
    assert (told(alice), told(bob)) == ([], [])
    end()
    assert told(alice) == ["Your poll ended: “Coffee” won with 100%"]
    assert (told(bob), waiting(bob).notifications) == ([WON], 1)
    assert told(carol) == told(bob, "mentions") == told(bob, "follows") == []
    assert not list(query(keys.jobs(JobKind.NOTIFY_OF_POLL)))
    assert not broken_invariants()
    page = log_in(bob).get("/notifications").content.decode()
    assert f'href="/@alice/posts/{post_id}"' in page


@pytest.mark.parametrize(
    ("votes", "sentence"),
    [((), "Your poll ended. Nobody voted."), ((0, 1), "Your poll ended in a tie")],
)
def test_a_poll_without_a_winner_says_so(alice, bob, carol, drain_stream, end, votes, sentence):
    post_id = ask(alice)
    for voter, place in zip((bob, carol), votes, strict=False):
        choose(voter, alice, post_id, place)
    drain_stream()
    end()
    assert told(alice) == [sentence]


def test_before_the_end_and_after_the_deletion_nobody_is_told(alice, bob, drain_stream, end):
    post_id = ask(alice)
    choose(bob, alice, post_id, 1)
    drain_stream()
    assert do_due(utc_now() + timedelta(hours=23)) == 0
    delete_post(by=alice, post_id=post_id)
    end()
    assert (told(alice), told(bob)) == ([], [])


def test_the_end_waits_until_every_vote_is_counted(alice, bob, drain_stream, monkeypatch):
    post_id = ask(alice)
    choose(bob, alice, post_id, 1)  # and the worker has not seen it
    let_time_pass(monkeypatch)
    later = utc_now() + timedelta(days=2)
    assert do_due(later) == 1
    assert not list(query(keys.jobs(JobKind.NOTIFY_OF_POLL)))
    drain_stream()
    assert (told(alice), told(bob)) == ([], [])
    assert do_due(later + timedelta(minutes=1)) == 1
    drain_stream()
    assert told(bob) == [WON]


def test_a_count_that_stays_wrong_holds_the_end_up_for_some_hours_only(
    alice, bob, drain_stream, monkeypatch
):
    post_id = ask(alice)
    choose(bob, alice, post_id, 1)
    drain_stream()
    change(LikeCount, keys.like_count(post_id), [LikeCount.votes1.set(2)])
    let_time_pass(monkeypatch)
    moment = utc_now() + timedelta(days=2)
    for minutes in (1, 5, 30, 120):
        do_due(moment)
        moment += timedelta(minutes=minutes)
    drain_stream()
    assert told(bob) == []
    do_due(moment)
    drain_stream()
    assert len(told(bob)) == 1


def test_many_voters_are_told_step_by_step_each_once(alice, drain_stream, end, monkeypatch):
    monkeypatch.setattr(stream_handlers, "PEOPLE_A_STEP", 5)
    post_id = ask(alice)
    voters = crowd(23)
    for one in voters:
        choose(one, alice, post_id, 2)
    drain_stream()
    end()
    assert [waiting(one).notifications for one in (alice, *voters)] == [1] * 24
    assert told(voters[22]) == ["The poll by Alice ended: “Water” won with 100%"]
    assert not broken_invariants()


def test_a_step_that_runs_again_tells_nobody_twice(alice, bob, monkeypatch, drain_stream):
    post_id = ask(alice)
    choose(bob, alice, post_id, 1)
    worker = Worker()
    worker.drain()
    let_time_pass(monkeypatch)
    do_due(utc_now() + timedelta(days=2))
    records = unread()
    for _ in range(3):
        handle_all(records)
    worker.drain()
    assert (told(bob), waiting(bob).notifications) == ([WON], 1)


def test_who_does_not_want_to_know_or_may_not_see_it_is_not_told(
    alice, bob, carol, drain_stream, end
):
    post_id = ask(alice)
    for voter in (bob, carol):
        choose(voter, alice, post_id, 1)
    choose_notifications(by=carol, opted_out=[OptOut.POLLS])
    drain_stream()
    change_audience(by=alice, post_id=post_id, audience="friends")
    end()
    assert (told(bob), told(carol)) == ([], [])
    assert waiting(alice).notifications == 1


def test_a_poll_that_moderators_hid_is_not_told(alice, bob, drain_stream, end):
    post_id = ask(alice)
    choose(bob, alice, post_id, 1)
    drain_stream()
    withhold(alice, post_id)
    end()
    assert told(bob) == []


def test_those_who_left_the_conversation_are_not_told(alice, bob, carol, drain_stream, end):
    post_id = ask(alice)
    choose(bob, alice, post_id, 1)
    choose(carol, alice, post_id, 1)
    leave_thread(by=bob, root_id=post_id)
    drain_stream()
    end()
    assert (told(bob), told(carol)) == ([], [WON])


def test_the_results_of_polls_are_a_switch_of_the_settings(alice, log_in):
    page = log_in(alice).get("/settings/notifications", headers=HTMX).content.decode()
    assert "Results of polls" in page
