"""Counts by day, the overview of the team, and the navigation of staff."""

from datetime import UTC, datetime, timedelta
from itertools import chain

import pytest

from accounts.permissions import Permission, save_role
from moderation.cases.decisions import Decision, decide_case
from moderation.cases.effects import undo_action
from moderation.cases.lists import get_case
from moderation.cases.writes import assign_case
from moderation.models import ActionKind, Case, ClosedCase, DayCount, Queue
from moderation.reports.writes import file_report
from moderation.staff import overview as staff
from moderation.staff.nav import MOST_COUNTED
from moderation.staff.overview import DURATIONS, get_overview, median_step, step_of
from socialsite.clock import utc_now
from socialsite.process_state import reset_process_state
from socialsite.table import change, ids, keys, query, reading, row, write_batch
from tests.conftest import person, post
from tests.kept import keep_counts
from tests.moderation.cases import about, decide, held_post, report, report_by_each, waiting_sign_up
from tests.streams.records import everything, handle_all, lines, unread
from tests.web.html import Html


def today() -> str:
    return datetime.now(UTC).date().isoformat()


def counts(day: str = "") -> dict[str, int]:
    """What was counted today, or on another day, but the sign-ups of the cast."""
    found, day = {}, day or today()
    parts = keys.parts_of(keys.day_counts(day[:7]))
    for raw in chain.from_iterable(map(query, parts)):
        count = row(DayCount, raw)
        if count.day == day:
            found[count.name] = found.get(count.name, 0) + int(count.times)
    return {name: times for name, times in found.items() if name != "sign-ups"}


def decide_about(mod, whom, kind=ActionKind.WARN, **decided) -> str:
    version = get_case(about(whom)).case.version
    decision = Decision(kind, **decided)
    return decide_case(by=mod, case_id=about(whom), decision=decision, version=version)


def age_case(whom, length: timedelta) -> None:
    opened = (datetime.now(UTC) - length).isoformat()
    change(Case, about(whom).key, [Case.opened_at.set(opened)])


def close_later(whom, after: timedelta, *, decision: str = "X") -> None:
    """Closes the case as if that much time had passed."""
    closed = [
        Case.escalated_to.remove(),
        Case.escalated_at.remove(),
        Case.closed_at.set((datetime.now(UTC) + after).isoformat()),
        Case.decision.set(decision),
    ]
    change(Case, about(whom).key, closed)


def day_of(after: timedelta) -> str:
    return (datetime.now(UTC) + after).date().isoformat()


def test_sign_ups_count(alice, bob, worker):
    worker.drain()
    person("carol")
    worker.drain()
    key = keys.day_count(today(), "sign-ups")
    assert reading.get(DayCount, key).times == 3


def test_reports_count_by_their_rule_once_for_each_reporter_and_round(alice, bob, mod, worker):
    file_report(by=bob, person_id=alice.user_id, rule_id="spam")
    file_report(by=bob, person_id=alice.user_id, post_id=post(alice), rule_id="spam")
    file_report(by=person("carol"), person_id=alice.user_id)
    worker.drain()
    assert counts() == {"reports.spam": 1, "reports.other": 1}
    decide_about(mod, alice)
    file_report(by=bob, person_id=alice.user_id, rule_id="violence")
    worker.drain()
    assert counts() | {"reports.violence": 1, "reports.spam": 1} == counts()


def test_actions_count_by_what_was_done(alice, bob, mod, worker):
    file_report(by=bob, person_id=alice.user_id)
    decide_about(mod, alice, ActionKind.WARN, keep_open=True)
    decide_about(mod, alice, ActionKind.LIMIT)
    worker.drain()
    found = counts()
    assert (found["actions.warn"], found["actions.limit"]) == (1, 1)


def test_a_closed_case_counts_within_how_long_it_was_answered_and_closed(alice, bob, mod, worker):
    file_report(by=bob, person_id=alice.user_id)
    age_case(alice, timedelta(hours=3))
    decide_about(mod, alice)
    worker.drain()
    found = counts()
    assert (found["answered.4h"], found["closed.4h"]) == (1, 1)


def test_the_first_answer_may_come_long_before_the_end(alice, bob, mod, worker):
    file_report(by=bob, person_id=alice.user_id)
    decide_about(mod, alice, keep_open=True)
    close_later(alice, timedelta(hours=30))
    worker.drain()
    found = counts(day_of(timedelta(hours=30)))
    assert (found["answered.15m"], found["closed.2d"]) == (1, 1)


