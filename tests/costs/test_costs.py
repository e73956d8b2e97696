"""Costs: measured, added up by day, counted as stored, by feature, and forecast."""

import random
from collections import Counter
from collections.abc import Iterator
from datetime import date, timedelta

import pytest
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils.translation import override

from accounts.models import UserSettings
from accounts.people.viewer import Viewer
from accounts.sign_in.writes import sign_in
from costs import keeping, stream_handlers
from costs.keeping import write_sums
from costs.models import CostDay, CostSample
from costs.prices import Window, money, price, storage_price, units
from costs.report import PEOPLE, Day, Measured, Report, Total, Units, forecast, measured_by
from costs.spent import LABELS, OF_NAMES, OF_ROOM, Feature, feature_of
from costs.stored import (
    OVERHEAD,
    AlreadyCounting,
    Stored,
    StoredType,
    add_items,
    count_stored,
    counted_so_far,
    get_stored,
    list_active,
)
from feed.likes.writes import like_post
from moderation.audit_log.reads import list_audit_entries
from moderation.log.writes import OPERATOR
from moderation.maintenance.writes import end_read_only, plan_read_only
from relations.friends.writes import request_friend
from socialsite.clock import utc_now
from socialsite.due.work import WORK, do_due
from socialsite.streams.dispatch import handlers, load_handlers
from socialsite.streams.jobs import STEPS
from socialsite.streams.worker import Worker
from socialsite.table import Item, Unavailable, change, item_size, keys, meter, name_of, spent_by
from socialsite.table.reading import scan
from tests.conftest import person, post
from tests.iam.policy import Use
from tests.iam.recorder import acting_as, seen
from tests.streams.records import everything, handle_all, lines, unread

PAGES = {
    "feed:home": "/",
    "feed:profile": "/@alice",
    "relations:followers": "/@alice/followers",
    "notifications:notifications": "/notifications",
    "site:about": "/about",
}


def items_of(*types: str) -> list[str]:
    return [raw["type"]["S"] for raw in scan() if raw["type"]["S"] in types]


@pytest.mark.usefixtures("measured")
def test_the_units_of_pages_are_those_that_the_meter_counts(alice, bob, log_in, measure, add_up):
    post(alice)
    browser = log_in(bob)
    browser.get("/")  # the first request of the day
    add_up()
    meter.take()
    expected = {}
    for name, address in PAGES.items():
        with measure() as counted:
            assert browser.get(address).status_code == 200
        expected[name] = (counted.read_units, counted.write_units)
    with measure() as counted:
        browser.post("/@alice/follow", {"on": "1"})
    expected["relations:follow"] = (counted.read_units, counted.write_units)
    before = {one.name: one for one in add_up() if one.kind in ("GET", "POST")}
    home = before.pop("feed:home")
    assert (home.samples, home.times) == (2, 2)
    assert home.reads > expected.pop("feed:home")[0]
    assert {name: (one.reads, one.writes) for name, one in before.items()} == expected
    assert sum(reads for reads, _ in expected.values()) > 0
    assert expected["relations:follow"][1] > 0


@pytest.mark.usefixtures("measured")
def test_what_the_worker_spends_is_added_once_and_named_by_its_handlers(
    alice, bob, log_in, measure
):
    log_in(bob).post("/@alice/follow", {"on": "1"})
    worker = Worker()
    worker.drain()
    like_post(by=bob, post_id=post(alice), author_id=alice.user_id)
    meter.take()
    with measure() as counted:
        worker.drain()
        do_due()
    sums = meter.take()
    assert sum(one.reads for one in sums.values()) == pytest.approx(counted.read_units)
    assert sum(one.writes for one in sums.values()) == pytest.approx(counted.write_units)
    by_name = {spender.name: (spender.kind, one) for spender, one in sums.items()}
    kind, fan_out = by_name["feed:fan_out_post"]
    assert (kind, fan_out.samples) == ("worker", 1)
    assert fan_out.writes >= 1
    # A commit is shared out among what it counts: the like is not the machinery's.
    assert by_name["feed:LikeCount"][1].writes == by_name["socialsite:commit"][1].writes >= 2
    assert by_name["socialsite:look_for_due_work"][1].reads == 2.0  # four shards, nothing due


def fail_after_a_post(author: Viewer) -> None:
    with spent_by("job", "costs:failed"):
        post(author)
        raise ValueError("stop")


