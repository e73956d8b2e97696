"""Changing a password: it needs the old one, ends every other sign-in, and refuses what is easily guessed."""

import pyotp
import pytest
from django.test import Client

from accounts.credentials.passwords import WrongPassword
from accounts.middleware import SESSION_SECRET
from accounts.proof import views
from accounts.security.writes import change_password
from accounts.sessions import MOST_AT_ONCE, end_other_sign_ins
from accounts.sign_in.writes import find_account, sign_in
from socialsite.table import keys, query
from socialsite.table.reading import scan
from tests.accounts.codes import in_browser, with_second_factor
from tests.accounts.credentials import check_credentials
from tests.conftest import PASSWORD, epoch_of
from tests.looks import broken_invariants
from tests.together import together
from tests.web.html import Html

PAGE = "/settings/password"
NEW = "a quieter battery staple"


def send(browser: Client, password: str = PASSWORD, new: str = NEW, **more: str):
    return browser.post(PAGE, {"password": password, "new_password": new} | more)


def is_signed_in(browser: Client) -> bool:
    return browser.get("/settings/profile").status_code == 200


def opens_account(password: str) -> bool:
    try:
        return bool(check_credentials(account="alice", password=password))
    except WrongPassword:
        return False


def test_the_new_password_takes_the_place_of_the_old(alice, log_in):
    response = send(log_in(alice))
    assert (response.status_code, response["Location"]) == (302, "/settings/security")
    assert (opens_account(NEW), opens_account(PASSWORD)) == (True, False)
    assert NEW not in str(list(scan()))


def test_every_other_sign_in_ends_and_this_one_gets_a_new_secret(alice, bob, log_in):
    here, other, bobs = log_in(alice), log_in(alice), log_in(bob)
    stolen = Client()
    stolen.cookies = here.cookies.copy()
    before = here.session[SESSION_SECRET]
    send(here)
    assert [is_signed_in(browser) for browser in (here, bobs, other, stolen)] == [
        True,
        True,
        False,
        False,
    ]
    assert here.session[SESSION_SECRET] != before
    assert len(list(query(keys.sign_ins(alice.user_id)))) == 1


def test_a_sign_in_begun_with_the_old_password_is_refused(alice, log_in):
    """The right password was typed a moment before the change, and the sign-in is written a moment after it."""
    found = find_account("alice")
    send(log_in(alice))
    with pytest.raises(WrongPassword):
        sign_in(user_id=found.user_id, browser="tests", epoch=found.epoch)


def test_a_code_asked_for_with_the_old_password_signs_nobody_in(alice, log_in):
    app = with_second_factor(alice)
    half = Client()
    half.post("/login", {"account": "alice", "password": PASSWORD})
    assert send(log_in(alice), code=app.code()).status_code == 302
    response = half.post("/login/code", {"code": app.code()})
    assert response["Location"].startswith("/login?")
    assert not is_signed_in(half)


@pytest.mark.engines(
    "embedded", "dynamodb-local", reason="moto does not hold transactions apart from each other"
)
def test_two_changes_at_once_are_one(alice, log_in, drain_stream):
    browsers = [log_in(alice) for _ in range(4)]
    answers = together(
        *(
            lambda n=n, browser=browser: send(browser, new=f"{NEW} {n}")
            for n, browser in enumerate(browsers)
        )
    )
    done = [
        answer
        for answer in answers
        if answer.status_code == 302 and "login" not in answer["Location"]
    ]
    assert len(done) == 1
    assert sum(is_signed_in(browser) for browser in browsers) == 1
    assert sum(opens_account(f"{NEW} {n}") for n in range(4)) == 1
    drain_stream()
    assert not broken_invariants()


def test_the_form_sent_again_changes_nothing_more(alice, log_in):
    browser = log_in(alice)
    send(browser)
    again = send(browser)
    assert again.status_code == 422
    assert Html(again).error("password")
    assert epoch_of(alice) == 1


@pytest.mark.parametrize(
    ("new", "why"),
    [
        ("elevenchars", "short"),
        ("1qaz2wsx3edc", "easy to guess"),
        ("ILoveYouForever", "easy to guess"),
        ("123456789012345", "easy to guess"),
        ("Socialsite for ever", "easy to guess"),
        ("call me Alice here", "contain"),
        (PASSWORD, "already"),
        ("", "Fill this in"),
    ],
)
def test_an_easy_password_is_refused_beside_its_field(alice, log_in, new, why):
    response = send(log_in(alice), new=new)
    assert response.status_code == 422
    assert why in Html(response).error("new_password")
    assert opens_account(PASSWORD)
    assert not new or new not in response.content.decode()


def test_a_password_may_be_made_of_anything(alice, log_in):
    assert send(log_in(alice), new="839201756402139").status_code == 302
    assert opens_account("839201756402139")


def test_a_wrong_password_changes_nothing_and_tries_are_limited(alice, log_in, limit):
    browser, other = log_in(alice), log_in(alice)
    limit(views, "PROOFS_BY_ACCOUNT", 2)
    for _ in range(2):
        response = send(browser, "not hers at all")
        assert response.status_code == 422
        assert Html(response).error("password")
    assert send(browser).status_code == 429
    assert is_signed_in(other)
    assert opens_account(PASSWORD)


def test_with_two_step_verification_it_takes_a_code_that_is_then_used_up(alice, log_in):
    app = with_second_factor(alice)
    browser = log_in(alice)
    assert Html(send(browser, code=app.wrong_code())).error("code")
    code = app.code()
    assert send(browser, code=code).status_code == 302
    assert send(browser, NEW, "another long battery", code=code).status_code == 422
    assert pyotp.TOTP(app.secret).verify(code, valid_window=1)


def test_looking_changes_nothing(alice, log_in):
    browser = log_in(alice)
    page = Html(browser.get(PAGE, {"password": PASSWORD, "new_password": NEW}))
    assert page.one("input", name="new_password")["autocomplete"] == "new-password"
    assert opens_account(PASSWORD)


def test_the_buttons_that_show_a_password_wait_for_their_script(alice, log_in):
    buttons = Html(log_in(alice).get(PAGE)).all("button", class_="show-password")
    assert len(buttons) == 2
    assert all("hidden" in button.attributes for button in buttons)


def test_more_sign_ins_than_a_transaction_takes_all_end(alice, log_in):
    browsers = [log_in(alice) for _ in range(3)]
    for _ in range(MOST_AT_ONCE + 5):
        sign_in(user_id=alice.user_id, browser="tests")
    assert end_other_sign_ins(by=in_browser(alice, browsers[0])) == MOST_AT_ONCE + 7
    assert [is_signed_in(browser) for browser in browsers] == [True, False, False]
    assert len(list(query(keys.sign_ins(alice.user_id)))) == 1


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_it_takes_one_transaction(alice, log_in, measure):
    by = in_browser(alice, log_in(alice))
    with measure() as meter:
        change_password(by=by, password=PASSWORD, new_password=NEW, browser="tests")
    called = [call.operation for call in meter.calls]
    assert called == ["BatchGetItem", "Query", "TransactWriteItems"]
    assert (meter.read_units, meter.write_units) == (2, 8 + 2)
