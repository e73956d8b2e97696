"""A role that lacks a right gets no page of an error: 503, or a sentence that says what was denied."""

import logging
import signal
from collections.abc import Iterator

import pytest
from botocore.awsrequest import AWSResponse
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client

from feed.home.reads import get_timeline
from relations.follows.writes import follow
from socialsite.streams.lambda_handler import handle
from socialsite.streams.shards import Stream
from socialsite.streams.status import list_dead_letters
from socialsite.streams.worker import Worker
from tests.conftest import post
from tests.injected.clock import HurriedClock
from tests.injected.denied import denied
from tests.injected.hook import FOR_EVER, Fault, Hook, Sending
from tests.injected.rounds import Rounds
from tests.injected.site import Site, build_site
from tests.injected.view_cases import CASES, Case
from tests.injected.view_cases_of_moderation import MODERATION_CASES
from tests.streams.lambda_events import event
from tests.streams.records import unread

pytestmark = [
    pytest.mark.usefixtures("no_limits"),
    pytest.mark.engines("embedded", reason="no engine of ours denies anything"),
]

LOOKS_AT_THE_WORKER = ("DescribeTable", "DescribeStream", "BatchGetItem", "Query")
WORKS = ("DescribeTable", "DescribeStream", "GetShardIterator", "GetRecords", "GetItem", "BatchGetItem", "Query",
         "BatchWriteItem", "TransactWriteItems")  # fmt: skip
COMMANDS = ("audit", "audit_log verify", "create_table", "createadmin alice", "hand_over lambda", "recommend alice",
            "relation_event deploy/events/levels.json", "reconcile", "redrive", "reencrypt")  # fmt: skip
DENIED = r"\(AccessDeniedException\).* when calling the \w+ operation: injected"


@pytest.fixture
def right(hook: Hook, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hook]:
    """The hook, which listens to the stream's client too."""
    of_stream = Stream()._client
    monkeypatch.setattr(Stream, "_client", of_stream)
    with hook.hooked(of_stream):
        yield hook


@pytest.mark.parametrize(
    "case", [*CASES, *MODERATION_CASES], ids=lambda case: case.name.replace(" ", "-")
)
def test_a_page_says_when_to_come_back(case: Case, hook: Hook, clock: HurriedClock) -> None:
    site: Site = build_site()
    case.prepare(site)
    hook.sent.clear()
    assert case.ask(site).status_code == case.status
    refused = 0
    for operation in sorted(set(hook.sent)):
        site.number += 1
        case.prepare(site)
        with hook.armed(denied(operation), times=FOR_EVER):
            answer = case.ask(site)
        if hook.injected:  # what is kept, such as suggestions, is written once
            assert answer.status_code == 503, operation
            assert int(answer["Retry-After"]) > 0
            refused += 1
    assert refused


@pytest.mark.parametrize("operation", LOOKS_AT_THE_WORKER)
def test_readyz_is_unavailable(right, clock, operation):
    with right.armed(denied(operation), times=FOR_EVER):
        answer = Client().get("/readyz")
    assert right.injected
    assert (answer.status_code, answer.json()["error"]) == (503, "Unavailable")
    assert int(answer["Retry-After"]) > 0


@pytest.mark.parametrize("operation", LOOKS_AT_THE_WORKER)
def test_the_page_about_the_worker_is_unavailable(right, clock, admin, log_in, operation):
    browser = log_in(admin)
    with right.armed(denied(operation), times=FOR_EVER):
        answer = browser.get("/operations/worker")
    assert right.injected
    assert answer.status_code == 503
    assert int(answer["Retry-After"]) > 0


@pytest.mark.parametrize("operation", LOOKS_AT_THE_WORKER)
def test_metrics_say_that_the_table_is_not_up(right, clock, operation):
    with right.armed(denied(operation), times=FOR_EVER):
        answer = Client().get("/metrics")
    assert right.injected
    assert answer.status_code == 200
    assert "table_up 0.0" in answer.content.decode()


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("operation", WORKS)
def test_the_worker_says_what_was_denied_and_goes_on_afterwards(
    right, clock, alice, bob, caplog, operation
):
    post_id = post(alice)
    follow(by=bob, user_id=alice.user_id)
    worker = Worker()
    with right.armed(denied(operation), times=FOR_EVER):
        worker.run(Rounds(3))
    assert right.injected
    assert caplog.text.count("the worker waits for the engine: An error occurred") == 3
    assert operation in caplog.text
    assert "the worker starts over" not in caplog.text
    worker.drain()
    assert [card.post_id for card in get_timeline(bob).items] == [post_id]
    assert list_dead_letters() == []


def test_under_lambda_the_batch_comes_again(right, clock, alice, caplog):
    post(alice)
    batch = event(unread())
    with right.armed(denied(), times=FOR_EVER):
        assert len(handle(batch)["batchItemFailures"]) == 1
    assert "AccessDeniedException" in caplog.text
    assert handle(batch) == {"batchItemFailures": []}


@pytest.fixture
def signals() -> Iterator[None]:
    """The signals that `run_worker` takes over are given back."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.usefixtures("impatient", "signals")
@pytest.mark.parametrize(
    ("part", "sentence"),
    [
        ("stream", "the worker waits for the engine"),
        ("clock", "due work waits for the engine"),
    ],
)
def test_the_command_of_the_worker_waits_until_it_is_stopped(right, clock, caplog, part, sentence):
    def deny(sending: Sending) -> AWSResponse:
        if right.injected > 2:
            signal.raise_signal(signal.SIGTERM)
        return sending.refuse("AccessDeniedException")

    with right.armed(Fault("denied until stopped", deny), times=FOR_EVER):
        call_command("run_worker", only=part)
    assert right.injected > 2
    warned = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert warned
    assert all(sentence in record.getMessage() for record in warned)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_says_what_was_denied(right, clock, alice, command):
    with right.armed(denied(), times=FOR_EVER), pytest.raises(CommandError, match=DENIED):
        call_command(*command.split())
