"""Voting: one vote for each person, as long as the poll is open; very many are counted without a hot partition."""

import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from accounts.people.viewer import Viewer
from feed.likes.writes import like_post, unlike_post
from feed.polls.writes import CannotVote, vote
from feed.posts.models import Audience, LikeTrace
from feed.posts.reads import Pointer
from feed.publishing.writes import delete_post
from feed.sharing.writes import repost, take_repost_back
from relations.blocks.writes import block
from socialsite.table import fetch, get, ids, keys, query
from tests.conftest import HTMX, post
from tests.feed.scenes import ask, let_time_pass, poll_of, press, vote_for, votes_counted, votes_of
from tests.injected.faults import IS_LONG
from tests.looks import broken_invariants
from tests.together import together
from tests.web.html import Html


def chosen_by(viewer, post_id: str) -> list[str]:
    return [one.choices for one in votes_of(post_id) if one.user_id == viewer.user_id]


def test_a_vote_is_one_transaction_of_the_vote_and_its_trace(alice, bob, requests_of):
    post_id = ask(alice)
    poll = poll_of(alice, post_id, bob)
    with requests_of() as requests:
        vote(by=bob, post_id=post_id, author_id=alice.user_id, poll=poll, places=[1])
    assert requests.operations == ["GetItem", "TransactWriteItems"]
    puts = [action["Put"]["Item"] for action in requests.made[1].parameters["TransactItems"]]
    assert [put["type"]["S"] for put in puts] == ["Vote", "LikeTrace"]
    assert requests.units in ([1.0, 4.0], [0.0, 0.0])


def test_voting_leads_back_to_the_post_and_is_counted(alice, bob, log_in, drain_stream):
    post_id = ask(alice)
    response = press(log_in(bob), post_id, 1)
    assert (response.status_code, response["Location"]) == (302, f"/@alice/posts/{post_id}")
    drain_stream()
    assert votes_counted(post_id) == {"voters": 1, "votes1": 1}
    assert not broken_invariants()


def test_voting_over_htmx_answers_the_results_with_the_own_choice(alice, bob, log_in):
    post_id = ask(alice)
    page = Html(press(log_in(bob), post_id, 1, headers=HTMX))
    root = page.elements[0]
    assert (root["id"], root["tabindex"]) == (f"poll-{post_id}", "-1")
    assert "autofocus" in root.attributes
    results = [item.text for item in page.all("li")]
    assert results[1].replace("\xa0", " ") == "Coffee , 100% , 1 vote , your choice"
    assert page.all("form") == []


def test_voting_twice_is_one_vote_and_another_choice_is_refused(alice, bob, log_in, drain_stream):
    post_id, browser = ask(alice), log_in(bob)
    assert [press(browser, post_id, 1).status_code for _ in range(2)] == [302, 302]
    refused = press(browser, post_id, 2)
    assert refused.status_code == 409
    assert "can’t be changed" in Html(refused).one(role="alert").text
    drain_stream()
    assert votes_counted(post_id) == {"voters": 1, "votes1": 1}
    assert not broken_invariants()


def test_a_vote_is_changed_where_the_author_lets_it(alice, bob, carol, log_in, drain_stream):
    post_id, browser = ask(alice, change=True, several=True), log_in(bob)
    press(browser, post_id, 0, 1)
    vote_for(carol, alice, post_id, 0)
    drain_stream()
    assert votes_counted(post_id) == {"voters": 2, "votes0": 2, "votes1": 1}
    page = Html(browser.get(f"/@alice/posts/{post_id}"))
    checked = [
        one["value"] for one in page.all("input", type="checkbox", name="choice", checked="")
    ]
    assert checked == ["0", "1"]
    press(browser, post_id, 1, 2)
    drain_stream()
    assert votes_counted(post_id) == {"voters": 2, "votes0": 1, "votes1": 1, "votes2": 1}
    assert chosen_by(bob, post_id) == ["12"]
    assert not broken_invariants()


