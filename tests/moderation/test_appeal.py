"""Appealing: a conversation on the case, which waits in the queue until it is answered."""

import pytest

from accounts.people.viewer import Viewer
from moderation.cases.effects import undo_action
from moderation.cases.lists import get_case
from moderation.cases.reads import CaseMoved, OwnCase, read_case
from moderation.cases.writes import AlreadyAnswered, answer_appeal, appeal, claim_case
from moderation.models import ActionKind, Appeal, Queue
from moderation.reports.reads import get_strike, list_own_reports
from moderation.staff.waiting import list_waiting
from socialsite.table import NotFound, keys
from tests.conftest import person, post
from tests.moderation.cases import (
    about,
    about_post,
    broken,
    decide,
    held_post,
    index,
    info,
    logged,
    post_count,
    report,
    strikes,
    waiting_sign_up,
    withheld,
)

K = ActionKind
APPEALS, REPORTS = keys.queue(Queue.APPEALS), keys.queue(Queue.REPORTS)


@pytest.fixture
def suspended(alice, bob, mod) -> str:
    """Bob, reported and suspended: the action's id."""
    report(alice, bob, rule_id="spam")
    return decide(mod, about(bob), K.SUSPEND)


def say(person: Viewer, action_id: str, text: str = "It was not me") -> None:
    appeal(person_id=person.user_id, action_id=action_id, text=text)


def answer(by: Viewer, person: Viewer, action_id: str, grant: bool | None, text: str = "") -> None:
    case_id = about(person)
    version = int(read_case(case_id).version)
    answer_appeal(
        by=by, case_id=case_id, action_id=action_id, text=text, version=version, grant=grant
    )


def appeal_of(person: Viewer) -> list[str | None]:
    return [strike.appeal for strike in strikes(person)]


def test_an_appeal_opens_the_case_again_in_its_own_queue(bob, mod, suspended):
    say(bob, suspended)
    case = read_case(about(bob))
    assert index(mod) == {APPEALS: [about(bob)]}
    assert (case.appealed, case.round, case.reports) == (suspended, 2, 0)
    assert appeal_of(bob) == [Appeal.OPEN]
    assert info(bob).suspended_until  # until it is granted
    assert broken() == {}


def test_both_sides_talk_until_it_is_answered(bob, mod, suspended):
    say(bob, suspended, "It was not me")
    answer(mod, bob, suspended, None, "Who was it?")
    say(bob, suspended, "My brother")
    assert index(mod) == {APPEALS: [about(bob)]}
    answer(mod, bob, suspended, False, "That is no excuse")
    said = [(m.is_staff, m.text) for m in get_strike(bob.user_id, suspended).messages]
    assert said == [
        (False, "It was not me"),
        (True, "Who was it?"),
        (False, "My brother"),
        (True, "That is no excuse"),
    ]
    assert [m.text for m in get_case(about(bob)).messages] == [text for _, text in said]
    assert [entry.action for entry in logged()[1:]] == ["answer appeal", "refuse appeal"]
    assert broken() == {}


def test_who_is_appealing_does_not_learn_who_answered(bob, mod, suspended):
    say(bob, suspended)
    answer(mod, bob, suspended, None, "Who was it?")
    assert [m.writer for m in get_strike(bob.user_id, suspended).messages] == [None, None]


def test_granting_undoes_the_action_and_closes_the_case(bob, mod, suspended):
    say(bob, suspended)
    answer(mod, bob, suspended, True, "Sorry")
    assert info(bob).suspended_until is None
    (strike,) = strikes(bob)
    assert (strike.appeal, bool(strike.undone_at)) == (Appeal.GRANTED, True)
    assert index(mod) == {}
    assert logged()[-1].action == "grant appeal"
    assert broken() == {}


def test_granting_shows_a_post_that_was_refused(bob, mod):
    post_id = held_post(bob)
    refused = decide(mod, about_post(post_id), K.REFUSE)
    say(bob, refused)
    case_id = about_post(post_id)
    version = int(read_case(case_id).version)
    answer_appeal(by=mod, case_id=case_id, action_id=refused, text="", version=version, grant=True)
    assert (withheld(bob, post_id), post_count(bob)) == (None, 1)
    assert index(mod) == {}
    assert broken() == {}


def test_refusing_leaves_the_action_and_closes_the_case(bob, mod, suspended):
    say(bob, suspended)
    answer(mod, bob, suspended, False, "No")
    assert info(bob).suspended_until
    assert (appeal_of(bob), index(mod)) == ([Appeal.REFUSED], {})
    assert broken() == {}


