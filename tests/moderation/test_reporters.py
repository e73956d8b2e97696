"""What became of someone's reports: counted once, weighed in the queue, shown to staff, and muted without a word."""

from datetime import timedelta

import pytest

from moderation.cases.decisions import IsStaff
from moderation.cases.effects import undo_action
from moderation.cases.reads import Outranked, OwnCase, is_open, read_case
from moderation.cases.reporters import Record, count_reports, get_reporter
from moderation.cases.writes import answer_appeal, appeal, assign_case
from moderation.models import ActionKind, ReporterRecord
from moderation.people.writes import open_case
from moderation.reporters.checks import mend_records
from moderation.reporters.writes import count_again, mute_reporter, unmute_reporter
from privacy.erasure.writes import close_account
from socialsite.clock import utc_now
from socialsite.site_settings.site_setup import DANGER, MINOR, SERIOUS, URGENT
from socialsite.table import change, keys, query, write_batch
from tests.conftest import person
from tests.looks import broken_invariants
from tests.moderation.cases import about, decide, index, report, strikes
from tests.moderation.staff import logged
from tests.web.html import Html

REPORTS = keys.queue("reports")


def record(person_) -> Record:
    return get_reporter(person_.user_id).record


def later(days: int = 30):
    return utc_now() + timedelta(days=days)


def mute(by, person_, days: int = 30) -> None:
    mute_reporter(by=by, user_id=person_.user_id, until=later(days))


def wrong_again_and_again(reporter, mod, times: int) -> None:
    for number in range(times):
        accused = person(f"accused{number}")
        report(reporter, accused, rule_id="spam", severity=MINOR)
        decide(mod, about(accused), ActionKind.DISMISS)


def page(person_, what: str = "") -> str:
    return f"/moderation/people/{person_.user_id}/reports{what}"


# The record


def test_reports_count_as_open_upheld_or_rejected(mod, alice, bob, carol, drain_stream):
    dora = person("dora")
    for accused in (bob, carol, dora):
        report(alice, accused)
    drain_stream()
    assert record(alice) == Record(waiting=3)
    decide(mod, about(bob), ActionKind.WARN)
    decide(mod, about(carol), ActionKind.DISMISS)
    decide(mod, about(dora), ActionKind.CLOSE)
    drain_stream()
    assert record(alice) == Record(upheld=1, rejected=1)
    assert not broken_invariants()


def test_every_reporter_of_a_case_is_counted_once_however_often_it_is_told(
    mod, alice, bob, carol, drain_stream
):
    for by in (alice, carol, alice):
        report(by, bob, rule_id="spam")
    decide(mod, about(bob), ActionKind.WARN)
    drain_stream()
    for _ in range(2):
        count_again(alice.user_id)
    assert record(alice) == record(carol) == Record(upheld=1)


def test_undo_and_the_outcome_of_an_appeal_change_it(mod, mei, alice, bob, drain_stream):
    report(alice, bob)
    warned = decide(mod, about(bob), ActionKind.WARN)
    undo_action(by=mod, case_id=about(bob), action_id=warned)
    drain_stream()
    assert record(alice) == Record(waiting=1)
    limited = decide(mod, about(bob), ActionKind.LIMIT)
    drain_stream()
    assert record(alice) == Record(upheld=1)
    appeal(person_id=bob.user_id, action_id=limited, text="No")
    version = int(read_case(about(bob)).version)
    answer_appeal(
        by=mei, case_id=about(bob), action_id=limited, text="", version=version, grant=True
    )
    drain_stream()
    assert record(alice) == Record()
    assert not broken_invariants()


def test_a_dismissal_that_is_taken_back_is_open_again(mod, alice, bob, drain_stream):
    report(alice, bob)
    dismissed = decide(mod, about(bob), ActionKind.DISMISS)
    drain_stream()
    assert record(alice) == Record(rejected=1)
    undo_action(by=mod, case_id=about(bob), action_id=dismissed)
    drain_stream()
    assert record(alice) == Record(waiting=1)


