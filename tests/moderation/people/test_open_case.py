"""Opening a case as staff: a report in their name, without a limit, with an entry in the log."""

import pytest

from moderation.cases.lists import get_case
from moderation.cases.reads import read_case
from moderation.models import ActionKind
from moderation.people.writes import open_case
from moderation.reports import views
from relations.relation import CannotRelateToYourself
from socialsite.table import NotFound
from tests.accounts.conftest import limit
from tests.conftest import post
from tests.looks import broken_invariants
from tests.moderation.cases import about, decide, logged, report

__all__ = ["limit"]


def opened() -> int:
    return [entry.action for entry in logged()].count("open case")


def test_posts_are_kept_as_evidence(alice, mod, drain_stream):
    posts = [post(alice, "One"), post(alice, "Two")]
    case_id = open_case(by=mod, person_id=alice.user_id, rule_id="spam", posts=posts)
    assert case_id == about(alice)
    assert {one.post_id for one in get_case(case_id).evidence} == set(posts)
    assert (int(read_case(case_id).reports), opened()) == (1, 1)
    drain_stream()
    assert broken_invariants() == {}


def test_opening_again_changes_nothing_and_finishes_what_was_begun(alice, mod):
    first, second = post(alice, "One"), post(alice, "Two")
    open_case(by=mod, person_id=alice.user_id, posts=[first])
    version = read_case(about(alice)).version
    open_case(by=mod, person_id=alice.user_id, posts=[first])
    assert read_case(about(alice)).version == version
    open_case(by=mod, person_id=alice.user_id, posts=[first, second])
    assert {one.post_id for one in get_case(about(alice)).evidence} == {first, second}
    assert opened() == 1


def test_a_case_that_is_open_is_joined(alice, bob, mod):
    report(bob, alice, rule_id="spam")
    open_case(by=mod, person_id=alice.user_id, rule_id="violence")
    case = read_case(about(alice))
    assert (int(case.reports), int(case.severity)) == (2, 1)


def test_a_closed_case_opens_again(alice, bob, mod, admin):
    report(bob, alice, rule_id="spam")
    decide(admin, about(alice), ActionKind.DISMISS)
    open_case(by=mod, person_id=alice.user_id, rule_id="spam")
    assert (int(read_case(about(alice)).round), opened()) == (2, 1)


def test_what_cannot_be_reported_is_refused_and_not_logged(alice, mod):
    with pytest.raises(CannotRelateToYourself):
        open_case(by=mod, person_id=mod.user_id)
    for wrong in ({"person_id": "0" * 26}, {"person_id": alice.user_id, "posts": ["0" * 26]}):
        with pytest.raises(NotFound):
            open_case(by=mod, **wrong)
    assert logged() == []


def test_staff_report_without_a_limit(alice, bob, carol, mod, log_in, limit):
    limit(views, "REPORTS", 1)
    browser = log_in(mod)
    for path in ("/@alice/report", "/@bob/report", "/@carol/report"):
        assert browser.post(path, {"reason": "spam"}).status_code == 302
