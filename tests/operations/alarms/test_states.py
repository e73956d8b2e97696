"""What becomes of an alarm from look to look: when it is told, when it has ended, and one that comes and goes."""

from datetime import UTC, datetime, timedelta

import pytest

from operations.alarms.states import CALM, States, Turn, after_look

NOON = datetime(2026, 11, 28, 12, tzinfo=UTC)
WELL, ILL = {"clock_up": 1.0}, {"clock_up": 0.0}


class Site:
    """Looks each minute at what it is given."""

    def __init__(self) -> None:
        self.now, self.states, self.last = NOON, States(), None
        self.told: list[str] = []

    def look(self, figures: dict[str, float], *, minutes: int = 1) -> Turn:
        for _ in range(minutes):
            turn = after_look(self.states, figures, self.now, last=self.last)
            self.states, self.last = turn.after, self.now
            self.told += [f"{name} began" for name in turn.began]
            self.told += [f"{name} ended" for name in turn.ended]
            self.now += timedelta(minutes=1)
        return turn


@pytest.fixture
def site() -> Site:
    return Site()


def test_it_is_told_when_it_has_held_for_its_minutes(site):
    site.look(ILL, minutes=5)
    assert site.told == []
    site.look(ILL)
    assert site.told == ["ClockAway began"]
    site.look(ILL, minutes=60)
    assert site.told == ["ClockAway began"]
    [(alarm, since)] = site.states.running
    assert (alarm.name, since) == ("ClockAway", NOON)


def test_what_passes_sooner_is_not_told(site):
    for _ in range(5):
        site.look(ILL, minutes=4)
        site.look(WELL)
    assert site.told == []


def test_it_has_ended_when_all_was_well_for_ten_minutes(site):
    site.look(ILL, minutes=6)
    site.look(WELL, minutes=10)
    assert site.told == ["ClockAway began"]
    site.look(WELL)
    assert site.told == ["ClockAway began", "ClockAway ended"]
    assert site.states.states == {}


def test_one_that_comes_and_goes_is_told_once(site):
    site.look(ILL, minutes=6)
    for _ in range(20):
        site.look(WELL, minutes=9)
        site.look(ILL, minutes=3)
    assert site.told == ["ClockAway began"]
    site.look(WELL, minutes=11)
    assert site.told == ["ClockAway began", "ClockAway ended"]


def test_several_at_once_each_for_itself(site):
    both = {"clock_up": 0.0, "worker_gap": 1.0}
    assert site.look(both).began == ("RecordsLost",)
    site.look({"clock_up": 0.0, "worker_gap": 0.0}, minutes=11)
    assert site.told == ["RecordsLost began", "ClockAway began", "RecordsLost ended"]


def test_a_figure_that_is_not_there_changes_nothing(site):
    site.look(ILL, minutes=6)
    site.look({}, minutes=30)
    assert site.told == ["ClockAway began"]
    assert len(site.states.running) == 1


def test_one_whose_figure_is_gone_for_a_day_stands_no_longer_and_nobody_hears_of_it(site):
    site.look(ILL, minutes=6)
    site.look({}, minutes=24 * 60)
    assert len(site.states.running) == 1
    site.look({}, minutes=2)
    assert site.states.running == []
    assert site.told == ["ClockAway began"]


def test_nobody_hears_of_ends_from_before_a_restore(site):
    site.look(ILL, minutes=6)
    site.now += timedelta(hours=30)
    site.look(WELL, minutes=20)
    assert site.told == ["ClockAway began"]
    assert site.states.running == []


def test_a_letter_leaves_out_what_began_and_ended_since_the_last_one(site):
    lost = {"worker_gap": 1.0}
    site.look(lost)
    assert site.states.untold == {"RecordsLost": "began"}
    site.look({"worker_gap": 0.0}, minutes=int(CALM.total_seconds() // 60) + 1)
    assert site.states.untold == {}
    site.look(lost)
    site.states.untold = {}  # as a letter does
    site.look({"worker_gap": 0.0}, minutes=11)
    assert site.states.untold == {"RecordsLost": "ended"}


def test_an_alarm_that_the_code_no_longer_has_is_dropped(site):
    site.states.states = {"Gone": {"since": NOON.isoformat(), "told": NOON.isoformat()}}
    site.last = NOON
    assert site.states.running == []
    assert site.look(WELL).after.states == {}
