"""Whatever the engine answers to whichever call of the worker: it goes on, and in the end everything is as it should.

Each scenario × each of the worker's calls, those of the stream too × each fault × once, until botocore gives up, and
for ever. `FAULTS=long` tries all.
"""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from socialsite.streams import lease, worker as worker_module
from socialsite.streams.sight import list_dead_letters
from socialsite.streams.worker import Worker
from socialsite.table.connection import client
from socialsite.table.reading import scan
from socialsite.table.schema import create_table
from tests.conftest import _use_table
from tests.injected.faults import combinations
from tests.injected.hook import Fault, Hook
from tests.injected.looks import broken_invariants, drain
from tests.injected.rotation import IS_LONG, describe, share
from tests.injected.scenarios import SCENARIOS, Cast, Scenario

ONE_OF = 50
TRIALS_A_TABLE = 8

pytestmark = [pytest.mark.usefixtures("clock"), pytest.mark.timeout(3600 if IS_LONG else 120)]


class Rounds(threading.Event):
    """Tells a worker to stop after so many steps, and never lets it wait."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self.left = count

    def is_set(self) -> bool:
        self.left -= 1
        return self.left < 0

    def wait(self, timeout: float | None = None) -> bool:
        return False


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_module, "FAULT_PAUSE", 0)


@contextmanager
def working(hook: Hook, base: str, number: int) -> Iterator[Worker]:
    """A worker on a new table; both are used for some trials, so that no scan grows long."""
    name = f"{base}-{number}"
    _use_table(name)
    create_table()
    worker = Worker()
    with hook.hooked(client(), worker.stream._client):
        yield worker
    client().delete_table(TableName=name)
    _use_table(base)


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


def calls_of(scenario: Scenario, hook: Hook, base: str) -> list[str]:
    with working(hook, base, 0) as worker:
        cast = prepare(scenario, 0, worker)
        hook.sent.clear()
        worker.run(Rounds(scenario.rounds))
        calls = list(hook.sent)
        drain(worker)
        scenario.after(cast)
        assert broken_invariants() == {}
    return calls


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda one: one.name.replace(" ", "-"))
def test_the_worker_goes_on_and_all_is_right(
    scenario: Scenario, table: str, settings: object, caplog: pytest.LogCaptureFixture
) -> None:
    for name, value in scenario.settings.items():
        setattr(settings, name, value)
    hook = Hook()
    calls = calls_of(scenario, hook, table)
    every = list(combinations(calls))
    tried = share(every, one_of=ONE_OF, salt=scenario.name)
    print(describe(scenario.name, len(every), len(tried)))
    wrong: list[str] = []
    for start in range(0, len(tried), TRIALS_A_TABLE):
        with working(hook, table, start + 1) as worker:
            for number, trial in enumerate(tried[start : start + TRIALS_A_TABLE], start):
                wrong += under_fault(scenario, number, trial, calls, worker, hook, caplog)
    assert wrong == []


def under_fault(
    scenario: Scenario,
    number: int,
    trial: tuple[int, Fault, int],
    calls: list[str],
    worker: Worker,
    hook: Hook,
    caplog: pytest.LogCaptureFixture,
) -> list[str]:
    call, fault, times = trial
    cast = prepare(scenario, number, worker)
    caplog.clear()
    with hook.armed(fault, at=call, times=times):
        worker.run(Rounds(scenario.rounds))
    drain(worker)
    name = f"{scenario.name}, call {call} {calls[call]}, {fault.name} × {times}"
    return [f"{name}: {text}" for text in wrongs(scenario, cast, caplog)]


def test_a_worker_that_beats_under_faults_keeps_or_loses_its_lease_but_counts_once(
    table: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Every beat is a call of its own, before and between the records."""
    monkeypatch.setattr(lease, "BEAT_EVERY", 0)
    likes = next(scenario for scenario in SCENARIOS if scenario.name == "like")
    hook = Hook()
    calls = calls_of(likes, hook, table)
    every = list(combinations(calls))
    tried = share(every, one_of=ONE_OF, salt="beats")
    print(describe("beats", len(every), len(tried)))
    wrong: list[str] = []
    for start in range(0, len(tried), TRIALS_A_TABLE):
        with working(hook, table, start + 1) as worker:
            for number, trial in enumerate(tried[start : start + TRIALS_A_TABLE], start):
                wrong += under_fault(likes, number, trial, calls, worker, hook, caplog)
    assert wrong == []
