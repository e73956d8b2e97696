"""Whatever the engine answers to whichever call of the worker or a page, and rights that lack."""

import logging
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest
from botocore.awsrequest import AWSResponse
from django.core.management import call_command
from django.core.management.base import CommandError
from django.http import HttpResponse
from django.test import Client

from feed.home.reads import get_timeline
from relations.follows.writes import follow
from socialsite.streams import leases
from socialsite.streams.lambda_handler import handle
from socialsite.streams.shards import Stream
from socialsite.streams.status import list_dead_letters
from socialsite.streams.worker import Worker
from socialsite.table.connection import client
from socialsite.table.reading import scan
from socialsite.table.refusals import LOOK_EVERY
from socialsite.table.schema import create_table
from tests.conftest import post
from tests.injected.faults import (
    FOR_EVER,
    GIVES_UP,
    IS_LONG,
    Fault,
    Hook,
    HurriedClock,
    Rounds,
    Sending,
    combinations,
    denied,
    describe,
    share,
)
from tests.injected.scenarios import MODERATION, SCENARIOS, Cast, Scenario
from tests.injected.view_cases import CASES, MODERATION_CASES, Case, Site, build_site
from tests.looks import broken_invariants, drain
from tests.streams.records import event, unread
from tests.tables import use_table

# Whatever the engine answers to whichever call of the worker: it goes on, and in the end everything is as it
# should.
#
# Each scenario × each of the worker's calls, those of the stream too × each fault × once, until botocore gives
# up, and for ever. `FAULTS=long` tries all.

ONE_OF = 240
ONE_BEAT_OF = 360  # each beat is a call, so that there are many of one kind
TRIALS_A_TABLE = 8


@contextmanager
def working(hook: Hook, base: str, number: int) -> Iterator[Worker]:
    """A worker on a new table; both are used for some trials, so that no scan grows long."""
    name = f"{base}-{number}"
    use_table(name)
    create_table()
    worker = Worker()
    with hook.hooked(client(), worker.stream._client):
        yield worker
    client().delete_table(TableName=name)
    use_table(base)


def prepare(scenario: Scenario, number: int, worker: Worker) -> Cast:
    cast = Cast.of(number, scenario.fans)
    scenario.before(cast)
    drain(worker)
    worker.give_up()
    scenario.act(cast)
    return cast


def wrongs(scenario: Scenario, cast: Cast, caplog: pytest.LogCaptureFixture) -> Iterator[str]:
    """What is wrong after a trial, a sentence each."""
    for record in caplog.records:
        if record.levelno >= logging.ERROR and record.name.startswith("socialsite"):
            yield f"was surprised: {record.getMessage()}: {record.exc_info and record.exc_info[1]}"
    if letters := list_dead_letters():
        yield f"parked {[letter.error for letter in letters]}"
    if jobs := [raw["PK"]["S"] for raw in scan() if raw["type"]["S"] == "Job"]:
        yield f"left {jobs}"
    if broken := broken_invariants():
        yield f"breaks {broken}"
    try:
        scenario.after(cast)
    except AssertionError as error:
        yield f"leaves it wrong: {error}"


Run = Callable[[Worker], None]


def calls_of(scenario: Scenario, hook: Hook, base: str, run: Run) -> list[str]:
    with working(hook, base, 0) as worker:
        cast = prepare(scenario, 0, worker)
        hook.sent.clear()
        run(worker)
        calls = list(hook.sent)
        drain(worker)
        scenario.after(cast)
        assert broken_invariants() == {}
    return calls


