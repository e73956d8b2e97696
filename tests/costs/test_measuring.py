"""What pages, handlers and due work spend is what the meter counts, each unit once."""

import random
from collections import Counter

import pytest

from accounts.people.viewer import Viewer
from accounts.sign_in.writes import sign_in
from costs.keeping import write_sums
from costs.models import CostSample
from feed.likes.writes import like_post
from socialsite.due.work import do_due
from socialsite.streams.worker import Worker
from socialsite.table import Unavailable, meter, spent_by
from socialsite.table.reading import scan
from tests.conftest import post
from tests.iam.recorder import acting_as, seen
from tests.iam.uses import Use

pytestmark = pytest.mark.usefixtures("measured")
PAGES = {
    "feed:home": "/",
    "feed:profile": "/@alice",
    "relations:followers": "/@alice/followers",
    "notifications:notifications": "/notifications",
    "site:about": "/about",
}


def items_of(*types: str) -> list[str]:
    return [raw["type"]["S"] for raw in scan() if raw["type"]["S"] in types]


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


def test_a_fault_of_the_table_drops_the_sums_and_fails_nothing(alice, log_in, monkeypatch, caplog):
    log_in(alice).get("/")

    def fail(_: CostSample) -> None:
        raise Unavailable("away")

    monkeypatch.setattr("costs.keeping.write_sample", fail)
    write_sums()
    assert "what the site spent was not written and is dropped: away" in caplog.text
    assert meter.take() == {}
    assert log_in(alice).get("/").status_code == 200


@pytest.mark.parametrize("role", ["web", "worker", "clock", "lambda"])
def test_each_role_may_write_what_it_spent(alice, log_in, role):
    log_in(alice).get("/")
    acting_as(role)(write_sums)()
    assert Use(role, "table", "sample#*", False, "PutItem") in seen


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


def test_what_the_site_spends_at_rest_starts_no_timer(table, monkeypatch):
    """Otherwise each write would lead to the next one for ever."""
    told = []
    monkeypatch.setattr(meter, "_when_first", [lambda: told.append(1)])
    do_due()
    Worker().step()
    assert meter.take() != {}
    assert told == []


def test_a_block_that_keeps_requests_has_those_of_inner_blocks_too(alice):
    """The lens and the traces of the worker stand around what is summed here."""
    with meter.measure(keep=True) as outer, spent_by("job", "costs:inner"):
        post(alice)
    assert outer.calls
    assert all(call.asked for call in outer.calls)
