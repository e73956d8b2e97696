"""The whole bill: prices by region, formulas as they are shown, and the page that shows them."""

import csv
import io
import math
from datetime import date, timedelta

import pytest

from costs.bill import (
    ALL,
    ASSUMED,
    GIVEN,
    LINES,
    QUANTITIES,
    SMALL,
    SMALL_MOST,
    SUM,
    Bill,
    bill_before,
    bill_of,
    prices_here,
    replaced,
)
from costs.formulas import names_in, steps, worked_out
from costs.models import CostDay
from costs.stored import ACTIVE
from moderation.models import DayCount
from socialsite.clock import utc_now
from socialsite.prices import FILE, FIRST, prices_of, regions
from socialsite.table import write_batch
from tests.aws.test_template import resources
from tests.web.html import Html

PAGE = "/moderation/costs"
WEEK = timedelta(days=7)


def bill(people: int, *, region: str = FIRST, **given: float) -> Bill:
    habits = {"active_people": people / 5, "reads": people * 292, "writes": people * 44}
    given = {"people": people, **habits, "stored_gb": people / 2000} | given
    return bill_of(given, prices_of(region).dollars)


# ---- Prices


def test_the_first_region_has_every_price_and_each_says_where_it_is_from():
    prices = prices_of(FIRST)
    assert prices.borrowed == []
    for name in regions():
        for one in prices_of(name).prices.values():
            assert one.page.startswith("https://aws.amazon.com/"), one.name
            assert one.of == "undated" or date.fromisoformat(one.of) <= utc_now().date(), one.name
            last = one.dollars if isinstance(one.dollars, float) else one.dollars[-1][1]
            assert last > 0, one.name


def test_a_region_lends_what_it_lacks_and_an_unknown_one_everything():
    frankfurt, unknown = prices_of("eu-central-1"), prices_of("moon-north-1")
    assert frankfurt.dollars["write_price"] == 0.7625
    assert {one.region for one in frankfurt.borrowed} == {FIRST}
    assert "letter_price" in {one.name for one in frankfurt.borrowed}
    assert (unknown.asked, unknown.region) == ("moon-north-1", FIRST)
    assert unknown.dollars == prices_of(FIRST).dollars


def test_prices_of_the_file_stand_nowhere_else_and_each_is_used():
    used = {name for line in ALL for name in names_in(line.formula)}
    assert {*prices_of(FIRST).prices} == {name for name in used if name.endswith("_price")}
    assert FILE.name == "prices.toml"


def test_settings_replace_the_prices_of_the_region(settings):
    settings.PRICES = prices_of("eu-central-1")
    settings.READ_PRICE, settings.WRITE_PRICE = 0.1525, 9.0
    settings.STORAGE_PRICE = 0.306
    assert prices_here()["write_price"] == 9.0
    assert prices_here()["core_price"] == 0.03725
    assert replaced(settings.PRICES) == ["WRITE_PRICE"]


def test_the_site_begins_with_the_prices_of_its_region(settings):
    assert settings.PRICES.asked == settings.DYNAMODB_REGION
    assert replaced(settings.PRICES) == []


# ---- Formulas


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        ("1 + 2 * a", 7),
        ("max(1, ceil(a / 2)) ** 2 - 1", 3),
        ("steps(a, b)", 1 * 0 + 1 * 10 + 1 * 100),
        ("-1 + a", None),
        ("a.real", None),
        ("open(a)", None),
        ("[a]", None),
        ("'x'", None),
    ],
)
def test_a_formula_reckons_and_does_nothing_else(formula, value):
    values = {"a": 3, "b": [[1, 0], [2, 10], [math.inf, 100]]}
    if value is None:
        with pytest.raises(ValueError, match="not part of a formula"):
            worked_out(formula, values)
    else:
        assert worked_out(formula, values) == value


def test_a_name_without_a_value_is_an_error():
    with pytest.raises(NameError, match="b has no value"):
        worked_out("a + b", {"a": 1})


def test_steps_cost_what_each_part_costs():
    prices = [[10, 0], [30, 2], [math.inf, 1]]
    assert [steps(amount, prices) for amount in (0, 10, 20, 30, 40)] == [0, 0, 20, 40, 50]


def test_a_formula_names_only_what_stands_above_it_is_given_assumed_or_a_price():
    known = {*GIVEN, *(one.name for one in ASSUMED), *prices_of(FIRST).prices}
    for line in ALL:
        assert names_in(line.formula) <= known, line.name
        assert line.name not in known, f"{line.name} means two things"
        known.add(line.name)
    used = {name for line in ALL for name in names_in(line.formula)}
    assert {one.name for one in ASSUMED} <= used


# ---- The bill


def test_its_sum_is_that_of_its_lines_and_grows_with_people():
    sizes = (1_000, 100_000, 10_000_000)
    bills = [bill(people) for people in sizes]
    for one in bills:
        assert one.total == pytest.approx(sum(one.values[line.name] for line in LINES))
    assert sorted(one.total for one in bills) == [one.total for one in bills]
    each = [one.values["each"] for one in bills]
    assert each[0] > each[1] > 0
    assert bill(1_000, region="eu-central-1").total > bills[0].total


