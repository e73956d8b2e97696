"""A case is as grave as the gravest rule that its reports name, or as the rule that the moderator names."""

from functools import partial

import pytest
from django.core.management import call_command

from accounts.people.viewer import Viewer
from moderation.bulk_decisions.reads import WaveDecision
from moderation.cases.changes import named_so_far, put_in_queue
from moderation.cases.decisions import decide_case
from moderation.cases.effects import undo_action
from moderation.cases.reads import read_case
from moderation.cases.writes import answer_appeal, appeal
from moderation.models import ActionKind, Case, Queue
from moderation.reports.writes import file_report
from socialsite.site_settings.site_setup import MINOR, SERIOUS, URGENT
from socialsite.table import change, keys
from tests.conftest import person, post
from tests.moderation.cases import about, broken, crowd_ids, decide, index, listed
from tests.moderation.queues import version_of
from tests.together import together

SEVERITY = {"violence": URGENT, "harassment": SERIOUS, "spam": MINOR, "": MINOR}


def reported(person: Viewer, *rules: str) -> int:
    """Reports by one person each, in this order; returns how grave the case is then."""
    for rule, by in zip(rules, crowd_ids(len(rules)), strict=True):
        file_report(by=by, person_id=person.user_id, rule_id=rule, severity=SEVERITY[rule])
    case = read_case(about(person))
    assert case.escalated_at[0] == str(int(case.severity))
    return int(case.severity)


@pytest.mark.parametrize(
    ("rules", "severity"),
    [
        (["violence"], URGENT),
        (["spam", "spam", "violence"], URGENT),
        (["violence", "spam", "spam"], URGENT),
        (["spam", "violence"], URGENT),
        (["spam", "spam", "harassment", "violence", "harassment"], URGENT),
        (["", "", "harassment"], SERIOUS),
        (["spam", "", "spam"], MINOR),
    ],
)
def test_the_gravest_rule_that_is_named_decides(bob, rules, severity):
    assert reported(bob, *rules) == severity
    assert broken() == {}


def test_six_who_call_it_spam_do_not_outvote_one_who_names_a_danger(bob):
    assert reported(bob, *["spam"] * 6) == MINOR
    assert reported(bob, "violence") == URGENT
    assert listed(keys.queue(Queue.REPORTS), severity=URGENT) == [about(bob)]
    assert reported(bob, *["spam"] * 100) == URGENT
    assert broken() == {}


def test_who_reports_again_with_a_graver_rule_lifts_the_case(alice, bob, carol):
    for by in (alice, carol):
        file_report(by=by, person_id=bob.user_id, rule_id="spam")
    for _ in range(2):
        file_report(by=alice, person_id=bob.user_id, rule_id="violence", severity=URGENT)
        case = read_case(about(bob))
        assert (case.severity, case.reports) == (URGENT, 2)
    assert named_so_far(case) == {"3spam": 2, "1violence": 1}
    file_report(by=alice, person_id=bob.user_id, post_id=post(bob), rule_id="spam")
    assert read_case(about(bob)).severity == URGENT
    assert broken() == {}


def cried_wolf(liar: Viewer, mod: Viewer, *ends: ActionKind) -> None:
    """Someone reported as many people, each as urgent, and a moderator decided so."""
    for number, end in enumerate(ends):
        sheep = person(f"{liar.user_id[-6:].lower()}{number}")
        file_report(by=liar, person_id=sheep.user_id, rule_id="violence", severity=URGENT)
        decide(mod, about(sheep), end)


DISMISS, WARN = ActionKind.DISMISS, ActionKind.WARN


@pytest.mark.parametrize(
    ("ends", "severity"),
    [
        ([DISMISS, DISMISS], URGENT),
        ([DISMISS, DISMISS, DISMISS], SERIOUS),
        ([DISMISS, WARN, DISMISS, WARN, DISMISS, WARN], URGENT),
        ([DISMISS, DISMISS, WARN, DISMISS, ActionKind.CLOSE], SERIOUS),
    ],
)
def test_whose_reports_were_often_dismissed_fills_the_top_of_the_queue_no_more(
    alice, bob, carol, mod, ends, severity
):
    cried_wolf(alice, mod, *ends)
    file_report(by=alice, person_id=bob.user_id, rule_id="violence", severity=URGENT)
    assert read_case(about(bob)).severity == severity
    file_report(by=carol, person_id=bob.user_id, rule_id="violence", severity=URGENT)
    assert read_case(about(bob)).severity == URGENT
    assert broken() == {}


def test_a_dismissal_that_was_undone_is_none(alice, bob, mod):
    cried_wolf(alice, mod, DISMISS, DISMISS)
    file_report(by=alice, person_id=bob.user_id, rule_id="violence", severity=URGENT)
    action_id = decide(mod, about(bob), DISMISS)
    undo_action(by=mod, case_id=about(bob), action_id=action_id)
    sheep = person("sheep")
    file_report(by=alice, person_id=sheep.user_id, rule_id="violence", severity=URGENT)
    assert read_case(about(sheep)).severity == URGENT


def outvoted(bob: Viewer) -> None:
    """A case from before, when the rule that most reports named decided."""
    reported(bob, *["spam"] * 6, "violence")
    case = read_case(about(bob))
    place = put_in_queue(case, keys.queue(Queue.REPORTS), MINOR, 7, case.opened_at)
    change(Case, about(bob).key, [Case.severity.set(MINOR), *place])