def test_what_was_done_in_an_earlier_round_is_no_answer_to_this_one(alice, bob, mod, worker):
    file_report(by=bob, person_id=alice.user_id)
    decide_about(mod, alice)
    file_report(by=bob, person_id=alice.user_id)
    close_later(alice, timedelta(hours=30))
    worker.drain()
    found = counts(day_of(timedelta(hours=30)))
    assert (found["answered.2d"], found["closed.2d"]) == (1, 1)


def test_undoing_what_closed_a_case_takes_its_count_off_again(alice, bob, mod, worker):
    file_report(by=bob, person_id=alice.user_id)
    age_case(alice, timedelta(hours=3))
    action_id = decide_about(mod, alice)
    worker.drain()
    undo_action(by=mod, case_id=about(alice), action_id=action_id)
    worker.drain()
    found = counts()
    assert (found["answered.4h"], found["closed.4h"]) == (0, 0)
    assert found["actions.warn"] == 1


def test_a_case_that_is_reported_again_stays_counted_as_closed_before(alice, bob, mod, worker):
    file_report(by=bob, person_id=alice.user_id)
    decide_about(mod, alice)
    file_report(by=bob, person_id=alice.user_id)
    worker.drain()
    assert counts()["closed.15m"] == 1


def test_a_case_that_is_gone_was_answered_by_nobody(alice, bob, worker):
    file_report(by=bob, person_id=alice.user_id)
    close_later(alice, timedelta(0), decision="gone")
    worker.drain()
    assert counts() == {"reports.other": 1}


def test_each_handler_run_twice_does_and_enters_the_same(alice, bob, mod, worker):
    worker.drain()
    file_report(by=bob, person_id=alice.user_id)
    action_id = decide_about(mod, alice)
    undo_action(by=mod, case_id=about(alice), action_id=action_id)
    file_report(by=person("carol"), person_id=alice.user_id)
    records = unread()
    first = handle_all(records)
    done = everything()
    second = handle_all(records)
    assert everything() == done
    assert lines(second) == lines(first)
    assert any("DayCount" in raw["type"]["S"] for raw in done.values())


def test_a_handler_that_died_before_the_commit_counts_once(alice, bob, worker):
    worker.drain()
    file_report(by=bob, person_id=alice.user_id)
    handle_all(unread())
    worker.drain()
    assert counts() == {"reports.other": 1}


@pytest.mark.parametrize(
    ("seconds", "step"),
    [(0, "15m"), (900, "15m"), (901, "1h"), (86_400, "1d"), (28 * 86_400, "4w"), (1e8, "longer")],
)
def test_a_duration_counts_in_the_step_that_it_does_not_pass(seconds, step):
    begin = datetime(2026, 11, 1, tzinfo=UTC)
    assert step_of(begin, begin + timedelta(seconds=seconds)) == step


@pytest.mark.parametrize(
    ("found", "step"),
    [
        ({}, ""),
        ({"1h": 1}, "1h"),
        ({"1h": 2, "1d": 2}, "1h"),
        ({"1h": 2, "1d": 3}, "1d"),
        ({"longer": 9, "1d": 8}, "longer"),
        ({"1h": 0}, ""),
    ],
)
def test_the_median_is_the_step_in_which_half_lies(found, step):
    assert median_step(found) == step
    assert list(DURATIONS.values()) == sorted(DURATIONS.values())


# The overview by age of the open cases and by moderator, which shares out work and ranks nobody.

PAGE = "/moderation/overview"


def closed(by: str, *, days_ago: float = 0) -> None:
    """A case that someone closed, in the list of its month."""
    subject, at = ids.new_id(), (utc_now() - timedelta(days=days_ago)).isoformat()
    key = keys.closed_case(at[:7], at, "person", subject)
    names = {"kind": "person", "subject_id": subject, "decision": "dismiss"}
    write_batch(puts=[ClosedCase(*key, **names, moderator_id=by, closed_at=at)])


def test_open_cases_are_counted_by_how_long_they_have_waited(alice, bob, mod):
    carol = person("carol")
    minutes, hours, days = timedelta(minutes=10), timedelta(hours=30), timedelta(days=9)
    for reported, age in ((alice, minutes), (bob, hours), (carol, days)):
        report(mod, reported)
        opened = (utc_now() - age).isoformat()
        change(Case, about(reported).key, [Case.opened_at.set(opened)])
    assign_case(by=mod, case_id=about(bob), moderator_id=mod.user_id)
    overview = get_overview()
    assert overview.ages == [("1h", 1), ("8h", 0), ("1d", 0), ("3d", 1), ("more", 1)]
    assert overview.counts_all


