"""Those whom an alarm is for hear of its beginning and its end, once each: by bell at once, by letter now and then."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from django.core import mail

from accounts.permissions import Permission, save_role, set_role
from operations.alarms import looking
from operations.alarms.looking import look, look_if_it_is_time, look_soon, read_alarms
from operations.alarms.states import Turn
from operations.models import AlarmState
from socialsite.clock import utc_now
from socialsite.due.work import do_due
from socialsite.process_state import reset_process_state
from socialsite.table import Moved, change, keys
from tests.conftest import person
from tests.moderation.staff import hears

BEGAN, ENDED = ["1 alarm of the site began"], ["1 alarm of the site ended"]
SOON = timedelta(seconds=5)  # letters are posted a moment later
LOST, WELL = {"worker_gap": 1.0}, {"worker_gap": 0.0}


class Clock:
    """Looks at the figures it is given, each minute, and does what is due."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = utc_now()
        self.figures = WELL
        monkeypatch.setattr(looking, "figures", lambda: self.figures)
        monkeypatch.setattr(looking, "_look_at", float("inf"))  # it looks by itself no more

    def look(self, figures: dict[str, float], *, minutes: int = 1) -> list[str]:
        """Returns the subjects of the letters that went out."""
        self.figures = figures
        mail.outbox.clear()
        for _ in range(minutes):
            look(self.now)
            do_due(self.now + SOON)
            self.now += timedelta(minutes=1)
        return [f"{one.to[0].partition('@')[0]}: {one.subject}" for one in mail.outbox]


@pytest.fixture
def clock(monkeypatch, settings, admin, mod) -> Clock:
    settings.ALARM_SECONDS = 60
    return Clock(monkeypatch)


def test_it_begins_and_ends_with_a_bell_and_a_letter_each(clock, admin, mod, alice):
    said = "Stream records were dropped before a worker read them"
    assert clock.look(LOST) == [f"addy: Alarm: {said}"]
    assert hears(admin) == BEGAN
    assert clock.look(LOST, minutes=60) == []
    assert clock.look(WELL, minutes=11) == [f"addy: Well again: {said}"]
    assert hears(admin) == ENDED + BEGAN
    assert clock.look(WELL, minutes=60) == []
    assert hears(mod) == hears(alice) == []  # the worker is not theirs


def test_several_at_once_are_one_letter_and_one_line(clock, admin):
    both = LOST | {"worker_dead_letters": 2.0, "data_disk_free_bytes": 1e6}
    assert clock.look(both) == ["addy: 3 alarms began"]
    assert hears(admin) == ["3 alarms of the site began"]
    [letter] = mail.outbox
    assert "RecordsParked" in letter.body
    assert "/operations/alarms#diskfull" in letter.body


def test_there_is_one_letter_in_a_quarter_of_an_hour_and_none_says_the_same_twice(clock, admin):
    assert len(clock.look(LOST)) == 1
    more = LOST | {"letters_fail_seconds": 601.0}
    assert clock.look(more, minutes=14) == []
    assert hears(admin) == ["2 alarms of the site began"]  # the bell does not wait
    assert clock.look(more) == [
        "addy: Alarm: No letter has gone out for 10 minutes, though some were tried"
    ]


def test_each_hears_what_their_role_permits(clock, admin, mod):
    save_role(by=admin, name="gate", title="Gate", permissions=[Permission.SIGN_UPS])
    gate = person("gate", role="gate")
    case = {"urgent_case_seconds": 7201.0}
    assert sorted(clock.look(case)) == [
        f"{one}: Alarm: An urgent case has been open for more than 2 hours"
        for one in ("addy", "moddy")
    ]
    assert (hears(mod), hears(gate)) == (BEGAN, [])
    flood = {"sign_ups_an_hour": 101.0, "sign_ups_an_hour_most": 100.0}
    clock.now += timedelta(minutes=15)
    assert len(clock.look(case | flood)) == 3
    assert hears(gate) == BEGAN


def test_operators_without_an_account_get_the_letters_too(clock, settings):
    settings.ALARMS_TO = ["ops@example.org"]
    said = "Alarm: Stream records were dropped before a worker read them"
    assert sorted(clock.look(LOST)) == [f"addy: {said}", f"ops: {said}"]