def test_a_case_that_was_outvoted_before_is_lifted_by_reconcile(bob):
    outvoted(bob)
    call_command("reconcile")
    assert read_case(about(bob)).severity == URGENT
    assert listed(keys.queue(Queue.REPORTS), severity=URGENT) == [about(bob)]
    assert broken() == {}


def test_and_by_the_next_report(bob):
    outvoted(bob)
    assert reported(bob, "spam") == URGENT


def test_what_a_moderator_said_of_a_case_ends_with_the_action(bob, mod):
    reported(bob, "violence")
    first = decide(mod, about(bob), WARN, rule_id="harassment", keep_open=True)
    second = decide(mod, about(bob), WARN, rule_id="spam", keep_open=True)
    for action_id, severity in ((second, SERIOUS), (first, URGENT)):
        undo_action(by=mod, case_id=about(bob), action_id=action_id)
        assert read_case(about(bob)).severity == severity
        assert listed(keys.queue(Queue.REPORTS), severity=severity) == [about(bob)]
    assert broken() == {}


def test_reconcile_leaves_what_a_moderator_said_of_a_case(bob, mod):
    reported(bob, "violence")
    decide(mod, about(bob), ActionKind.WARN, rule_id="spam", keep_open=True)
    call_command("reconcile")
    assert read_case(about(bob)).severity == MINOR


def test_the_rule_that_the_moderator_names_corrects_it_and_later_reports_do_not(bob, mod):
    reported(bob, "violence")
    decide(mod, about(bob), ActionKind.WARN, rule_id="spam", keep_open=True)
    assert read_case(about(bob)).severity == MINOR
    assert listed(keys.queue(Queue.REPORTS), severity=MINOR) == [about(bob)]
    assert reported(bob, "violence", "violence") == MINOR
    decide(mod, about(bob), ActionKind.WARN, rule_id="violence", keep_open=True)
    assert read_case(about(bob)).severity == URGENT
    assert broken() == {}


def test_a_decision_without_a_look_at_the_reports_leaves_them_as_grave_as_they_are(bob, mod):
    reported(bob, "violence")
    seen = WaveDecision(ActionKind.WARN, rule_id="spam").about((), language="en", keep_open=True)
    decide_case(by=mod, case_id=about(bob), decision=seen, version=version_of(about(bob)))
    assert read_case(about(bob)).severity == URGENT
    assert broken() == {}


def test_a_new_round_begins_anew(bob, mod):
    reported(bob, "violence", "violence")
    decide(mod, about(bob), ActionKind.DISMISS)
    assert reported(bob, "spam") == MINOR
    assert named_so_far(read_case(about(bob))) == {"3spam": 1}
    assert broken() == {}


def test_an_appeal_is_serious_and_leaves_what_the_reports_named_for_later(bob, mod):
    reported(bob, "spam")
    action_id = decide(mod, about(bob), ActionKind.WARN, rule_id="spam")
    appeal(person_id=bob.user_id, action_id=action_id, text="Not me")
    assert reported(bob, "spam", "spam") == SERIOUS
    answer_appeal(
        by=mod,
        case_id=about(bob),
        action_id=action_id,
        text="Yes",
        version=int(read_case(about(bob)).version),
        grant=False,
    )
    assert read_case(about(bob)).severity == MINOR
    assert index(mod) == {keys.queue(Queue.REPORTS): [about(bob)]}
    assert broken() == {}


@pytest.mark.parametrize(("grant", "severity"), [(False, MINOR), (True, URGENT)])
def test_after_an_appeal_what_the_moderator_said_of_the_case_holds_as_long_as_it_stands(
    bob, mod, grant, severity
):
    reported(bob, "violence")
    action_id = decide(mod, about(bob), ActionKind.WARN, rule_id="spam", keep_open=True)
    appeal(person_id=bob.user_id, action_id=action_id, text="Not me")
    assert read_case(about(bob)).severity == SERIOUS
    answer_appeal(
        by=mod,
        case_id=about(bob),
        action_id=action_id,
        text="Well",
        version=version_of(about(bob)),
        grant=grant,
    )
    assert read_case(about(bob)).severity == severity
    assert broken() == {}


def test_all_who_report_at_once_count_whatever_they_name(bob):
    rules = ["spam", "violence", "harassment", "violence"] * 4
    filed = together(
        *(
            partial(
                file_report,
                by=by,
                person_id=bob.user_id,
                rule_id=rule,
                severity=SEVERITY[rule],
            )
            for by, rule in zip(crowd_ids(len(rules)), rules, strict=True)
        )
    )
    assert [result for result in filed if result is not None] == []
    case = read_case(about(bob))
    assert named_so_far(case) == {"1violence": 8, "2harassment": 4, "3spam": 4}
    assert (case.severity, case.escalated_at[0]) == (URGENT, "1")
    assert broken() == {}


def test_a_case_from_before_reports_were_counted_by_rule_takes_its_own_severity_for_them(bob):
    reported(bob, "harassment", "harassment")
    change(Case, about(bob).key, [Case.named.remove()])
    assert reported(bob, "spam") == SERIOUS
    assert named_so_far(read_case(about(bob))) == {"2": 2, "3spam": 1}
    assert broken() == {}