@pytest.mark.parametrize("grant", [True, False])
def test_an_appeal_is_answered_once_and_that_is_the_end(bob, mod, suspended, grant):
    say(bob, suspended)
    answer(mod, bob, suspended, grant)
    for again in (True, False, None):
        with pytest.raises(AlreadyAnswered):
            answer(mod, bob, suspended, again)
    with pytest.raises(AlreadyAnswered):
        say(bob, suspended)
    assert broken() == {}


def test_what_nobody_appealed_against_is_not_answered(bob, mod, suspended):
    with pytest.raises(AlreadyAnswered):
        answer(mod, bob, suspended, True)


def test_what_was_undone_is_not_appealed_against(bob, mod, suspended):
    undo_action(by=mod, case_id=about(bob), action_id=suspended)
    with pytest.raises(AlreadyAnswered):
        say(bob, suspended)


def test_a_declined_sign_up_is_not_appealed_against(bob, mod):
    declined = decide(mod, waiting_sign_up(bob), K.DECLINE)
    with pytest.raises(AlreadyAnswered):
        say(bob, declined)
    assert broken() == {}


def test_nobody_appeals_for_another(alice, suspended):
    with pytest.raises(NotFound):
        say(alice, suspended)


def test_a_case_with_new_reports_goes_back_to_them(alice, bob, carol, mod, suspended):
    report(carol, bob)
    say(bob, suspended)
    assert index(mod) == {APPEALS: [about(bob)]}
    report(alice, bob)
    assert index(mod) == {APPEALS: [about(bob)]}
    answer(mod, bob, suspended, True)
    case = read_case(about(bob))
    assert index(mod) == {REPORTS: [about(bob)]}
    assert (case.reports, case.appealed, case.queue) == (2, None, Queue.REPORTS)
    assert broken() == {}


def appeals_waiting() -> int:
    return list_waiting().queues[Queue.APPEALS].to_answer


def test_of_two_appeals_each_is_answered(alice, bob, mod):
    post_id = post(bob)
    report(alice, bob, post_id)
    hidden = decide(mod, about(bob), K.HIDE, post_id, keep_open=True)
    warned = decide(mod, about(bob), K.WARN)
    say(bob, hidden)
    say(bob, warned)
    assert (read_case(about(bob)).appeals, appeals_waiting()) == (2, 2)
    answer(mod, bob, warned, False)
    assert index(mod) == {APPEALS: [about(bob)]}
    assert (read_case(about(bob)).appealed, appeals_waiting()) == (hidden, 1)
    assert broken() == {}
    answer(mod, bob, hidden, True)
    assert (withheld(bob, post_id), index(mod)) == (None, {})
    assert appeal_of(bob) == [Appeal.GRANTED, Appeal.REFUSED]
    assert broken() == {}


def test_deciding_about_the_reports_leaves_the_appeal_waiting(bob, carol, mod, suspended):
    report(carol, bob)
    say(bob, suspended)
    decide(mod, about(bob), K.WARN)
    assert index(mod) == {APPEALS: [about(bob)]}
    assert list_own_reports(carol)[0].outcome == K.WARN
    assert (read_case(about(bob)).reports, appeal_of(bob)[0]) == (0, Appeal.OPEN)
    answer(mod, bob, suspended, True)
    assert index(mod) == {}
    assert list_own_reports(carol)[0].outcome == K.WARN
    assert broken() == {}


def test_nobody_answers_what_they_have_not_seen(bob, mod, suspended):
    say(bob, suspended)
    seen = int(read_case(about(bob)).version)
    say(bob, suspended, "Please")
    with pytest.raises(CaseMoved):
        answer_appeal(
            by=mod, case_id=about(bob), action_id=suspended, text="", version=seen, grant=False
        )
    assert appeal_of(bob) == [Appeal.OPEN]


def test_nobody_answers_while_another_looks_at_it(bob, mod, suspended):
    mei = person("mei", "Mei", role="moderator")
    say(bob, suspended)
    claim_case(by=mei, case_id=about(bob))
    for grant in (True, False, None):
        with pytest.raises(CaseMoved):
            answer(person(f"other_{grant}", role="moderator"), bob, suspended, grant)
    answer(mei, bob, suspended, True)


def test_nobody_answers_their_own_appeal(alice, mod, admin):
    report(alice, mod)
    warned = decide(admin, about(mod), K.WARN)
    say(mod, warned)
    with pytest.raises(OwnCase):
        answer(mod, mod, warned, True)