@pytest.mark.parametrize(
    ("several", "choices", "sentence"),
    [
        (False, [], "Choose an answer first."),
        (False, [0, 1], "Choose one answer only."),
        (True, [0, 3], "This poll has no such answer."),
        (False, ["x"], "This poll has no such answer."),
        (False, ["²"], "This poll has no such answer."),
        (False, ["-1"], "This poll has no such answer."),
        (False, ["0" * 10_000], "This poll has no such answer."),
    ],
)
@pytest.mark.parametrize("extra", [{}, {"headers": HTMX}], ids=["page", "htmx"])
def test_what_is_no_vote_is_refused_with_a_sentence(
    alice, bob, log_in, several, choices, sentence, extra
):
    post_id = ask(alice, several=several)
    answer = press(log_in(bob), post_id, *choices, **extra)
    assert answer.status_code == 422
    assert Html(answer).one(role="alert").text == sentence
    assert votes_of(post_id) == []


@pytest.mark.parametrize("extra", [{}, {"headers": HTMX}], ids=["page", "htmx"])
def test_a_page_from_before_the_end_votes_no_more(alice, bob, log_in, monkeypatch, extra):
    post_id, browser = ask(alice), log_in(bob)
    assert Html(browser.get(f"/@alice/posts/{post_id}")).all("input", name="choice")
    let_time_pass(monkeypatch)
    answer = press(browser, post_id, 1, **extra)
    assert answer.status_code == 409
    assert Html(answer).one(role="alert").text == "This poll has ended."
    assert answer.get("HX-Retarget") == (f"#poll-{post_id}" if extra else None)
    assert votes_of(post_id) == []


def test_who_voted_before_the_end_may_press_again_after_it(alice, bob, monkeypatch):
    post_id = ask(alice, change=True)
    vote_for(bob, alice, post_id, 1)
    let_time_pass(monkeypatch)
    assert vote_for(bob, alice, post_id, 1) == "1"
    with pytest.raises(CannotVote):
        vote_for(bob, alice, post_id, 2)


def test_authors_do_not_vote_in_their_own_polls(alice, log_in):
    post_id = ask(alice)
    answer = press(log_in(alice), post_id, 1)
    assert answer.status_code == 409
    assert Html(answer).one(role="alert").text == "You can’t vote in your own poll."
    assert votes_of(post_id) == []


def test_only_posts_with_polls_take_votes(alice, bob, log_in):
    assert press(log_in(bob), post(alice), 1).status_code == 404


@pytest.mark.parametrize("who", ["blocked", "blocker", "stranger"])
def test_who_does_not_see_the_post_does_not_vote(alice, bob, log_in, who):
    post_id = ask(alice, audience=Audience.FRIENDS if who == "stranger" else "")
    if who == "blocked":
        block(by=alice, user_id=bob.user_id)
    if who == "blocker":
        block(by=bob, user_id=alice.user_id)
    assert press(log_in(bob), post_id, 1).status_code == 404
    assert votes_of(post_id) == []


@pytest.mark.parametrize("change", [False, True])
@pytest.mark.engines(
    "embedded", "dynamodb-local", reason="moto does transactions one after another"
)
def test_two_votes_of_one_person_at_once_are_one(alice, bob, drain_stream, change):
    post_id = ask(alice, change=change)
    poll = poll_of(alice, post_id, bob)
    where = {"post_id": post_id, "author_id": alice.user_id, "poll": poll}
    outcomes = together(*[lambda n=n: vote(by=bob, **where, places=[n % 3]) for n in range(6)])
    drain_stream()
    counts = votes_counted(post_id)
    (kept,) = chosen_by(bob, post_id)
    assert counts == {"voters": 1, f"votes{kept}": 1}
    refused = [one for one in outcomes if isinstance(one, BaseException)]
    assert all(isinstance(one, CannotVote) for one in refused)
    assert bool(refused) != change
    assert not broken_invariants()


def test_a_vote_is_no_like_and_lives_beside_one_and_a_repost(alice, bob, drain_stream):
    post_id = ask(alice)
    where = {"post_id": post_id, "author_id": alice.user_id}
    vote_for(bob, alice, post_id, 1)
    like_post(by=bob, **where)
    repost(by=bob, post=Pointer(**where))
    drain_stream()
    assert not broken_invariants()
    unlike_post(by=bob, post_id=post_id)
    take_repost_back(by=bob, post_id=post_id)
    drain_stream()
    trace = get(LikeTrace, keys.like_trace(bob.user_id, post_id), consistent=True)
    assert (trace.choices, trace.not_liked, trace.repost_id) == ("1", "yes", None)
    assert not broken_invariants()


