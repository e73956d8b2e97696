"""An engine that answers and takes no writes: each process notices, says so, and goes back by itself."""

import pytest
from django.test import Client

from socialsite.engine import running
from socialsite.site_settings.read_only import Why, read_only_now
from socialsite.table import refusals
from tests.conftest import browser_of, post
from tests.injected.faults import FOR_EVER, Fault, Hook, Sending, fail_inside, throttle, time_out

WRITES = frozenset({"PutItem", "UpdateItem", "DeleteItem", "TransactWriteItems", "BatchWriteItem"})
FORM = {"content": "Hello", "nonce": "n" * 22}


def forbid(sending: Sending):
    return sending.refuse("AccessDeniedException", 400)


FORBIDDEN = Fault("a right is missing", forbid, WRITES)
READ_ONLY_FILE = Fault("the database can only be read", fail_inside, WRITES)


@pytest.fixture
def looks_at_once(monkeypatch):
    monkeypatch.setattr(refusals, "LOOK_EVERY", 0)


@pytest.mark.parametrize("fault", [FORBIDDEN, READ_ONLY_FILE], ids=lambda fault: fault.name)
def test_pages_are_read_with_a_banner_and_writes_are_not_asked(fault, hook: Hook, alice):
    browser = browser_of(alice)
    with hook.armed(fault, times=FOR_EVER):
        assert browser.post("/posts", FORM).status_code == 503
        assert read_only_now().why == Why.REFUSED
        page = browser.get("/")
        assert page.status_code == 200
        assert "right now nothing can be saved" in page.content.decode()
        hook.sent.clear()
        answer = browser.post("/posts", FORM)
        assert (answer.status_code, answer["Retry-After"]) == (503, "30")
        assert "What you sent was not saved." in answer.content.decode()
        assert not WRITES & set(hook.sent)
        told = Client().get("/readyz").json()
        assert (told["status"], told["read_only"]["why"]) == ("degraded", "refused")


def test_it_goes_back_by_itself_at_the_next_page(hook: Hook, alice, looks_at_once):
    browser = browser_of(alice)
    with hook.armed(FORBIDDEN, times=FOR_EVER):
        browser.post("/posts", FORM)
        assert read_only_now()
    page = browser.get("/").content.decode()
    assert "nothing can be saved" not in page
    assert read_only_now() is None
    assert browser.post("/posts", FORM).status_code == 302


def test_one_right_that_is_missing_does_not_close_the_site(hook: Hook, alice):
    """Otherwise one button, pressed by a stranger, would stop everyone's writing."""
    only_posts = Fault("no transactions", forbid, frozenset({"TransactWriteItems"}))
    browser = browser_of(alice)
    with hook.armed(only_posts, times=FOR_EVER):
        assert browser.post("/posts", FORM).status_code == 503
        assert read_only_now() is None


@pytest.mark.parametrize("fault", [throttle, time_out], ids=lambda fault: fault.__name__)
def test_a_slow_or_throttled_engine_is_not_one_that_refuses(fault, hook: Hook, clock, alice):
    browser = browser_of(alice)
    with hook.armed(Fault("slow", fault, WRITES), times=FOR_EVER):
        assert browser.post("/posts", FORM).status_code == 503
        assert read_only_now() is None


def test_a_full_disk_is_named_and_ends_when_there_is_room(
    hook: Hook, alice, looks_at_once, monkeypatch, settings
):
    settings.DYNAMODB_ENGINE = "embedded"
    browser = browser_of(alice)
    monkeypatch.setattr(running, "free_bytes", lambda folder: 0)
    with hook.armed(READ_ONLY_FILE, times=FOR_EVER):
        answer = browser.post("/posts", FORM)
        assert "The disk of this site is full" in answer.content.decode()
        assert read_only_now().why == Why.FULL
        assert "The disk of this site is full" in browser.get("/").content.decode()
    assert read_only_now().why == Why.FULL  # a deletion would succeed, and needs no room
    monkeypatch.setattr(running, "free_bytes", lambda folder: 10**10)
    assert read_only_now() is None
    assert post(alice)
