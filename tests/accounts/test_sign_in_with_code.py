"""Signing in with a second factor: after the password comes a code, within five minutes, and not too many of them."""

import time
from dataclasses import replace

import pytest
from django.test import Client

from accounts.middleware import SESSION_USER
from accounts.proof import views as proof
from accounts.sign_in import browsers
from accounts.sign_in import views as sign_in
from socialsite.table import keys, query
from tests.accounts.codes import enter_password, with_second_factor
from tests.conftest import PASSWORD
from tests.web.html import Html
from tests.web.naughty import SOME


def test_after_the_password_comes_the_code(alice):
    app = with_second_factor(alice)
    browser = Client()
    form = {"account": "alice", "password": PASSWORD, "next": "/local"}
    response = browser.post("/login", form)
    assert (response.status_code, response["Location"]) == (302, "/login/code?next=%2Flocal")
    assert SESSION_USER not in browser.session
    assert browser.get("/settings/profile")["Location"].startswith("/login")
    assert not list(query(keys.sign_ins(alice.user_id)))
    done = browser.post("/login/code", {"code": app.code(), "next": "/local"})
    assert (done.status_code, done["Location"]) == (302, "/local")
    assert browser.get("/settings/profile").status_code == 200


def test_a_recovery_code_does_instead(alice):
    app = with_second_factor(alice)
    browser = enter_password()
    page = Html(browser.get("/login/code?recovery"))
    assert page.one("input", name="code")["inputmode"] == "text"
    assert browser.post("/login/code?recovery", {"code": app.recovery[3]}).status_code == 302
    assert browser.session[SESSION_USER] == alice.user_id


def test_a_wrong_code_is_said_beside_it_and_signs_nobody_in(alice):
    app = with_second_factor(alice)
    browser = enter_password()
    response = browser.post("/login/code", {"code": app.wrong_code()})
    assert response.status_code == 422
    assert "already been used" in Html(response).error("code")
    assert SESSION_USER not in browser.session


def test_a_code_is_worth_nothing_in_a_second_browser(alice):
    app = with_second_factor(alice)
    one, other = enter_password(), enter_password()
    code = app.code()
    assert one.post("/login/code", {"code": code}).status_code == 302
    assert other.post("/login/code", {"code": code}).status_code == 422


def test_a_code_without_the_password_leads_to_the_password(alice):
    app = with_second_factor(alice)
    response = Client().post("/login/code", {"code": app.code(), "next": "/local"})
    assert response["Location"] == "/login?next=%2Flocal"


def test_a_password_of_somebody_else_does_not_help(alice, bob):
    app = with_second_factor(alice)
    with_second_factor(bob)
    assert enter_password("bob").post("/login/code", {"code": app.code()}).status_code == 422


def test_the_password_holds_for_five_minutes(alice, monkeypatch):
    app = with_second_factor(alice)
    monkeypatch.setattr(sign_in, "SECONDS_FOR_CODE", -1)
    browser = enter_password()
    response = browser.post("/login/code", {"code": app.code()}, follow=True)
    assert response.redirect_chain[0][0].startswith("/login?")
    assert "That took a while" in response.content.decode()
    assert SESSION_USER not in browser.session


def test_how_long_the_password_holds_cannot_be_altered(alice):
    app = with_second_factor(alice)
    browser = enter_password()
    until = browser.session[sign_in.SESSION_HALF][1]
    assert until - time.time() <= 300
    browser.cookies["session"] = browser.cookies["session"].value[:-3] + "xyz"
    assert browser.post("/login/code", {"code": app.code()})["Location"].startswith("/login?")


def test_a_wrong_password_looks_the_same_with_a_second_factor(alice, bob):
    with_second_factor(alice)
    answers = [
        Client().post("/login", {"account": account, "password": "wrong for sure"})
        for account in ("alice", "bob", "nobody_here")
    ]
    assert {answer.status_code for answer in answers} == {422}
    assert len({len(answer.headers) for answer in answers}) == 1


@pytest.mark.parametrize("path", ["/login/code", "/settings/security/turn-off", "/confirm"])
def test_any_text_is_refused_beside_the_field_it_was_typed_in(
    alice, log_in, limit, monkeypatch, path
):
    for name in ("CODE_BY_ACCOUNT", "CODE_BY_ADDRESS"):
        monkeypatch.setattr(browsers, name, replace(getattr(browsers, name), free=10_000))
    for name in ("PROOFS_BY_ACCOUNT", "PROOFS_BY_ADDRESS", "PROOFS_A_DAY"):
        limit(proof, name, 10_000)
    with_second_factor(alice)
    browser = enter_password() if path == "/login/code" else log_in(alice)
    for text in SOME:
        form = {"password": PASSWORD, "code": text}
        response = browser.post(path, form)
        assert response.status_code == 422, text[:40]
        assert Html(response).error("code"), text[:40]
