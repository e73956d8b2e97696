"""Where an appeal waits: in its queue for everyone, unless someone takes it."""

import pytest

from accounts.people.viewer import Viewer
from moderation.cases.reads import read_case
from moderation.cases.writes import answer_appeal, appeal, assign_case, claim_case
from moderation.models import ActionKind, Queue
from socialsite import keys
from tests.moderation.cases import about, broken, decide, index, report

APPEALS = keys.queue(Queue.APPEALS)


@pytest.fixture
def suspended(alice, bob, mod) -> str:
    report(alice, bob, rule_id="spam")
    return decide(mod, about(bob), ActionKind.SUSPEND)


def say(person: Viewer, action_id: str, text: str = "It was not me") -> None:
    appeal(person_id=person.user_id, action_id=action_id, text=text)


def test_an_appeal_leaves_the_desk_for_the_queue_where_everyone_finds_it(
    bob, carol, mod, suspended
):
    report(carol, bob)
    assign_case(by=mod, case_id=about(bob), moderator_id=mod.user_id)
    claim_case(by=mod, case_id=about(bob))
    say(bob, suspended)
    assert index(mod) == {APPEALS: [about(bob)]}
    assert read_case(about(bob)).claimed_by is None
    assert broken() == {}


def test_more_words_to_an_open_appeal_leave_it_on_its_desk(bob, mod, suspended):
    say(bob, suspended)
    assign_case(by=mod, case_id=about(bob), moderator_id=mod.user_id)
    say(bob, suspended, "Please")
    assert index(mod) == {keys.desk(mod.user_id): [about(bob)]}
    assert read_case(about(bob)).appeals == 1


def test_a_case_on_a_desk_stays_there_when_its_appeal_is_answered(bob, carol, mod, suspended):
    report(carol, bob)
    say(bob, suspended)
    assign_case(by=mod, case_id=about(bob), moderator_id=mod.user_id)
    version = int(read_case(about(bob)).version)
    answer_appeal(
        by=mod, case_id=about(bob), action_id=suspended, text="", version=version, grant=False
    )
    assert index(mod) == {keys.desk(mod.user_id): [about(bob)]}
    assert broken() == {}
