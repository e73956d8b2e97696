"""The erasure of an account: nothing of the person is left but what the receipt names, and others' things are right.

One life is led and erased for all of these tests, which look at it afterwards. Other erasures:
`tests/privacy/test_erasure_elsewhere.py`.
"""

import re
from collections.abc import Iterator
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.core.files.storage import default_storage
from django.test import Client

from accounts.models import HandleClaim
from accounts.people.reads import HandleTaken
from accounts.people.viewer import Viewer
from accounts.sign_up.writes import sign_up
from photos.files import list_places
from privacy.erasure.search import EVIDENCE
from privacy.models import State
from socialsite.clock import utc_now
from socialsite.streams.worker import Worker
from socialsite.table import RawItem, get, keys
from tests.conftest import PASSWORD
from tests.looks import broken_invariants
from tests.prepared import Prepared, Snapshot
from tests.privacy.lives import NAME, TEXT, erase, kinds, lead_a_life, naming, search
from tests.tables import RunningEngine, empty_table, forget_other_tables
from tests.web.html import Html

HERS_ALONE = {"Origin", "OriginTrace", "DomainEntry"}


@pytest.fixture(scope="module")
def erased(running_engine: RunningEngine, prepared: Prepared) -> Iterator[SimpleNamespace]:
    """Alice led a life among the others, and is erased. What was to see on the way there is noted."""
    with empty_table(running_engine, prepared):
        cast = {handle: prepared.join(handle) for handle in ("alice", "bob", "carol", "moddy")}
        alice, bob, carol, mod = cast.values()
        worker = Worker()
        life = lead_a_life(alice, bob, carol, mod, worker)
        before = look_at(alice, life)
        receipt_id = erase(alice, worker)
        at_once = look_at(alice, life)
        receipt = search(receipt_id, worker)
        searched = look_at(alice, life)
        yield SimpleNamespace(
            **vars(life) | {"alice": alice, "bob": bob, "carol": carol, "mod": mod},
            **{"before": before, "at_once": at_once, "searched": searched},
            receipt=receipt,
            as_it_was=Snapshot(),
        )


def look_at(person: Viewer, life: SimpleNamespace) -> SimpleNamespace:
    """What of the person, and of their files, is there now."""
    return SimpleNamespace(
        broken=broken_invariants(),
        naming=kinds(naming(person.user_id)),
        found_by=kinds([raw for raw in naming(person.user_id) if is_found_by_words(raw, person)]),
        saying=kinds(naming(TEXT, NAME, "Ghent")),
        photos=list(list_places(person.user_id)),
        pictures=[name for name in life.pictures if default_storage.exists(name)],
    )


@pytest.fixture
def after(erased: SimpleNamespace) -> Iterator[SimpleNamespace]:
    """The module's erased life, with whatever a test did in it put right."""
    yield erased
    erased.as_it_was.restore()
    forget_other_tables()


def test_nothing_of_the_person_is_left_but_what_the_receipt_names(after):
    assert after.receipt.state == State.SEARCHED
    assert (len(after.before.photos), len(after.before.pictures)) == (3, 3)
    assert after.searched.photos == after.searched.pictures == []
    assert after.searched.naming <= EVIDENCE
    assert after.searched.saying <= EVIDENCE
    assert after.receipt.counts["pictures"] == 2
    claim = get(HandleClaim, keys.handle_claim("alice"))
    assert (claim.user_id, claim.ttl > utc_now() + timedelta(days=89)) == (None, True)


def test_what_is_counted_for_others_stays_right(after):
    assert after.before.broken == {}
    assert after.at_once.broken == {}


def test_the_search_breaks_nothing_either(after):
    assert after.searched.broken == {}


def test_every_partition_of_a_person_is_emptied_or_named_as_kept():
    of_the_chart = set(re.findall(r"`u#<user>#(\w+)`", keys.__doc__ or ""))
    emptied = {partition.split("#")[2] for partition in keys.own_partitions("x")}
    assert of_the_chart == emptied | {"auth", "session", "origin"} | {"strike"}


def test_where_they_signed_in_from_and_their_domain_go_at_once(after):
    assert after.before.naming >= HERS_ALONE
    assert not after.at_once.naming & HERS_ALONE
    assert kinds(naming(after.bob.user_id)) >= HERS_ALONE


def is_found_by_words(raw: RawItem, person: Viewer) -> bool:
    return raw["type"]["S"] == "WordEntry" and raw["author_id"]["S"] == person.user_id


def test_the_words_of_their_posts_leave_the_index_at_once(after):
    """Where others quote them, the search takes their id out."""
    assert after.before.found_by
    assert not after.at_once.found_by


def test_others_see_what_is_left_of_a_conversation(after, log_in):
    browser = log_in(after.bob)
    page = Html(browser.get(f"/@bob/posts/{after.bobs}"))
    assert after.under in page.post_ids()
    assert after.hers not in page.post_ids()
    assert browser.get(f"/@bob/posts/{after.beneath}").status_code == 200
    assert browser.get(f"/@bob/posts/{after.quoted}").status_code == 200
    for path in ("/", "/notifications", "/@bob", "/friends", "/saved", "/settings/reports"):
        answer = browser.get(path)
        assert answer.status_code == 200, path
        assert TEXT not in answer.content.decode(), path
    assert browser.get("/@alice").status_code == 404
    assert log_in(after.carol).get("/requests").status_code == 200


def test_moderators_can_still_open_what_they_decided(after, log_in):
    browser = log_in(after.mod)
    browser.post("/confirm", {"password": PASSWORD})
    for path in (
        "/moderation/log",
        f"/moderation/cases/person/{after.alice.user_id}",
        "/moderation",
    ):
        assert browser.get(path, follow=True).status_code == 200, path


def test_the_receipt_says_what_was_deleted_and_what_stays(after):
    receipt = after.receipt
    page = Html(Client().get(f"/erased/{receipt.receipt_id}"))
    text = page.one("main").text
    for said in ("Your account is deleted", "Posts and replies: 8", "Your handle", "Backups"):
        assert said in text
    assert receipt.reads > 0
    assert receipt.writes > 0
    assert after.alice.user_id not in str(receipt.serialize())


def test_a_handle_is_kept_and_an_address_is_free_again(after):
    with pytest.raises(HandleTaken):
        sign_up(
            handle="alice", name="A", email="other@example.org", password=PASSWORD, confirmed=True
        )
    assert sign_up(
        handle="alice2", name="A", email="alice@example.org", password=PASSWORD, confirmed=True
    )
