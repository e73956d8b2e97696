"""Moving two-step verification to another phone, which staff can do too: it is never off in between."""

import pyotp
import pytest
from django.conf import settings
from django.test import Client

from accounts.credentials.second_factor import WrongCode, encrypt_new_secret
from accounts.proof import views as proof
from accounts.security import views as security
from accounts.security.writes import replace_second_factor
from tests.accounts.codes import (
    App,
    credentials,
    enter_password,
    is_on,
    replaced,
    with_second_factor,
)
from tests.accounts.letters import send_letters
from tests.conftest import PASSWORD
from tests.web.html import Html

SECURITY = "/settings/security"
PAGE = f"{SECURITY}/replace"


@pytest.fixture
def app(mod, settings) -> App:
    """The old phone of a moderator, who may not turn it off."""
    settings.STAFF_SECOND_FACTOR = True
    return with_second_factor(mod)


def begin(browser: Client, code: str, password: str = PASSWORD):
    return browser.post(PAGE, {"password": password, "code": code})


def test_staff_move_it_to_a_new_phone_with_a_code_of_the_old_one(mod, app, log_in):
    browser = log_in(mod)
    assert Html(browser.get(SECURITY)).one("a", href=PAGE)
    new = replaced(browser, app)
    assert new.secret != app.secret
    assert len(set(new.recovery)) == 10
    assert enter_password("moddy").post("/login/code", {"code": app.same_code()}).status_code == 422
    assert enter_password("moddy").post("/login/code", {"code": new.code()}).status_code == 302
    assert browser.get("/moderation/queue").status_code == 200  # its code was a proof


def test_whose_phone_is_gone_takes_a_recovery_code_and_those_before_end(mod, app, log_in):
    browser = log_in(mod)
    assert "Recovery code" in browser.get(f"{PAGE}?recovery").content.decode()
    assert begin(browser, app.recovery[0])["Location"] == f"{PAGE}/set-up"
    assert begin(log_in(mod), app.recovery[0]).status_code == 422  # it counts once
    secret = Html(browser.get(f"{PAGE}/set-up")).one("code", class_="secret").text.replace(" ", "")
    assert browser.post(f"{PAGE}/set-up", {"code": pyotp.TOTP(secret).now()}).status_code == 200
    refused = enter_password("moddy").post("/login/code", {"code": app.recovery[1]})
    assert refused.status_code == 422


def test_until_the_new_phone_shows_a_code_the_old_one_counts(mod, app, log_in):
    browser, before = log_in(mod), credentials(mod).totp
    begin(browser, app.code())
    wrong = browser.post(f"{PAGE}/set-up", {"code": app.wrong_code()})
    assert wrong.status_code == 422
    assert Html(wrong).error("code")
    old = browser.post(f"{PAGE}/set-up", {"code": app.code()})
    assert old.status_code == 422  # of the old phone
    assert credentials(mod).totp == before
    assert is_on(mod)


@pytest.mark.parametrize("wrong", ["password", "code"])
def test_without_password_and_code_no_key_is_shown(mod, app, log_in, wrong):
    browser = log_in(mod)
    password = "not theirs" if wrong == "password" else PASSWORD
    refused = begin(browser, app.wrong_code() if wrong == "code" else app.code(), password)
    assert refused.status_code == 422
    assert Html(refused).error(wrong)
    assert browser.get(f"{PAGE}/set-up")["Location"] == SECURITY


def test_all_other_sign_ins_end_and_copies_of_the_cookie_with_them(mod, app, log_in):
    browser, other, thief = log_in(mod), log_in(mod), Client()
    begin(browser, app.code())
    name = settings.SESSION_COOKIE_NAME
    thief.cookies[name] = browser.cookies[name].value
    secret = Html(browser.get(f"{PAGE}/set-up")).one("code", class_="secret").text.replace(" ", "")
    assert other.get(SECURITY).status_code == thief.get(SECURITY).status_code == 200
    assert browser.post(f"{PAGE}/set-up", {"code": pyotp.TOTP(secret).now()}).status_code == 200
    assert browser.get(SECURITY).status_code == 200
    assert other.get(SECURITY)["Location"].startswith("/login")
    assert thief.get(SECURITY)["Location"].startswith("/login")


def test_the_first_code_sent_twice_replaces_it_once(mod, app, log_in):
    browser = log_in(mod)
    begin(browser, app.code())
    secret = Html(browser.get(f"{PAGE}/set-up")).one("code", class_="secret").text.replace(" ", "")
    form = {"code": pyotp.TOTP(secret).now()}
    assert browser.post(f"{PAGE}/set-up", form).status_code == 200
    after = credentials(mod).recovery
    assert browser.post(f"{PAGE}/set-up", form)["Location"] == SECURITY
    assert credentials(mod).recovery == after


def test_the_key_of_a_first_set_up_replaces_none(alice, log_in):
    browser = log_in(alice)
    browser.post(f"{SECURITY}/begin", {"password": PASSWORD})  # a password alone
    with_second_factor(alice)
    again = log_in(alice)
    again.cookies.load(browser.cookies)
    assert again.get(f"{PAGE}/set-up").status_code == 302


def test_it_took_too_long(mod, app, log_in, monkeypatch):
    monkeypatch.setattr(security, "SECONDS_TO_SET_UP", -1)
    browser = log_in(mod)
    begin(browser, app.code())
    assert browser.get(f"{PAGE}/set-up")["Location"] == SECURITY


def test_what_is_off_is_not_replaced(alice, log_in):
    browser = log_in(alice)
    assert browser.get(PAGE)["Location"] == SECURITY
    assert begin(browser, "123456")["Location"] == SECURITY
    secret = encrypt_new_secret(user_id=alice.user_id)
    with pytest.raises(WrongCode):
        replace_second_factor(by=alice, encrypted=secret, code="123456")
    assert not is_on(alice)


def test_a_letter_tells_of_it(mod, app, log_in):
    send_letters()
    replaced(log_in(mod), app)
    [letter] = send_letters()
    assert letter.subject == "Two-step verification has moved to another app"
    assert "@moddy" in letter.text


def test_tries_are_limited(mod, app, log_in, limit):
    limit(proof, "PROOFS_BY_ACCOUNT", 1)
    browser = log_in(mod)
    assert begin(browser, app.wrong_code()).status_code == 422
    assert begin(browser, app.code()).status_code == 429
