"""What very many bring at once is counted in parts, so that neither one item nor one partition holds the worker up."""

import threading
from collections import Counter
from datetime import timedelta

import pytest

from accounts.models import UserSettings
from accounts.people.viewer import Viewer
from costs.prices import Window
from costs.stored import list_active
from moderation.figures import names
from moderation.figures.reads import get_counts
from moderation.models import DayCount
from moderation.staff.overview import get_word_hits
from socialsite.clock import utc_now
from socialsite.streams import ledger, own_part
from socialsite.table import change, keys, query, write_batch
from tests.conftest import person, post
from tests.moderation.staff import word_rule


def test_a_thread_adds_to_one_part_and_very_many_to_all(monkeypatch):
    assert len({own_part(keys.COUNT_PARTS) for _ in range(100)}) == 1
    monkeypatch.setattr(threading, "get_ident", iter(range(1, 1_601)).__next__)
    parts = Counter(own_part(keys.COUNT_PARTS) for _ in range(1_600))
    assert len(parts) == keys.COUNT_PARTS
    assert max(parts.values()) < 2 * 1_600 / keys.COUNT_PARTS


def test_processes_add_to_different_parts(monkeypatch):
    found = set()
    for drawn in range(100):
        monkeypatch.setattr(ledger, "_drawn", drawn)
        found.add(own_part(keys.COUNT_PARTS))
    assert len(found) == keys.COUNT_PARTS


def test_parts_are_partitions_of_their_own_beside_what_earlier_versions_wrote():
    parts = keys.parts_of(keys.day_counts("2026-11"))
    assert parts[0] == keys.day_count("2026-11-21", "active").pk
    assert len(set(parts)) == keys.COUNT_PARTS + 1
    assert keys.day_count("2026-11-21", "active", 3).pk in parts


@pytest.fixture
def part(monkeypatch):
    """`part(3)`: from now on the worker adds to this part."""

    def choose(number: int) -> None:
        rooms = "costs.stream_handlers", "moderation.figures.stream", "moderation.staff.stream"
        for room in rooms:
            monkeypatch.setattr(f"{room}.own_part", lambda _: number)

    return choose


def parts_with(partition: str) -> int:
    return sum(any(query(part)) for part in keys.parts_of(partition))


def come_today(one: Viewer) -> None:
    settings = keys.user_settings(one.user_id)
    for seen in (utc_now() - timedelta(days=40), utc_now()):
        change(UserSettings, settings, [UserSettings.seen.set(seen.date().isoformat())])


def test_people_of_a_day_and_a_month_are_the_sum_of_their_parts(alice, bob, worker, part, settings):
    settings.COST_SAMPLE = 1e-9
    worker.drain()
    today = utc_now().date()
    before = list_active(Window(today, 1)).get(today.isoformat(), 0)
    month = f"{names.ACTIVE}.{today:%m}"
    before_in_month = get_counts(str(today.year))[month]
    for number, one in enumerate((person("dora"), person("emil"))):
        worker.drain()
        part(number)
        come_today(one)
        worker.drain()
    assert list_active(Window(today, 1))[today.isoformat()] - before >= 2
    assert get_counts(str(today.year))[month] - before_in_month >= 2
    assert parts_with(keys.day_counts(f"{today:%Y-%m}")) >= 2


def test_posts_that_met_a_filter_are_the_sum_of_their_parts(alice, admin, worker, part):
    rule_id = word_rule(admin, "casino", "flag")
    now = utc_now()
    earlier = DayCount.of_word(
        rule_id=rule_id, day=now.date().isoformat(), ttl=now + timedelta(days=1)
    )
    earlier.times = 4
    write_batch(puts=[earlier])
    for number in (2, 7):
        part(number)
        post(alice, "casino")
        worker.drain()
    assert sum(week.times for week in get_word_hits(rule_id)) == 6
    assert parts_with(keys.word_hits(rule_id)) == 3
