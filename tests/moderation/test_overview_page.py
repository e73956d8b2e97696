"""The overview: what waits now, how long it takes, and what came in and was done in the last 30 days."""

from datetime import UTC, datetime, timedelta

import pytest

from moderation.cases.writes import assign_case
from moderation.models import ActionKind, Case, DayCount, Queue
from moderation.staff.overview import DAYS, bar_plot, get_overview
from moderation.staff.waiting import MOST_COUNTED
from socialsite.clock import utc_now
from socialsite.table import Item, change, ids, keys, write_batch
from tests.conftest import person
from tests.moderation.cases import about, decide, held_post, report
from tests.web.html import Html

PAGE = "/moderation/overview"


def count(name: str, times: int, *, days_ago: int = 0) -> None:
    day = (utc_now() - timedelta(days=days_ago)).date().isoformat()
    counter = DayCount.new(day=day, name=name)
    counter.times = times
    write_batch(puts=[counter])


def open_cases(number: int) -> list[Item]:
    """Cases in the queue of reports, of every severity, the oldest among the mildest."""
    cases = []
    for n in range(number):
        subject, opened = ids.new_id(), (utc_now() - timedelta(minutes=n)).isoformat()
        severity = 3 if n == number - 1 else n % 3 + 1
        cases.append(
            Case(
                *keys.case("person", subject),
                kind="person",
                subject_id=subject,
                person_id=subject,
                queue="reports",
                severity=severity,
                opened_at=opened,
                escalated_to=keys.queue("reports"),
                escalated_at=keys.queue_place(severity, 5, opened, "person", subject),
            )
        )
    return cases


def waiting(name: str):
    return next(queue for queue in get_overview().queues if queue.place == name)


def test_a_new_site_has_nothing_to_show_and_shows_that(mod, log_in):
    page = Html(log_in(mod).get(PAGE))
    assert len(page.all("svg", class_="plot")) == 3
    assert "nothing waiting" in page.one("main").text
    assert "no cases yet" in page.one("main").text


def test_open_cases_count_in_their_queue_with_the_age_of_the_oldest(alice, bob, mod):
    report(bob, alice)
    case = report(alice, bob)
    held_post(bob)
    reports = waiting(Queue.REPORTS)
    assert (reports.count, reports.has_more) == (2, False)
    assert waiting(Queue.HELD).count == 1
    assert waiting(Queue.APPEALS).count == 0
    aged = (utc_now() - timedelta(days=3)).isoformat()
    change(Case, about(bob).key, [Case.opened_at.set(aged)])
    assert waiting(Queue.REPORTS).oldest == aged != case.opened_at


def test_cases_on_a_desk_are_counted_there(alice, bob, mod):
    report(bob, alice)
    assign_case(by=mod, case_id=about(alice), moderator_id=mod.user_id)
    overview = get_overview()
    assert overview.desks.count == 1
    assert waiting(Queue.REPORTS).count == 0


def test_of_very_many_no_more_are_counted_and_the_oldest_is_still_found(mod):
    cases = open_cases(MOST_COUNTED)
    write_batch(puts=cases)
    assert waiting(Queue.REPORTS).count_text == "200"
    cases = open_cases(MOST_COUNTED + 30)
    write_batch(puts=cases)
    reports = waiting(Queue.REPORTS)
    assert reports.count_text == "200+"
    assert reports.oldest == cases[-1].opened_at


def test_the_days_hold_what_was_counted_on_them_and_nothing_older(mod):
    count("sign-ups", 4)
    count("sign-ups", 2, days_ago=DAYS - 1)
    count("sign-ups", 99, days_ago=DAYS)
    count("reports.spam", 3, days_ago=1)
    count("reports.other", 1, days_ago=1)
    count("actions.warn", 2, days_ago=2)
    overview = get_overview()
    assert len(overview.days) == DAYS
    assert [day.sign_ups for day in overview.days] == [2, *[0] * 28, 4]
    assert overview.days[-2].reports == 4
    assert overview.rules == [("Spam", 3), ("Something else", 1)]
    assert overview.actions == [("warn", 2)]


def test_half_of_the_closed_cases_took_no_longer_than_it_says(mod, log_in):
    count("closed.1h", 2)
    count("closed.1d", 2, days_ago=3)
    count("closed.2d", 1)
    count("answered.15m", 5)
    overview = get_overview()
    assert (overview.answered, overview.closed, overview.cases_closed) == ("15m", "1d", 5)
    text = log_in(mod).get(PAGE).content.decode()
    assert "15 minutes" in text
    assert "1 day" in text


def test_what_the_worker_counted_is_what_the_page_shows(alice, bob, mod, drain_stream, log_in):
    report(bob, alice, rule_id="spam")
    decide(mod, about(alice), ActionKind.WARN)
    drain_stream()
    page = Html(log_in(mod).get(PAGE))
    today = [cell.text for cell in page.all("td")[-3:]]
    assert today == ["3", "1", "1"]  # sign-ups, reports, actions
    assert "Warned" in page.one("main").text


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_what_it_costs_whatever_is_open_and_whoever_is_on_the_staff(
    alice, bob, mod, admin, count_waiting, log_in, measure
):
    report(bob, alice)
    report(alice, bob)
    for number in range(3):
        moderator = person(f"moderator{number}", role="moderator")
        assign_case(by=mod, case_id=about(bob), moderator_id=moderator.user_id)
    count_waiting()
    browser = log_in(mod)
    browser.get("/settings")
    with measure() as meter:
        browser.get(PAGE)
    months = len(
        {(utc_now() - timedelta(days=days)).date().isoformat()[:7] for days in range(DAYS)}
    )
    # who is looking, what waits, the cards of the five, the months, and what was closed in them
    assert len(meter.calls) == 1 + 1 + 1 + 2 * months
    assert meter.read_units == 2 + 0.5 + 0.5 * 5 + 0.5 * 2 * months


def test_on_the_first_of_march_all_of_february_counts(table, monkeypatch):
    march = datetime(2027, 3, 1, 12, tzinfo=UTC)
    monkeypatch.setattr("moderation.staff.overview.utc_now", lambda: march)
    counter = DayCount.new(day="2027-02-14", name="sign-ups")
    counter.times = 3
    write_batch(puts=[counter])
    assert sum(day.sign_ups for day in get_overview().days) == 3


def test_a_plot_is_a_picture_with_words_and_without_style():
    plot = bar_plot([0, 5, 10], title='Reports <"of"> 3 days')
    assert 'role="img"' in plot
    assert "<title>Reports &lt;&quot;of&quot;&gt; 3 days</title>" in plot
    assert plot.count("<rect") == 3
    assert "style" not in plot
    assert plot.count('fill="currentColor"') == 3


def test_the_greatest_bar_is_as_high_as_the_plot_and_nothing_is_still_seen():
    plot = bar_plot([0, 10], title="Two")
    assert 'height="1.00"' in plot
    assert 'y="0.00"' in plot
    assert 'height="60.00"' in plot


@pytest.mark.parametrize("values", [[], [0], [0] * 30, [-3, 3], [10**9]])
def test_any_numbers_make_a_plot_within_its_box(values):
    plot = bar_plot(values, title="Any")
    heights = [float(part.split('"')[1]) for part in plot.split(" height=")[1:]]
    assert all(0 < height <= 60 for height in heights)
    assert plot.startswith("<svg")
