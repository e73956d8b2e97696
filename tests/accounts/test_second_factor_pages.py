"""Setting the second factor up, new recovery codes, turning it off: page by page."""

import re

import pyotp
import pytest
from django.conf import settings
from django.test import Client

from accounts.middleware import SESSION_USER
from accounts.proof import views as proof
from accounts.security import views as security
from tests.accounts.scenes import enter_password, is_on, with_second_factor
from tests.conftest import PASSWORD
from tests.web.html import Html

PAGE = "/settings/security"
CODE = re.compile(r"^[2-9a-z]{5}-[2-9a-z]{5}$")


def begin(browser, password: str = PASSWORD):
    return browser.post(f"{PAGE}/begin", {"password": password})


def shown_secret(browser) -> str:
    return Html(browser.get(f"{PAGE}/set-up")).one("code", class_="secret").text.replace(" ", "")


def shown_codes(response) -> list[str]:
    return [code.text for code in Html(response).all("code") if CODE.match(code.text)]


# Setting it up


def test_it_is_set_up_with_password_secret_and_first_code(alice, log_in):
    browser = log_in(alice)
    response = begin(browser)
    assert (response.status_code, response["Location"]) == (302, f"{PAGE}/set-up")
    done = browser.post(f"{PAGE}/set-up", {"code": pyotp.TOTP(shown_secret(browser)).now()})
    assert done.status_code == 200
    assert len(set(shown_codes(done))) == 10
    assert is_on(alice)
    assert "10 recovery codes left" in browser.get(PAGE).content.decode()


def test_a_wrong_password_begins_nothing(alice, log_in):
    browser = log_in(alice)
    response = begin(browser, "not hers at all")
    assert response.status_code == 422
    assert Html(response).error("password")
    assert "not hers at all" not in response.content.decode()
    assert browser.get(f"{PAGE}/set-up")["Location"] == PAGE


def test_without_its_code_it_is_not_on(alice, log_in):
    browser = log_in(alice)
    begin(browser)
    secret = shown_secret(browser)
    for code in ("", "000000", "abc"):
        response = browser.post(f"{PAGE}/set-up", {"code": code})
        if pyotp.TOTP(secret).verify(code, valid_window=1):
            continue
        assert response.status_code == 422
        assert Html(response).error("code")
    assert shown_secret(browser) == secret
    assert not is_on(alice)


def test_the_secret_is_never_one_that_the_form_names(alice, log_in):
    browser = log_in(alice)
    chosen = pyotp.random_base32()
    form = {"password": PASSWORD, "secret": chosen, "encrypted": chosen, "totp": chosen}
    browser.post(f"{PAGE}/begin", form)
    assert shown_secret(browser) != chosen
    browser.post(f"{PAGE}/set-up", form | {"code": pyotp.TOTP(chosen).now()})
    assert not is_on(alice)


def test_the_set_up_is_of_the_browser_that_gave_the_password(alice, log_in):
    browser, other = log_in(alice), log_in(alice)
    begin(browser)
    assert other.get(f"{PAGE}/set-up")["Location"] == PAGE


def test_a_set_up_that_took_too_long_begins_anew(alice, log_in, monkeypatch):
    monkeypatch.setattr(security, "SECONDS_TO_SET_UP", -1)
    browser = log_in(alice)
    begin(browser)
    assert browser.get(f"{PAGE}/set-up")["Location"] == PAGE


def test_the_page_holds_the_secret_as_picture_text_and_address(alice, log_in):
    browser = log_in(alice)
    begin(browser)
    response = browser.get(f"{PAGE}/set-up")
    page, secret = Html(response), shown_secret(browser)
    assert page.one("img", class_="qr")["src"].startswith("data:image/svg+xml")
    assert page.one("img", class_="qr")["alt"]
    address = next(a["href"] for a in page.all("a") if a["href"].startswith("otpauth:"))
    assert pyotp.parse_uri(address).secret == secret
    assert (pyotp.parse_uri(address).name, pyotp.parse_uri(address).issuer) == (
        "alice",
        "socialsite",
    )
    assert "no-store" in response["Cache-Control"]


def test_the_first_code_sent_twice_turns_it_on_once(alice, log_in):
    browser = log_in(alice)
    begin(browser)
    code = pyotp.TOTP(shown_secret(browser)).now()
    first = browser.post(f"{PAGE}/set-up", {"code": code})
    again = browser.post(f"{PAGE}/set-up", {"code": code})
    assert len(shown_codes(first)) == 10
    assert (again.status_code, again["Location"]) == (302, PAGE)


# New recovery codes, and turning it off


