"""The second factor: which codes count, what is kept, and moving it to another phone."""

from dataclasses import replace
from functools import partial

import pyotp
import pytest
from cryptography.exceptions import InvalidTag
from django.conf import settings
from django.test import Client

from accounts.credentials.passwords import WrongPassword
from accounts.credentials.second_factor import (
    RECOVERY_CODES,
    WrongCode,
    decrypt_secret,
    encrypt_new_secret,
    get_second_factor,
    hash_recovery_code,
    matching_step,
)
from accounts.models import Credentials
from accounts.proof import views as proof
from accounts.security import views as security
from accounts.security.writes import (
    AlreadyOn,
    begin_second_factor,
    replace_second_factor,
    reset_second_factor,
    turn_on_second_factor,
)
from accounts.sign_in.writes import sign_in_with_code
from socialsite.table import change, keys, query
from socialsite.table.reading import scan
from tests.accounts.scenes import (
    App,
    check_credentials,
    credentials,
    enter_password,
    in_browser,
    is_on,
    replaced,
    send_letters,
    with_second_factor,
)
from tests.conftest import PASSWORD, epoch_of
from tests.together import together
from tests.web.html import Html

RFC_SECRET = (
    "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"  # of RFC 6238, appendix B, with its codes' last six digits
)
RFC_CODES = {59: "287082", 1111111109: "081804", 1234567890: "005924", 20000000000: "353130"}


@pytest.mark.parametrize(("moment", "code"), RFC_CODES.items())
def test_codes_are_those_of_the_rfc(moment, code):
    assert matching_step(RFC_SECRET, code, now=moment) == moment // 30


@pytest.mark.parametrize("seconds", [-30, 0, 30])
def test_a_clock_may_be_one_step_off(seconds):
    assert matching_step(RFC_SECRET, "005924", now=1234567890 + seconds) == 1234567890 // 30


@pytest.mark.parametrize("seconds", [-60, 60, 3600])
def test_a_clock_may_not_be_two_steps_off(seconds):
    with pytest.raises(WrongCode):
        matching_step(RFC_SECRET, "005924", now=1234567890 + seconds)


def test_a_code_counts_once(alice):
    app = with_second_factor(alice)
    code = app.code()
    assert app.sign_in(code)
    with pytest.raises(WrongCode):
        app.sign_in(code)
    assert app.sign_in(app.code())


def test_a_code_of_before_the_last_does_not_count(alice):
    app = with_second_factor(alice)
    code = app.code()
    later = 2**32
    key = keys.credentials(alice.user_id)
    change(Credentials, key, [Credentials.totp_step.set(later)])
    with pytest.raises(WrongCode):
        app.sign_in(code)


@pytest.mark.parametrize("spelling", ["{}", " {} ", "{0[0]}{0[1]}{0[2]} {0[3]}{0[4]}{0[5]}"])
def test_a_code_may_be_typed_with_spaces(alice, spelling):
    app = with_second_factor(alice)
    assert app.sign_in(spelling.format(app.code()))


@pytest.mark.parametrize(
    "code", ["", "12345", "1234567", "abcdef", "１２３４５６", "é" * 6, "-", "0" * 6000]
)
def test_what_is_no_code_is_refused(alice, code):
    with pytest.raises(WrongCode):
        with_second_factor(alice).sign_in(code)


def test_a_code_of_somebody_else_is_refused(alice, bob):
    hers, his = with_second_factor(alice), with_second_factor(bob)
    with pytest.raises(WrongCode):
        hers.sign_in(his.code())
    with pytest.raises(WrongCode):
        hers.sign_in(his.recovery[0])


@pytest.mark.parametrize("spelling", [str, str.upper, lambda code: code.replace("-", " ")])
def test_a_recovery_code_counts_once_however_it_is_typed(alice, spelling):
    app = with_second_factor(alice)
    assert app.sign_in(spelling(app.recovery[0]))
    assert get_second_factor(alice.user_id).recovery_left == RECOVERY_CODES - 1
    with pytest.raises(WrongCode):
        app.sign_in(app.recovery[0])