@pytest.mark.parametrize("first", ["like", "repost"])
def test_a_vote_joins_the_trace_that_is_there(alice, bob, drain_stream, first):
    post_id = ask(alice)
    where = {"post_id": post_id, "author_id": alice.user_id}
    if first == "like":
        like_post(by=bob, **where)
    else:
        repost(by=bob, post=Pointer(**where))
    vote_for(bob, alice, post_id, 2)
    drain_stream()
    assert not broken_invariants()
    unlike_post(by=bob, post_id=post_id)
    take_repost_back(by=bob, post_id=post_id)
    drain_stream()
    assert chosen_by(bob, post_id) == ["2"]
    assert not broken_invariants()


def test_deleting_the_post_clears_the_votes_and_their_traces(alice, bob, carol, drain_stream):
    post_id = ask(alice)
    for voter in (bob, carol):
        vote_for(voter, alice, post_id, 1)
    delete_post(by=alice, post_id=post_id)
    drain_stream()
    assert votes_of(post_id) == []
    traces = [keys.like_trace(one.user_id, post_id) for one in (bob, carol)]
    assert fetch(traces, consistent=True) == {}
    assert not broken_invariants()


def test_a_vote_that_crosses_the_deletion_is_cleared(alice, bob, drain_stream):
    post_id = ask(alice)
    poll = poll_of(alice, post_id, bob)
    delete_post(by=alice, post_id=post_id)
    drain_stream()
    vote(by=bob, post_id=post_id, author_id=alice.user_id, poll=poll, places=[1])
    drain_stream()
    assert votes_of(post_id) == []
    assert fetch([keys.like_trace(bob.user_id, post_id)], consistent=True) == {}
    assert not broken_invariants()


# Very many votes: each is counted once, no partition is hot, and the post is left alone.

VOTERS = 10_000 if IS_LONG else 200
AT_ONCE = 16
TWICE = 5  # each fifth presses twice


@pytest.mark.engines("embedded", reason="an engine that takes many at once")
@pytest.mark.timeout(900 if IS_LONG else 120)
def test_everyone_is_counted_once_however_often_they_press(alice, bob, drain_stream, requests_of):
    post_id = ask(alice, several=True)
    poll = poll_of(alice, post_id, bob)
    where = {"post_id": post_id, "author_id": alice.user_id, "poll": poll}
    voters = [Viewer(ids.new_id()) for _ in range(VOTERS)]
    ballots = [(voter, (n % 3, (n + 1) % 3)[: 1 + n % 2]) for n, voter in enumerate(voters)]
    attempts = [one for n, one in enumerate(ballots) for _ in range(1 + (n % TWICE == 0))]
    begun = time.monotonic()
    with requests_of() as requests, ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(lambda one: vote(by=one[0], **where, places=one[1]), attempts))
    voted = time.monotonic() - begun
    drain_stream()
    print(f"{len(attempts)} votes of {VOTERS} people in {voted:.1f} s, ", end="")
    print(f"counted {time.monotonic() - begun - voted:.1f} s later")
    right = Counter({"voters": VOTERS})
    right.update(f"votes{place}" for _, places in ballots for place in places)
    assert votes_counted(post_id) == right
    shards = [
        sum(1 for _ in query(keys.votes(post_id, shard))) for shard in range(keys.VOTE_SHARDS)
    ]
    print(f"shards hold {min(shards)} to {max(shards)}")
    assert sum(shards) == VOTERS
    assert max(shards) <= VOTERS / keys.VOTE_SHARDS * (1.3 if IS_LONG else 3)
    assert written_by(requests) <= {"Vote", "LikeTrace"}


def written_by(requests) -> set[str]:
    """The types of what the votes wrote: no item that all of them share."""
    return {
        action["Put"]["Item"]["type"]["S"]
        for request in requests.made
        if request.operation == "TransactWriteItems"
        for action in request.parameters["TransactItems"]
        if "Put" in action or pytest.fail(f"wrote {action}")
    }