def wrongs_of_all(
    scenario: Scenario,
    hook: Hook,
    base: str,
    run: Run,
    caplog: pytest.LogCaptureFixture,
    *,
    one_of: int = ONE_OF,
) -> list[str]:
    calls = calls_of(scenario, hook, base, run)
    every = list(combinations(calls))
    tried = share(every, one_of=one_of, salt=scenario.name)
    print(describe(scenario.name, len(every), len(tried)))
    wrong: list[str] = []
    waiting = list(enumerate(tried))
    while waiting:
        known = len(wrong)
        with working(hook, base, len(waiting)) as worker:
            for number, (call, fault, times) in waiting[:TRIALS_A_TABLE]:
                waiting.pop(0)
                cast = prepare(scenario, number, worker)
                caplog.clear()
                with hook.armed(fault, at=call, times=times):
                    run(worker)
                drain(worker)
                name = f"{scenario.name}, call {call} {calls[call]}, {fault.name} × {times}"
                wrong += [f"{name}: {text}" for text in wrongs(scenario, cast, caplog)]
                if len(wrong) > known:
                    break  # what is broken now must not be blamed on the next
    return wrong


@pytest.mark.usefixtures("clock", "impatient")
@pytest.mark.timeout(3600 if IS_LONG else 120)
@pytest.mark.parametrize(
    "scenario", [*SCENARIOS, *MODERATION], ids=lambda one: one.name.replace(" ", "-")
)
def test_the_worker_goes_on_and_all_is_right(
    scenario: Scenario, table: str, settings: object, caplog: pytest.LogCaptureFixture
) -> None:
    for name, value in scenario.settings.items():
        setattr(settings, name, value)

    def run(worker: Worker) -> None:
        worker.run(Rounds(scenario.rounds))

    wrong = wrongs_of_all(scenario, Hook(), table, run, caplog)
    assert not wrong, "\n".join(wrong)


