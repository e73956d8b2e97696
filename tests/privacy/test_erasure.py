"""The erasure of an account: nothing of the person is left but what the receipt names, and others' things are right."""

import re
from collections.abc import Callable
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.core.files.storage import default_storage
from django.test import Client

from accounts.models import EmailClaim, HandleClaim
from accounts.restrictions import Restriction
from accounts.services.sign_up import EmailTaken, HandleTaken, sign_up
from accounts.viewer import Viewer
from moderation.cases.cases import read_case
from moderation.cases.services.claim import assign_case
from photos.files import list_places
from privacy.erasure.job import take_step
from privacy.erasure.leftovers import EVIDENCE
from privacy.erasure.phases import PHASES
from privacy.models import Receipt, State
from privacy.services.close_account import close_account
from socialsite.clock import utc_now
from socialsite.due.work import do_due
from socialsite.models import Job, JobKind
from socialsite.streams.jobs import STEPS, Step
from socialsite.table import keys
from socialsite.table.reading import RawItem, as_model, get, scan
from tests.conftest import PASSWORD
from tests.looks import broken_invariants
from tests.moderation.cases import about
from tests.moderation.restricting import restrict
from tests.privacy.lives import NAME, TEXT, be_moderated, live, write
from tests.web.html import Html

AFTER_THE_SEARCH = timedelta(days=3)


@pytest.fixture
def life(alice, bob, carol, mod, drain_stream) -> SimpleNamespace:
    around = live(alice, bob, carol, mod)
    drain_stream()
    said = write(alice, bob, carol)
    drain_stream()
    be_moderated(alice, bob, carol, mod, said)
    drain_stream()
    assert broken_invariants() == {}
    return SimpleNamespace(**vars(around), **vars(said))


@pytest.fixture
def erase(drain_stream) -> Callable[[Viewer], Receipt]:
    """Closes the account at once, erases it, and searches when it is time."""

    def erase(person: Viewer, *, search: bool = True) -> Receipt:
        receipt_id = close_account(by=person, at_once=True)
        do_due()
        drain_stream()
        if search:
            do_due(utc_now() + AFTER_THE_SEARCH)
            drain_stream()
        return get(Receipt, keys.receipt(receipt_id), consistent=True)

    return erase


def naming(*texts: str) -> list[RawItem]:
    """Every item of the table that names any of these anywhere."""
    return [raw for raw in scan() if any(text in str(raw) for text in texts)]


def kinds(raws: list[RawItem]) -> set[str]:
    return {raw["type"]["S"] for raw in raws}


def test_nothing_of_the_person_is_left_but_what_the_receipt_names(alice, life, erase):
    receipt = erase(alice)
    assert receipt.state == State.SEARCHED
    assert list(list_places(alice.user_id)) == []
    assert kinds(naming(alice.user_id)) <= EVIDENCE
    assert kinds(naming(TEXT, NAME, "Ghent")) <= EVIDENCE
    assert not any(map(default_storage.exists, life.pictures))
    assert receipt.counts["pictures"] == 2
    claim = get(HandleClaim, keys.handle_claim("alice"))
    assert (claim.user_id, claim.ttl > utc_now() + timedelta(days=89)) == (None, True)


def test_what_is_counted_for_others_stays_right(alice, life, erase):
    erase(alice, search=False)
    assert broken_invariants() == {}


def test_the_search_breaks_nothing_either(alice, life, erase):
    erase(alice)
    assert broken_invariants() == {}


def test_every_partition_of_a_person_is_emptied_or_named_as_kept():
    of_the_chart = set(re.findall(r"`u#<user>#(\w+)`", keys.__doc__ or ""))
    emptied = {partition.split("#")[2] for partition in keys.own_partitions("x")}
    assert of_the_chart == emptied | {"auth", "session", "origin"} | {"strike"}


def test_where_they_signed_in_from_and_their_domain_go_at_once(alice, bob, life, erase):
    assert kinds(naming(alice.user_id)) >= {"Origin", "OriginTrace", "DomainEntry"}
    erase(alice, search=False)
    assert not kinds(naming(alice.user_id)) & {"Origin", "OriginTrace", "DomainEntry"}
    assert kinds(naming(bob.user_id)) >= {"Origin", "OriginTrace", "DomainEntry"}


