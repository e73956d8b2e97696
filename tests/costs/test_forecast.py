"""The forecast is arithmetic that can be checked by hand, and money has four significant digits."""

from datetime import date

import pytest
from django.utils.translation import override

from costs.prices import money, price, storage_price, units
from costs.report import PEOPLE, Day, Measured, Report, Total, Units, forecast, measured_by
from costs.spent import Feature
from costs.stored import Stored, StoredType
from socialsite.clock import utc_now

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
