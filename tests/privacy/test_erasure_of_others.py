"""Erasures that go another way: of the suspended, the unconfirmed, staff, and by a worker that does each step twice."""

from datetime import timedelta

import pytest

from accounts.models import EmailClaim
from accounts.people.restrictions import Restriction
from accounts.people.viewer import Viewer
from accounts.sign_up.writes import EmailTaken, sign_up
from moderation.cases.reads import read_case
from moderation.cases.writes import assign_case
from privacy.erasure.phases import NAMES
from privacy.erasure.search import EVIDENCE
from privacy.erasure.stream import take_step
from privacy.models import State
from socialsite.clock import utc_now
from socialsite.streams.jobs import STEPS, Step
from socialsite.streams.models import Job, JobKind
from socialsite.streams.worker import Worker
from socialsite.table import RawItem, as_model, keys
from socialsite.table.reading import scan
from tests.conftest import PASSWORD
from tests.looks import broken_invariants
from tests.moderation.cases import about
from tests.moderation.restricting import restrict
from tests.privacy.erasing import erase, kinds, lead_a_life, naming, search


@pytest.fixture
def worker(table: str) -> Worker:
    return Worker()


def test_the_address_of_a_suspended_person_stays_barred(alice, worker):
    restrict(alice, Restriction.SUSPENDED, lasts=None)
    receipt = search(erase(alice, worker), worker)
    assert "address" in dict(receipt.kept)
    with pytest.raises(EmailTaken):
        sign_up(
            handle="alice2", name="A", email="alice@example.org", password=PASSWORD, confirmed=True
        )
    (claim,) = [as_model(EmailClaim, raw) for raw in scan() if is_barred(raw)]
    assert claim.ttl < utc_now() + timedelta(days=366)
    assert broken_invariants() == {}


def test_an_address_that_was_never_confirmed_holds_nothing_up(worker):
    details = {"handle": "zoe", "name": "Zoe", "email": "zoe@example.org", "password": PASSWORD}
    zoe = Viewer(sign_up(**details, confirmed=False))
    assert search(erase(zoe, worker), worker).state == State.SEARCHED
    assert naming(zoe.user_id) == []
    assert broken_invariants() == {}


def is_barred(raw: RawItem) -> bool:
    return raw["type"]["S"] == EmailClaim.__name__ and "user_id" not in raw


def test_staff_leave_their_desk_to_the_others(alice, bob, carol, mod, worker):
    lead_a_life(alice, bob, carol, mod, worker)
    case_id = about(bob)
    assign_case(by=mod, case_id=case_id, moderator_id=mod.user_id)
    search(erase(mod, worker), worker)
    case = read_case(case_id)
    assert (case.assigned_to, case.escalated_to) == (None, keys.queue(case.queue))
    assert kinds(naming(mod.user_id)) <= EVIDENCE
    assert broken_invariants() == {}


def test_each_step_may_be_taken_twice(alice, bob, carol, mod, worker, monkeypatch):
    lead_a_life(alice, bob, carol, mod, worker)
    taken: list[str] = []

    def twice(job: Job) -> Step:
        take_step(job)
        taken.append(job.cursor)
        return take_step(job)

    monkeypatch.setitem(STEPS, JobKind.ERASE, twice)
    erase(alice, worker)
    assert len(taken) > len(NAMES)
    assert broken_invariants() == {}
