"""Times and counts on cards, as each language writes them."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils.translation import override

from accounts.people.cards import count_text
from socialsite.web.preferences import ago, full_date, short_date

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("seconds", "english", "german", "chinese"),
    [
        (-5, "now", "gerade eben", "刚刚"),
        (59, "now", "gerade eben", "刚刚"),
        (60, "1m", "1 Min.", "1分钟前"),
        (59 * 60, "59m", "59 Min.", "59分钟前"),
        (6 * 3600, "6h", "6 Std.", "6小时前"),
        (86_400, "1d", "1 Tag", "1天前"),
        (3 * 86_400, "3d", "3 Tage", "3天前"),
    ],
)
def test_a_week_is_told_as_how_long_ago(seconds, english, german, chinese):
    moment = datetime.now(UTC) - timedelta(seconds=seconds)
    for language, text in (("en", english), ("de", german), ("zh-hans", chinese)):
        with override(language):
            assert ago(moment) == text


@pytest.mark.parametrize(
    ("language", "this_year", "another"),
    [
        ("en", "Nov 3", "Nov 3, 2026"),
        ("de", "3. Nov.", "3. Nov. 2026"),
        ("zh-hans", "11月3日", "2026年11月3日"),
    ],
)
def test_what_is_older_is_told_as_its_day_with_the_year_if_it_is_another(
    language, this_year, another
):
    day = datetime(2026, 11, 3, tzinfo=UTC).date()
    assert short_date(day, language, with_year=False) == this_year
    assert short_date(day, language, with_year=True) == another
    with override(language):
        last_year = datetime.now(UTC) - timedelta(days=366)
        assert ago(last_year) == short_date(last_year.date(), language, with_year=True)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Nov. 21, 2026, noon"),
        ("de", "21. November 2026 12:00"),
        ("zh-hans", "2026年11月21日 12:00"),
    ],
)
def test_the_whole_date_is_in_words_of_the_language(language, text):
    with override(language):
        assert full_date(NOW) == f"{text} UTC"


@pytest.mark.parametrize(
    ("count", "english", "german", "chinese"),
    [
        (None, "", "", ""),
        (0, "0", "0", "0"),
        (999, "999", "999", "999"),
        (9_999, "9,999", "9.999", "9999"),
        (10_000, "10K", "10.000", "1万"),
        (12_345, "12.3K", "12.345", "1.2万"),
        (999_949, "999.9K", "999.949", "100万"),
        (999_950, "1M", "999.950", "100万"),
        (999_999, "1M", "999.999", "100万"),
        (999_999_999, "1B", "1\u00a0Mrd.", "10亿"),
        (1_234_567, "1.2M", "1,2\u00a0Mio.", "123.5万"),
    ],
)
def test_counts_are_exact_while_they_are_small_and_short_when_they_are_large(
    count, english, german, chinese
):
    for language, text in (("en", english), ("de", german), ("zh-hans", chinese)):
        with override(language):
            assert count_text(count) == text