def test_others_see_what_is_left_of_a_conversation(alice, bob, carol, life, erase, log_in):
    erase(alice)
    browser = log_in(bob)
    page = Html(browser.get(f"/@bob/posts/{life.bobs}"))
    assert life.under in page.post_ids()
    assert life.hers not in page.post_ids()
    assert browser.get(f"/@bob/posts/{life.beneath}").status_code == 200
    assert browser.get(f"/@bob/posts/{life.quoted}").status_code == 200
    for path in ("/", "/notifications", "/@bob", "/friends", "/saved", "/settings/reports"):
        answer = browser.get(path)
        assert answer.status_code == 200, path
        assert TEXT not in answer.content.decode(), path
    assert browser.get("/@alice").status_code == 404
    assert log_in(carol).get("/requests").status_code == 200


def test_moderators_can_still_open_what_they_decided(alice, life, mod, erase, log_in):
    erase(alice)
    browser = log_in(mod)
    browser.post("/confirm", {"password": PASSWORD})
    for path in ("/moderation/log", f"/moderation/cases/person/{alice.user_id}", "/moderation"):
        assert browser.get(path, follow=True).status_code == 200, path


def test_the_receipt_says_what_was_deleted_and_what_stays(alice, life, erase):
    receipt = erase(alice)
    page = Html(Client().get(f"/erased/{receipt.receipt_id}"))
    text = page.one("main").text
    for said in ("Your account is deleted", "Posts and replies: 8", "Your handle", "Backups"):
        assert said in text
    assert receipt.reads > 0
    assert receipt.writes > 0
    assert alice.user_id not in str(receipt.serialize())


def test_a_handle_is_kept_and_an_address_is_free_again(alice, life, erase):
    erase(alice)
    with pytest.raises(HandleTaken):
        sign_up(
            handle="alice", name="A", email="other@example.org", password=PASSWORD, confirmed=True
        )
    assert sign_up(
        handle="alice2", name="A", email="alice@example.org", password=PASSWORD, confirmed=True
    )


def test_the_address_of_a_suspended_person_stays_barred(alice, bob, drain_stream, erase):
    restrict(alice, Restriction.SUSPENDED, lasts=None)
    receipt = erase(alice)
    assert "address" in dict(receipt.kept)
    with pytest.raises(EmailTaken):
        sign_up(
            handle="alice2", name="A", email="alice@example.org", password=PASSWORD, confirmed=True
        )
    (claim,) = [as_model(EmailClaim, raw) for raw in scan() if is_barred(raw)]
    assert claim.ttl < utc_now() + timedelta(days=366)
    assert broken_invariants() == {}


def test_an_address_that_was_never_confirmed_holds_nothing_up(drain_stream, erase):
    details = {"handle": "zoe", "name": "Zoe", "email": "zoe@example.org", "password": PASSWORD}
    zoe = Viewer(sign_up(**details, confirmed=False))
    assert erase(zoe).state == State.SEARCHED
    assert naming(zoe.user_id) == []
    assert broken_invariants() == {}


def is_barred(raw: RawItem) -> bool:
    return raw["type"]["S"] == EmailClaim.__name__ and "user_id" not in raw


def test_staff_leave_their_desk_to_the_others(mod, bob, carol, drain_stream, erase, life):
    case_id = about(bob)
    assign_case(by=mod, case_id=case_id, moderator_id=mod.user_id)
    erase(mod)
    case = read_case(case_id)
    assert (case.assigned_to, case.escalated_to) == (None, keys.queue(case.queue))
    assert kinds(naming(mod.user_id)) <= EVIDENCE
    assert broken_invariants() == {}


def test_each_step_may_be_taken_twice(alice, life, drain_stream, monkeypatch):
    taken: list[str] = []

    def twice(job: Job) -> Step:
        take_step(job)
        taken.append(job.cursor)
        return take_step(job)

    monkeypatch.setitem(STEPS, JobKind.ERASE, twice)
    close_account(by=alice, at_once=True)
    do_due()
    drain_stream()
    assert len(taken) > len(PHASES)
    assert broken_invariants() == {}
