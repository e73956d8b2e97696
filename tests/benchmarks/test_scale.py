"""Ten million people, replayed: the law and the curve, sums by partition, the worker's lag, and that docs/scale.md says
what the replay gives and what to do about each partition that takes too much."""

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from benchmarks.scale import document, people
from benchmarks.scale.cures import CURES, cure_of
from benchmarks.scale.days import ACTIVE, PEAK, day, storms
from benchmarks.scale.footprints import COMMIT, PAGE, TABLE, Footprint, Row
from benchmarks.scale.page import PAGE as DOCUMENT
from benchmarks.scale.page import REPLAY, REPLAY_ENDS, values_of
from benchmarks.scale.people import TEN_MILLION, People, day_curve, habits
from benchmarks.scale.replay import (
    COMMITS,
    PARTITION_READS,
    PARTITION_WRITES,
    TRANSACTIONS,
    Flow,
    Hot,
    Load,
    loads,
)
from benchmarks.scale.report import MENDED, PICTURES, found_hot, mended, part, pictures
from benchmarks.scale.workers import handling, lag_of, work_of
from tests.lens.concepts.test_measured import WRITES

# Who follows whom, and when.


def test_followers_fall_with_rank_as_the_exponent_says():
    assert TEN_MILLION.followers(1) == 5_000_000
    ratio = TEN_MILLION.followers(1_000) / TEN_MILLION.followers(2_000)
    assert ratio == pytest.approx(2 ** (1 / (people.EXPONENT - 1)))
    assert TEN_MILLION.rank_of(TEN_MILLION.followers(700)) == pytest.approx(700)


def test_the_follows_of_all_ranks_are_added_up():
    some = People(5_000, 2_000)
    assert some.edges(5_000) == pytest.approx(
        sum(some.followers(rank) for rank in range(1, 5_001)), rel=0.001
    )
    assert some.followed_each == pytest.approx(some.edges(5_000) / 5_000)


def test_a_day_has_its_mean_and_its_peak_in_the_evening():
    curve = list(day_curve(PEAK))
    assert max(curve) == curve[people.EVENING] == pytest.approx(PEAK)
    assert sum(curve) / len(curve) == pytest.approx(1, rel=0.03)
    assert min(curve) > 0


def test_habits_are_those_of_the_tables_and_of_the_bill():
    known = values_of(DOCUMENT.read_text())[0]
    of = {one.behaviour: one.times for one in habits()}
    assert known["pulses"] == of["pulse"] + of["pulse elsewhere"]
    pages = ("home", "home that merges", "thread", "profile", "notifications")
    assert sum(of[one] for one in pages) == pytest.approx(known["pages"], rel=0.05)
    assert of["like"] == known["likes"]
    posts = ("publish", "publish to many", "publish to very many", "publish with a tag", "reply")
    assert sum(of[one] for one in posts) == pytest.approx(known["posts"])
    assert (known["followers"], known["peak"]) == (people.FOLLOWERS, PEAK)
    assert TEN_MILLION.count * known["active"] == ACTIVE


# Sums by partition.


@pytest.fixture
def measured(monkeypatch):
    """`measured(row, …)`: a behaviour that touches just that."""

    def measure(*rows: Row, **more: float) -> None:
        of_one = {"this": Footprint(rows, **more)}  # type: ignore[arg-type]
        monkeypatch.setattr("benchmarks.scale.replay.footprints", lambda: of_one)

    return measure


def row(pk: str, sk: str = "count", **more: object) -> Row:
    plain = Row(TABLE, pk, sk, PAGE, keys=1, reads=0, writes=0)
    return replace(plain, **more)  # type: ignore[arg-type]


def only(*flows: Flow, shards: int = 10) -> Load:
    (load,) = loads(flows, shards=shards)
    return load


def test_what_many_meet_takes_its_share_and_what_spreads_takes_nothing(measured):
    measured(row("u#<author>", reads=1.0), row("u#<actor>#trace", writes=2.0))
    load = only(Flow("this", 100, {"<author>": Hot("star", 0.5)}))
    assert (load.partition, load.reads, load.writes) == ("u#star", 50, 0)
    assert load.peak_reads > load.reads