def test_each_of_the_team_has_a_row_by_name_with_what_they_closed_and_have(alice, bob, mod, admin):
    report(bob, alice)
    report(alice, bob)
    decide(mod, about(alice), ActionKind.WARN)
    assign_case(by=mod, case_id=about(bob), moderator_id=admin.user_id)
    closed(mod.user_id, days_ago=1)
    team = get_overview().moderators
    assert [one.person.user_id for one in team.rows] == [
        one.user_id for one in sorted((mod, admin), key=lambda one: one.card.name.casefold())
    ]
    found = {one.person.user_id: (one.closed, one.assigned) for one in team.rows}
    assert found == {mod.user_id: (2, "0"), admin.user_id: (0, "1")}


def test_cases_closed_more_than_thirty_days_ago_do_not_count(mod):
    closed(mod.user_id, days_ago=31)
    closed(mod.user_id, days_ago=3)
    (row,) = get_overview().moderators.rows
    assert row.closed == 1


def test_beside_the_team_stands_its_median_and_what_others_closed(mod, admin, log_in):
    for _ in range(3):
        closed(mod.user_id)
    closed(admin.user_id)
    closed("someone who left")
    team = get_overview().moderators
    assert (team.median, team.others) == (2, 1)
    text = Html(log_in(mod).get(PAGE)).one("table", aria_labelledby="by-moderator").text
    assert "Median of the team 2" in text
    assert "former staff 1" in text


def test_of_very_many_closed_cases_the_newest_are_counted_and_the_page_says_so(
    mod, log_in, monkeypatch
):
    monkeypatch.setattr(staff, "MOST_CLOSED", 2)
    for days in (1, 2, 3):
        closed(mod.user_id, days_ago=days)
    team = get_overview().moderators
    assert (team.rows[0].closed, team.has_more) == (2, True)
    assert "Of the newest" in Html(log_in(mod).get(PAGE)).one("main").text


# The navigation of staff: links to what they may open, and how many cases wait. Others see and pay nothing.


def badges(page) -> set[str]:
    return {badge.text for badge in Html(page).all(class_="nav-badge")}


def links(page) -> set[str]:
    """To pages of staff, wherever on the page."""
    hrefs = {link["href"] for link in Html(page).all("a")}
    return {href for href in hrefs if href.startswith(("/moderation", "/operations"))}


@pytest.fixture
def three_wait(alice, bob, carol) -> None:
    report_by_each(alice, by=[carol])
    held_post(bob)
    waiting_sign_up(person("newcomer"))
    reset_process_state()


@pytest.mark.usefixtures("three_wait")
def test_moderators_see_how_many_cases_wait_on_every_page(mod, log_in):
    browser = log_in(mod)
    for path in ("/", "/explore", "/settings/profile"):
        assert badges(browser.get(path)) == {"3 3 cases are waiting"}


@pytest.mark.usefixtures("three_wait")
def test_only_those_count_that_the_viewer_may_open(admin, log_in):
    for name, permission, seen in (
        ("door", Permission.SIGN_UPS, {"1 1 case is waiting"}),
        ("reports", Permission.CASES, {"2 2 cases are waiting"}),
        ("log", Permission.LOG, set()),
    ):
        save_role(by=admin, name=name, title=name, permissions={permission})
        assert badges(log_in(person(f"{name}_keeper", role=name)).get("/")) == seen


@pytest.mark.usefixtures("three_wait")
def test_nobody_else_sees_or_pays_for_it(alice, log_in, measure):
    browser = log_in(alice)
    with measure() as meter:
        page = browser.get("/")
    assert not badges(page)
    assert not links(page)
    assert "list_waiting" not in {call.access_pattern for call in meter.calls}


def test_while_nothing_waits_there_is_no_number(mod, log_in):
    page = log_in(mod).get("/")
    assert not badges(page)
    assert links(page) == {"/moderation"}


