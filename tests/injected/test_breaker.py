"""An engine that is slow, hung or throttled: tried again, and refused at once while it does not answer."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
from botocore.awsrequest import AWSResponse
from django.conf import settings
from django.http import HttpResponse
from django.test import Client

from accounts.models import UserCount
from socialsite import settings as socialsite
from socialsite.engine import lock, process
from socialsite.engine.dynoxide import DYNOXIDE
from socialsite.engine.running import stop_owned
from socialsite.table import Item, Unavailable, connection, create, fetch, get, keys, resilience
from socialsite.table import resilience as breaker
from socialsite.table.connection import client
from socialsite.table.schema import create_table
from tests.engines import PROJECT
from tests.faults.processes import wait_until
from tests.injected.faults import (
    FOR_EVER,
    Fault,
    Hook,
    HurriedClock,
    Sending,
    answer_too_late,
    conflict_everywhere,
    fail_inside,
    leave_all_unprocessed,
    refuse_connection,
    throttle,
    time_out,
)
from tests.injected.view_cases import Site, build_site
from tests.web.conftest import table_at

FAILURES = [
    Fault("timed out", time_out),
    Fault("connection refused", refuse_connection),
    Fault("failed inside", fail_inside),
]
THROTTLED = Fault("throttled", throttle)


class StoppedClock:
    """Stands in for the clock of the breaker: however slow the machine, time passes only when it is told."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now

    def pass_by(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def stopped_clock(monkeypatch: pytest.MonkeyPatch) -> StoppedClock:
    clock = StoppedClock()
    monkeypatch.setattr(breaker, "monotonic", clock.monotonic)
    return clock


@pytest.fixture
def breaker_hook(
    web_process: None, clock: HurriedClock, stopped_clock: StoppedClock
) -> Iterator[Hook]:
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
def test_it_opens_after_three_failures_in_a_row(breaker_hook: Hook, failure: Fault) -> None:
    with breaker_hook.armed(failure, times=FOR_EVER):
        fail(2)
        assert not is_refused()  # the third
        sent = len(breaker_hook.sent)
        assert is_refused()
        assert is_refused()
        assert len(breaker_hook.sent) == sent


def test_an_answer_between_failures_keeps_it_closed(breaker_hook: Hook) -> None:
    for _ in range(3):
        with breaker_hook.armed(FAILURES[0], times=2):
            fail(2)
        read()


def test_throttling_is_an_answer(breaker_hook: Hook) -> None:
    with breaker_hook.armed(THROTTLED, times=FOR_EVER):
        fail(4)
    assert not is_refused()


def test_after_a_second_one_call_finds_the_table_well(
    breaker_hook: Hook, stopped_clock: StoppedClock
) -> None:
    with breaker_hook.armed(FAILURES[0], times=FOR_EVER):
        fail(3)
    assert is_refused()
    stopped_clock.pass_by(1.1)
    read()
    read()


def test_a_probe_that_fails_keeps_it_open_for_another_second(
    breaker_hook: Hook, stopped_clock: StoppedClock
) -> None:
    with breaker_hook.armed(FAILURES[0], times=FOR_EVER):
        fail(3)
        for _ in range(3):
            stopped_clock.pass_by(1.1)
            sent = len(breaker_hook.sent)
            assert not is_refused()
            assert is_refused()
            assert len(breaker_hook.sent) == sent + 1


def test_a_call_that_hangs_opens_it_before_it_times_out(
    breaker_hook: Hook, stopped_clock: StoppedClock, held: threading.Event
) -> None:
    stopped_clock.pass_by(0.1)  # since the last answer
    with ThreadPoolExecutor(1) as pool, breaker_hook.armed(holding(held)):
        first = pool.submit(read)
        wait_until(lambda: bool(breaker_hook.sent), seconds=60)
        stopped_clock.pass_by(0.6)
        assert is_refused()
        assert not first.done()
        held.set()
        first.result(60)
        assert not is_refused()  # its answer, late as it was, closed it


def test_one_slow_call_among_answered_ones_is_no_reason(
    breaker_hook: Hook, stopped_clock: StoppedClock, held: threading.Event
) -> None:
    with ThreadPoolExecutor(1) as pool, breaker_hook.armed(holding(held)):
        slow = pool.submit(read)
        wait_until(lambda: bool(breaker_hook.sent), seconds=60)
        read()
        stopped_clock.pass_by(0.6)
        read()
        assert not slow.done()
        held.set()


def test_an_open_breaker_is_a_page_that_says_when_to_come_back(breaker_hook: Hook) -> None:
    with breaker_hook.armed(FAILURES[1], times=FOR_EVER):
        fail(3)
        sent = len(breaker_hook.sent)
        answer = Client().get("/local")
        assert (answer.status_code, answer["Retry-After"]) == (503, "3")
        assert "Back in a moment" in answer.content.decode()
        assert Client().get("/about").status_code == 200
        assert Client().get("/readyz").status_code == 503
        assert len(breaker_hook.sent) == sent


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


# An engine that hangs: frozen in the middle of things, it takes connections and answers nothing.

TRY = 0.9  # seconds of each of two tries
LONGEST = 5.0  # far more than both, on a machine that does other work, and far less than an engine that hangs


@pytest.fixture
def hanging(tmp_path: Path, table: str) -> Iterator[process.Engine]:
    """The table on an engine of its own, which may be frozen."""
    patience = settings.DYNAMODB_SECONDS
    settings.DYNAMODB_SECONDS = TRY
    engine = process.start(DYNOXIDE, PROJECT, tmp_path, die_with_starter=False)
    try:
        with table_at(engine.url):
            Item.Meta.table_name = table
            create_table()
            yield engine
    finally:
        engine.process.send_signal(signal.SIGCONT)
        process.stop(engine)
        settings.DYNAMODB_SECONDS = patience


@contextmanager
def frozen(engine: process.Engine) -> Iterator[None]:
    os.kill(engine.process.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(engine.process.pid, signal.SIGCONT)


def timed(site: Site, method: str, path: str, form: dict[str, str]) -> tuple[float, HttpResponse]:
    before = time.monotonic()
    answer = getattr(site.browser, method)(path, form)
    return time.monotonic() - before, answer


@pytest.mark.engines("embedded", reason="it freezes the embedded engine's process")
def test_a_hung_engine_is_answered_for_in_time_and_all_is_well_afterwards(
    hanging: process.Engine,
) -> None:
    site = build_site()
    asks = [
        ("get", "/", {}),
        ("get", "/readyz", {}),
        ("post", "/posts", {"content": "Hello", "nonce": site.nonce}),
    ]
    with frozen(hanging), ThreadPoolExecutor(len(asks)) as pool:
        answers = [pool.submit(timed, site, *ask) for ask in asks]
        results = [answer.result() for answer in answers]
    assert [answer.status_code for _, answer in results] == [503, 503, 503]
    assert all(int(answer["Retry-After"]) for _, answer in results)
    assert [timed(site, *ask)[1].status_code for ask in asks] == [200, 200, 302]
    assert site.posts_of_alice() == ["Hello"]
    assert max(took for took, _ in results) <= LONGEST


@pytest.mark.usefixtures("clock", "no_limits")
def test_a_write_that_others_keep_conflicting_with_is_a_503(hook: Hook) -> None:
    site = build_site()
    conflicts = Fault("conflict", conflict_everywhere, frozenset({"TransactWriteItems"}))
    with hook.armed(conflicts, times=FOR_EVER):
        answer = site.browser.post("/@carol/follow", {"on": "1"})
    assert answer.status_code == 503
    assert int(answer["Retry-After"]) > 0
    assert hook.injected == 6
    assert site.browser.post("/@carol/follow", {"on": "1"}).status_code == 302


# A throttled call is tried again until the page's time is up; any other fault gets one more try.

UNPROCESSED = Fault("all unprocessed", leave_all_unprocessed)
TIMED_OUT = [Fault("timed out", time_out), Fault("answered too late", answer_too_late)]
OTHERS = [Fault("failed inside", fail_inside), Fault("connection refused", refuse_connection)]
LONG = 3  # seconds: a page's two, and a margin for the work itself


@pytest.fixture
def count(table: str, clock: HurriedClock) -> None:
    create(UserCount.new(user_id="A"))


@pytest.mark.usefixtures("count")
def test_a_page_outlasts_a_moment_of_throttling(hook: Hook) -> None:
    with hook.armed(THROTTLED, times=5), resilience.within(2):
        read()
    assert len(hook.sent) == 6


@pytest.mark.usefixtures("count")
def test_a_throttled_page_gives_up_when_its_time_is_up(hook: Hook, clock: HurriedClock) -> None:
    with hook.armed(THROTTLED, times=FOR_EVER), resilience.within(2), pytest.raises(Unavailable):
        read()
    assert 1 < clock.slept <= 2
    assert len(hook.sent) > 4


@pytest.mark.usefixtures("count")
def test_the_time_is_that_of_the_whole_page_not_of_each_call(
    hook: Hook, clock: HurriedClock
) -> None:
    with hook.armed(THROTTLED, times=FOR_EVER), resilience.within(2):
        for _ in range(3):
            with pytest.raises(Unavailable):
                read()
    assert clock.slept <= 2


@pytest.mark.usefixtures("count")
def test_keys_that_stay_unprocessed_take_of_the_same_time(hook: Hook, clock: HurriedClock) -> None:
    with hook.armed(UNPROCESSED, times=FOR_EVER), resilience.within(2):
        for _ in range(3):
            with pytest.raises(Unavailable):
                fetch([keys.user_count("A")])
    assert 1 < clock.slept < 3


@pytest.mark.usefixtures("count")
def test_outside_a_page_a_throttled_call_is_tried_for_longer(
    hook: Hook, clock: HurriedClock
) -> None:
    with hook.armed(THROTTLED, times=FOR_EVER), pytest.raises(Unavailable):
        read()
    assert 4 < clock.slept <= resilience.LONGEST


@pytest.mark.usefixtures("count")
@pytest.mark.parametrize("fault", [*OTHERS, *TIMED_OUT], ids=lambda fault: fault.name)
def test_any_other_fault_gets_one_more_try(hook: Hook, fault: Fault) -> None:
    with hook.armed(fault, times=1):
        read()
    assert len(hook.sent) == 2
    with hook.armed(fault, times=FOR_EVER), pytest.raises(Unavailable):
        read()
    assert len(hook.sent) == 2


@pytest.mark.usefixtures("count")
@pytest.mark.parametrize("fault", OTHERS, ids=lambda fault: fault.name)
def test_a_web_process_repeats_what_failed_at_once(web_process: None, fault: Fault) -> None:
    with Hook().hooked(client()) as hook, hook.armed(fault, times=1):
        read()
        assert len(hook.sent) == 2


@pytest.mark.usefixtures("count")
@pytest.mark.parametrize("fault", TIMED_OUT, ids=lambda fault: fault.name)
def test_a_web_process_does_not_wait_twice(web_process: None, fault: Fault) -> None:
    with Hook().hooked(client()) as hook, hook.armed(fault, times=1):
        with pytest.raises(Unavailable):
            read()
        assert len(hook.sent) == 1


@pytest.mark.usefixtures("count")
def test_a_web_process_is_less_patient_than_others(web_process: None) -> None:
    config = client().meta.config
    assert config.read_timeout == config.connect_timeout == settings.DYNAMODB_WEB_SECONDS
    assert (socialsite.DYNAMODB_WEB_SECONDS, socialsite.DYNAMODB_SECONDS) == (
        0.9,
        1.8,
    )  # what people wait for


@pytest.mark.usefixtures("count")
def test_a_page_that_is_throttled_for_ever_says_when_to_come_back(
    hook: Hook, clock: HurriedClock
) -> None:
    site = build_site()
    begun, slept = time.thread_time(), clock.slept
    with hook.armed(THROTTLED, times=FOR_EVER):
        answer = site.browser.get("/")
    assert (answer.status_code, answer["Retry-After"]) == (503, "3")
    assert time.thread_time() - begun + clock.slept - slept < LONG
    assert site.browser.get("/").status_code == 200