@pytest.mark.usefixtures("measured")
def test_an_inner_block_takes_its_share_from_the_outer_one(alice, measure):
    meter.take()
    with spent_by("job", "costs:outer"):
        sign_in(user_id=alice.user_id, browser="tests")
        with spent_by("job", "costs:inner"), measure() as inside:
            post(alice)
        with pytest.raises(ValueError, match="stop"):
            fail_after_a_post(alice)
    sums = {spender.name: one for spender, one in meter.take().items()}
    assert sums["costs:inner"].writes == inside.write_units == sums["costs:failed"].writes
    assert 0 < sums["costs:outer"].writes != inside.write_units


@pytest.mark.usefixtures("measured")
def test_a_sample_is_scaled_to_all_requests(alice, log_in, settings, monkeypatch, measure):
    browser = log_in(alice)
    browser.get("/")
    meter.take()
    settings.COST_SAMPLE = 0.25
    rolls = iter([0.1, 0.9, 0.3, 0.6])
    monkeypatch.setattr(random, "random", lambda: next(rolls))
    with measure() as counted:
        browser.get("/")
    for _ in range(3):
        browser.get("/")
    (one,) = meter.take().values()
    assert (one.samples, one.times, one.reads) == (1, 4, 4 * counted.read_units)


@pytest.mark.usefixtures("measured")
def test_with_a_sample_of_nothing_nothing_is_measured_or_written(alice, bob, log_in, settings):
    settings.COST_SAMPLE = 0.0
    browser = log_in(bob)
    browser.get("/")
    browser.post("/@alice/follow", {"on": "1"})
    Worker().drain()
    do_due()
    assert meter.take() == {}
    write_sums()
    Worker().drain()
    assert items_of("CostSample", "CostDay") == []
    assert [raw["name"] for raw in scan() if raw["type"]["S"] == "DayCount"] == [{"S": "sign-ups"}]


@pytest.mark.usefixtures("measured")
def test_a_fault_of_the_table_drops_the_sums_and_fails_nothing(alice, log_in, monkeypatch, caplog):
    log_in(alice).get("/")

    def fail(_: CostSample) -> None:
        raise Unavailable("away")

    monkeypatch.setattr("costs.keeping.write_sample", fail)
    write_sums()
    assert "what the site spent was not written and is dropped: away" in caplog.text
    assert meter.take() == {}
    assert log_in(alice).get("/").status_code == 200


@pytest.mark.usefixtures("measured")
def test_while_the_site_is_only_read_the_sums_wait_in_the_process(alice, log_in, monkeypatch):
    again = []
    monkeypatch.setattr(keeping, "write_later", lambda: again.append(1))
    log_in(alice).get("/")
    plan_read_only(by=OPERATOR)
    keeping.write_in_time()
    assert (again, items_of("CostSample")) == ([1], [])
    end_read_only(by=OPERATOR)
    keeping.write_in_time()
    assert again == [1]
    assert items_of("CostSample")


@pytest.mark.usefixtures("measured")
@pytest.mark.parametrize("role", ["web", "worker", "clock", "lambda"])
def test_each_role_may_write_what_it_spent(alice, log_in, role):
    log_in(alice).get("/")
    acting_as(role)(write_sums)()
    assert Use(role, "table", "sample#*", False, "PutItem") in seen


@pytest.mark.usefixtures("measured")
def test_many_kinds_become_several_small_samples_and_one_write_each(alice, measure, table):
    for number in range(45):
        with spent_by("job", f"costs:{number}"):
            sign_in(user_id=alice.user_id, browser="tests")
    with measure() as counted:
        write_sums()
    assert Counter(call.operation for call in counted.calls) == {"PutItem": 3}
    samples = [raw for raw in scan() if raw["type"]["S"] == "CostSample"]
    assert len(samples) == 3
    assert all("ttl" in raw for raw in samples)


@pytest.mark.usefixtures("measured")
def test_the_first_sum_starts_one_timer_and_the_next_ones_none(alice, log_in, monkeypatch):
    told = []
    monkeypatch.setattr(meter, "_when_first", [lambda: told.append(1)])
    browser = log_in(alice)
    browser.get("/")
    browser.get("/about")
    assert told == [1]
    meter.take()
    browser.get("/")
    assert told == [1, 1]


@pytest.mark.usefixtures("measured")
def test_what_the_site_spends_at_rest_starts_no_timer(table, monkeypatch):
    """Otherwise each write would lead to the next one for ever."""
    told = []
    monkeypatch.setattr(meter, "_when_first", [lambda: told.append(1)])
    do_due()
    Worker().step()
    assert meter.take() != {}
    assert told == []


