"""Reporting: all of a person is one case, each reporter counts once in a round, what is reported is kept."""

import itertools
from functools import partial

import pytest

from accounts.people.viewer import Viewer
from feed.publishing.writes import delete_post
from moderation.cases.lists import get_case, list_cases
from moderation.cases.reads import read_case
from moderation.cases.writes import assign_case
from moderation.models import ActionKind, Case, CaseKind, CaseReport, Queue, ReportTrace
from moderation.reports.writes import MOST_POSTS, file_report, flag_post
from relations.relation import CannotRelateToYourself
from socialsite.site_settings.site_setup import MINOR, SERIOUS, URGENT
from socialsite.table import NotFound, change, get, ids, keys
from tests.conftest import post
from tests.faults.crash_points import LONG
from tests.moderation.cases import about, broken, crowd_ids, decide, index, listed, report
from tests.together import together

AT_ONCE = [
    pytest.param(
        20,
        marks=pytest.mark.engines(
            "embedded", "dynamodb-local", reason="moto does not hold transactions apart"
        ),
    ),
    pytest.param(
        200,
        marks=pytest.mark.engines("embedded", reason="the others do not answer so many in time"),
    ),
]


def reports_of(by: Viewer, person: Viewer) -> CaseReport:
    key = keys.case_report(CaseKind.PERSON, person.user_id, by.user_id)
    return get(CaseReport, key, consistent=True)


def trace_of(by: Viewer, person: Viewer) -> ReportTrace:
    key = keys.report_trace(by.user_id, CaseKind.PERSON, person.user_id)
    return get(ReportTrace, key, consistent=True)


def test_reports_of_a_person_and_of_their_posts_are_one_case(alice, bob, carol):
    report(alice, bob, rule_id="spam")
    case = report(carol, bob, post(bob), rule_id="hate", severity=URGENT)
    assert index() == {keys.queue(Queue.REPORTS): [about(bob)]}
    assert (case.reports, case.rules, case.severity) == (2, {"spam", "hate"}, URGENT)
    assert case.person_id == bob.user_id


def test_the_same_report_again_changes_nothing(alice, bob):
    post_id = post(bob)
    before = report(alice, bob, post_id, comment="Look")
    after = report(alice, bob, post_id, comment="Look!")
    assert after.serialize() == before.serialize()
    report(alice, bob)
    profile = read_case(about(bob)).version
    assert report(alice, bob).version == profile


def test_another_post_joins_the_first_report_and_counts_no_second_time(alice, bob):
    first, second = post(bob), post(bob)
    report(alice, bob, first, comment="Look")
    case = report(alice, bob, second)
    assert case.reports == 1
    assert reports_of(alice, bob).posts == {first, second}
    assert reports_of(alice, bob).comment == "Look"


@pytest.mark.timeout(300)
def test_a_thousand_reports_by_one_person_are_one_that_names_a_few_posts(alice, bob, engine):
    turns = 1_000 if engine == "embedded" or LONG else 100
    posts = [post(bob, f"Number {number}") for number in range(MOST_POSTS + 5)]
    for post_id in itertools.islice(itertools.cycle(["", *posts]), turns):
        file_report(by=alice, person_id=bob.user_id, post_id=post_id)
    assert read_case(about(bob)).reports == 1
    assert reports_of(alice, bob).posts == set(posts[:MOST_POSTS])
    assert len(get_case(about(bob)).evidence) == MOST_POSTS
    assert broken() == {}


def test_a_post_is_kept_as_it_was_when_its_author_deletes_it(alice, bob, carol):
    post_id = post(bob, "You are all fools")
    report(alice, bob, post_id)
    delete_post(by=bob, post_id=post_id)
    (kept,) = get_case(about(bob)).evidence
    assert "You are all fools" in kept.html
    assert kept.is_gone
    with pytest.raises(NotFound):
        report(carol, bob, post_id)


def test_two_who_report_the_same_post_keep_it_once(alice, bob, carol):
    post_id = post(bob)
    for one in (alice, carol):
        report(one, bob, post_id)
    assert [kept.post_id for kept in get_case(about(bob)).evidence] == [post_id]


def test_the_reporter_has_a_trace_of_their_own(alice, bob):
    report(alice, bob)
    trace = trace_of(alice, bob)
    assert (trace.user_id, trace.person_id, trace.round) == (alice.user_id, bob.user_id, 1)
    assert broken() == {}


def test_reporting_a_closed_case_opens_another_round(alice, bob, carol, mod):
    report(alice, bob, rule_id="spam", comment="Ads", severity=URGENT)
    report(carol, bob)
    decide(mod, about(bob), ActionKind.DISMISS)
    assert index(mod) == {}
    case = report(alice, bob)
    assert (case.round, case.reports, case.rules, case.severity) == (2, 1, None, 3)
    assert index(mod) == {keys.queue(Queue.REPORTS): [about(bob)]}
    assert trace_of(alice, bob).round == 2
    assert trace_of(carol, bob).round == 1
    again = reports_of(alice, bob)
    assert (again.round, again.rule_id, again.comment) == (2, None, None)
    assert broken() == {}