def test_one_recovery_code_looks_different_for_each_person(alice, bob):
    hashes = {hash_recovery_code("abcde-fghjk", user_id=who.user_id) for who in (alice, bob)}
    assert len(hashes) == 2


def test_each_of_the_ten_recovery_codes_counts_and_then_none(alice):
    app = with_second_factor(alice)
    for code in app.recovery:
        assert app.sign_in(code)
    factor = get_second_factor(alice.user_id)
    assert (factor.is_on, factor.recovery_left) == (True, 0)
    assert app.sign_in(app.code())


@pytest.mark.engines(
    "embedded", "dynamodb-local", reason="moto does not hold transactions apart from each other"
)
@pytest.mark.parametrize("kind", ["code", "recovery"])
def test_of_browsers_that_send_one_code_at_once_one_wins(alice, kind):
    app = with_second_factor(alice)
    code = app.code() if kind == "code" else app.recovery[0]
    results = together(*[partial(app.sign_in, code)] * 6)
    assert sum(isinstance(result, str) for result in results) == 1
    assert sum(isinstance(result, WrongCode) for result in results) == 5
    assert len(list(query(keys.sign_ins(alice.user_id), consistent=True))) == 1


def test_the_table_holds_neither_secret_nor_recovery_codes(alice):
    app = with_second_factor(alice)
    everything = repr(list(scan()))
    assert app.secret not in everything
    for code in app.recovery:
        assert code not in everything
        assert code.replace("-", "") not in everything


def test_a_secret_copied_to_somebody_else_is_refused(alice, bob):
    with_second_factor(alice)
    with pytest.raises(InvalidTag):
        decrypt_secret(credentials(alice).totp, user_id=bob.user_id)


def test_beginning_asks_for_the_password_and_keeps_nothing(alice, log_in):
    by = in_browser(alice, log_in(alice))
    with pytest.raises(WrongPassword):
        begin_second_factor(by=by, password="not hers at all")
    encrypted = begin_second_factor(by=by, password=PASSWORD)
    assert decrypt_secret(encrypted, user_id=alice.user_id)
    assert not get_second_factor(alice.user_id).is_on


def test_it_is_not_set_up_over_one_that_is_on(alice, log_in):
    by, app = in_browser(alice, log_in(alice)), with_second_factor(alice)
    with pytest.raises(AlreadyOn):
        begin_second_factor(by=by, password=PASSWORD)
    encrypted = encrypt_new_secret(user_id=alice.user_id)
    other = decrypt_secret(encrypted, user_id=alice.user_id)
    with pytest.raises(AlreadyOn):
        turn_on_second_factor(
            by=by, encrypted=encrypted, code=replace(app, secret=other).same_code()
        )
    assert app.sign_in(app.code())


def test_the_password_alone_says_that_a_code_is_missing(alice):
    assert not check_credentials(account="alice", password=PASSWORD).has_second_factor
    with_second_factor(alice)
    assert check_credentials(account="alice", password=PASSWORD).has_second_factor


def test_a_lost_phone_is_taken_off_with_every_sign_in(alice, log_in):
    with_second_factor(alice)
    browser = log_in(alice)
    reset_second_factor(user_id=alice.user_id)
    assert browser.get("/settings/security").status_code == 302
    kept = credentials(alice)
    assert (kept.totp, kept.totp_step, kept.recovery) == (None, None, None)
    assert check_credentials(account="alice", password=PASSWORD).user_id == alice.user_id


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_signing_in_with_a_code_takes_two_calls(alice, measure):
    app = with_second_factor(alice)
    code, epoch = app.code(), epoch_of(alice)
    with measure() as meter:
        sign_in_with_code(user_id=alice.user_id, code=code, browser="tests", epoch=epoch)
    assert [call.operation for call in meter.calls] == ["BatchGetItem", "TransactWriteItems"]
    assert (meter.read_units, meter.write_units) == (1, 6)


# Moving two-step verification to another phone, which staff can do too: it is never off in between.

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
