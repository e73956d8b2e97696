"""Guesses never keep the owner out of a browser that the account knows; codes are slowed like passwords."""

import pytest
from django.conf import settings
from django.core.signing import TimestampSigner
from django.test import Client

from accounts.credentials.passwords import hash_password
from accounts.models import Credentials
from socialsite.table import change, keys
from tests.accounts.codes import enter_password, with_second_factor
from tests.accounts.slowed import COOKIE, assert_slowed, guess_until_slowed, known_browser, sign_in
from tests.conftest import PASSWORD

pytestmark = pytest.mark.usefixtures("clock", "few_tries")


@pytest.fixture
def few_tries(lane):
    """How many there are is said in `tests/accounts/test_slowed_sign_in.py`."""
    lane("PASSWORD_BY_ACCOUNT", free=3)


# Browsers that the account knows


def test_the_owner_gets_in_where_they_signed_in_before_however_many_guess(alice):
    browser = known_browser()
    guess_until_slowed()
    assert_slowed(sign_in(password=PASSWORD, address="203.0.113.1"))
    assert sign_in(password=PASSWORD, address="203.0.113.1", browser=browser).status_code == 302


def test_signing_up_makes_the_browser_known(table):
    browser = Client()
    new = {"handle": "dora", "name": "Dora", "email": "dora@example.org", "password": PASSWORD}
    browser.post("/signup", new)
    browser.post("/logout")
    guess_until_slowed("dora")
    assert sign_in("dora", PASSWORD, browser=browser).status_code == 302


def test_guesses_in_a_known_browser_are_slowed_too(alice, lane):
    lane("PASSWORD_BY_BROWSER", free=2)
    browser = known_browser()
    assert sign_in(browser=browser).status_code == sign_in(browser=browser).status_code == 422
    response = sign_in(password=PASSWORD, browser=browser)
    assert_slowed(response)
    assert "In a browser where you signed in before" not in response.content.decode()
    assert sign_in(password=PASSWORD).status_code == 302  # in another browser


def test_signing_in_again_brings_no_new_tries(alice, lane):
    lane("PASSWORD_BY_BROWSER", free=2)
    browser = known_browser()
    sign_in(browser=browser)
    assert sign_in(password=PASSWORD, browser=browser).status_code == 302
    browser.post("/logout")
    sign_in(browser=browser)
    assert_slowed(sign_in(browser=browser))


def test_a_browser_knows_several_accounts(alice, bob):
    browser = known_browser("alice")
    sign_in("bob", PASSWORD, browser=browser)
    browser.post("/logout")
    for account in ("alice", "bob"):
        guess_until_slowed(account)
        assert sign_in(account, PASSWORD, browser=browser).status_code == 302
        browser.post("/logout")


def test_the_mark_of_one_account_is_none_of_another(alice, bob):
    browser = known_browser("bob")
    guess_until_slowed("alice")
    assert_slowed(sign_in("alice", PASSWORD, browser=browser))


def test_a_mark_is_worth_nothing_after_the_password_changed(alice):
    browser = known_browser()
    guess_until_slowed()
    hashed = hash_password("a new one entirely")
    change(Credentials, keys.credentials(alice.user_id), [Credentials.password.set(hashed)])
    assert_slowed(sign_in(password="a new one entirely", browser=browser))


FORGED = {
    "another end": lambda mark, alice: mark[:-1] + ("A" if mark[-1] != "A" else "B"),
    "another start": lambda mark, alice: "x" + mark,
    "another secret": lambda mark, alice: TimestampSigner(
        salt=f"known browser {alice.user_id} "
    ).sign("made-up"),
    "another key": lambda mark, alice: TimestampSigner(key="another").sign("made-up"),
    "the account's id": lambda mark, alice: alice.user_id,
    "dots": lambda mark, alice: "." * 3000,
    "no text": lambda mark, alice: "\x00:\ud83d:x".encode("utf-8", "replace").decode(),
}


def test_a_mark_cannot_be_made_up(alice):
    mark = known_browser().cookies[COOKIE].value
    guess_until_slowed()
    answers = {}
    for name, forge in FORGED.items():
        browser = Client()
        browser.cookies[COOKIE] = forge(mark, alice)
        answers[name] = sign_in(password=PASSWORD, browser=browser).status_code
    assert answers == dict.fromkeys(FORGED, 429)


def test_a_mark_signs_nobody_in_and_names_nobody(alice):
    browser = known_browser()
    value = browser.cookies[COOKIE].value
    assert alice.user_id not in value
    assert "alice" not in value
    assert set(browser.cookies) >= {COOKIE}
    only_it = Client()
    only_it.cookies[COOKIE] = value
    assert only_it.get("/settings/profile")["Location"].startswith("/login")


def test_the_cookie_is_kept_from_scripts_and_other_sites(alice):
    cookie = known_browser().cookies[COOKIE]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    assert cookie["path"] == "/"
    assert not cookie["domain"]
    assert settings.DEVICE_COOKIE_NAME in ("device", "__Host-device")


# Codes


def test_codes_are_slowed_for_an_account_from_anywhere(alice, lane):
    lane("CODE_BY_ACCOUNT", free=2)
    app = with_second_factor(alice)
    for number in range(2):
        answer = enter_password(REMOTE_ADDR=f"192.0.2.{number}").post(
            "/login/code", {"code": app.wrong_code()}
        )
        assert answer.status_code == 422
    assert_slowed(enter_password().post("/login/code", {"code": app.code()}))


def test_codes_are_slowed_for_an_address_with_many_accounts(alice, bob, lane):
    lane("CODE_BY_ADDRESS", free=1)
    app, his = with_second_factor(alice), with_second_factor(bob)
    assert enter_password().post("/login/code", {"code": app.wrong_code()}).status_code == 422
    assert_slowed(enter_password("bob").post("/login/code", {"code": his.code()}))


def test_the_owner_enters_the_code_where_they_signed_in_before_however_many_guess(alice, lane):
    lane("CODE_BY_ACCOUNT", free=2)
    app = with_second_factor(alice)
    browser = enter_password()
    assert browser.post("/login/code", {"code": app.code()}).status_code == 302
    browser.post("/logout")
    for _ in range(2):
        assert enter_password().post("/login/code", {"code": app.wrong_code()}).status_code == 422
    assert_slowed(enter_password().post("/login/code", {"code": app.code()}))
    sign_in(password=PASSWORD, browser=browser)
    assert browser.post("/login/code", {"code": app.code()}).status_code == 302


def test_a_password_alone_makes_no_browser_known_where_a_code_is_asked_for(alice):
    with_second_factor(alice)
    assert COOKIE not in enter_password().cookies


def test_a_first_step_from_before_the_site_was_renewed_is_no_fault(alice):
    app = with_second_factor(alice)
    browser = enter_password()
    session = browser.session
    session["half"] = session["half"][:2]
    session.save()
    browser.cookies["session"] = session.session_key
    assert browser.post("/login/code", {"code": app.code()}).status_code == 302