def test_a_page_of_twenty_shows_one_of_the_star(measured):
    measured(row("u#<user>", keys=20, reads=10.0))
    assert only(Flow("this", 100, {"<user>": Hot("star", 0.5)})).reads == 25


def test_a_key_with_shards_is_divided_and_one_without_is_not(measured):
    measured(row("public#<day>#<shard>", writes=1.0))
    assert only(Flow("this", 100)).writes == 25
    measured(row("job#erase", writes=1.0))
    assert only(Flow("this", 100)).writes == 100


def test_a_commit_comes_no_more_often_than_the_worker_commits(measured):
    measured(row("u#<author>", by=COMMIT, writes=2.0, together=1))
    hot = {"<author>": Hot("star")}
    assert only(Flow("this", 1, hot), shards=10).together == 1
    assert only(Flow("this", 1_000, hot), shards=10).together == COMMITS * 10
    assert only(Flow("this", 1_000, hot, sources=1), shards=10).together == COMMITS


def test_only_transactions_of_one_item_meet(measured):
    hot = {"<the post>": Hot("it")}
    likes = row("p#<the post>#likelist", "u#<actor>", writes=2.0, together=1)
    measured(likes)
    assert only(Flow("this", 100, hot)).together == 0
    measured(replace(likes, sk="count"))
    assert only(Flow("this", 100, hot)).together == 100


def test_reads_and_writes_share_a_partition(measured):
    measured(row("audit", reads=1.0, writes=1.0))
    load = only(Flow("this", 600))
    assert load.used > 600 / PARTITION_READS + 600 / PARTITION_WRITES
    assert not load.is_over
    assert only(Flow("this", 900)).is_over


# The worker.


def test_handling_takes_the_own_time_and_that_of_each_call(measured):
    measured(records=3, handled=1, calls=2, ms=5.0)
    assert handling(Flow("this", 1)) == pytest.approx((5 + 2 * 4 + 2 * 0.05) / 1000)


def test_fewer_shards_than_keep_up_fall_behind_and_more_are_fresh():
    flows = storms()[0].all
    enough = work_of(flows).shards
    assert lag_of(flows, enough // 2).most > 10
    assert lag_of(flows, enough * 2).most < 1
    assert lag_of(flows, enough) == lag_of(flows, enough)


# What was found, and what was done.


def test_what_was_spread_is_far_below_its_limit_and_was_not():
    for name, (was, now) in mended().items():
        assert was.used > 4 * (now.used if now else 0), name
        if now:
            assert now.used < 0.3, name
            assert now.together < TRANSACTIONS, name
    assert [name for name, (was, _) in mended().items() if was.is_over] == [
        "job#merge-pulled",
        "day#<month>",
    ]
    assert mended().keys() == MENDED.keys()


def test_each_hot_partition_has_a_cure_and_each_cure_a_hot_partition():
    hot = found_hot()
    assert [name for name in hot if cure_of(name) is None] == []
    assert [one.name for one in CURES if one not in map(cure_of, hot)] == []


def test_each_storm_is_of_behaviours_that_were_measured():
    for storm in storms():
        assert all(flow.footprint.rows for flow in storm.all), storm.name
    assert {flow.behaviour for flow in day()} == {one.behaviour for one in habits()}


# The document.


@pytest.fixture(scope="module", autouse=True)
def _written():
    if WRITES:
        document.write()


def test_the_document_says_what_the_replay_gives():
    page = DOCUMENT.read_text()
    said = page.partition(REPLAY)[2].partition(REPLAY_ENDS)[0]
    assert said.splitlines() == f"\n{part(page)}\n".splitlines(), "`make documents` writes it anew"


def test_each_picture_is_as_the_code_draws_it_and_says_so_in_words():
    page = DOCUMENT.read_text()
    drawn = pictures()
    assert tuple(drawn) == PICTURES
    for name, drawing in drawn.items():
        assert (document.PICTURES / name).read_text() == drawing
        assert f"](scale/{name})" in page
        root = ElementTree.fromstring(drawing)
        style, title, words = list(root)[:3]
        assert "prefers-color-scheme: dark" in str(style.text)
        assert title.text
        assert words.text
        assert not re.search(r"nan|inf", drawing)
