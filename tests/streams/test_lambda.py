"""Under AWS Lambda batches come twice, overlap and run at once; every record counts once all the same."""

import random
import time
from functools import partial

import pytest

from accounts.models import UserCount
from feed.likes.reads import get_like_count
from feed.likes.writes import like_post, unlike_post
from feed.publishing.writes import delete_post
from relations.follows.writes import follow
from socialsite.streams.change import type_of
from socialsite.streams.lambda_handler import MARKER_HOURS, RECORDS_A_COMMIT, handle
from socialsite.streams.models import JobKind, SeenRecord
from socialsite.streams.status import list_dead_letters
from socialsite.table import change, keys, write_batch
from socialsite.table.reading import scan
from tests.conftest import post
from tests.streams.crowd import crowd, gather, home, jobs, reached
from tests.streams.lambda_events import (
    answers_lost,
    broken_post,
    event,
    failing_from,
    lambda_record,
    new_records,
)
from tests.streams.records import Record, unread
from tests.together import together
from tests.web.conftest import NOBODY_LISTENS, table_at

NOTHING_FAILED: dict[str, list[dict[str, str]]] = {"batchItemFailures": []}
THREADS = 8
at_once = pytest.mark.engines(
    "embedded", "dynamodb-local", reason="moto is not made for several threads"
)


def drain() -> None:
    """Gives Lambda every record once, in order, as long as handling makes new ones."""
    given = 0
    while records := new_records(given):
        assert handle(event(records)) == NOTHING_FAILED
        given += len(records)


def of_type(*kinds: str) -> list[Record]:
    return [raw for raw in scan() if raw["type"]["S"] in kinds]


def markers() -> list[Record]:
    return of_type(SeenRecord.__name__)


def sequence(records: list[Record], *, at: int) -> str:
    """The first record of that commit."""
    return str(records[at * RECORDS_A_COMMIT]["dynamodb"]["SequenceNumber"])


def likes(alice, bob, number: int = 12) -> list[str]:
    """Two posts with so many likes each, of which Bob's is taken back."""
    posts = [post(alice) for _ in range(2)]
    for post_id in posts:
        like = {"post_id": post_id, "author_id": alice.user_id}
        for fan in [*crowd(number), bob]:
            like_post(by=fan, **like)
        unlike_post(by=bob, post_id=post_id)
    return posts


def test_each_record_is_applied(alice, bob, carol):
    follow(by=bob, user_id=alice.user_id)
    post_id = post(alice)
    like_post(by=carol, post_id=post_id, author_id=alice.user_id)
    drain()
    assert home(bob) == [post_id]
    assert get_like_count(post_id) == 1


def test_an_empty_batch_is_nothing_to_do():
    assert handle({"Records": []}) == NOTHING_FAILED


def test_a_batch_that_comes_again_changes_nothing(alice, bob):
    posts = likes(alice, bob)
    batch = event(unread())
    for _ in range(3):
        assert handle(batch) == NOTHING_FAILED
    assert [get_like_count(post_id) for post_id in posts] == [12, 12]


@pytest.mark.parametrize("seed", range(3))
def test_overlapping_batches_count_each_record_once(alice, bob, seed):
    posts = likes(alice, bob)
    records = unread()
    chance = random.Random(seed)
    starts = range(0, len(records), 15)
    batches = [records[start : start + chance.randint(15, 60)] for start in starts]
    for batch in chance.sample(batches, len(batches)):
        handle(event(batch))
    assert [get_like_count(post_id) for post_id in posts] == [12, 12]


@at_once
def test_batches_that_run_at_once_count_each_record_once(alice, bob):
    posts = likes(alice, bob)
    records = unread()
    chance = random.Random(7)
    cuts = [sorted(chance.sample(range(len(records)), 2)) for _ in range(THREADS - 2)]
    batches = [records[low:high] for low, high in cuts] + [records, records]
    results = together(*(partial(handle, event(batch)) for batch in batches))
    for batch, result in zip(batches, results, strict=True):
        while result != NOTHING_FAILED:  # Lambda delivers again what was given back
            assert isinstance(result, dict), result
            result = handle(event(batch))
    assert [get_like_count(post_id) for post_id in posts] == [12, 12]


