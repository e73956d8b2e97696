"""`manage.py alarms`: what holds, with a status; and letters where no clock can tell of it: it is dead, or the table is
away."""

import os
import re
from collections.abc import Callable
from datetime import timedelta
from smtplib import SMTPRecipientsRefused

import pytest
from django.core import mail
from django.core.management import call_command
from django.core.management.base import CommandError

from accounts.mail.letters import LetterMessage
from moderation.log.writes import OPERATOR
from moderation.maintenance.writes import plan_read_only
from operations.alarms import looking, watching
from operations.alarms.looking import look, read_alarms
from operations.alarms.watching import TOLD, is_engine_there
from operations.models import AlarmState
from socialsite.clock import utc_now
from socialsite.due.clock import Beats
from socialsite.due.work import do_due
from socialsite.engine.lock import State, try_lock, write_state
from socialsite.process_state import reset_process_state
from socialsite.streams.worker import Worker
from socialsite.table import change, keys
from tests.moderation.staff import hears
from tests.web.conftest import NOBODY_LISTENS, table_at


@pytest.fixture
def alarms(capsys, settings, tmp_path) -> Callable[..., tuple[int, str]]:
    """Calls the command, and returns its status and what it said."""
    settings.DATA_DIR = tmp_path
    reset_process_state()

    def call(*options: str) -> tuple[int, str]:
        status = 0
        try:
            call_command("alarms", *options)
        except SystemExit as ended:
            status = int(ended.code or 0)
        except CommandError as error:
            return error.returncode, str(error)
        return status, capsys.readouterr().out

    return call


@pytest.fixture
def well(worker: Worker) -> None:
    """Worker and clock are at work."""
    worker.step()
    do_due(beat=Beats())


def passes(monkeypatch: pytest.MonkeyPatch, **time: float) -> None:
    """So much time passes for alarms."""
    now = utc_now() + timedelta(**time)
    monkeypatch.setattr(looking, "utc_now", lambda: now)
    monkeypatch.setattr(watching, "utc_now", lambda: now)


def test_nothing_holds(well, alarms):
    assert alarms() == (0, "No alarm is on.\n")


def test_each_is_a_line_with_what_says_so_and_where_to_read_on(table, alarms):
    status, said = alarms()
    assert status == 1
    line = (
        "wake: ClockAway. No clock does what is due: letters and scheduled posts wait (clock_up is 0). "
        "See docs/runbook.md#clockaway"
    )
    assert line in said.splitlines()
    assert re.search(r"^wake: WorkerAway\. .*\(worker_up is 0\)", said, re.MULTILINE)


def test_while_a_clock_looks_the_command_tells_nobody(admin, well, alarms):
    look()
    alarms("--tell")
    assert mail.outbox == []


def test_in_the_place_of_a_dead_clock_it_looks_and_writes_itself(
    admin, mod, alarms, settings, monkeypatch
):
    settings.ALARMS_TO = ["ops@example.org"]
    assert "No clock looks, so this command did." in alarms("--tell")[1]
    assert mail.outbox == []  # it must hold for five minutes
    passes(monkeypatch, minutes=6)
    assert "2 letters sent." in alarms("--tell")[1]
    assert {one.to[0] for one in mail.outbox} == {"ops@example.org", "addy@example.org"}
    assert all("2 alarms began" in one.subject for one in mail.outbox)  # the worker's too
    assert "ClockAway" in mail.outbox[0].body
    passes(monkeypatch, minutes=12)
    assert "letters sent" not in alarms("--tell")[1]  # each once
    # A clock is there again, and does what was planned meanwhile.
    do_due(utc_now() + timedelta(minutes=13))
    assert hears(admin) == ["2 alarms of the site began"]
    assert hears(mod) == []


def test_the_clock_that_comes_back_tells_of_the_end(admin, alarms, settings, monkeypatch):
    for minutes in (0, 6):
        passes(monkeypatch, minutes=minutes)
        alarms("--tell")
    mail.outbox.clear()
    monkeypatch.setattr(looking, "figures", lambda: {"clock_up": 1.0, "worker_up": 1.0})
    for minutes in (20, 31):
        look(utc_now() + timedelta(minutes=minutes))
    do_due(utc_now() + timedelta(minutes=32))
    assert [one.subject for one in mail.outbox] == ["2 alarms ended"]
    assert "2 alarms of the site ended" in hears(admin)


