"""Cases that wait too long are told to those who may decide them: over a day, urgent ones over an hour."""

from datetime import timedelta

import pytest

from accounts.people.viewer import Viewer
from moderation.cases.reads import read_case
from moderation.cases.writes import assign_case
from moderation.models import ActionKind, Case
from moderation.reports.writes import file_report
from moderation.staff.stream import tell_of_waiting
from moderation.staff.waiting_too_long import TELL, WAITS, late_at, plan_look_again, tell_staff
from moderation.staff.writes import choose_languages
from notifications.writes import choose_notifications
from socialsite.due.work import AlreadyDone, cancel
from socialsite.site_settings.site_setup import URGENT
from socialsite.table import change, write_batch
from socialsite.telling import OptOut
from tests.conftest import person
from tests.looks import broken_invariants
from tests.moderation.cases import about, decide, waiting_sign_up
from tests.moderation.queues import report
from tests.moderation.waiting import after, hears, let_pass, planned
from tests.streams.records import everything, handle_all, unread
from tests.web.html import Html

ONE = ["1 case has been waiting for a long time"]


@pytest.fixture
def mei(table) -> Viewer:
    return person("mei", "Mei", role="moderator")


@pytest.fixture
def work(drain_stream):
    def done(**later: float) -> None:
        drain_stream()
        let_pass(after(**later))
        drain_stream()

    return done


def links(browser) -> list[str]:
    page = Html(browser.get("/notifications"))
    return [link["href"] for link in page.all("a", class_="note-answer")]


def test_a_case_that_is_open_for_a_day_is_told_to_all_who_may_decide_it(
    mod, mei, bob, carol, work, log_in
):
    report(bob, by=[carol])
    work(hours=23)
    assert hears(mod) == []
    work(hours=25)
    work(hours=60)
    assert hears(mod) == hears(mei) == ONE
    assert hears(carol) == hears(bob) == []
    assert links(log_in(mod)) == ["/moderation/queue?queue=reports"]
    assert not broken_invariants()


def test_an_urgent_one_is_told_after_an_hour(mod, bob, carol, work):
    report(bob, by=[carol], rule="violence", severity=URGENT)
    work(minutes=59)
    assert hears(mod) == []
    work(minutes=61)
    assert hears(mod) == ONE


def test_each_queue_has_a_line_that_leads_there(mod, alice, bob, carol, work, log_in):
    for reported in (alice, bob):
        report(reported, by=[carol])
    waiting_sign_up(person("newcomer"))
    work(hours=25)
    assert sorted(hears(mod)) == [*ONE, "2 cases have been waiting for a long time"]
    tabs = {"/moderation/queue?queue=reports", "/moderation/queue?queue=sign-ups"}
    assert set(links(log_in(mod))) == tabs


def test_what_was_decided_is_told_to_nobody_and_is_planned_no_more(mod, bob, carol, work):
    report(bob, by=[carol])
    work()
    assert len(planned(WAITS)) == 1
    decide(mod, about(bob), ActionKind.DISMISS)
    work()
    assert planned(WAITS) == []
    work(hours=49)
    assert hears(mod) == []


def test_a_case_that_becomes_urgent_is_looked_at_earlier(mod, bob, carol, alice, work):
    report(bob, by=[carol])
    work()
    [before] = planned(WAITS)
    report(bob, by=[alice], rule="violence", severity=URGENT)
    work()
    [look] = planned(WAITS)
    assert look.moment == late_at(read_case(about(bob))).isoformat() < before.moment


def test_one_on_a_desk_is_told_to_that_moderator(mod, mei, bob, carol, work, log_in):
    report(bob, by=[carol])
    assign_case(by=mei, case_id=about(bob), moderator_id=mei.user_id)
    work(hours=25)
    assert hears(mei) == ONE
    assert hears(mod) == []
    assert links(log_in(mei)) == ["/moderation/queue?queue=mine"]


def test_nobody_hears_of_a_case_about_themselves_and_each_in_their_languages(
    mod, mei, admin, carol, work
):
    choose_languages(by=mei, languages=["zh-hans"])
    choose_languages(by=admin, languages=["de"])
    file_report(by=carol, person_id=mod.user_id, rule_id="spam", language="de")
    work(hours=25)
    assert hears(admin) == ONE
    assert hears(mod) == hears(mei) == []


@pytest.fixture
def old_case(bob, carol, drain_stream) -> None:
    """An urgent case about Bob, open for three days."""
    report(bob, by=[carol], rule="violence", severity=URGENT)
    long_ago = after(days=-3).isoformat()
    change(Case, about(bob).key, [Case.opened_at.set(long_ago)])
    drain_stream()


@pytest.mark.usefixtures("old_case")
def test_what_was_told_is_not_told_again_when_a_moderator_says_how_grave_it_is(
    mod, bob, work, drain_stream
):
    work(minutes=5)
    assert hears(mod) == ONE
    for rule in ("spam", "violence"):
        decide(mod, about(bob), ActionKind.WARN, rule_id=rule, keep_open=True)
        drain_stream()
        assert planned(WAITS) == []


@pytest.mark.usefixtures("old_case")
def test_a_look_that_the_clock_still_owes_is_done_after_such_a_change(mod, bob, work):
    decide(mod, about(bob), ActionKind.WARN, rule_id="spam", keep_open=True)
    work(minutes=5)
    assert hears(mod) == ONE


def test_where_the_only_reader_of_a_language_switched_it_off_all_others_hear(
    mod, mei, bob, carol, work
):
    choose_languages(by=mod, languages=["de"])
    choose_languages(by=mei, languages=["zh-hans"])
    choose_notifications(by=mei, opted_out=[OptOut.CASES])
    file_report(by=carol, person_id=bob.user_id, rule_id="spam", language="zh-hans")
    work(hours=25)
    assert hears(mod) == ONE
    assert hears(mei) == []


def test_staff_switch_it_off(mod, bob, carol, work):
    choose_notifications(by=mod, opted_out=[OptOut.CASES])
    report(bob, by=[carol])
    work(hours=25)
    assert hears(mod) == []


def test_the_record_of_a_case_handled_twice_plans_the_same(mod, bob, carol, drain_stream):
    drain_stream()
    report(bob, by=[carol])
    records = unread()
    handle_all(records)
    done = everything()
    handle_all(records)
    assert everything() == done
    assert len(planned(WAITS)) == 1


def test_it_is_told_once_however_often_the_clock_tries(mod, bob, carol, drain_stream):
    report(bob, by=[carol])
    drain_stream()
    [due] = planned(WAITS)
    tell_of_waiting(due)
    with pytest.raises(AlreadyDone):
        tell_of_waiting(due)
    [telling] = planned(TELL)
    tell_staff(telling)
    assert hears(mod) == ONE


def test_reconcile_plans_the_look_that_lost_records_left_out(mod, bob, carol, drain_stream):
    report(bob, by=[carol])
    drain_stream()
    [due] = planned(WAITS)
    raw = read_case(about(bob)).serialize()
    moment = late_at(read_case(about(bob)))
    write_batch(deletes=[cancel(WAITS, moment=moment, subject=due.subject).key])
    for _ in range(2):
        plan_look_again(raw)
    assert [one.facts for one in planned(WAITS)] == [due.facts]
    long_ago = (moment - timedelta(days=9)).isoformat()
    write_batch(deletes=[due.key])
    plan_look_again(raw | {"opened_at": {"S": long_ago}})
    assert planned(WAITS) == []  # it was told then
