"""Who loses the lease commits nothing more, and whoever dies or leaves is soon replaced. Real processes."""

import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.conf import settings

from accounts.people.viewer import Viewer
from feed.likes.writes import like_post
from socialsite.streams.models import Lease
from socialsite.streams.shards import Stream
from socialsite.table import NotFound, get, keys
from tests.conftest import post
from tests.faults.crash_points import LONG
from tests.faults.looks import assert_all_is_well, likes_of, open_jobs
from tests.faults.processes import Child, environment_of, wait_until

pytestmark = [
    pytest.mark.engines(
        "embedded", "dynamodb-local", reason="moto lives in the test's own process"
    ),
    pytest.mark.timeout(600 if LONG else 240),
]

SHORT_LEASE = {"STEAL_AFTER": "1.5", "BEAT_EVERY": "0.4"}
START_SECONDS = 60  # of a Python process on a busy machine
LASTING_LEASE = {
    "STEAL_AFTER": "600"
}  # longer than any test waits: whoever takes it did not wait for its end
SOON = 2 if LONG else START_SECONDS
FREEZES = 10 if LONG else 1

StartWorker = Callable[..., Child]


@pytest.fixture
def start_worker(table: str, tmp_path: Path) -> Iterator[StartWorker]:
    """`start_worker("ant")`: a worker on a machine of that name."""
    environment = environment_of(settings.DYNAMODB_ENDPOINT, table, tmp_path)
    started: list[Child] = []

    def start(host: str, **more: str) -> Child:
        arguments = ["-m", "tests.faults.quick_worker"]
        child = Child(
            arguments, environment | {"WORKER_HOST": host} | more, tmp_path / f"{host}.log"
        )
        started.append(child)
        return child

    yield start
    for child in started:
        child.kill()


def lease() -> Lease | None:
    shard = Stream().shards()[0].shard_id
    try:
        return get(Lease, keys.lease(shard), consistent=True)
    except NotFound:
        return None


def is_owner(host: str) -> bool:
    held = lease()
    return held is not None and (held.owner or "").startswith(f"{host}:")


def like_by_many(post_id: str, author: Viewer, number: int) -> None:
    for fan in range(number):
        like_post(by=Viewer(f"{post_id}-{fan}"), post_id=post_id, author_id=author.user_id)


@pytest.mark.parametrize("freeze", range(FREEZES))
def test_an_owner_frozen_past_its_lease_commits_nothing_when_it_thaws(
    alice: Viewer, start_worker: StartWorker, freeze: int
) -> None:
    frozen = start_worker("ant", **SHORT_LEASE)
    wait_until(lambda: is_owner("ant"), seconds=START_SECONDS)
    start_worker("bee", **SHORT_LEASE)
    posts = [post(alice) for _ in range(3)]
    like_by_many(posts[0], alice, 20 + 7 * freeze)
    frozen.send(signal.SIGSTOP)
    like_by_many(posts[1], alice, 20)
    took = wait_until(lambda: is_owner("bee"), seconds=START_SECONDS)
    frozen.send(signal.SIGCONT)
    like_by_many(posts[2], alice, 20)
    wait_until(lambda: "lost the lease" in frozen.said(), seconds=START_SECONDS)
    wait_until(lambda: likes_of(posts[2]) == 20, seconds=START_SECONDS)
    print(f"taken over from the frozen {took:.1f} s after the freeze, with a lease of 1.5 s")
    assert is_owner("bee")
    assert [likes_of(post_id) for post_id in posts] == [20 + 7 * freeze, 20, 20]
    assert_all_is_well()


def test_a_commit_on_its_way_when_its_owner_froze_is_refused(
    alice: Viewer, start_worker: StartWorker
) -> None:
    post_id = post(alice)
    frozen = start_worker("ant", FREEZE_BEFORE_COMMIT="yes", **SHORT_LEASE)
    like_by_many(post_id, alice, 3)
    wait_until(lambda: is_owner("ant"), seconds=START_SECONDS)
    start_worker("bee", **SHORT_LEASE)
    wait_until(lambda: is_owner("bee"), seconds=START_SECONDS)
    wait_until(lambda: likes_of(post_id) == 3, seconds=START_SECONDS)
    assert "lost the lease" not in frozen.said()
    frozen.send(signal.SIGCONT)
    wait_until(lambda: "lost the lease" in frozen.said(), seconds=START_SECONDS)
    assert is_owner("bee")
    assert likes_of(post_id) == 3
    # What the woken owner may have written late is settled by a job, which the other one plays.
    wait_until(lambda: open_jobs() == [], seconds=30)
    assert_all_is_well()


def test_a_worker_killed_on_another_machine_is_replaced_within_15_seconds(
    alice: Viewer, bob: Viewer, start_worker: StartWorker
) -> None:
    short = {} if LONG else SHORT_LEASE
    goal = (
        15.0 if LONG else START_SECONDS
    )  # the seconds of a quiet machine are those of the long form
    killed = start_worker("ant", **short)
    wait_until(lambda: is_owner("ant"), seconds=START_SECONDS)
    heir = start_worker("bee", **short)
    wait_until(lambda: "Working on the stream" in heir.said(), seconds=START_SECONDS)
    killed.kill()
    took = like_and_wait_for_the_count(alice, bob, seconds=goal)
    print(f"counting again {took:.1f} s after the kill")
    assert is_owner("bee")


def test_a_worker_killed_on_this_machine_is_replaced_soon(
    alice: Viewer, bob: Viewer, start_worker: StartWorker
) -> None:
    killed = start_worker("ant", **LASTING_LEASE)
    wait_until(lambda: is_owner("ant"), seconds=START_SECONDS)
    heir = start_worker("ant", **LASTING_LEASE)
    wait_until(lambda: heir.said().count("Working on the stream") == 2, seconds=START_SECONDS)
    killed.kill()
    took = like_and_wait_for_the_count(alice, bob, seconds=SOON)
    print(f"counting again {took:.1f} s after the kill")


def test_a_worker_that_is_told_to_end_is_replaced_soon(
    alice: Viewer, bob: Viewer, start_worker: StartWorker
) -> None:
    leaving = start_worker("ant", **LASTING_LEASE)
    wait_until(lambda: is_owner("ant"), seconds=START_SECONDS)
    heir = start_worker("bee", **LASTING_LEASE)
    wait_until(lambda: "Working on the stream" in heir.said(), seconds=START_SECONDS)
    leaving.send(signal.SIGTERM)
    took = like_and_wait_for_the_count(alice, bob, seconds=SOON)
    print(f"counting again {took:.1f} s after SIGTERM")
    assert is_owner("bee")
    assert leaving.process.wait(timeout=START_SECONDS) == 0


def like_and_wait_for_the_count(author: Viewer, fan: Viewer, *, seconds: float) -> float:
    """How long it takes until a like is counted."""
    post_id = post(author)
    like_post(by=fan, post_id=post_id, author_id=author.user_id)
    return wait_until(lambda: likes_of(post_id) == 1, seconds=seconds)
