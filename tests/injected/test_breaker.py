"""The breaker of a web process: refuses calls at once while the table does not answer, and finds out when it does."""

import os
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from botocore.awsrequest import AWSResponse
from django.conf import settings
from django.test import Client

from accounts.models import UserCount
from socialsite.engine import lock
from socialsite.engine.running import stop_owned
from socialsite.table import Unavailable, breaker, connection, create, get, keys
from tests.faults.processes import wait_until
from tests.injected.clock import HurriedClock
from tests.injected.faults import fail_inside, refuse_connection, throttle, time_out
from tests.injected.hook import FOR_EVER, Fault, Hook, Sending

FAILURES = [
    Fault("timed out", time_out),
    Fault("connection refused", refuse_connection),
    Fault("failed inside", fail_inside),
]
THROTTLED = Fault("throttled", throttle)


class StoppedClock:
    """Stands in for the `time` module in the breaker: however slow the machine, time passes only when it is told."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now

    def pass_by(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> StoppedClock:
    clock = StoppedClock()
    monkeypatch.setattr(breaker, "time", clock)
    return clock


@pytest.fixture
def hook(web_process: None, clock: HurriedClock, time: StoppedClock) -> Iterator[Hook]:
    """Every request of a web process, whose breaker goes by the stopped clock."""
    create(UserCount.new(user_id="A"))
    with Hook().hooked(connection.client()) as hook:
        yield hook


@pytest.fixture
def held() -> Iterator[threading.Event]:
    """What lets held answers go; in the end it does."""
    event = threading.Event()
    yield event
    event.set()


def holding(event: threading.Event) -> Fault:
    """The engine takes the call, and answers when the event is set."""

    def answer(sending: Sending) -> AWSResponse:
        event.wait(90)
        return sending.let_through()

    return Fault("held", answer)


def read() -> None:
    get(UserCount, keys.user_count("A"))


def is_refused() -> bool:
    try:
        read()
    except Unavailable as error:
        return "calls are refused" in str(error)
    return False


def fail(times: int) -> None:
    for _ in range(times):
        with pytest.raises(Unavailable):
            read()


@pytest.mark.parametrize("failure", FAILURES, ids=lambda fault: fault.name)
def test_it_opens_after_three_failures_in_a_row(hook: Hook, failure: Fault) -> None:
    with hook.armed(failure, times=FOR_EVER):
        fail(2)
        assert not is_refused()  # the third
        sent = len(hook.sent)
        assert is_refused()
        assert is_refused()
        assert len(hook.sent) == sent


def test_an_answer_between_failures_keeps_it_closed(hook: Hook) -> None:
    for _ in range(3):
        with hook.armed(FAILURES[0], times=2):
            fail(2)
        read()


def test_throttling_is_an_answer(hook: Hook) -> None:
    with hook.armed(THROTTLED, times=FOR_EVER):
        fail(4)
    assert not is_refused()


def test_after_a_second_one_call_finds_the_table_well(hook: Hook, time: StoppedClock) -> None:
    with hook.armed(FAILURES[0], times=FOR_EVER):
        fail(3)
    assert is_refused()
    time.pass_by(1.1)
    read()
    read()


def test_a_probe_that_fails_keeps_it_open_for_another_second(
    hook: Hook, time: StoppedClock
) -> None:
    with hook.armed(FAILURES[0], times=FOR_EVER):
        fail(3)
        for _ in range(3):
            time.pass_by(1.1)
            sent = len(hook.sent)
            assert not is_refused()
            assert is_refused()
            assert len(hook.sent) == sent + 1


def test_a_call_that_hangs_opens_it_before_it_times_out(
    hook: Hook, time: StoppedClock, held: threading.Event
) -> None:
    time.pass_by(0.1)  # since the last answer
    with ThreadPoolExecutor(1) as pool, hook.armed(holding(held)):
        first = pool.submit(read)
        wait_until(lambda: bool(hook.sent), seconds=60)
        time.pass_by(0.6)
        assert is_refused()
        assert not first.done()
        held.set()
        first.result(60)
        assert not is_refused()  # its answer, late as it was, closed it


def test_one_slow_call_among_answered_ones_is_no_reason(
    hook: Hook, time: StoppedClock, held: threading.Event
) -> None:
    with ThreadPoolExecutor(1) as pool, hook.armed(holding(held)):
        slow = pool.submit(read)
        wait_until(lambda: bool(hook.sent), seconds=60)
        read()
        time.pass_by(0.6)
        read()
        assert not slow.done()
        held.set()


def test_an_open_breaker_is_a_page_that_says_when_to_come_back(hook: Hook) -> None:
    with hook.armed(FAILURES[1], times=FOR_EVER):
        fail(3)
        sent = len(hook.sent)
        answer = Client().get("/local")
        assert (answer.status_code, answer["Retry-After"]) == (503, "3")
        assert "Back in a moment" in answer.content.decode()
        assert Client().get("/about").status_code == 200
        assert Client().get("/readyz").status_code == 503
        assert len(hook.sent) == sent


@pytest.fixture
def locked_folder(table: str, tmp_path: Path) -> Iterator[int]:
    """The site is to use an embedded engine of its own, whose lock another process holds: its descriptor."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("no_proxy", "NO_PROXY"):  # to which the site adds the address of its engine
            patch.setenv(name, "")
        patch.setattr(settings, "DATA_DIR", tmp_path)
        patch.setattr(settings, "DYNAMODB_ENDPOINT", None)
        patch.setattr(settings, "DYNAMODB_ENGINE", "embedded")
        patch.setattr(connection, "CONNECT_SECONDS", 0.1)
        connection.disconnect()
        held = lock.try_lock(tmp_path)
        assert held is not None
        yield held
        stop_owned()
        connection._serves_pages = False
    connection.disconnect()


@pytest.mark.engines("embedded", reason="it waits for the embedded engine's lock")
def test_no_request_waits_for_an_engine_that_does_not_start(locked_folder: int) -> None:
    connection.connect_to_serve()
    answer = Client().get("/local")
    assert (answer.status_code, answer["Retry-After"]) == (503, "3")
    assert Client().get("/about").status_code == 200
    os.close(locked_folder)
    wait_until(lambda: connection._connected is not None, seconds=30)
