"""The second factor itself: which codes count, each once, and what the table keeps of it."""

from dataclasses import replace
from functools import partial

import pytest
from cryptography.exceptions import InvalidTag

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
from accounts.security.writes import (
    AlreadyOn,
    begin_second_factor,
    reset_second_factor,
    turn_on_second_factor,
)
from accounts.sign_in.writes import sign_in_with_code
from socialsite.table import change, keys, query
from socialsite.table.reading import scan
from tests.accounts.codes import credentials, in_browser, with_second_factor
from tests.accounts.credentials import check_credentials
from tests.conftest import PASSWORD, epoch_of
from tests.together import together

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
