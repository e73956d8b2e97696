"""Each sign-up, report, action and closed case counts once on its day, however often the stream tells of it."""

from datetime import UTC, datetime, timedelta

import pytest

from moderation.cases.decisions import Decision, decide_case
from moderation.cases.effects import undo_action
from moderation.cases.lists import get_case
from moderation.cases.reads import CaseId
from moderation.models import ActionKind, Case, CaseKind, DayCount
from moderation.reports.writes import file_report
from moderation.staff.overview import DURATIONS, median_step, step_of
from socialsite.streams.worker import Worker
from socialsite.table import change, keys, query, reading, row
from tests.conftest import person, post
from tests.streams.records import everything, handle_all, lines, unread


def today() -> str:
    return datetime.now(UTC).date().isoformat()


@pytest.fixture
def worker(table) -> Worker:
    return Worker()


def counts(day: str = "") -> dict[str, int]:
    """What was counted today, or on another day, but the sign-ups of the cast."""
    found, day = {}, day or today()
    for raw in query(keys.day_counts(day[:7])):
        count = row(DayCount, raw)
        if count.day == day:
            found[count.name] = int(count.times)
    return {name: times for name, times in found.items() if name != "sign-ups"}


def case_of(viewer) -> CaseId:
    return CaseId(CaseKind.PERSON, viewer.user_id)


def decide(mod, about, kind=ActionKind.WARN, **decided) -> str:
    version = get_case(case_of(about)).case.version
    decision = Decision(kind, **decided)
    return decide_case(by=mod, case_id=case_of(about), decision=decision, version=version)


def age_case(about, length: timedelta) -> None:
    opened = (datetime.now(UTC) - length).isoformat()
    change(Case, case_of(about).key, [Case.opened_at.set(opened)])


def close_later(about, after: timedelta, *, decision: str = "X") -> None:
    """Closes the case as if that much time had passed."""
    closed = [
        Case.escalated_to.remove(),
        Case.escalated_at.remove(),
        Case.closed_at.set((datetime.now(UTC) + after).isoformat()),
        Case.decision.set(decision),
    ]
    change(Case, case_of(about).key, closed)


def day_of(after: timedelta) -> str:
    return (datetime.now(UTC) + after).date().isoformat()


def test_sign_ups_count(alice, bob, worker):
    worker.drain()
    person("carol")
    worker.drain()
    key = keys.day_count(today(), "sign-ups")
    assert reading.get(DayCount, key).times == 3


def test_reports_count_by_their_rule_once_for_each_reporter_and_round(alice, bob, mod, worker):
    file_report(by=bob, person_id=alice.user_id, rule_id="spam")
    file_report(by=bob, person_id=alice.user_id, post_id=post(alice), rule_id="spam")
    file_report(by=person("carol"), person_id=alice.user_id)
    worker.drain()
    assert counts() == {"reports.spam": 1, "reports.other": 1}
    decide(mod, alice)
    file_report(by=bob, person_id=alice.user_id, rule_id="violence")
    worker.drain()
    assert counts() | {"reports.violence": 1, "reports.spam": 1} == counts()


def test_actions_count_by_what_was_done(alice, bob, mod, worker):
    file_report(by=bob, person_id=alice.user_id)
    decide(mod, alice, ActionKind.WARN, keep_open=True)
    decide(mod, alice, ActionKind.LIMIT)
    worker.drain()
    found = counts()
    assert (found["actions.warn"], found["actions.limit"]) == (1, 1)


def test_a_closed_case_counts_within_how_long_it_was_answered_and_closed(alice, bob, mod, worker):
    file_report(by=bob, person_id=alice.user_id)
    age_case(alice, timedelta(hours=3))
    decide(mod, alice)
    worker.drain()
    found = counts()
    assert (found["answered.4h"], found["closed.4h"]) == (1, 1)


def test_the_first_answer_may_come_long_before_the_end(alice, bob, mod, worker):
    file_report(by=bob, person_id=alice.user_id)
    decide(mod, alice, keep_open=True)
    close_later(alice, timedelta(hours=30))
    worker.drain()
    found = counts(day_of(timedelta(hours=30)))
    assert (found["answered.15m"], found["closed.2d"]) == (1, 1)


def test_what_was_done_in_an_earlier_round_is_no_answer_to_this_one(alice, bob, mod, worker):
    file_report(by=bob, person_id=alice.user_id)
    decide(mod, alice)
    file_report(by=bob, person_id=alice.user_id)
    close_later(alice, timedelta(hours=30))
    worker.drain()
    found = counts(day_of(timedelta(hours=30)))
    assert (found["answered.2d"], found["closed.2d"]) == (1, 1)


def test_undoing_what_closed_a_case_takes_its_count_off_again(alice, bob, mod, worker):
    file_report(by=bob, person_id=alice.user_id)
    age_case(alice, timedelta(hours=3))
    action_id = decide(mod, alice)
    worker.drain()
    undo_action(by=mod, case_id=case_of(alice), action_id=action_id)
    worker.drain()
    found = counts()
    assert (found["answered.4h"], found["closed.4h"]) == (0, 0)
    assert found["actions.warn"] == 1


def test_a_case_that_is_reported_again_stays_counted_as_closed_before(alice, bob, mod, worker):
    file_report(by=bob, person_id=alice.user_id)
    decide(mod, alice)
    file_report(by=bob, person_id=alice.user_id)
    worker.drain()
    assert counts()["closed.15m"] == 1


def test_a_case_that_is_gone_was_answered_by_nobody(alice, bob, worker):
    file_report(by=bob, person_id=alice.user_id)
    close_later(alice, timedelta(0), decision="gone")
    worker.drain()
    assert counts() == {"reports.other": 1}


def test_each_handler_run_twice_does_and_enters_the_same(alice, bob, mod, worker):
    worker.drain()
    file_report(by=bob, person_id=alice.user_id)
    action_id = decide(mod, alice)
    undo_action(by=mod, case_id=case_of(alice), action_id=action_id)
    file_report(by=person("carol"), person_id=alice.user_id)
    records = unread()
    first = handle_all(records)
    done = everything()
    second = handle_all(records)
    assert everything() == done
    assert lines(second) == lines(first)
    assert any("DayCount" in raw["type"]["S"] for raw in done.values())


def test_a_handler_that_died_before_the_commit_counts_once(alice, bob, worker):
    worker.drain()
    file_report(by=bob, person_id=alice.user_id)
    handle_all(unread())
    worker.drain()
    assert counts() == {"reports.other": 1}


@pytest.mark.parametrize(
    ("seconds", "step"),
    [(0, "15m"), (900, "15m"), (901, "1h"), (86_400, "1d"), (28 * 86_400, "4w"), (1e8, "longer")],
)
def test_a_duration_counts_in_the_step_that_it_does_not_pass(seconds, step):
    begin = datetime(2026, 11, 1, tzinfo=UTC)
    assert step_of(begin, begin + timedelta(seconds=seconds)) == step


@pytest.mark.parametrize(
    ("found", "step"),
    [
        ({}, ""),
        ({"1h": 1}, "1h"),
        ({"1h": 2, "1d": 2}, "1h"),
        ({"1h": 2, "1d": 3}, "1d"),
        ({"longer": 9, "1d": 8}, "longer"),
        ({"1h": 0}, ""),
    ],
)
def test_the_median_is_the_step_in_which_half_lies(found, step):
    assert median_step(found) == step
    assert list(DURATIONS.values()) == sorted(DURATIONS.values())