def test_of_two_clocks_one_tells(clock, admin):
    clock.figures = LOST
    assert isinstance(look(clock.now), Turn)
    assert look(clock.now + timedelta(seconds=5)) is None
    do_due(clock.now + SOON)
    assert hears(admin) == BEGAN
    assert len(mail.outbox) == 1


def test_of_two_that_look_at_once_one_is_refused(clock, admin, monkeypatch):
    look(clock.now)
    before, kept = read_alarms()
    clock.figures = LOST
    later = clock.now + timedelta(minutes=1)
    look(later)
    monkeypatch.setattr(looking, "read_alarms", lambda: (before, kept))
    with pytest.raises(Moved):
        look(later)
    do_due(later + SOON)
    assert hears(admin) == BEGAN


def test_a_clock_looks_once_a_minute_and_never_if_told_so(clock, settings, measure):
    look_soon()
    with measure() as first:
        look_if_it_is_time()
    with measure() as second:
        look_if_it_is_time()
    assert (len(first.calls) > 0, len(second.calls)) == (True, 0)
    settings.ALARM_SECONDS = 0
    look_soon()
    with measure() as none:
        do_due()
    assert "look" not in {call.access_pattern for call in none.calls}


def test_a_look_while_all_is_well_costs_little(clock, measure):
    clock.look(WELL)
    with measure() as meter:
        look(clock.now)
    assert (meter.read_units, meter.write_units) == (1, 2)


def test_a_look_that_the_clock_does_reads_what_the_site_reads(settings, admin, worker):
    settings.ALARM_SECONDS = 60
    worker.drain()
    reset_process_state()
    do_due()
    states, kept = read_alarms()
    assert kept is not None
    # The clock has not beaten yet, and is not told of: that must hold for five minutes.
    assert set(states.states) == {"ClockAway"}
    assert states.running == []


def test_a_backup_of_yesterday_brings_back_no_alarm(clock, admin):
    clock.look(LOST)
    old = (clock.now - timedelta(days=1)).isoformat()
    change(AlarmState, keys.alarms(), [AlarmState.looked_at.set(old)])
    assert clock.look(WELL, minutes=20) == []
    assert hears(admin) == BEGAN
    assert read_alarms()[0].running == []


def test_a_mail_server_that_is_away_holds_up_no_bell(clock, admin, monkeypatch):
    def fail(*_: object) -> int:
        raise ConnectionRefusedError("away")

    monkeypatch.setattr("django.core.mail.backends.locmem.EmailBackend.send_messages", fail)
    assert clock.look(LOST, minutes=3) == []
    assert hears(admin) == BEGAN


def test_a_person_who_lost_their_role_hears_of_no_end(clock, admin):
    clock.look(LOST)
    set_role(user_id=admin.user_id, role="")
    clock.look(WELL, minutes=12)
    assert hears(admin) == BEGAN


# The page


@pytest.fixture
def page(log_in) -> Callable[..., str]:
    return lambda who: log_in(who).get("/operations/alarms").content.decode()


def test_the_page_says_what_holds_since_when_and_what_to_do(clock, admin, page):
    assert "Nobody has looked yet" in page(admin)
    clock.look(LOST)
    shown = page(admin)
    assert "1 alarm is on." in shown
    assert "<code>manage.py reconcile</code>" in shown
    assert 'id="recordslost"' in shown
    clock.look(WELL, minutes=12)
    assert "No alarm is on." in page(admin)


def test_a_moderator_sees_the_alarms_of_moderators_there(clock, mod, page):
    clock.look(LOST | {"urgent_case_seconds": 8000.0})
    shown = page(mod)
    assert "urgentcasewaits" in shown
    assert "RecordsLost" not in shown
    assert "WorkerAway" not in shown


def test_its_look_is_not_older_than_it_says(clock, admin, page):
    clock.look(WELL)
    _, kept = read_alarms()
    assert kept is not None
    assert datetime.fromisoformat(kept.looked_at) <= clock.now