def test_a_letter_that_cannot_be_sent_is_a_status_of_its_own_and_is_tried_again(
    admin, alarms, monkeypatch
):
    def fail(*_: object) -> int:
        raise ConnectionRefusedError("nobody listens")

    alarms("--tell")
    passes(monkeypatch, minutes=6)
    with monkeypatch.context() as away:
        away.setattr("django.core.mail.backends.locmem.EmailBackend.send_messages", fail)
        status, said = alarms("--tell")
    assert (status, said) == (2, "A letter could not be sent: nobody listens")
    passes(monkeypatch, minutes=11)
    alarms("--tell")
    assert [one.to for one in mail.outbox] == [["addy@example.org"]]


def test_a_refused_mailbox_keeps_nobody_else_from_hearing_of_it_and_nobody_hears_twice(
    admin, alarms, settings, monkeypatch
):
    settings.ALARMS_TO = ["gone@example.org", "ops@example.org"]
    sent = []

    def send(message, **_: object) -> int:
        sent.append(message.to[0])
        if message.to[0] == "gone@example.org":
            raise SMTPRecipientsRefused({"gone@example.org": (550, b"no such user")})
        return 1

    monkeypatch.setattr(LetterMessage, "send", send)
    statuses = []
    for minutes in (0, 6, 11, 16):
        passes(monkeypatch, minutes=minutes)
        statuses.append(alarms("--tell")[0])
    assert sent == ["gone@example.org", "ops@example.org", "addy@example.org"]
    assert statuses == [1, 2, 1, 1]
    with table_at(NOBODY_LISTENS):
        for minutes in (20, 25, 30):
            passes(monkeypatch, minutes=minutes)
            alarms("--tell")
    assert sent[3:] == ["gone@example.org", "ops@example.org"]


def test_while_the_site_is_only_read_on_purpose_what_rests_is_no_alarm_and_nothing_is_written(
    admin, alarms, settings, monkeypatch
):
    settings.ALARMS_TO = ["ops@example.org"]
    plan_read_only(by=OPERATOR)
    for minutes in (0, 6):
        passes(monkeypatch, minutes=minutes)
        assert alarms("--tell") == (0, "No alarm is on.\n")
    assert mail.outbox == []
    assert read_alarms()[1] is None


def test_while_the_table_is_away_operators_hear_of_it_once_and_of_its_return(
    admin, well, alarms, settings, monkeypatch, tmp_path
):
    settings.ALARMS_TO = ["ops@example.org"]
    look()
    with table_at(NOBODY_LISTENS):
        status, said = alarms("--tell")
        assert (status, "TableAway" in said) == (1, True)
        assert mail.outbox == []  # it may be back in a minute
        passes(monkeypatch, minutes=5)
        assert "Told ops@example.org that the table is away." in alarms("--tell")[1]
        passes(monkeypatch, minutes=10)
        alarms("--tell")
    assert [one.subject for one in mail.outbox] == ["Alarm: The table does not answer"]
    assert "Told ops@example.org that the table is back." in alarms("--tell")[1]
    assert mail.outbox[1].subject == "Well again: The table does not answer"
    assert not (tmp_path / TOLD).exists()


def test_it_starts_no_engine_that_nobody_runs(settings, tmp_path, alarms):
    settings.DYNAMODB_ENGINE = "embedded"
    status, said = alarms()
    assert status == 1
    assert "TableAway" in said
    assert [one.name for one in tmp_path.iterdir()] == ["without-backup-since"]


def test_an_engine_whose_keeper_was_killed_is_away_and_is_not_started(settings, tmp_path, alarms):
    settings.DYNAMODB_ENGINE = "embedded"
    write_state(tmp_path, State("http://127.0.0.1:1", engine_pid=1, owner_pid=1))
    assert not is_engine_there()
    held = try_lock(tmp_path)
    assert held is not None
    assert is_engine_there()
    os.close(held)
    assert "TableAway" in alarms()[1]


def test_it_works_where_no_clock_shall_look(admin, alarms, settings, monkeypatch):
    settings.ALARM_SECONDS = 0
    assert "this command did" in alarms("--tell")[1]
    _, kept = read_alarms()
    assert kept is not None
    old = (utc_now() - timedelta(minutes=1)).isoformat()
    change(AlarmState, keys.alarms(), [AlarmState.looked_at.set(old)])
    assert "this command did" not in alarms("--tell")[1]  # three minutes have not passed
