"""Signing in: by handle or email; a wrong password and an unknown account look the same."""

import re

import pytest
from django.conf import settings
from django.test import Client

from accounts.middleware import SESSION_SECRET, SESSION_USER
from socialsite.table import keys, query
from socialsite.table.reading import scan
from tests.conftest import HTMX, PASSWORD, hash_secret
from tests.web.html import Html


def sign_in(account: str, password: str = PASSWORD, **extra):
    return Client().post("/login", {"account": account, "password": password}, **extra)


def without_id(response) -> dict[str, str]:
    differing = ("X-Request-ID", "Expires")  # the second tells the moment
    return {name: value for name, value in response.headers.items() if name not in differing}


def without_tokens(response) -> str:
    chance = r'name="csrfmiddlewaretoken" value="\w+"|challenge&quot;: &quot;[\w-]+'
    return re.sub(chance, "", response.content.decode())


@pytest.mark.parametrize("account", ["alice", "@alice", "ALICE", " alice ", "alice@example.org"])
def test_one_signs_in_by_handle_and_by_e_mail(alice, account):
    browser = Client()
    response = browser.post("/login", {"account": account, "password": PASSWORD})
    assert (response.status_code, response["Location"]) == (302, "/")
    assert browser.session[SESSION_USER] == alice.user_id
    assert Html(browser.get("/")).one("button", formaction="/logout")


def test_signing_in_over_htmx_does_the_same(alice):
    assert sign_in("alice", headers=HTMX).status_code == 302


def test_the_page_shows_the_form_and_signs_nobody_in(alice):
    browser = Client()
    response = browser.get("/login", {"account": "alice", "password": PASSWORD})
    assert response.status_code == 200
    assert Html(response).value("account") == ""
    assert SESSION_USER not in browser.session


def test_an_unknown_account_and_a_wrong_password_get_the_same_answer(alice):
    wrong = sign_in("alice", "not her password")
    unknown = sign_in("aliki", "not her password")
    by_email = sign_in("aliki@example.org", "not her password")
    assert wrong.status_code == unknown.status_code == by_email.status_code == 422
    assert without_id(wrong) == without_id(unknown)
    texts = [
        without_tokens(wrong),
        without_tokens(unknown).replace("aliki", "alice"),
        without_tokens(by_email).replace("aliki@example.org", "alice"),
    ]
    assert texts[0] == texts[1] == texts[2]
    assert "don’t match" in texts[0]


def test_a_refused_sign_in_keeps_the_account_and_not_the_password(alice):
    response = sign_in("alice", "a wrong one entirely")
    assert Html(response).value("account") == "alice"
    assert "a wrong one entirely" not in response.content.decode()


@pytest.mark.parametrize("field", ["account", "password"])
def test_an_empty_field_is_said_beside_it(alice, field):
    form = {"account": "alice", "password": PASSWORD} | {field: ""}
    response = Client().post("/login", form)
    assert response.status_code == 422
    assert Html(response).error(field)


def test_the_password_counts_to_the_letter(alice):
    for near in (PASSWORD.upper(), f" {PASSWORD}", f"{PASSWORD} ", PASSWORD[:-1]):
        assert sign_in("alice", near).status_code == 422


def test_the_table_holds_only_the_hash_of_the_secret(alice):
    browser = Client()
    browser.post("/login", {"account": "alice", "password": PASSWORD})
    secret = browser.session[SESSION_SECRET]
    rows = list(query(keys.sign_ins(alice.user_id)))
    assert [row["secret_hash"]["S"] for row in rows] == [hash_secret(secret)]
    assert secret not in str(list(scan()))


def test_the_table_holds_no_password_that_can_be_read(alice):
    assert PASSWORD not in str(list(scan()))


def test_each_browser_gets_a_secret_of_its_own(alice):
    secrets = set()
    for _ in range(2):
        browser = Client()
        browser.post("/login", {"account": "alice", "password": PASSWORD})
        secrets.add(browser.session[SESSION_SECRET])
    assert len(secrets) == 2


def test_a_token_from_before_the_sign_in_is_worth_nothing_after_it(alice):
    browser = Client(enforce_csrf_checks=True)
    before = Html(browser.get("/login")).value("csrfmiddlewaretoken")
    form = {"account": "alice", "password": PASSWORD, "csrfmiddlewaretoken": before}
    assert browser.post("/login", form).status_code == 302
    assert browser.post("/logout", {"csrfmiddlewaretoken": before}).status_code == 403


def test_somebody_signed_in_is_sent_on(alice, log_in):
    response = log_in(alice).get("/login?next=/local")
    assert (response.status_code, response["Location"]) == (302, "/local")


def test_the_session_cookie_is_out_of_the_reach_of_scripts(alice):
    browser = Client()
    browser.post("/login", {"account": "alice", "password": PASSWORD})
    cookie = browser.cookies[settings.SESSION_COOKIE_NAME]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