def test_the_site_and_reporters_who_left_have_none(mod, alice, bob, drain_stream):
    report(alice, bob)
    close_account(by=alice)
    drain_stream()
    decide(mod, about(bob), ActionKind.WARN)
    drain_stream()
    assert not broken_invariants()


def test_staff_see_it_beside_each_report_and_reporters_never(mod, alice, bob, log_in, drain_stream):
    wrong_again_and_again(alice, mod, 2)
    report(alice, bob, comment="Rude")
    drain_stream()
    html = Html(log_in(mod).get(about(bob).url))
    assert html.one("a", href=page(alice)).text == "2 rejected, 1 open"
    assert "rejected" not in Html(log_in(alice).get("/settings/reports")).one("main").text


# What it weighs


@pytest.mark.parametrize(
    ("wrong", "severity"), [(2, URGENT), (3, SERIOUS), (4, SERIOUS), (5, MINOR)]
)
def test_the_more_often_someone_was_wrong_the_less_their_report_weighs(
    mod, alice, bob, wrong, severity
):
    wrong_again_and_again(alice, mod, wrong)
    assert report(alice, bob, rule_id="violence", severity=URGENT).severity == severity


def test_it_takes_nine_in_ten_to_be_nearly_always_wrong(table):
    assert Record(upheld=1, rejected=9).is_nearly_always_wrong
    assert not Record(upheld=1, rejected=8).is_nearly_always_wrong
    assert not Record(upheld=0, rejected=4).is_nearly_always_wrong


def test_danger_is_urgent_whoever_reports_it(mod, alice, bob):
    wrong_again_and_again(alice, mod, 6)
    mute(mod, alice)
    case = report(alice, bob, rule_id=DANGER, severity=URGENT)
    assert case.severity == URGENT
    assert index() == {REPORTS: [about(bob)]}


def test_what_others_report_in_the_same_case_keeps_its_weight(mod, alice, bob, carol):
    wrong_again_and_again(alice, mod, 6)
    report(alice, bob, rule_id="violence", severity=URGENT)
    assert report(carol, bob, rule_id="violence", severity=URGENT).severity == URGENT


# Muting


def test_reports_of_a_muted_reporter_go_in_and_open_no_case_in_a_queue(
    mod, alice, bob, log_in, drain_stream
):
    mute(mod, alice)
    case = report(alice, bob, rule_id="violence", severity=URGENT, comment="Bad")
    assert index() == {}
    assert is_open(case)
    assert case.reports == 1
    assert "Bad" in Html(log_in(mod).get(about(bob).url)).one("main").text
    drain_stream()
    assert record(alice) == Record(waiting=1)
    assert not broken_invariants()


def test_with_the_report_of_another_person_the_case_waits_with_all_of_them(mod, alice, bob, carol):
    mute(mod, alice)
    report(alice, bob)
    case = report(carol, bob, rule_id="spam", severity=SERIOUS)
    assert index() == {REPORTS: [about(bob)]}
    assert (case.reports, case.severity, case.round) == (2, SERIOUS, 1)
    assert report(alice, bob, rule_id="violence", severity=URGENT).severity == SERIOUS
    assert not broken_invariants().get(
        "open cases stand in the index where they belong, closed ones nowhere"
    )


def test_it_joins_a_case_of_others_and_takes_it_out_of_no_queue(mod, alice, bob, carol):
    mute(mod, alice)
    report(carol, bob)
    assert report(alice, bob).reports == 2
    assert index() == {REPORTS: [about(bob)]}


def test_danger_brings_a_quiet_case_into_the_queue(mod, alice, bob):
    mute(mod, alice)
    report(alice, bob)
    assert report(alice, bob, rule_id=DANGER, severity=URGENT).severity == URGENT
    assert index() == {REPORTS: [about(bob)]}


def test_a_closed_case_opens_quietly_and_others_open_it_aloud(mod, alice, bob, carol, drain_stream):
    report(carol, bob)
    decide(mod, about(bob), ActionKind.DISMISS)
    mute(mod, alice)
    assert report(alice, bob).round == 2
    assert index() == {}
    decide(mod, about(bob), ActionKind.WARN)
    report(carol, bob)
    assert index() == {REPORTS: [about(bob)]}
    drain_stream()
    assert not broken_invariants()


