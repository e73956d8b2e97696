"""Whatever the engine answers to whichever call of the worker: it goes on, and in the end everything is as it should.

Each scenario × each of the worker's calls, those of the stream too × each fault × once, until botocore gives up, and
for ever. `FAULTS=long` tries all.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from socialsite.streams import leases
from socialsite.streams.status import list_dead_letters
from socialsite.streams.worker import Worker
from socialsite.table.connection import client
from socialsite.table.reading import scan
from socialsite.table.schema import create_table
from tests.injected.faults import combinations
from tests.injected.hook import Hook
from tests.injected.rotation import IS_LONG, describe, share
from tests.injected.rounds import Rounds
from tests.injected.scenarios import SCENARIOS, Cast, Scenario
from tests.injected.scenarios_of_moderation import MODERATION
from tests.looks import broken_invariants, drain
from tests.tables import use_table

ONE_OF = 120
TRIALS_A_TABLE = 8

pytestmark = [
    pytest.mark.usefixtures("clock", "impatient"),
    pytest.mark.timeout(3600 if IS_LONG else 120),
]


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
    scenario: Scenario, hook: Hook, base: str, run: Run, caplog: pytest.LogCaptureFixture
) -> list[str]:
    calls = calls_of(scenario, hook, base, run)
    every = list(combinations(calls))
    tried = share(every, one_of=ONE_OF, salt=scenario.name)
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

    wrong = wrongs_of_all(likes, hook, table, run, caplog)
    assert not wrong, "\n".join(wrong)
