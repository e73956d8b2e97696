"""The moderator who decided leaves an appeal to another one, as long as there is one who may answer it."""

import pytest

from moderation.cases.lists import get_next_case
from moderation.cases.reads import read_case
from moderation.cases.writes import Claimed, OwnDecision, answer_appeal, appeal, claim_case
from moderation.models import ActionKind, Appeal, Queue
from socialsite.models import Role
from socialsite.table import Create, keys, transact
from tests.conftest import HTMX, person
from tests.moderation.cases import about, broken, decide, report, strikes
from tests.web.html import Html


@pytest.fixture
def suspended(alice, bob, mod) -> str:
    """Bob was suspended by Mod, and appeals."""
    report(alice, bob, rule_id="spam")
    action_id = decide(mod, about(bob), ActionKind.SUSPEND)
    appeal(person_id=bob.user_id, action_id=action_id, text="It was not me")
    return action_id


def answer(by, bob, action_id: str, grant: bool | None) -> None:
    version = int(read_case(about(bob)).version)
    answer_appeal(
        by=by, case_id=about(bob), action_id=action_id, text="Hm", version=version, grant=grant
    )


def state(bob) -> str | None:
    return strikes(bob)[0].appeal


@pytest.mark.parametrize("grant", [True, False, None])
def test_another_answers(bob, mod, suspended, grant):
    mei = person("mei", "Mei", role="moderator")
    with pytest.raises(OwnDecision):
        answer(mod, bob, suspended, grant)
    assert state(bob) == Appeal.OPEN
    answer(mei, bob, suspended, grant)
    assert broken() == {}


def test_the_only_one_who_may_answer_does(bob, mod, suspended):
    answer(mod, bob, suspended, False)
    assert state(bob) == Appeal.REFUSED


def test_a_colleague_who_may_not_suspend_does_not_answer_for_a_suspension(bob, mod, suspended):
    transact(Create(Role.new(name="helper", title="Helper", permissions={"cases"})))
    person("hanna", role="helper")
    answer(mod, bob, suspended, False)
    assert state(bob) == Appeal.REFUSED


def test_the_page_says_so_and_has_no_form(bob, mod, suspended, log_in):
    mei = person("mei", "Mei", role="moderator")
    address = about(bob).url
    assert "someone else answers" in Html(log_in(mod).get(address)).one("section", id="appeal").text
    assert not Html(log_in(mod).get(address)).all("button", name="answer")
    assert len(Html(log_in(mei).get(address)).all("button", name="answer")) == 3
    form = {"answer": "grant", "version": read_case(about(bob)).version, "words": "Hm"}
    assert log_in(mod).post(f"{address}/appeal", form).status_code == 403
    assert state(bob) == Appeal.OPEN


def test_they_may_still_take_their_decision_back(bob, mod, suspended, log_in):
    person("mei", "Mei", role="moderator")
    log_in(mod).post(f"{about(bob).url}/undo", {"action_id": suspended})
    assert state(bob) == Appeal.GRANTED
    assert broken() == {}


def test_the_next_case_is_none_that_others_have_to_answer(alice, bob, mod, suspended):
    def following(moderator):
        return get_next_case(keys.queue(Queue.APPEALS), by=moderator, besides=about(alice))

    assert following(mod) == about(bob)  # while nobody else may
    mei = person("mei", "Mei", role="moderator")
    assert following(mod) is None
    assert following(mei) == about(bob)


def test_the_next_case_asks_once_who_is_on_the_staff(
    alice, bob, carol, mod, suspended, requests_of
):
    person("mei", "Mei", role="moderator")
    report(alice, carol, rule_id="spam")
    action_id = decide(mod, about(carol), ActionKind.WARN)
    appeal(person_id=carol.user_id, action_id=action_id, text="Nor me")
    with requests_of() as requests:
        assert not get_next_case(keys.queue(Queue.APPEALS), by=mod, besides=about(alice))
    staff = [one for one in requests.made if keys.staff() in str(one.parameters)]
    assert len(staff) == 1


def test_opening_an_appeal_that_others_answer_claims_nothing(bob, mod, suspended, log_in):
    mei = person("mei", "Mei", role="moderator")
    decider, colleague = log_in(mod), log_in(mei)
    looking = Html(decider.get(about(bob).url)).one(id="looking")
    assert "hx-post" not in looking.attributes
    assert "data-claim" not in looking.attributes
    assert not looking.text
    for headers in ({}, HTMX):  # a page that was open before, or another way
        answer = decider.post(f"{about(bob).url}/claim", {"on": "1"}, headers=headers)
        assert answer.status_code == (200 if headers else 302)
        assert "reviewing" not in answer.content.decode()
    assert read_case(about(bob)).claimed_by is None
    assert "hx-post" in Html(colleague.get(about(bob).url)).one(id="looking").attributes
    colleague.post(f"{about(bob).url}/claim", {"on": "1"})
    assert read_case(about(bob)).claimed_by == mei.user_id


def test_reports_beside_the_appeal_are_for_everyone(alice, bob, mod, suspended, log_in):
    person("mei", "Mei", role="moderator")
    report(alice, bob, rule_id="spam")
    assert "hx-post" in Html(log_in(mod).get(about(bob).url)).one(id="looking").attributes
    claim_case(by=mod, case_id=about(bob))
    assert read_case(about(bob)).claimed_by == mod.user_id


def test_the_only_one_who_may_answer_reviews_it(bob, mod, suspended):
    claim_case(by=mod, case_id=about(bob))
    assert read_case(about(bob)).claimed_by == mod.user_id


def test_what_a_colleague_reviews_stays_theirs_under_an_appeal(bob, mod, admin, suspended):
    mei = person("mei", "Mei", role="moderator")
    claim_case(by=mei, case_id=about(bob))
    with pytest.raises(Claimed):
        claim_case(by=admin, case_id=about(bob))
