"""Closing an account: out of sight at once, and kept if its owner comes back in time. Where it is hidden is in
tests/moderation/test_hidden_means_hidden.py."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client

from accounts.people.reads import get_user_info
from accounts.people.restrictions import Restriction
from accounts.people.viewer import Viewer
from privacy.erasure import reads
from privacy.erasure.writes import AlreadyClosing, LastAdmin, close_account
from socialsite.clock import utc_now
from socialsite.due.work import do_due
from socialsite.table import NotFound
from tests.accounts.test_standing import is_seen
from tests.conftest import HTMX, PASSWORD, person, post
from tests.looks import broken_invariants
from tests.moderation.cases import restrict
from tests.web.html import Html

PAGE, KEEP = "/settings/close", "/settings/close/keep"
LATER, NOW = {"when": "later"}, {"when": "now"}
JUST_BEFORE, WHEN_IT_ENDS = timedelta(days=13, hours=23), timedelta(days=14, seconds=1)


@pytest.fixture
def prove(log_in) -> Callable[[Viewer], Client]:
    """A browser whose owner has just typed the password again."""

    def browser_of(viewer: Viewer) -> Client:
        browser = log_in(viewer)
        browser.post("/confirm", {"password": PASSWORD, "next": PAGE})
        return browser

    return browser_of


def sign_in(handle: str) -> Client:
    browser = Client()
    browser.post("/login", {"account": handle, "password": PASSWORD})
    return browser


def test_the_page_asks_who_it_is_before_it_asks_when(alice, log_in, prove):
    page = Html(log_in(alice).get(PAGE))
    assert page.one("a", class_="button-big")["href"] == f"/confirm?next={PAGE}"
    assert page.one("a", href="/settings/pause")
    assert not page.all("form", action=PAGE)
    assert Html(prove(alice).get(PAGE)).one("form", action=PAGE)


def test_nothing_closes_without_a_fresh_proof(alice, log_in):
    answer = log_in(alice).post(PAGE, NOW)
    assert answer["Location"].startswith("/confirm?next=%2Fsettings%2Fclose")
    assert is_seen("alice")


def test_closing_hides_the_account_signs_out_everywhere_and_leads_to_the_receipt(
    alice, log_in, prove
):
    other, browser, address = log_in(alice), prove(alice), f"/@alice/posts/{post(alice)}"
    answer = browser.post(PAGE, LATER)
    assert re.fullmatch(r"/erased/[\w-]{22}", answer["Location"])
    assert "Your account is closed" in Html(Client().get(answer["Location"])).one("main").text
    assert not is_seen("alice")
    assert Client().get(address).status_code == 404
    for signed_out in (browser, other):
        assert signed_out.get(PAGE)["Location"].startswith("/login")


def test_who_chooses_nothing_is_asked_again(alice, prove):
    for wrong in ({}, {"when": "never"}):
        answer = prove(alice).post(PAGE, wrong)
        assert answer.status_code == 422
        assert Html(answer).one(id="id_when_error").text == "Choose one."
    assert is_seen("alice")


def test_signing_in_keeps_nothing_but_the_button_does(alice, drain_stream):
    close_account(by=alice)
    browser = sign_in("alice")
    assert not is_seen("alice")
    assert Html(browser.get("/local")).one("a", class_="banner-link")["href"] == "/standing"
    assert browser.get(PAGE)["Location"] == "/standing"
    standing = Html(browser.get("/standing"))
    assert standing.one(class_="standing").text.startswith("Your account will be deleted")
    assert standing.one("form", action=KEEP)
    for _ in range(2):  # sending it twice is harmless
        assert browser.post(KEEP)["Location"] == "/"
    assert is_seen("alice")
    do_due(utc_now() + WHEN_IT_ENDS)
    drain_stream()
    assert is_seen("alice")
    assert broken_invariants() == {}


def test_the_grace_ends_after_two_weeks_and_not_before(alice, drain_stream):
    close_account(by=alice)
    do_due(utc_now() + JUST_BEFORE)
    drain_stream()
    assert get_user_info(alice.user_id)
    do_due(utc_now() + WHEN_IT_ENDS)
    drain_stream()
    with pytest.raises(NotFound):
        get_user_info(alice.user_id)
    assert sign_in("alice").get("/standing")["Location"].startswith("/login")


def test_it_is_too_late_to_keep_what_is_being_deleted(alice, log_in):
    close_account(by=alice, at_once=True)
    browser = sign_in("alice")
    assert "can’t be undone any more" in Html(browser.get("/standing")).one("main").text
    assert browser.post(KEEP)["Location"] == "/standing"
    assert not is_seen("alice")


def test_a_closed_account_is_not_closed_twice(alice, prove, drain_stream):
    browser, other = prove(alice), prove(alice)
    browser.post(PAGE, LATER)
    assert other.post(PAGE, LATER)["Location"].startswith("/login")
    with pytest.raises(AlreadyClosing):
        close_account(by=alice)
    drain_stream()
    assert broken_invariants() == {}


def test_a_suspended_person_can_leave(alice, prove):
    restrict(alice, Restriction.SUSPENDED)
    assert prove(alice).post(PAGE, LATER)["Location"].startswith("/erased/")


def test_the_last_administrator_stays(admin, prove):
    answer = prove(admin).post(PAGE, NOW)
    assert answer.status_code == 422
    assert "You’re the last administrator" in Html(answer).one("main").text
    another = person("another", role="admin")
    close_account(by=admin)
    with pytest.raises(LastAdmin):  # the other one is leaving
        close_account(by=another)


def test_a_receipt_is_for_who_has_its_address_and_is_not_kept_by_browsers(alice):
    receipt_id = close_account(by=alice)
    answer = Client().get(f"/erased/{receipt_id}")
    assert (answer.status_code, "no-store" in answer["Cache-Control"]) == (200, True)
    assert alice.user_id not in answer.content.decode()
    assert "alice" not in answer.content.decode()
    assert Client().get(f"/erased/{receipt_id[::-1]}").status_code == 404
    assert Client().post(f"/erased/{receipt_id}").status_code == 405


def receipt_page(address: str, **extra) -> Html:
    return Html(Client().get(address, **extra))


def test_the_receipt_of_an_account_that_goes_now_offers_no_way_back(alice, drain_stream):
    address = f"/erased/{close_account(by=alice, at_once=True)}"
    for begin in (lambda: None, do_due):
        begin()
        page = receipt_page(address)
        assert "Your account is being deleted" in page.one("main").text
        assert "Changed your mind?" not in page.one("main").text


def test_the_receipt_of_an_account_that_can_be_kept_says_how_until_the_grace_ends(
    alice, monkeypatch
):
    address = f"/erased/{close_account(by=alice)}"
    assert "Changed your mind?" in receipt_page(address).one("main").text
    later = (utc_now() + WHEN_IT_ENDS).isoformat(timespec="seconds")
    monkeypatch.setattr(reads, "utc_now_iso", lambda: later)
    assert "Changed your mind?" not in receipt_page(address).one("main").text


def test_a_receipt_asks_again_until_the_erasure_is_over(alice, drain_stream):
    address = f"/erased/{close_account(by=alice, at_once=True)}"
    receipt = receipt_page(address).one("div", id="receipt")
    assert (receipt["hx-get"], receipt["hx-swap"]) == (address, "outerHTML")
    do_due()
    assert "hx-get" in receipt_page(address).one("div", id="receipt").attributes
    drain_stream()
    answer = receipt_page(address, headers=HTMX)
    assert "hx-get" not in answer.one("div", id="receipt").attributes
    assert "Your account is deleted" in answer.one("div", id="receipt").text
    assert not answer.all("main")


def test_a_receipt_waits_for_the_end_of_the_grace_without_asking(alice):
    address = f"/erased/{close_account(by=alice)}"
    assert "hx-get" not in receipt_page(address).one("div", id="receipt").attributes
