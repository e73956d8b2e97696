"""The weekly letter to staff: what waits, what broke, to whom, by what their role permits."""

import os
from datetime import datetime, timedelta

import pytest
from django.core import mail

from accounts.mail.choices import Regular
from accounts.permissions import Permission, save_role, set_role
from operations.alarms.vitals import LAST_BACKUP
from socialsite.clock import utc_now
from socialsite.due.work import do_due
from socialsite.streams.models import DeadLetter
from socialsite.table import create
from tests.accounts.scenes import html_of
from tests.conftest import post
from tests.moderation.cases import report
from tests.notifications.letters import letters, planned, wish


@pytest.fixture
def staff(mod, admin) -> None:
    """Both asked for the letter."""
    set_role(user_id=mod.user_id, role="moderator")
    set_role(user_id=admin.user_id, role="admin")
    for one in (mod, admin):
        wish(one, digest="", staff=True)


@pytest.fixture
def case(bob, carol, drain_stream) -> None:
    report(carol, bob, post(bob, "Bad words"))
    drain_stream()
    do_due()  # counts it


@pytest.fixture
def is_well(settings, tmp_path) -> None:
    """A data folder with a backup of today, and a stream that is read."""
    settings.DATA_DIR = tmp_path
    (tmp_path / LAST_BACKUP).touch()


def test_staff_read_what_waits_with_its_age_and_nobodys_name(mod, staff, case, is_well):
    [letter] = letters(mod, Regular.STAFF)
    assert letter.subject == "This week: 1 open case"
    for said in (letter.body, html_of(letter)):
        assert "Reports" in said
        assert "1 case" in said
        assert "the oldest: now" in said
        assert "bob" not in said.lower()
        assert "Bad words" not in said


def test_it_comes_on_mondays_at_the_chosen_hour(mod):
    wish(mod, digest="", staff=True, hour=9, weekday=3)
    [due] = planned(mod, Regular.STAFF)
    moment = datetime.fromisoformat(due.moment)
    assert (moment.weekday(), moment.hour) == (0, 9)


def test_a_stream_that_nobody_reads_is_told(admin, staff):
    [letter] = letters(admin, Regular.STAFF)
    assert letter.subject == "This week: something needs a look"
    assert "Nobody reads the stream" in letter.body


def test_those_who_look_after_the_worker_read_what_broke(
    mod, admin, staff, settings, tmp_path, table
):
    settings.DATA_DIR, settings.DYNAMODB_ENGINE = tmp_path, "embedded"
    lost = DeadLetter.new(
        shard_id="s", sequence="1", event="INSERT", image={}, error="E", parked_at="now"
    )
    create(lost)
    [letter] = letters(admin, Regular.STAFF)
    assert "1 record of the stream is parked." in letter.body
    assert "There is no backup yet." in letter.body
    (tmp_path / LAST_BACKUP).touch()
    old = (utc_now() - timedelta(days=9)).timestamp()
    os.utime(tmp_path / LAST_BACKUP, (old, old))
    [letter] = letters(admin, Regular.STAFF)
    assert "The last backup is 9 days old." in letter.body
    assert letters(mod, Regular.STAFF) == []  # nothing waits, and the worker is not theirs


def test_the_role_of_that_moment_decides(mod, admin, staff, case, is_well):
    set_role(user_id=mod.user_id, role="")
    assert letters(mod, Regular.STAFF) == []
    save_role(by=admin, name="gate", title="Gate", permissions=[Permission.SIGN_UPS])
    set_role(user_id=mod.user_id, role="gate")
    assert letters(mod, Regular.STAFF) == []  # reports are not theirs
    set_role(user_id=mod.user_id, role="moderator")
    assert len(letters(mod, Regular.STAFF)) == 1


def test_nobody_without_a_role_gets_it(alice, case):
    wish(alice, digest="", staff=True)  # as someone might who lost their role
    assert letters(alice, Regular.STAFF) == []


def test_a_site_that_is_well_writes_nothing(mod, staff, is_well):
    assert letters(mod, Regular.STAFF) == []
    assert mail.outbox == []