def test_new_recovery_codes_take_the_place_of_those_before(alice, log_in):
    app = with_second_factor(alice)
    form = {"password": PASSWORD, "code": app.code()}
    response = log_in(alice).post(f"{PAGE}/recovery", form)
    fresh = shown_codes(response)
    assert len(set(fresh)) == 10
    assert not set(fresh) & set(app.recovery)
    assert enter_password().post("/login/code", {"code": app.recovery[0]}).status_code == 422
    assert enter_password().post("/login/code", {"code": fresh[0]}).status_code == 302


def test_a_recovery_code_is_enough_for_new_ones(alice, log_in):
    app = with_second_factor(alice)
    form = {"password": PASSWORD, "code": app.recovery[9]}
    assert len(shown_codes(log_in(alice).post(f"{PAGE}/recovery?recovery", form))) == 10


@pytest.mark.parametrize("path", ["/recovery", "/turn-off"])
@pytest.mark.parametrize("wrong", ["password", "code"])
def test_neither_goes_without_password_and_code(alice, log_in, path, wrong):
    app = with_second_factor(alice)
    code = app.code()
    form = {"password": PASSWORD, "code": code}
    form[wrong] = "not hers at all" if wrong == "password" else app.wrong_code()
    response = log_in(alice).post(PAGE + path, form)
    assert response.status_code == 422
    assert Html(response).error(wrong)
    assert is_on(alice)
    # A wrong password uses no code up.
    assert enter_password().post("/login/code", {"code": code}).status_code == 302


@pytest.mark.parametrize("path", ["/recovery", "/turn-off"])
def test_neither_is_there_while_it_is_off(alice, log_in, path):
    form = {"password": PASSWORD, "code": "123456"}
    assert log_in(alice).get(PAGE + path)["Location"] == PAGE
    assert log_in(alice).post(PAGE + path, form)["Location"] == PAGE


def test_it_is_turned_off_and_the_password_is_enough_again(alice, log_in):
    app = with_second_factor(alice)
    browser = log_in(alice)
    form = {"password": PASSWORD, "code": app.code()}
    assert browser.post(f"{PAGE}/turn-off", form)["Location"] == PAGE
    assert browser.post(f"{PAGE}/turn-off", form)["Location"] == PAGE
    assert not is_on(alice)
    assert enter_password().session[SESSION_USER] == alice.user_id


@pytest.mark.parametrize("path", ["/set-up", "/recovery", "/turn-off"])
def test_every_change_ends_the_sign_ins_of_all_other_browsers(alice, bob, log_in, path):
    app = None if path == "/set-up" else with_second_factor(alice)
    browser, other, his = log_in(alice), log_in(alice), log_in(bob)
    if app is None:
        begin(browser)
        form = {"code": pyotp.TOTP(shown_secret(browser)).now()}
    else:
        form = {"password": PASSWORD, "code": app.code()}
    assert "signs you out in every other browser" in browser.get(PAGE + path).content.decode()
    thief = Client()  # with a copy of her cookie
    thief.cookies[settings.SESSION_COOKIE_NAME] = browser.cookies[
        settings.SESSION_COOKIE_NAME
    ].value
    assert other.get(PAGE).status_code == thief.get(PAGE).status_code == 200
    assert browser.post(PAGE + path, form).status_code in (200, 302)
    assert browser.get(PAGE).status_code == 200
    assert other.get(PAGE)["Location"].startswith("/login")
    assert thief.get(PAGE)["Location"].startswith("/login")
    assert his.get(PAGE).status_code == 200


@pytest.mark.parametrize("path", ["/recovery", "/turn-off"])
def test_a_wrong_code_ends_none(alice, log_in, path):
    app = with_second_factor(alice)
    browser, other = log_in(alice), log_in(alice)
    form = {"password": PASSWORD, "code": app.wrong_code()}
    assert browser.post(PAGE + path, form).status_code == 422
    assert other.get(PAGE).status_code == 200


def test_staff_do_not_turn_it_off(mod, log_in, settings):
    settings.STAFF_SECOND_FACTOR = True
    app = with_second_factor(mod)
    browser = log_in(mod)
    assert not Html(browser.get(PAGE)).all("a", href=f"{PAGE}/turn-off")
    response = browser.post(f"{PAGE}/turn-off", {"password": PASSWORD, "code": app.code()})
    assert response.status_code == 422
    assert "can’t turn it off" in Html(response).one(class_="form-errors").text
    assert is_on(mod)


def test_passwords_are_limited_on_these_pages_too(alice, log_in, limit):
    limit(proof, "PROOFS_BY_ACCOUNT", 2)
    app = with_second_factor(alice)
    form = {"password": "not hers at all", "code": app.code()}
    assert log_in(alice).post(f"{PAGE}/turn-off", form).status_code == 422
    assert log_in(alice).post(f"{PAGE}/recovery", form).status_code == 422
    form["password"] = PASSWORD
    for path in ("/turn-off", "/recovery", "/begin"):
        assert log_in(alice).post(PAGE + path, form).status_code == 429
    assert is_on(alice)
