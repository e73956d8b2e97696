"""Changing your handle: with a proof of who you are, rarely, and the old one stays yours for 90 days."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from accounts.checks import PeopleInvariants
from accounts.models import HandleClaim, SignIn, UserSettings
from accounts.people.reads import (
    HandleTaken,
    find_user_by_handle,
    get_own_handles,
    get_user_info,
    is_handle_free,
)
from accounts.profile import writes
from accounts.profile.writes import ChangedTooOften, change_handle
from socialsite.table import Item, NotFound, change, get, keys
from socialsite.table.reading import scan
from tests.accounts.codes import in_browser
from tests.accounts.renaming import bury, let_expire, rename
from tests.conftest import PASSWORD, person
from tests.web.html import Html

PAGE = "/settings/handle"
NEW = {"handle": "alicia"}


@pytest.fixture
def hers(alice, log_in) -> Client:
    """Alice's, in which she has just confirmed who she is."""
    signed_in = log_in(alice)
    signed_in.post("/confirm", {"password": PASSWORD})
    return signed_in


def claim_of(handle: str) -> HandleClaim:
    return get(HandleClaim, keys.handle_claim(handle), consistent=True)


def broken() -> list[str]:
    invariants = PeopleInvariants()
    for raw in scan():
        invariants.add(Item.from_raw_data(raw))
    return [line for lines in invariants.results().values() for line in lines]


def test_it_changes_once_however_often_the_form_is_sent(alice, hers):
    for _ in range(2):
        response = hers.post(PAGE, NEW)
        assert (response.status_code, response["Location"]) == (302, PAGE)
    assert "You’re @alicia now." in hers.get(PAGE).content.decode()
    assert find_user_by_handle("alicia") == alice.user_id
    assert get_user_info(alice.user_id).handle == "alicia"
    assert [one.handle for one in get_own_handles(by=alice)[1]] == ["alice"]
    assert broken() == []


def test_the_old_handle_is_kept_for_90_days(alice):
    rename(alice, "alicia")
    former = claim_of("alice")
    assert former.user_id == alice.user_id
    kept = former.ttl - datetime.fromisoformat(former.former)
    assert kept == timedelta(days=90)
    for tries in (
        lambda: person("alice"),
        lambda: change_handle(by=person("bob"), handle="alice"),
    ):
        with pytest.raises(HandleTaken):
            tries()
    with pytest.raises(NotFound):
        find_user_by_handle("alice")


def test_after_that_it_is_free_though_not_yet_deleted(alice, bob):
    rename(alice, "alicia")
    let_expire("alice")
    assert is_handle_free("alice")
    rename(bob, "alice")
    assert find_user_by_handle("alice") == bob.user_id
    assert claim_of("alice").ttl is None
    rename(alice, "alina")
    let_expire("alicia")
    assert person("alicia").handle == "alicia"


def test_its_person_alone_takes_it_back_and_the_two_change_places(alice, hers):
    rename(alice, "alicia")
    page = Html(hers.get(PAGE))
    button = page.one("button", name="handle")
    assert (button["value"], button["formaction"]) == ("alice", PAGE)
    hers.post(PAGE, {"handle": button["value"]})
    assert find_user_by_handle("alice") == alice.user_id
    assert (claim_of("alice").former, claim_of("alice").ttl) == (None, None)
    assert claim_of("alicia").former
    assert [one.handle for one in get_own_handles(by=alice)[1]] == ["alicia"]
    assert broken() == []


def test_the_handle_of_an_erased_person_is_not_free(alice, hers):
    bury("dora")
    assert "taken" in Html(hers.post(PAGE, {"handle": "dora"})).error("handle")
    with pytest.raises(HandleTaken):
        change_handle(by=alice, handle="dora")
    with pytest.raises(HandleTaken):
        person("dora")
    assert Client().get("/@dora").status_code == 404
    assert broken() == []


@pytest.mark.parametrize("handle", ["bob", "ab", "a b c", "admin", "", "x" * 31, "ALICE-"])
def test_what_cannot_be_is_said_beside_the_field_and_stays_typed(alice, bob, hers, handle):
    response = hers.post(PAGE, {"handle": handle})
    assert response.status_code == 422
    assert Html(response).error("handle")
    assert Html(response).value("handle") == handle
    assert get_user_info(alice.user_id).handle == "alice"