@pytest.mark.usefixtures("measured")
def test_a_block_that_keeps_requests_has_those_of_inner_blocks_too(alice):
    """The lens and the traces of the worker stand around what is summed here."""
    with meter.measure(keep=True) as outer, spent_by("job", "costs:inner"):
        post(alice)
    assert outer.calls
    assert all(call.asked for call in outer.calls)


# The worker adds samples up by day, each once, and counts each person once a day.

TODAY = Window.until_today


def active_today() -> int:
    return list_active(TODAY(1)).get(utc_now().date().isoformat(), 0)


@pytest.mark.usefixtures("measured")
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


@pytest.mark.usefixtures("measured")
def test_the_sums_of_a_day_expire_after_more_than_a_year(alice, log_in, add_up):
    log_in(alice).get("/")
    add_up()
    days = [CostDay.from_raw_data(raw) for raw in scan() if raw["type"]["S"] == CostDay.__name__]
    assert days
    assert all(one.ttl - utc_now() > timedelta(days=399) for one in days)


@pytest.mark.usefixtures("measured")
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


@pytest.mark.usefixtures("measured")
def test_a_person_is_counted_once_if_the_record_comes_twice(alice):
    records = unread()
    first, second = handle_all(records), handle_all(records)
    active = [line for line in lines(first) if "#active" in line]
    assert len(active) == 1
    assert lines(first) == lines(second)


# Everything in the table is counted once, by type, with the bytes that Amazon bills.

MACHINERY = {"Lease", "Job", "StoredCount", "AuditHead", "AuditEntry"}


def test_a_count_has_every_item_in_however_many_steps(admin, alice, bob, monkeypatch):
    for _ in range(5):
        post(alice)
    request_friend(by=alice, user_id=bob.user_id)
    monkeypatch.setattr(stream_handlers, "ITEMS_A_STEP", 7)
    worker = Worker()
    worker.drain()
    items = Counter(raw["type"]["S"] for raw in scan())
    sizes: Counter[str] = Counter()
    for raw in scan():
        sizes[raw["type"]["S"]] += item_size(raw) + OVERHEAD
    assert (get_stored(), counted_so_far()) == (None, None)
    count_stored(by=admin)
    assert counted_so_far() == 0
    worker.drain()
    stored = get_stored()
    assert stored is not None
    assert counted_so_far() is None
    counted = {one.name: (one.items, one.size) for one in stored.types}
    for name in items.keys() - MACHINERY:
        assert counted[name] == (items[name], sizes[name]), name
    assert stored.people == 3
    assert [one.total for one in stored.types] == sorted(
        (one.total for one in stored.types), reverse=True
    )
    in_indexes = {one.name for one in stored.types if one.in_indexes}
    assert in_indexes == {"Relation"}


def test_an_item_in_an_index_is_stored_there_once_more():
    raw = {"PK": {"S": "a"}, "SK": {"S": "b"}, "type": {"S": "Case"}}
    listed = {**raw, "escalated_to": {"S": "queue"}, "escalated_at": {"S": "now"}}
    half = {**raw, "escalated_to": {"S": "queue"}}
    size = item_size(listed) + OVERHEAD
    assert add_items({}, [listed]) == {"Case": [1, size, size]}
    assert add_items({"Case": [1, size, size]}, [half])["Case"][2] == size


def test_one_count_at_a_time_and_each_is_in_the_audit_log(admin, table):
    count_stored(by=admin)
    with pytest.raises(AlreadyCounting):
        count_stored(by=admin)
    worker = Worker()
    worker.drain()
    count_stored(by=admin)
    entries = list_audit_entries(utc_now().isoformat()[:7]).items
    assert ["everything in the table" in entry.sentence for entry in entries] == [True, True]


# Every page, handler, job and kind of due work has a feature, and the list names nothing that is gone.


def pages(patterns: list[URLPattern | URLResolver], room: str = "site") -> Iterator[str]:
    for one in patterns:
        if isinstance(one, URLResolver):
            yield from pages(one.url_patterns, one.app_name or room)
        elif one.name:
            yield f"{room}:{one.name}"


def item_types(of: type[Item] = Item) -> Iterator[type[Item]]:
    for one in of.__subclasses__():
        yield one
        yield from item_types(one)


