"""What moderators' reads and writes cost, as docs/access-patterns.md says."""

import pytest

from moderation.audit.record import record
from moderation.cases.access_patterns import list_cases
from moderation.cases.cases import read_case
from moderation.cases.lists.closed import list_closed
from moderation.cases.lists.next_case import get_next_case
from moderation.cases.services.appeal import answer_appeal, appeal
from moderation.cases.services.claim import assign_case, claim_case, leave_case
from moderation.cases.services.decide import Decision, decide_case
from moderation.cases.services.note import add_note
from moderation.cases.services.undo import undo_action
from moderation.models import ActionKind
from socialsite.clock import utc_now_iso
from socialsite.table import keys
from tests.moderation.cases import about, decide
from tests.moderation.queues import report, reported_people, version_of

pytestmark = pytest.mark.engines("embedded", reason="the others report other capacity")

REPORTS = keys.queue("reports")


@pytest.fixture(autouse=True)
def log(mod) -> None:
    """The first entry makes the log's head."""
    record(by=mod.user_id, action="begin")


def test_lists_of_twenty(mod, alice, bob, requests_of):
    people = reported_people(22, by=alice)
    with requests_of() as requests:
        list_cases(REPORTS)
    assert requests.units == [1, 10]
    with requests_of() as requests:
        get_next_case(REPORTS, by=mod, besides=about(bob))
    assert requests.units == [0.5, 10]
    for reported in people:
        decide(mod, about(reported), ActionKind.DISMISS)
    with requests_of() as requests:
        list_closed(utc_now_iso()[:7])
    assert requests.operations == ["Query", *["BatchGetItem"] * 2]
    assert requests.units == [1, 10, 10.5]


@pytest.mark.parametrize(
    ("kind", "words", "units"), [(ActionKind.DISMISS, "", 13), (ActionKind.SUSPEND, "Out", 19)]
)
def test_deciding_and_undoing(mod, bob, carol, requests_of, kind, words, units):
    report(bob, by=[carol])
    decision, version = Decision(kind, text=words), version_of(about(bob))
    with requests_of() as requests:
        action_id = decide_case(by=mod, case_id=about(bob), decision=decision, version=version)
    assert requests.units[-1] == units
    assert requests.operations[-1] == "TransactWriteItems"
    with requests_of() as requests:
        undo_action(by=mod, case_id=about(bob), action_id=action_id)
    assert requests.units[-1] == units


@pytest.mark.parametrize(("grant", "units"), [(None, 11), (False, 17), (True, 21)])
def test_answering(mod, bob, carol, requests_of, grant, units):
    report(bob, by=[carol])
    action_id = decide(mod, about(bob), ActionKind.SUSPEND, text="Out")
    appeal(person_id=bob.user_id, action_id=action_id, text="But")
    text, version = "" if grant else "Because", version_of(about(bob))
    with requests_of() as requests:
        answer_appeal(
            by=mod,
            case_id=about(bob),
            action_id=action_id,
            text=text,
            version=version,
            grant=grant,
        )
    assert requests.units[-1] == units


def test_small_things(mod, bob, carol, requests_of):
    report(bob, by=[carol])
    case_id = about(bob)
    costs = {}
    for name, act in {
        "claim": lambda: claim_case(by=mod, case_id=case_id),
        "leave": lambda: leave_case(by=mod, case_id=case_id),
        "assign": lambda: assign_case(by=mod, case_id=case_id, moderator_id=mod.user_id),
        "note": lambda: add_note(by=mod, case_id=case_id, text="Seen"),
        "record": lambda: record(by=mod.user_id, action="look"),
    }.items():
        with requests_of() as requests:
            act()
        costs[name] = requests.units[-1]
    assert costs == {"claim": 2, "leave": 2, "assign": 10, "note": 6, "record": 4}
    assert read_case(case_id).assigned_to == mod.user_id