def test_its_table_costs_what_the_forecast_says_it_does():
    one = bill(1_000, reads=1_000_000, writes=200_000, stored_gb=4)
    assert one.values["units"] == pytest.approx(30 * (0.125 + 0.2 * 0.625))
    assert one.values["storage"] == 1.0
    assert one.values["recovery"] == pytest.approx(0.8)


def test_nobody_comes_and_what_stands_costs_all_the_same():
    one = bill(1_000, active_people=1e-9, reads=0, writes=0, stored_gb=0)
    idle = {line.name for line in LINES if one.values[line.name] > 1}
    assert idle == {"web", "workers", "addresses", "balancer", "keys", "alarm"}


def test_a_small_way_is_cheaper_where_it_carries_the_people_and_not_told_beyond():
    few, many = bill(1_000), bill(SMALL_MOST + 1)
    with_table, alone = (few.of(line) for line in SMALL)
    assert alone < with_table < few.total / 3
    assert [many.of(line) for line in SMALL] == [None, None]
    assert many.of(SUM) == many.total


def test_it_counts_what_the_template_makes():
    """A second web task, a bigger worker or one more alarm must be in the bill."""
    tasks = {
        name: (one["Cpu"], one["Memory"])
        for name, one in resources("AWS::ECS::TaskDefinition").items()
    }
    quarter = (256, 512)
    assert tasks.pop("StreamTask") == tasks.pop("ClockTask") == tasks.pop("PusherTask") == quarter
    alarms = resources("AWS::CloudWatch::Alarm")
    of_lambda = {"StreamBehind", "BatchesLost"}
    assumed = {one.name: one.value for one in ASSUMED}
    assert len(alarms.keys() - of_lambda) == assumed["alarms"]
    assert len(resources("AWS::CloudWatch::Dashboard")) == 1
    of_logs = resources("AWS::Logs::MetricFilter").values()
    assert {one["MetricName"] for log in of_logs for one in log["MetricTransformations"]} == {
        "Faults"
    }
    assert len(resources("AWS::SecretsManager::Secret")) == 3
    assert len(resources("AWS::KMS::Key")) == 1
    assert {line.name for line in QUANTITIES} >= {"web_tasks", "worker_tasks"}


# ---- The page


@pytest.fixture
def a_day(table) -> None:
    """A site that four people used today."""
    now = utc_now()
    active = DayCount.new(day=now.date().isoformat(), name=ACTIVE)
    active.times = 4
    home = CostDay.new(day=now.date().isoformat(), kind="GET", name="feed:home", ttl=now + WEEK)
    home.samples, home.times, home.half_reads, home.writes = 10, 200, 16_000, 300
    write_batch(puts=[active, home])


def test_the_page_shows_each_line_with_its_formula_and_where_prices_are_from(admin, a_day, log_in):
    page = Html(log_in(admin).get(PAGE))
    text = page.one("main").text
    for line in ALL:
        assert f"{line.name} = {line.formula}" in text
    for one in ASSUMED:
        assert f"{one.name} = " in text
    assert "at list prices of us-east-1" in text
    assert "no prices are known" not in text
    sources = {link["href"] for link in page.all("a", rel="noreferrer")}
    assert sources >= {one.page for one in prices_of(FIRST).prices.values()}


def test_the_page_says_whose_prices_it_shows_and_which_are_replaced(admin, a_day, log_in, settings):
    settings.PRICES, settings.WRITE_PRICE = prices_of("moon-north-1"), 9.0
    text = Html(log_in(admin).get(PAGE)).one("main").text
    assert (
        "This site is in moon-north-1, for which no prices are known: these are of us-east-1."
        in text
    )
    assert "The settings of this site replace WRITE_PRICE." in text


def test_its_csv_has_all_figures_with_their_formulas(admin, a_day, log_in):
    response = log_in(admin).get(f"{PAGE}/bill.csv?active=20")
    rows = {one["figure"]: one for one in csv.DictReader(io.StringIO(response.content.decode()))}
    assert list(rows) == [line.name for line in ALL]
    units = rows["units"]
    assert units["formula"] == "30 * (reads * read_price + writes * write_price) / 10**6"
    # 4 people read 8,000 units and wrote 300; of 1,000 people 200 come on a day.
    assert float(units["people_1000"]) == pytest.approx(
        30 * 50 * (8000 * 0.125 + 300 * 0.625) / 10**6
    )
    assert rows["one_machine"]["people_10000000"] == ""


def test_before_anything_was_measured_the_bill_is_of_assumed_habits(admin, log_in):
    browser = log_in(admin)
    text = Html(browser.get(PAGE)).one("main").text
    assert "so all of it comes from habits that are assumed" in text
    assert "reads_each = 1,460" in text
    response = browser.get(f"{PAGE}/bill.csv?active=20")
    rows = {one["figure"]: one for one in csv.DictReader(io.StringIO(response.content.decode()))}
    before = bill_before(1_000, active_share=0.2, prices=prices_here())
    assert float(rows["sum"]["people_1000"]) == before.total
    assert browser.get(f"{PAGE}/forecast.csv").content.decode().count("\r\n") == 1


def test_once_measured_the_tables_habits_are_its_own(admin, a_day, log_in):
    text = Html(log_in(admin).get(PAGE)).one("main").text
    assert "The table’s lines come from what was measured here" in text
    assert "reads_each" not in text