@pytest.mark.usefixtures("clock", "impatient")
@pytest.mark.timeout(3600 if IS_LONG else 120)
def test_a_worker_that_beats_under_faults_keeps_or_loses_its_lease_but_counts_once(
    table: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Every beat is a call of its own, before and between the records."""
    likes = next(scenario for scenario in SCENARIOS if scenario.name == "like")
    hook = Hook()

    def run(worker: Worker) -> None:
        with monkeypatch.context() as hasty:  # only here, as each beat is a record too
            hasty.setattr(leases, "BEAT_EVERY", 0)
            worker.run(Rounds(likes.rounds))

    wrong = wrongs_of_all(likes, hook, table, run, caplog, one_of=ONE_BEAT_OF)
    assert not wrong, "\n".join(wrong)


# Whatever the engine answers to whichever call of a page: the page comes, or says when to come back.
#
# Each view × each of its calls × each fault × once, until botocore gives up, and for ever. `FAULTS=long` tries
# all.

LONGEST = 5.0  # seconds, waits between tries included
ONE_VIEW_OF = 64


@pytest.fixture
def site(hook: Hook) -> Site:
    return build_site()


@dataclass(frozen=True)
class Trial:
    """One request under one fault, and the same again without."""

    case: Case
    number: int
    fault: Fault
    times: int

    def faults_of(self, site: Site, hook: Hook, clock: HurriedClock) -> Iterator[str]:
        """What is wrong, a sentence each."""
        self.case.prepare(site)
        before = time.thread_time() + clock.slept
        with hook.armed(self.fault, at=self.number, times=self.times):
            answer = self.case.ask(site)
        took = time.thread_time() + clock.slept - before
        if took > LONGEST:
            yield f"took {took:.1f} s"
        yield from self._wrong_answer(answer)
        if answer.status_code == self.case.status:
            yield from self._left_wrong(site, "already")
        clock.sleep(LOOK_EVERY)
        again = self.case.ask(site)
        if again.status_code not in (self.case.status, *self._allowed_again(answer)):
            yield f"answers {again.status_code} to the same request afterwards"
        yield from self._left_wrong(site, "after the same again")
        if broken := broken_invariants():
            yield f"breaks {broken}"

    def _left_wrong(self, site: Site, when: str) -> Iterator[str]:
        site.drain()
        try:
            self.case.check(site)
        except AssertionError as error:
            yield f"leaves it wrong, {when}: {error}"

    def _wrong_answer(self, answer: HttpResponse) -> Iterator[str]:
        status = answer.status_code
        if b"Traceback" in answer.content:
            yield "shows a traceback"
        if status == 503:
            if not int(answer.get("Retry-After", 0)):
                yield "does not say when to come back"
            if self.times < GIVES_UP:
                yield "gives up although the next try succeeds"
        elif status != self.case.status:
            yield f"answers {status}"

    def _allowed_again(self, first: HttpResponse) -> tuple[int, ...]:
        return self.case.again if first.status_code == 503 else (429, 422)

    def __str__(self) -> str:
        return f"{self.case.name}, call {self.number}, {self.fault.name} × {self.times}"


@pytest.mark.usefixtures("no_limits")
@pytest.mark.timeout(1800 if IS_LONG else 120)
@pytest.mark.parametrize(
    "case", [*CASES, *MODERATION_CASES], ids=lambda case: case.name.replace(" ", "-")
)
def test_a_view_answers_or_says_when_to_come_back(
    case: Case, site: Site, hook: Hook, clock: HurriedClock
) -> None:
    case.prepare(site)
    hook.sent.clear()
    assert case.ask(site).status_code == case.status
    calls = list(hook.sent)
    site.drain()
    case.check(site)
    every = list(combinations(calls))
    tried = share(every, one_of=ONE_VIEW_OF, salt=case.name)
    print(describe(case.name, len(every), len(tried)))
    wrong: list[str] = []
    for number, (call, fault, times) in enumerate(tried, 1):
        site.number = number
        trial = Trial(case, call, fault, times)
        wrong += [f"{trial} ({calls[call]}): {text}" for text in trial.faults_of(site, hook, clock)]
    assert not wrong, "\n".join(wrong)


# A role that lacks a right gets no page of an error: 503, or a sentence that says what was denied.

embedded_alone = pytest.mark.engines("embedded", reason="no engine of ours denies anything")

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


@pytest.mark.usefixtures("no_limits")
@embedded_alone
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


@pytest.mark.usefixtures("no_limits")
@embedded_alone
@pytest.mark.parametrize("operation", LOOKS_AT_THE_WORKER)
def test_readyz_is_unavailable(right, clock, operation):
    with right.armed(denied(operation), times=FOR_EVER):
        answer = Client().get("/readyz")
    assert right.injected
    assert (answer.status_code, answer.json()["error"]) == (503, "Unavailable")
    assert int(answer["Retry-After"]) > 0


@pytest.mark.usefixtures("no_limits")
@embedded_alone
@pytest.mark.parametrize("operation", LOOKS_AT_THE_WORKER)
def test_the_page_about_the_worker_is_unavailable(right, clock, admin, log_in, operation):
    browser = log_in(admin)
    with right.armed(denied(operation), times=FOR_EVER):
        answer = browser.get("/operations/worker")
    assert right.injected
    assert answer.status_code == 503
    assert int(answer["Retry-After"]) > 0


@pytest.mark.usefixtures("no_limits")
@embedded_alone
@pytest.mark.parametrize("operation", LOOKS_AT_THE_WORKER)
def test_metrics_say_that_the_table_is_not_up(right, clock, operation):
    with right.armed(denied(operation), times=FOR_EVER):
        answer = Client().get("/metrics")
    assert right.injected
    assert answer.status_code == 200
    assert "table_up 0.0" in answer.content.decode()


@pytest.mark.usefixtures("no_limits")
@embedded_alone
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


@pytest.mark.usefixtures("no_limits")
@embedded_alone
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


@pytest.mark.usefixtures("no_limits")
@embedded_alone
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


@pytest.mark.usefixtures("no_limits")
@embedded_alone
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_says_what_was_denied(right, clock, alice, command):
    with right.armed(denied(), times=FOR_EVER), pytest.raises(CommandError, match=DENIED):
        call_command(*command.split())