def test_many_reporters_never_make_a_case_graver_than_its_rule(bob, carol):
    report(carol, bob)
    for by in crowd_ids(101):
        file_report(by=by, person_id=bob.user_id)
    [row] = list_cases(keys.queue(Queue.REPORTS), severity=MINOR).items
    assert (row.case_id, row.urgency, row.reports) == (about(bob), MINOR, 102)
    assert listed(keys.queue(Queue.REPORTS), severity=SERIOUS) == []
    assert broken() == {}


def test_within_a_severity_what_most_people_report_comes_first(alice, bob, carol, mod):
    report(mod, alice)
    report(mod, carol, severity=SERIOUS)
    for by in crowd_ids(5):
        file_report(by=by, person_id=bob.user_id)
    queue = keys.queue(Queue.REPORTS)
    assert listed(queue) == [about(carol), about(bob), about(alice)]
    for by in crowd_ids(10):
        file_report(by=by, person_id=alice.user_id)
    assert listed(queue) == [about(carol), about(alice), about(bob)]
    assert broken() == {}


def test_a_case_goes_up_with_its_second_fifth_tenth_twenty_fifth_and_hundredth_reporter(bob):
    places, moved = set(), []
    for number, by in enumerate(crowd_ids(101), start=1):
        file_report(by=by, person_id=bob.user_id)
        place = read_case(about(bob)).escalated_at
        moved += [number] if place not in places else []
        places.add(place)
    assert moved == [1, 2, 5, 10, 25, 100]


@pytest.mark.parametrize("severity", [URGENT, SERIOUS])
def test_a_crowd_leaves_what_a_rule_calls_serious_or_urgent(bob, severity):
    for by in crowd_ids(21):
        file_report(by=by, person_id=bob.user_id, severity=severity)
    case = read_case(about(bob))
    assert (case.reports, case.escalated_at[0]) == (21, str(severity))
    assert broken() == {}


def test_a_case_keeps_the_place_that_an_earlier_version_gave_it(bob, carol, mod):
    for by in crowd_ids(5):
        file_report(by=by, person_id=bob.user_id, severity=SERIOUS)
    case = read_case(about(bob))
    place = keys.earlier_queue_place(URGENT, case.opened_at, case.kind, case.subject_id)
    change(Case, about(bob).key, [Case.escalated_at.set(place)])
    report(carol, bob)
    assign_case(by=mod, case_id=about(bob), moderator_id=mod.user_id)
    [row] = list_cases(keys.desk(mod.user_id), severity=URGENT).items
    assert (row.case_id, row.urgency, row.reports) == (about(bob), SERIOUS, 6)
    assert broken() == {}


def test_the_queue_has_the_urgent_first_and_then_the_oldest(alice, bob, carol, mod):
    report(mod, alice)
    report(mod, bob)
    report(mod, carol, severity=URGENT)
    queue = keys.queue(Queue.REPORTS)
    assert listed(queue) == [about(carol), about(alice), about(bob)]
    assert listed(queue, size=1) == listed(queue)
    report(alice, bob, severity=SERIOUS)
    assert listed(queue) == [about(carol), about(bob), about(alice)]


def test_nobody_reports_themselves_or_who_is_not_there(alice):
    with pytest.raises(CannotRelateToYourself):
        report(alice, alice)
    with pytest.raises(NotFound):
        file_report(by=alice, person_id=ids.new_id())
    assert broken() == {}


def test_the_site_reports_each_post_once_and_for_ever(bob, mod):
    """However many there were before, and whatever moderators decided about them."""
    flag = partial(flag_post, author_id=bob.user_id, rule_id="spam", severity=SERIOUS)
    posts = [post(bob, f"Number {number}") for number in range(MOST_POSTS + 1)]
    for post_id in posts[:-1]:
        flag(post_id=post_id)
        decide(mod, about(bob), ActionKind.DISMISS)
    for post_id in posts[:-1]:
        flag(post_id=post_id)
    assert index(mod) == {}
    flag(post_id=posts[-1])
    assert read_case(about(bob)).reports == 1
    assert broken() == {}


@pytest.mark.parametrize("number", AT_ONCE)
def test_everybody_who_reports_at_once_counts(bob, number):
    post_id = post(bob)
    filed = together(
        *(
            partial(file_report, by=by, person_id=bob.user_id, post_id=post_id)
            for by in crowd_ids(number)
        )
    )
    assert [result for result in filed if result is not None] == []
    assert read_case(about(bob)).reports == number
    assert broken() == {}
