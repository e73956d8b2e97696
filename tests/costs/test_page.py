"""The page shows what was measured, says so when there is nothing, and keeps what was typed."""

import csv
import io
from datetime import timedelta

import pytest
from django.test import Client

from costs.models import CostDay
from costs.report import TABLES, _safe
from costs.stored import ACTIVE
from moderation.models import DayCount
from socialsite.clock import utc_now
from socialsite.streams.worker import Worker
from socialsite.table import keys, write_batch
from tests.web.html import Html

PAGE = "/moderation/costs"
COUNT = f"{PAGE}/count"


def spent(kind: str, name: str, *, days_ago: int = 0, **sums: int) -> CostDay:
    now = utc_now()
    day = (now - timedelta(days=days_ago)).date().isoformat()
    item = CostDay.new(day=day, kind=kind, name=name, ttl=now + timedelta(days=9))
    for sum_name, number in sums.items():
        setattr(item, sum_name, number)
    return item


@pytest.fixture
def a_week(table) -> None:
    """A site that some people used yesterday and today."""
    active = DayCount.new(day=utc_now().date().isoformat(), name=ACTIVE)
    active.times = 4
    write_batch(
        puts=[
            active,
            spent("GET", "feed:home", samples=10, times=200, half_reads=16_000, writes=0),
            spent("GET", "feed:home", days_ago=1, samples=1, times=20, half_reads=1600, writes=0),
            spent("worker", "feed:fan_out_post", samples=2, times=2, half_reads=8, writes=400),
            spent("worker", "socialsite:read_stream", samples=5, times=5, half_reads=10, writes=20),
            spent("GET", "feed:home", days_ago=7, samples=9, times=9, half_reads=9999, writes=9),
        ]
    )


def rows_of(browser: Client, table: str, query: str = "") -> list[dict[str, str]]:
    response = browser.get(f"{PAGE}/{table}.csv{query}")
    assert response.status_code == 200
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    assert "no-store" in response["Cache-Control"]
    return list(csv.DictReader(io.StringIO(response.content.decode())))


def test_for_people_without_the_permission_nothing_is_there(alice, mod, log_in):
    for browser in (Client(), log_in(alice), log_in(mod)):
        assert browser.get(PAGE).status_code == 404
        assert browser.get(f"{PAGE}/days.csv").status_code == 404
        assert browser.post(COUNT).status_code == 404


def test_an_empty_page_says_what_to_do(admin, log_in, settings):
    browser = log_in(admin)
    assert "Measuring is turned off" in Html(browser.get(PAGE)).one("main").text
    settings.COST_SAMPLE = 0.05
    text = Html(browser.get(PAGE)).one("main").text
    assert "Nothing was measured in these days" in text
    assert "A forecast from this site’s own figures needs a day" in text
    assert not Html(browser.get(PAGE)).all("svg", class_="cost-days")


def test_it_shows_units_and_money_of_the_window(admin, a_week, log_in):
    page = Html(log_in(admin).get(PAGE))
    tiles = [tile.text for tile in page.all("dd", class_="number")]
    # 8,809 read units and 420 write units
    assert tiles == ["$0.001364", "$0.0003409", "8,809", "420"]
    text = page.one("main").text
    assert "Fan-out to followers" in text
    assert "Running the site" in text
    assert len(page.all("svg", class_="cost-days")) == 1
    assert len(page.all("svg", class_="cost-growth")) == 1
    assert not page.all(style=True)


def test_each_table_is_csv_with_the_same_figures(admin, a_week, log_in):
    browser = log_in(admin)
    spenders = {row["name"]: row for row in rows_of(browser, "spenders")}
    home = spenders["feed:home"]
    assert (home["feature"], home["samples"], home["times"]) == ("timelines", "11", "220")
    assert (home["read_units"], home["write_units"]) == ("8800.0", "0")
    features = {row["feature"]: row for row in rows_of(browser, "features")}
    assert features["fan-out"]["write_units"] == "400"
    days = rows_of(browser, "days")
    assert [row["active_people"] for row in days][-2:] == ["0", "4"]
    assert days[-2]["read_units"] == "800.0"
    assert len(days) == 7
    assert len(rows_of(browser, "days", "?days=30")) == 30
    assert rows_of(browser, "stored") == []
    months = rows_of(browser, "forecast", "?active=10&followers=2")
    assert [row["people"] for row in months] == ["1000", "10000", "100000", "1000000", "10000000"]
    writes = 30 * (100 * (0 + 2 * 400 / 4) + 20 / 2)
    assert float(months[0]["write_units_a_month"]) == writes
    assert browser.get(f"{PAGE}/nothing.csv").status_code == 404
    assert browser.get(f"{PAGE}/days.csv?days=x").status_code == 422


def test_a_text_that_a_spreadsheet_would_calculate_is_only_text():
    assert [_safe(cell) for cell in ("=1+1", "+1", "-1", "@x", "feed:home", -1)] == [
        "'=1+1",
        "'+1",
        "'-1",
        "'@x",
        "feed:home",
        -1,
    ]
    assert set(TABLES) == {"spenders", "features", "days", "stored", "forecast", "bill"}


@pytest.mark.parametrize(
    "wrong",
    [
        {"days": "8"},
        {"days": "x"},
        {"active": "0"},
        {"active": "101"},
        {"active": "nan"},
        {"followers": "-1"},
        {"followers": "many"},
        {"followers": "1e999"},
    ],
)
def test_what_cannot_be_is_said_beside_its_field(admin, a_week, log_in, wrong):
    response = log_in(admin).get(PAGE, wrong)
    assert response.status_code == 422
    page = Html(response)
    assert page.error(*wrong)
    if "days" not in wrong:
        assert page.value(*wrong) == next(iter(wrong.values()))
    assert page.all("svg", class_="cost-growth")  # of what is usual


def test_the_button_starts_a_count_once(admin, log_in):
    browser = log_in(admin)
    assert browser.get(COUNT).status_code == 405
    for _ in range(2):
        assert browser.post(COUNT)["Location"] == f"{PAGE}#stored"
    assert "The worker is counting: 0 items so far." in Html(browser.get(PAGE)).one("main").text
    Worker().drain()
    page = Html(browser.get(PAGE))
    assert "UserInfo" in page.one("main").text
    assert "The next one will cost about $0.00000" in page.one("main").text


PARTS = len(keys.parts_of(""))  # of which each count of a month may have some


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_what_the_page_costs(admin, a_week, log_in, measure):
    browser = log_in(admin)
    browser.get(PAGE)
    months = len({(utc_now() - timedelta(days=n)).date().isoformat()[:7] for n in range(7)})
    with measure() as meter:
        browser.get(PAGE)
    names = [call.access_pattern for call in meter.calls]
    assert names == [
        "get_viewer",
        *["list_spent"] * months,
        *["list_active"] * months * PARTS,
        "get_stored",
        "counted_so_far",
    ]
    assert meter.read_units == 2 + 0.5 * ((1 + PARTS) * months + 2)