def test_without_a_fresh_proof_it_asks_for_one_and_brings_the_handle_back(alice, log_in):
    browser = log_in(alice)
    sent = browser.post(PAGE, NEW)
    assert sent["Location"].startswith("/confirm?next=%2Fsettings%2Fhandle%3Fhandle%3Dalicia")
    assert get_user_info(alice.user_id).handle == "alice"
    back = browser.post(sent["Location"], {"password": PASSWORD})["Location"]
    assert Html(browser.get(back)).value("handle") == "alicia"
    key = keys.sign_in(alice.user_id, in_browser(alice, browser).secret_hash)
    old = datetime.now(UTC) - timedelta(minutes=11)
    change(SignIn, key, [SignIn.proved_at.set(old.isoformat())])
    assert browser.post(PAGE, NEW)["Location"].startswith("/confirm")


def test_the_fourth_change_in_30_days_waits(alice, hers):
    rename(alice, "alice_2", "alice_3", "alice")
    response = hers.post(PAGE, NEW)
    assert response.status_code == 422
    assert "You can do it again from" in Html(response).error("handle")
    with pytest.raises(ChangedTooOften):
        change_handle(by=alice, handle="alice_2")  # nor is a former one taken back
    assert is_handle_free("alicia")


def test_the_list_of_former_handles_forgets_what_is_free_again(alice):
    rename(alice, "alicia")
    long_ago = datetime.now(UTC) - timedelta(days=91)
    listed = UserSettings.former_handles.set({"alice": long_ago.isoformat()})
    change(UserSettings, keys.user_settings(alice.user_id), [listed])
    assert get_own_handles(by=alice) == ("alicia", [])
    rename(alice, "alina")
    stored = get(UserSettings, keys.user_settings(alice.user_id)).former_handles
    assert list(stored) == ["alicia"]


def test_of_two_who_want_a_handle_at_once_one_gets_it(alice, bob):
    def take(viewer) -> str:
        try:
            change_handle(by=viewer, handle="dora")
        except HandleTaken:
            return "taken"
        return viewer.user_id

    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(take, (alice, bob)))
    assert sorted(answers)[1] == "taken"
    assert find_user_by_handle("dora") in answers
    assert broken() == []


def test_of_two_changes_by_one_person_at_once_none_is_lost(alice):
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda handle: change_handle(by=alice, handle=handle), ("dora", "erna")))
    present, former = get_own_handles(by=alice)
    assert {present, *(one.handle for one in former)} == {"alice", "dora", "erna"}
    assert broken() == []


@pytest.mark.parametrize(
    ("handle", "wrong"),
    [
        ("alice", [HandleClaim.ttl.remove()]),
        ("alice", [HandleClaim.former.remove(), HandleClaim.ttl.remove()]),
        ("alicia", [HandleClaim.former.set("2026-01-01")]),
        ("alice", [HandleClaim.user_id.set("B")]),
    ],
)
def test_the_audit_finds_claims_that_do_not_fit(alice, handle, wrong):
    rename(alice, "alicia")
    assert broken() == []
    change(HandleClaim, keys.handle_claim(handle), wrong)
    assert broken()


def test_it_costs_one_read_and_one_transaction(alice, measure):
    with measure() as meter:
        writes.change_handle(by=alice, handle="alicia")
    reading, writing = meter.calls
    assert (reading.operation, writing.operation) == ("BatchGetItem", "TransactWriteItems")
    assert (reading.units, writing.units) == (3, 12)


def test_the_present_handle_and_the_email_sign_in_and_a_former_handle_does_not(alice):
    rename(alice, "alicia")
    for account, status in (("alice", 422), ("alicia", 302), ("alice@example.org", 302)):
        form = {"account": account, "password": PASSWORD}
        assert Client().post("/login", form).status_code == status, account


def test_looking_changes_nothing(alice, hers):
    page = hers.get(PAGE, NEW)
    assert "no-cache" in page["Cache-Control"]
    assert Html(page).one("form", action=PAGE)["method"] == "post"
    assert Html(hers.get("/settings/profile")).one("a", href=PAGE)
    assert get_user_info(alice.user_id).handle == "alice"
