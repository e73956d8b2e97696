"""From our own workers to Lambda and back, each record counts once; whoever is not meant to work refuses."""

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client

from feed.likes.reads import get_like_count
from feed.likes.writes import like_post
from relations.follows.writes import follow
from socialsite.due.clock import Beats
from socialsite.due.models import StreamHost
from socialsite.due.work import do_due
from socialsite.streams.hosts import WorksElsewhere
from socialsite.streams.lambda_handler import handle
from socialsite.streams.shards import Stream
from socialsite.streams.worker import Worker
from socialsite.table import change, keys
from tests.conftest import post
from tests.streams.crowd import crowd, home
from tests.streams.lambda_events import event

NOTHING_FAILED = {"batchItemFailures": []}


def everything_from_the_start():
    """What a new event source mapping at TRIM_HORIZON delivers."""
    stream = Stream()
    return event(list(stream.records_behind(stream.shards()[0].shard_id, "")))


def worked() -> None:
    worker = Worker()
    worker.drain()
    worker.give_up()


def lambda_is_quiet() -> None:
    long_ago = StreamHost.beaten_at.set("2026-01-01T00:00:00+00:00")
    change(StreamHost, keys.stream_host(), [long_ago])


def test_likes_count_once_on_the_way_to_lambda_and_back(alice, bob, capsys):
    post_id = post(alice)
    fans = crowd(6)
    like = {"post_id": post_id, "author_id": alice.user_id}
    for fan in fans[:3]:
        like_post(by=fan, **like)
    worked()
    like_post(by=fans[3], **like)  # left to whoever comes
    call_command("hand_over", "lambda")
    for _ in range(2):
        assert handle(everything_from_the_start()) == NOTHING_FAILED
    assert get_like_count(post_id) == 4
    like_post(by=fans[4], **like)
    handle(everything_from_the_start())
    assert get_like_count(post_id) == 5
    like_post(by=fans[5], **like)  # Lambda did not get to it
    follow(by=bob, user_id=alice.user_id)
    lambda_is_quiet()
    call_command("hand_over", "worker")
    worked()
    assert get_like_count(post_id) == 6
    assert home(bob) == [post_id]


def test_lambda_applies_nothing_while_the_stream_is_the_workers(alice, bob):
    post_id = post(alice)
    worked()
    like_post(by=bob, post_id=post_id, author_id=alice.user_id)
    answer = handle(everything_from_the_start())
    assert len(answer["batchItemFailures"]) == 1
    assert get_like_count(post_id) == 0


def test_a_worker_refuses_what_is_lambdas_in_one_sentence(alice):
    handle(everything_from_the_start())
    with pytest.raises(WorksElsewhere, match=r"manage\.py hand_over worker"):
        Worker().step()


def test_the_stream_is_not_taken_from_lambda_while_it_is_at_work(alice):
    handle(everything_from_the_start())
    with pytest.raises(CommandError, match="disable the mapping"):
        call_command("hand_over", "worker")


def test_readyz_knows_that_lambda_works(alice):
    handle(everything_from_the_start())
    do_due(beat=Beats())  # by the function of the clock
    answer = Client().get("/readyz").json()
    assert (answer["status"], answer["worker"]["working"]) == ("ok", True)
