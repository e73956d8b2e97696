"""Who reports the same person again adds to their report: what they said first stays."""

import pytest

from moderation.cases.erasure import forget_reporter
from moderation.cases.evidence import sayings_of
from moderation.cases.lists import get_case
from moderation.cases.reads import read_case
from moderation.models import ActionKind, CaseReport, ReportTrace
from moderation.reports.reads import list_own_reports
from moderation.reports.writes import file_report
from socialsite.site_settings.site_setup import URGENT
from socialsite.table import MOST_BYTES, get, item_size, keys
from tests.conftest import post
from tests.moderation.cases import about, broken, decide, report
from tests.moderation.queues import page_of, part
from tests.moderation.reports import report_by

FIRST = "He sells photos of a child"
THEN = "And adverts"


def said(by, person) -> list[tuple[str | None, str | None]]:
    return [(one.rule_id, one.comment) for one in sayings_of(report_by(by, person))]


@pytest.fixture
def twice(alice, bob) -> None:
    """Alice reports two posts of Bob, the first one for something grave."""
    report(alice, bob, post(bob), rule_id="violence", severity=URGENT, comment=FIRST)
    report(alice, bob, post(bob), rule_id="spam", comment=THEN)


@pytest.mark.usefixtures("twice")
def test_both_rules_and_comments_are_kept(alice, bob):
    assert said(alice, bob) == [("violence", FIRST), ("spam", THEN)]
    assert read_case(about(bob)).reports == 1
    assert broken() == {}


@pytest.mark.usefixtures("twice")
def test_moderators_read_each_under_its_rule_and_count_one_person(alice, bob, mod, log_in):
    reports = part(page_of(log_in(mod), bob), "case-reasons")
    assert "1 person reported this" in reports
    assert reports.index("Violence or threats") < reports.index(FIRST)
    assert reports.index(FIRST) < reports.index("Spam") < reports.index(THEN)
    assert "more" not in reports


@pytest.mark.usefixtures("twice")
def test_the_reporter_reads_both(alice, log_in):
    [own] = list_own_reports(viewer=alice)
    assert (own.comments_before, own.comment) == ((FIRST,), THEN)
    page = log_in(alice).get("/settings/reports").content.decode()
    assert page.index(FIRST) < page.index(THEN)


@pytest.mark.usefixtures("twice")
def test_an_erased_reporter_leaves_both_and_is_no_word_filter(alice, bob, mod, log_in):
    key = keys.report_trace(alice.user_id, "person", bob.user_id)
    forget_reporter(get(ReportTrace, key, consistent=True))
    reports = part(page_of(log_in(mod), bob), "case-reasons")
    assert FIRST in reports
    assert THEN in reports
    assert "Deleted account" in reports
    assert "A word filter" not in reports


@pytest.mark.usefixtures("twice")
def test_another_round_begins_without_what_was_said_in_the_last(alice, bob, mod):
    decide(mod, about(bob), ActionKind.DISMISS)
    report(alice, bob, comment="Again", rule_id="spam")
    assert said(alice, bob) == [("spam", "Again")]
    assert broken() == {}


def test_the_same_post_for_another_rule_says_more_and_for_the_same_rule_nothing(alice, bob):
    post_id = post(bob)
    report(alice, bob, post_id, rule_id="spam", comment="Ads")
    version = report(alice, bob, post_id, rule_id="spam", comment="Ads!").version
    assert report(alice, bob, post_id, rule_id="violence", comment=FIRST).version == version + 1
    assert said(alice, bob) == [("spam", "Ads"), ("violence", FIRST)]
    assert broken() == {}


def test_a_post_more_without_words_leaves_what_was_said(alice, bob):
    report(alice, bob, post(bob), rule_id="spam", comment="Ads")
    report(alice, bob, post(bob), rule_id="spam")
    report(alice, bob, post(bob))
    assert said(alice, bob) == [("spam", "Ads")]


@pytest.mark.parametrize("letter", ["a", "界", "😀"])
def test_a_report_stays_small_and_keeps_the_first_words_and_every_rule(alice, bob, letter):
    rules = ["violence", "spam", "harassment", "spam", "sexual"]
    for number in range(20):
        rule = rules[number % len(rules)]
        comment = f"{number:02}{letter * 498}"
        report(alice, bob, post(bob), rule_id=rule, comment=comment)
    found = report_by(alice, bob)
    assert item_size(found.serialize()) <= MOST_BYTES
    first, *_, last = said(alice, bob)
    assert first[1].startswith(f"00{letter * 100}")
    assert last == ("sexual", f"19{letter * 498}")
    assert {rule for rule, _ in said(alice, bob)} == {*rules}
    assert broken() == {}


def test_one_person_names_ten_rules_of_another_at_most(alice, bob):
    for number in range(12):
        report(alice, bob, post(bob), rule_id=f"rule{number}", comment="😀" * 500)
    assert len({rule for rule, _ in said(alice, bob)}) == 10
    assert len(report_by(alice, bob).posts) == 12
    assert item_size(report_by(alice, bob).serialize()) <= MOST_BYTES
    assert broken() == {}


def test_a_report_from_before_is_read_as_what_was_said_last(alice, bob, mod):
    file_report(by=alice, person_id=bob.user_id, rule_id="spam", comment="Ads")
    assert report_by(alice, bob).said_before is None
    [card] = get_case(about(bob)).reports
    assert (card.comment, card.before) == ("Ads", ())
    assert isinstance(report_by(alice, bob), CaseReport)