def test_an_appeal_in_a_quiet_case_is_heard(mod, alice, bob, carol):
    report(carol, bob)
    limited = decide(mod, about(bob), ActionKind.LIMIT)
    mute(mod, alice)
    report(alice, bob)
    appeal(person_id=bob.user_id, action_id=limited, text="No")
    assert index() == {keys.queue("appeals"): [about(bob)]}


def test_a_moderator_can_take_a_quiet_case_and_put_it_into_the_queue(mod, alice, bob):
    mute(mod, alice)
    report(alice, bob)
    assign_case(by=mod, case_id=about(bob), moderator_id=mod.user_id)
    assert index(mod) == {keys.desk(mod.user_id): [about(bob)]}
    assign_case(by=mod, case_id=about(bob), moderator_id="")
    assert index() == {REPORTS: [about(bob)]}


def test_it_ends_by_date(mod, alice, bob):
    mute_reporter(by=mod, user_id=alice.user_id, until=utc_now() - timedelta(seconds=1))
    report(alice, bob)
    assert index() == {REPORTS: [about(bob)]}


def test_staff_take_it_back_and_the_log_knows_both(mod, alice, bob):
    mute(mod, alice)
    unmute_reporter(by=mod, user_id=alice.user_id)
    report(alice, bob)
    assert index() == {REPORTS: [about(bob)]}
    assert [action for _, action, _ in logged()][-2:] == ["mute reports", "unmute reports"]


def test_the_reporter_sees_the_same_pages(mod, alice, bob, carol, log_in, drain_stream):
    mute(mod, alice)
    seen = []
    for by in (alice, carol):
        browser = log_in(by)
        answer = browser.post("/@bob/report", {"reason": "spam", "comment": "Hm"})
        seen.append((answer.status_code, Html(browser.get("/settings/reports")).one("main").text))
    drain_stream()
    assert seen[0] == seen[1]
    assert strikes(alice) == []


def test_counting_again_leaves_them_muted(mod, alice, bob, drain_stream):
    mute(mod, alice)
    report(alice, bob)
    drain_stream()
    assert get_reporter(alice.user_id).muted_until


def test_nobody_mutes_staff_or_themselves(admin, mod, mei, log_in):
    with pytest.raises(Outranked):
        mute(mod, mei)
    with pytest.raises(IsStaff):
        mute(admin, mei)
    with pytest.raises(OwnCase):
        mute(mod, mod)
    assert log_in(mod).post(page(mei), {"days": "30"}).status_code == 403


def test_a_case_that_staff_open_is_heard(admin, alice, bob):
    mute(admin, alice)
    open_case(by=alice, person_id=bob.user_id)  # as if a role had come since
    assert index() == {REPORTS: [about(bob)]}


def test_the_page_mutes_and_hears_again(mod, alice, log_in):
    browser = log_in(mod)
    assert browser.post(page(alice), {"days": "7"}).status_code == 302
    assert "Muted until" in Html(browser.get(page(alice))).one("main").text
    assert browser.post(page(alice, "/unmute")).status_code == 302
    assert "Muted until" not in Html(browser.get(page(alice))).one("main").text
    assert browser.post(page(alice), {"days": "9999"}).status_code == 422
    assert count_reports(alice.user_id) == Record()


def test_those_who_reported_before_there_were_records_get_theirs(mod, alice, bob, drain_stream):
    report(alice, bob)
    drain_stream()
    write_batch(deletes=[keys.reporter_record(alice.user_id)])
    assert not broken_invariants()
    mend_records(query(keys.report_traces(alice.user_id)))
    assert record(alice) == Record(waiting=1)


def test_a_record_that_is_wrong_is_found_and_mended(mod, alice, bob, drain_stream):
    report(alice, bob)
    drain_stream()
    wrong = [ReporterRecord.waiting.set(7)]
    change(ReporterRecord, keys.reporter_record(alice.user_id), wrong)
    assert broken_invariants()
    mend_records(query(keys.report_traces(alice.user_id)))
    assert not broken_invariants()
