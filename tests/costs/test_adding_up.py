"""The worker adds samples up by day, each once, and counts each person once a day."""

from datetime import timedelta

import pytest

from accounts.models import UserSettings
from accounts.sign_in.writes import sign_in
from costs.keeping import write_sums
from costs.models import CostDay
from costs.prices import Window
from costs.stored import list_active
from socialsite.clock import utc_now
from socialsite.streams.worker import Worker
from socialsite.table import change, keys, meter
from socialsite.table.reading import scan
from tests.conftest import person
from tests.streams.records import everything, handle_all, lines, unread

pytestmark = pytest.mark.usefixtures("measured")
TODAY = Window.until_today


def active_today() -> int:
    return list_active(TODAY(1)).get(utc_now().date().isoformat(), 0)


def test_two_flushes_add_up_and_a_batch_handled_twice_enters_the_same(alice, log_in, add_up):
    browser = log_in(alice)
    browser.get("/about")
    write_sums()
    browser.get("/about")
    browser.get("/about")
    write_sums()
    records = unread()
    first = handle_all(records)
    done = everything()
    second = handle_all(records)
    assert everything() == done
    assert lines(first) == lines(second)
    assert lines(first)
    meter.take()
    about = [one for one in add_up() if one.name == "site:about"]
    assert [(one.samples, one.times) for one in about] == [(3, 3)]
    assert [one for one in add_up() if one.name == "site:about"] == about


def test_the_sums_of_a_day_expire_after_more_than_a_year(alice, log_in, add_up):
    log_in(alice).get("/")
    add_up()
    days = [CostDay.from_raw_data(raw) for raw in scan() if raw["type"]["S"] == CostDay.__name__]
    assert days
    assert all(one.ttl - utc_now() > timedelta(days=399) for one in days)


def test_a_person_counts_once_a_day_in_however_many_browsers(alice, bob):
    worker = Worker()
    worker.drain()
    assert active_today() == 2  # they signed up
    sign_in(user_id=alice.user_id, browser="one")
    sign_in(user_id=alice.user_id, browser="two")
    person("carol")
    worker.drain()
    assert active_today() == 3
    yesterday = (utc_now() - timedelta(days=1)).date().isoformat()
    change(
        UserSettings, keys.user_settings(bob.user_id), [UserSettings.seen.set(yesterday)]
    )  # as if he had not been here today
    sign_in(user_id=bob.user_id, browser="three")
    worker.drain()
    assert active_today() == 4
    assert list_active(TODAY(7))[yesterday] == 1


def test_a_person_is_counted_once_if_the_record_comes_twice(alice):
    records = unread()
    first, second = handle_all(records), handle_all(records)
    active = [line for line in lines(first) if "#active" in line]
    assert len(active) == 1
    assert lines(first) == lines(second)
