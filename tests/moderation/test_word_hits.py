"""How many posts met a word filter is counted by day, once each, and shown by week."""

from datetime import timedelta

import pytest

from feed.publishing.changes import edit_post
from moderation.models import DayCount
from moderation.staff.overview import WEEKS, get_word_hits
from socialsite.clock import utc_now
from socialsite.site_settings.word_filters import Effect
from socialsite.table import create, write_batch
from tests.conftest import post
from tests.looks import broken_invariants
from tests.moderation.site import word_rule
from tests.streams.records import everything, handle_all, lines, unread
from tests.web.html import Html


def hits(rule_id: str) -> int:
    return sum(week.times for week in get_word_hits(rule_id))


def test_each_post_counts_once_for_each_filter_that_it_met(admin, alice, bob, drain_stream):
    casino, bonus = (word_rule(admin, word, Effect.FLAG) for word in ("casino", "bonus"))
    post(alice, "casino casino bonus")
    post(bob, "casino")
    post(bob, "nothing")
    drain_stream()
    assert (hits(casino), hits(bonus)) == (2, 1)


def test_an_edit_counts_what_it_adds(admin, alice, drain_stream):
    casino, bonus = (word_rule(admin, word, Effect.FLAG) for word in ("casino", "bonus"))
    post_id = post(alice, "casino")
    edit_post(by=alice, post_id=post_id, content="casino bonus", version=1)
    drain_stream()
    assert (hits(casino), hits(bonus)) == (1, 1)


def test_held_posts_count_too(admin, alice, drain_stream):
    rule_id = word_rule(admin, "casino", Effect.HOLD)
    post(alice, "casino")
    drain_stream()
    assert hits(rule_id) == 1


def test_the_handler_run_twice_does_what_it_does_once(admin, alice, drain_stream):
    word_rule(admin, "casino", Effect.FLAG)
    drain_stream()
    post(alice, "casino")
    records = unread()
    first = handle_all(records)
    done = everything()
    second = handle_all(records)
    assert everything() == done
    assert lines(second) == lines(first)
    assert any("hits#" in raw["PK"]["S"] for raw in done.values())


def test_a_count_that_an_older_site_began_is_counted_on(admin, alice, drain_stream):
    rule_id = word_rule(admin, "casino", Effect.FLAG)
    now = utc_now()
    count = DayCount.of_word(rule_id=rule_id, day=now.date().isoformat(), ttl=now + timedelta(1))
    older = {**count.serialize(), "type": {"S": "WordHits"}, "times": {"N": "4"}}
    write_batch(puts=[older])
    post(alice, "casino")
    drain_stream()
    assert hits(rule_id) == 5
    assert broken_invariants() == {}


def test_the_page_of_a_filter_shows_its_weeks(admin, log_in):
    rule_id = word_rule(admin, "casino", Effect.FLAG)
    now = utc_now()
    for days, times in ((0, 3), (6, 1), (7, 2), (7 * WEEKS - 1, 4), (7 * WEEKS, 50)):
        day, end = (now - timedelta(days=days)).date().isoformat(), now + timedelta(days=1)
        count = DayCount.of_word(rule_id=rule_id, day=day, ttl=end)
        count.times = times
        create(count)
    weeks = get_word_hits(rule_id)
    assert [week.times for week in weeks] == [4, *[0] * (WEEKS - 3), 2, 4]
    page = Html(log_in(admin).get(f"/moderation/words/{rule_id}"))
    assert page.one("figcaption").text == "Last 12 weeks 10"
    assert len(page.all("td")) == WEEKS


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_what_the_weeks_cost(admin, measure):
    rule_id = word_rule(admin, "casino", Effect.FLAG)
    now = utc_now()
    for days in range(7 * WEEKS):
        day = (now - timedelta(days=days)).date().isoformat()
        create(DayCount.of_word(rule_id=rule_id, day=day, ttl=now + timedelta(days=90)))
    with measure() as meter:
        get_word_hits(rule_id)
    assert (len(meter.calls), meter.read_units) == (1, 1)
