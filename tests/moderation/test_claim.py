"""Looking at a case: one moderator at a time, for a while; and putting it on someone's desk."""

from functools import partial

import pytest

from moderation.cases.reads import CaseMoved, read_case
from moderation.cases.writes import Claimed, assign_case, claim_case, leave_case
from moderation.models import ActionKind, Queue
from socialsite.clock import utc_now_iso
from socialsite.table import NotFound, keys
from tests.conftest import person
from tests.injected.rotation import IS_LONG
from tests.moderation.cases import about, broken, decide, index, let_claim_lapse, logged, report
from tests.together import together

ROUNDS = 500 if IS_LONG else 50


@pytest.fixture
def mei(table):
    return person("mei", "Mei", role="moderator")


@pytest.fixture
def case_id(alice, bob):
    report(alice, bob)
    return about(bob)


def looks(case_id) -> str | None:
    return read_case(case_id).claimed_by


def test_who_looks_at_a_case_has_it_for_a_while(mod, mei, case_id):
    version = read_case(case_id).version
    claim_case(by=mod, case_id=case_id)
    assert looks(case_id) == mod.user_id
    assert read_case(case_id).claimed_until > utc_now_iso()
    with pytest.raises(Claimed):
        claim_case(by=mei, case_id=case_id)
    claim_case(by=mod, case_id=case_id)
    assert read_case(case_id).version == version
    assert broken() == {}


def test_a_claim_lapses(mod, mei, case_id):
    claim_case(by=mod, case_id=case_id)
    let_claim_lapse(case_id)
    claim_case(by=mei, case_id=case_id)
    assert looks(case_id) == mei.user_id
    with pytest.raises(Claimed):
        claim_case(by=mod, case_id=case_id)


def test_who_leaves_lets_the_next_one_look(mod, mei, case_id):
    claim_case(by=mod, case_id=case_id)
    leave_case(by=mei, case_id=case_id)
    assert looks(case_id) == mod.user_id
    leave_case(by=mod, case_id=case_id)
    leave_case(by=mod, case_id=case_id)
    assert looks(case_id) is None
    claim_case(by=mei, case_id=case_id)


def test_of_two_who_reach_for_a_case_one_has_it_each_time(mod, mei, case_id):
    for _ in range(ROUNDS):
        results = together(*(partial(claim_case, by=by, case_id=case_id) for by in (mod, mei)))
        assert sorted(map(repr, map(type, results))) == sorted(map(repr, (type(None), Claimed)))
        winner = (mod, mei)[results.index(None)]
        assert looks(case_id) == winner.user_id
        leave_case(by=winner, case_id=case_id)


def test_nobody_looks_at_a_closed_case_or_at_none(alice, mod, case_id):
    decide(mod, case_id, ActionKind.DISMISS)
    for one in (case_id, about(alice)):
        with pytest.raises(NotFound):
            claim_case(by=mod, case_id=one)
        with pytest.raises(NotFound):
            assign_case(by=mod, case_id=one, moderator_id=mod.user_id)
        leave_case(by=mod, case_id=one)


def test_a_case_lies_in_one_place_in_its_queue_or_on_a_desk(mod, mei, case_id):
    for to in (mei, mod):
        assign_case(by=mod, case_id=case_id, moderator_id=to.user_id)
        assert index(mod, mei) == {keys.desk(to.user_id): [case_id]}
    assign_case(by=mei, case_id=case_id, moderator_id="")
    assert index(mod, mei) == {keys.queue(Queue.REPORTS): [case_id]}
    assert [entry.action for entry in logged()] == ["assign", "assign", "put back"]
    assert broken() == {}


def test_a_case_on_a_desk_stays_there_when_more_report(carol, bob, mod, mei, case_id):
    assign_case(by=mod, case_id=case_id, moderator_id=mei.user_id)
    report(carol, bob, severity=1)
    assert index(mei) == {keys.desk(mei.user_id): [case_id]}
    assert broken() == {}


def test_a_case_that_is_closed_lies_on_no_desk_when_it_opens_again(carol, bob, mod, mei, case_id):
    assign_case(by=mod, case_id=case_id, moderator_id=mei.user_id)
    decide(mei, case_id, ActionKind.DISMISS)
    assert index(mei) == {}
    report(carol, bob)
    assert index(mei) == {keys.queue(Queue.REPORTS): [case_id]}


def test_a_case_that_somebody_looks_at_is_put_on_a_desk_by_them_alone(mod, mei, case_id):
    claim_case(by=mei, case_id=case_id)
    with pytest.raises(CaseMoved):
        assign_case(by=mod, case_id=case_id, moderator_id=mod.user_id)
    assign_case(by=mei, case_id=case_id, moderator_id=mod.user_id)
    assert index(mod) == {keys.desk(mod.user_id): [case_id]}
    assert looks(case_id) is None
