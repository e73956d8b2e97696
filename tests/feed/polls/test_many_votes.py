"""Very many votes: each is counted once, no partition is hot, and the post is left alone."""

import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from accounts.people.viewer import Viewer
from feed.polls.writes import vote
from socialsite.table import ids, keys, query
from tests.feed.polls.polling import ask, counted, poll_of
from tests.injected.rotation import IS_LONG

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
    assert counted(post_id) == right
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