def test_it_is_read_once_in_a_while_and_again_after_a_decision(
    mod, alice, carol, log_in, measure, count_waiting
):
    browser = log_in(mod)
    report_by_each(alice, by=[carol])
    count_waiting()
    reset_process_state()
    with measure() as meter:
        assert badges(browser.get("/")) == badges(browser.get("/")) == {"1 1 case is waiting"}
    read = [call for call in meter.calls if call.access_pattern == "list_waiting"]
    assert [call.operation for call in read] == ["Query"]
    version = Html(browser.get(about(alice).url)).value("version")
    form = {"action": ActionKind.DISMISS, "version": version}
    answer = browser.post(f"{about(alice).url}/decide", form)
    count_waiting()
    assert not badges(browser.get(answer["Location"]))


def test_very_many_are_as_many_as_are_worth_counting(mod, log_in):
    keep_counts(dict.fromkeys(Queue, MOST_COUNTED))
    assert badges(log_in(mod).get("/")) == {"99+ 99+ cases are waiting"}


def test_it_is_as_old_as_the_setting_says(mod, alice, carol, log_in, settings):
    settings.STAFF_NAV_SECONDS = 0
    browser = log_in(mod)
    reset_process_state()
    report_by_each(alice, by=[carol])
    assert badges(browser.get("/"))
    decide(mod, about(alice), ActionKind.DISMISS)
    assert not badges(browser.get("/"))


def test_the_page_about_the_worker_is_for_operators_and_apart(admin, mod, log_in):
    save_role(by=admin, name="operator", title="Operator", permissions={Permission.WORKER})
    operator = log_in(person("olga", role="operator"))
    page = operator.get("/operations/worker")
    assert page.status_code == 200
    ways = {"/operations/worker", "/operations/alarms"}
    assert links(page) == ways
    assert links(operator.get("/")) == {"/operations/worker"}
    assert not Html(log_in(admin).get("/operations/worker")).all("nav", class_="staff-nav")
    assert "/operations/worker" not in links(log_in(mod).get("/"))
    assert operator.get("/moderation").status_code == 404


def tab_badges(page) -> dict[str, str]:
    """What stands on the tabs of the queue, by their addresses, where anything does."""
    shown = {}
    for link in Html(page).all("a"):
        queue = link["href"].partition("/moderation/queue?queue=")[2]
        if queue and any(character.isdigit() for character in link.text):
            shown[queue] = link.text.split()[-4:]
    return {queue: words[0] for queue, words in shown.items()}


@pytest.mark.usefixtures("three_wait")
def test_each_tab_says_how_many_wait_in_it(mod, alice, log_in):
    browser = log_in(mod)
    before = browser.get("/moderation/queue?queue=appeals")
    assert tab_badges(before) == {"reports": "1", "held": "1", "sign-ups": "1"}
    browser.post(f"{about(alice).url}/assign", {"moderator": mod.user_id})
    after = browser.get("/moderation/queue?queue=appeals")
    assert tab_badges(after) == {"mine": "1", "desks": "1", "held": "1", "sign-ups": "1"}
    assert badges(browser.get("/")) == {"3 3 cases are waiting"}


@pytest.mark.usefixtures("three_wait")
def test_the_tabs_count_nothing_that_is_not_the_viewers_to_open(admin, log_in):
    save_role(by=admin, name="door", title="door", permissions={Permission.SIGN_UPS})
    page = log_in(person("door_keeper", role="door")).get("/moderation/queue?queue=sign-ups")
    assert tab_badges(page) == {"sign-ups": "1"}


@pytest.mark.usefixtures("three_wait")
def test_those_on_the_desks_of_others_count_as_far_as_one_may_open_them(
    admin, mod, alice, log_in, measure, count_waiting
):
    for case_id in (about(alice), waiting_sign_up(person("second_newcomer"))):
        assign_case(by=admin, case_id=case_id, moderator_id=mod.user_id)
    save_role(by=admin, name="door", title="door", permissions={Permission.SIGN_UPS})
    keeper = log_in(person("door_keeper", role="door"))
    reset_process_state()
    tabs = tab_badges(keeper.get("/moderation/queue?queue=sign-ups"))
    assert tabs == {"desks": "1", "sign-ups": "1"}
    assert badges(keeper.get("/")) == {"2 2 cases are waiting"}
    count_waiting()
    reset_process_state()
    with measure() as meter:
        page = log_in(admin).get("/moderation/queue?queue=held")
    assert tab_badges(page) == {"desks": "2", "held": "1", "sign-ups": "1"}
    asked = [call for call in meter.calls if call.access_pattern in {"list_waiting", "count_now"}]
    assert len(asked) == 1  # whoever has a desk
