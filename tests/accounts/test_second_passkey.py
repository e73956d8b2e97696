"""A passkey as the second step after the password, for accounts with two-step verification."""

import pytest
from django.test import Client

from accounts.middleware import SESSION_USER
from accounts.sign_in import views
from tests.accounts.authenticator import Authenticator, add_to, asked
from tests.accounts.codes import App, enter_password, with_second_factor
from tests.accounts.slowed import assert_slowed
from tests.web.html import Html


@pytest.fixture
def app(alice, log_in, phone) -> App:
    """Alice has a passkey on her phone, and two-step verification."""
    add_to(alice, phone, log_in(alice))
    return with_second_factor(alice)


def use(browser: Client, device: Authenticator, **differing):
    answer = device.use(asked(browser.get("/login/code")), **differing)
    return browser.post("/login/code/passkey", {"credential": answer, "next": "/local"})


def test_after_the_password_a_passkey_does_instead_of_a_code(alice, app, phone):
    browser = enter_password()
    done = use(browser, phone)
    assert (done.status_code, done["Location"]) == (302, "/local")
    assert browser.session[SESSION_USER] == alice.user_id


def test_the_device_need_not_verify_its_owner_then(alice, app, phone):
    assert use(enter_password(), phone, verifies=False).status_code == 302


def test_the_page_asks_for_the_passkeys_of_this_account(alice, bob, app, phone, log_in):
    tablet = Authenticator()
    add_to(bob, tablet, log_in(bob))
    browser = enter_password()
    options = asked(browser.get("/login/code"))
    assert [one["transports"] for one in options["allowCredentials"]] == [["internal"]]
    assert options["userVerification"] == "discouraged"
    assert use(browser, tablet).status_code == 422
    assert SESSION_USER not in browser.session


def test_without_the_password_it_is_nothing(alice, app, phone):
    browser = Client()
    answer = phone.use(asked(browser.get("/login")), verifies=False)
    sent = browser.post("/login/code/passkey", {"credential": answer})
    assert sent["Location"].startswith("/login?")


def test_an_answer_counts_once(alice, app, phone):
    browser, other = enter_password(), enter_password()
    answer = phone.use(asked(browser.get("/login/code")))
    other.get("/login/code")
    assert other.post("/login/code/passkey", {"credential": answer}).status_code == 422
    assert browser.post("/login/code/passkey", {"credential": answer}).status_code == 302


def test_accounts_without_passkeys_are_not_asked(alice):
    with_second_factor(alice)
    assert not Html(enter_password().get("/login/code")).all("form", id="passkey")


def test_the_password_holds_for_five_minutes(alice, app, phone, monkeypatch):
    monkeypatch.setattr(views, "SECONDS_FOR_CODE", -1)
    sent = enter_password().post("/login/code/passkey", {"credential": "{}"})
    assert sent["Location"].startswith("/login?")


def test_tries_count_with_those_of_codes(alice, app, phone, lane, clock):
    lane("CODE_BY_ACCOUNT", free=2)
    browser = enter_password()
    browser.cookies.pop("device", None)
    for _ in range(2):
        assert use(browser, phone, origin="https://evil.example").status_code == 422
    assert assert_slowed(use(browser, phone)) > 0


def test_offering_a_passkey_reads_nothing_on_the_sign_in_page(alice, app, measure):
    with measure() as meter:
        assert Html(Client().get("/login")).all("form", id="passkey")
    assert meter.calls == []