@at_once
def test_timelines_are_right_when_batches_run_at_once(alice, bob, carol):
    gather([bob, carol], alice)
    posts = [post(alice) for _ in range(6)]
    batch = event(unread())
    together(*(partial(handle, batch) for _ in range(THREADS)))
    assert home(bob) == home(carol) == posts[::-1]


def test_jobs_run_under_lambda_too(alice, settings):
    settings.FAN_OUT_INLINE, settings.FAN_OUT_STEP = 2, 5
    fans = gather(crowd(7), alice)
    post_id = post(alice)
    drain()
    assert reached(fans, post_id, alice) == 7
    assert not jobs(JobKind.FAN_OUT)


def test_a_deletion_under_lambda_clears_the_likes(alice, bob):
    post_id = post(alice)
    like_post(by=bob, post_id=post_id, author_id=alice.user_id)
    delete_post(by=alice, post_id=post_id)
    drain()
    assert not of_type("Like", "LikeTrace", "LikeCount")


def test_what_could_not_be_applied_goes_back_from_that_record_on(alice, bob):
    post_id = likes(alice, bob, number=30)[0]
    records = unread()
    liked = [number for number, one in enumerate(records) if type_of(one) == "Like"]
    part = liked[20] // RECORDS_A_COMMIT
    with failing_from(records[liked[20]]):
        answer = handle(event(records))
    assert answer == {"batchItemFailures": [{"itemIdentifier": sequence(records, at=part)}]}
    assert get_like_count(post_id) < 20
    assert handle(event(records[part * RECORDS_A_COMMIT :])) == NOTHING_FAILED
    assert get_like_count(post_id) == 30


def test_while_the_engine_is_down_the_whole_batch_goes_back(alice, bob):
    post_id = likes(alice, bob)[0]
    records = unread()
    with table_at(NOBODY_LISTENS):
        answer = handle(event(records))
    assert answer == {"batchItemFailures": [{"itemIdentifier": sequence(records, at=0)}]}
    assert handle(event(records)) == NOTHING_FAILED
    assert get_like_count(post_id) == 12


def test_a_commit_whose_answer_was_lost_is_recognised_by_its_markers(alice, bob):
    post_id = likes(alice, bob, number=5)[0]
    batch = event(unread())
    with answers_lost():
        handle(batch)
    assert handle(batch) == NOTHING_FAILED
    assert get_like_count(post_id) == 5


def test_a_record_is_marked_for_longer_than_the_stream_remembers_it(alice, bob):
    follow(by=bob, user_id=alice.user_id)
    drain()
    ends = [int(raw["ttl"]["N"]) - time.time() for raw in markers()]
    assert ends
    assert all(MARKER_HOURS * 3600 - 60 < end <= MARKER_HOURS * 3600 for end in ends)


def test_only_records_that_had_an_effect_are_marked_and_none_of_what_the_handlers_write(alice, bob):
    follow(by=bob, user_id=alice.user_id)
    post_id = post(alice)
    like_post(by=bob, post_id=post_id, author_id=alice.user_id)
    expected = {
        str(lambda_record(record)["eventID"])
        for record in unread()
        if type_of(record) in ("Following", "Follower", "Post", "Like", "UserInfo")
    }
    drain()
    assert {raw["event_id"]["S"] for raw in markers()} == expected
    assert of_type("TimelineEntry", "PublicEntry")


def test_a_record_that_cannot_be_applied_is_parked_once_and_holds_nothing_up(alice, bob, carol):
    follow(by=bob, user_id=alice.user_id)
    write_batch(puts=[broken_post(carol)])
    good = post(alice)
    batch = event(unread())
    for _ in range(2):
        assert handle(batch) == NOTHING_FAILED
    assert home(bob) == [good]
    (letter,) = list_dead_letters()
    assert (letter.shard_id, letter.event) == ("lambda", "INSERT")


def test_a_batch_of_posts_that_each_begin_two_jobs_is_committed_whole(settings, table):
    settings.PULL_ABOVE = settings.FAN_OUT_INLINE = 0
    authors = crowd(RECORDS_A_COMMIT)
    for author in authors:
        change(UserCount, keys.user_count(author.user_id), [UserCount.followers.set(1)])
        post(author)
    posts = [record for record in unread() if type_of(record) == "Post"]  # as a filter leaves them
    assert handle(event(posts)) == NOTHING_FAILED
    assert len(jobs(JobKind.CROSS_TO_PULL)) == RECORDS_A_COMMIT