def everything_that_spends() -> set[str]:
    load_handlers()
    return {
        *pages(get_resolver().url_patterns),
        *map(name_of, handlers()),
        *(name_of(step, kind) for kind, step in STEPS.items()),
        *(name_of(do, kind) for kind, do in WORK.items()),
        *map(name_of, item_types()),
        "site:none",
    }


def test_everything_that_spends_has_a_feature():
    names = everything_that_spends()
    assert len(names) > 200
    assert [name for name in sorted(names) if feature_of(name) == Feature.OTHER] == []


def test_no_name_is_of_something_that_is_gone():
    stated = {name for names in OF_NAMES.values() for name in names}
    assert stated - everything_that_spends() == set()


def test_each_name_has_one_feature_and_each_feature_a_label():
    stated = [name for names in OF_NAMES.values() for name in names]
    assert len(stated) == len(set(stated))
    assert set(LABELS) == set(Feature)
    assert feature_of("gone:page") == Feature.OTHER
    assert set(OF_ROOM.values()) <= set(Feature)


# The forecast is arithmetic that can be checked by hand, and money has four significant digits.

MEASURED = Measured(own=Units(10, 2), fan_out=Units(1, 4), fixed=Units(1000, 100), size=5000)


def report(**of: Total) -> Report:
    total = Total(times=10, reads=2300, writes=340)
    days = [Day(date(2026, 11, 21), 30, total), Day(date(2026, 11, 22), 20, total)]
    fixed = Total(times=2, reads=200, writes=40)
    fan_out = Total(times=3, reads=100, writes=200)
    return Report(days, {}, {Feature.FAN_OUT: fan_out}, total, fixed, fan_out)


def test_a_month_is_people_times_share_times_units_and_what_is_fixed():
    (month,) = forecast(MEASURED, active_share=0.2, followers=1, people=[1000])
    assert month.active == 200
    assert month.reads == 30 * (200 * (10 + 1) + 1000)
    assert month.writes == 30 * (200 * (2 + 4) + 100)
    assert month.size == 5_000_000
    assert month.dollars == pytest.approx((96_000 * 0.125 + 39_000 * 0.625) / 1e6 + 0.005 * 0.25)
    assert month.dollars_a_person == month.dollars / 1000


def test_more_followers_make_the_fan_out_dearer_and_nothing_else():
    once, thrice = (
        forecast(MEASURED, active_share=1, followers=number, people=[1])[0] for number in (1, 3)
    )
    assert thrice.reads - once.reads == 30 * 2 * 1
    assert thrice.writes - once.writes == 30 * 2 * 4
    assert thrice.size == once.size


def test_it_reaches_from_a_thousand_to_ten_million_people():
    months = forecast(MEASURED, active_share=0.1, followers=1)
    assert [month.people for month in months] == list(PEOPLE)
    assert (PEOPLE[0], PEOPLE[-1]) == (1_000, 10_000_000)
    assert [month.dollars for month in months] == sorted(month.dollars for month in months)


def test_what_is_measured_is_by_active_person_and_day_without_what_is_fixed():
    stored = Stored(
        utc_now(), [StoredType("UserInfo", 4, 3000, 0), StoredType("Post", 9, 4000, 1000)]
    )
    measured = measured_by(report(), stored)
    assert measured is not None
    assert measured.own == Units((2300 - 200 - 100) / 50, (340 - 40 - 200) / 50)
    assert measured.fan_out == Units(2, 4)
    assert measured.fixed == Units(100, 20)
    assert measured.size == 8000 / 4


def test_without_anybody_there_is_no_forecast():
    empty = Report([], {}, {}, Total(), Total(), Total())
    assert measured_by(empty, None) is None


def test_prices_are_those_of_the_settings(settings):
    assert price(reads=1_000_000, writes=2_000_000) == 0.125 + 1.25
    assert storage_price(4e9) == 1.0
    settings.READ_PRICE, settings.STORAGE_PRICE = 0.2, 1.0
    assert price(reads=1_000_000, writes=0) == pytest.approx(0.2)
    assert storage_price(4e9) == 4.0


@pytest.mark.parametrize(
    ("dollars", "text"),
    [
        (0, "$0"),
        (0.0000012345, "$0.000001234"),
        (0.5, "$0.5000"),
        (12.3456, "$12.35"),
        (1234.56, "$1,235"),
        (98_765_432, "$98,770,000"),
    ],
)
def test_money_has_four_significant_digits(dollars, text):
    assert money(dollars) == text


def test_numbers_are_written_as_the_language_writes_them():
    with override("de"):
        assert units(12345.6) == "12.350"
        assert units(0.25) == "0,25"
