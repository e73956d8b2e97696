"""Staff of a site in production: closed until they open it, noted in the security log, and values are covered."""

import pytest
from django.test import Client

from lens.sight import kept_of
from tests.conftest import post
from tests.web.html import Html

SECRET = "Nobody else should read this"


@pytest.fixture
def opened(admin, log_in) -> Client:
    browser = log_in(admin)
    browser.post("/dev/lens/open", {"on": "1"})
    return browser


def has_lens(answer) -> bool:
    return b'id="lens"' in answer.content


def test_it_is_closed_until_opened_and_again_after_closing(admin, log_in):
    browser = log_in(admin)
    assert not has_lens(browser.get("/"))
    assert browser.post("/dev/lens/open", {"on": "1"})["Location"] == "/dev/lens"
    assert has_lens(browser.get("/"))
    browser.post("/dev/lens/open", {"on": "0"})
    assert not has_lens(browser.get("/"))


def test_each_opening_is_in_the_security_log(admin, log_in, caplog):
    browser = log_in(admin)
    browser.get("/dev/lens")
    assert "lens-opened" not in caplog.messages
    browser.post("/dev/lens/open", {"on": "1"})
    (noted,) = [record for record in caplog.records if record.message == "lens-opened"]
    assert noted.fields["account"] == admin.user_id


def test_looking_at_the_page_opens_nothing(admin, log_in):
    browser = log_in(admin)
    assert browser.get("/dev/lens/open").status_code == 405
    browser.get("/dev/lens", {"on": "1"})
    assert not has_lens(browser.get("/"))


@pytest.mark.parametrize("who", ["alice", "mod"])
def test_others_find_nothing_there_whatever_their_cookie_says(who, log_in, request):
    browser = log_in(request.getfixturevalue(who))
    assert browser.post("/dev/lens/open", {"on": "1"}).status_code == 404
    browser.cookies["__Host-lens"] = "1"
    assert not has_lens(browser.get("/"))
    assert browser.get("/dev/lens").status_code == 404
    assert kept_of(request.getfixturevalue(who).user_id) == []


def test_a_sign_in_without_its_proof_has_none(opened, settings):
    settings.STAFF_SECOND_FACTOR = True
    assert not has_lens(opened.get("/"))


def test_values_are_covered_and_ids_are_not(admin, opened):
    opened.post("/posts", {"content": SECRET, "nonce": "n" * 22})
    sight = kept_of(admin.user_id)[0]
    page = opened.get(f"/dev/lens/{sight.request_id}").content.decode()
    assert SECRET not in page
    assert f"u#{admin.user_id}#post" in page
    assert "author_id" in page
    assert "/dev/table" not in page


@pytest.mark.usefixtures("developing")
def test_developers_see_values_and_follow_keys(alice, log_in):
    browser = log_in(alice)
    browser.post("/posts", {"content": SECRET, "nonce": "n" * 22})
    sight = kept_of(alice.user_id)[0]
    page = browser.get(f"/dev/lens/{sight.request_id}").content.decode()
    assert SECRET in page
    assert "/dev/table?pk=u%23" in page


@pytest.mark.usefixtures("developing")
def test_developers_close_it_too(alice, log_in):
    browser = log_in(alice)
    assert has_lens(browser.get("/"))
    browser.post("/dev/lens/open", {"on": "0"})
    assert not has_lens(browser.get("/"))


@pytest.mark.usefixtures("developing")
def test_a_key_asked_twice_is_marked(alice, log_in):
    post(alice)
    text = " ".join(Html(log_in(alice).get("/@alice")).one("details", id="lens").text.split())
    assert "asked twice" in text


@pytest.mark.usefixtures("developing")
def test_a_refused_condition_is_told(alice, bob, log_in):
    browser = log_in(alice)
    for _ in range(2):
        browser.post("/@bob/follow", {"on": "1"})
    page = Html(browser.get(f"/dev/lens/{kept_of(alice.user_id)[0].request_id}"))
    assert "TransactionCanceledException" in page.one(id="main").text
    assert "Refused, as this was not so:" in page.one(id="main").text
