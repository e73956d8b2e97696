"""Confirming that it is oneself: with the password, and the code of who has a second factor."""

from datetime import UTC, datetime, timedelta

import pytest
from django.conf import settings
from django.test import Client

from accounts.credentials.passwords import WrongPassword
from accounts.models import SignIn
from accounts.people.restrictions import Restriction
from accounts.people.viewer import BY_CODE, BY_PASSWORD, VISITOR
from accounts.proof import views
from accounts.proof.writes import prove_identity
from accounts.sessions import get_viewer, sign_out
from socialsite.table import NotFound, change, get, keys, query
from tests.accounts.codes import in_browser, with_second_factor
from tests.conftest import PASSWORD
from tests.moderation.restricting import restrict
from tests.web.html import Html


def sign_in_of(viewer, browser) -> SignIn:
    key = keys.sign_in(viewer.user_id, in_browser(viewer, browser).secret_hash)
    return get(SignIn, key, consistent=True)


def make_old(viewer, browser, **ago: int) -> None:
    moment = (datetime.now(UTC) - timedelta(**ago)).isoformat()
    change(SignIn, sign_in_of(viewer, browser).key, [SignIn.proved_at.set(moment)])


def test_the_password_is_a_proof_of_who_has_no_second_factor(alice, log_in):
    browser = log_in(alice)
    assert sign_in_of(alice, browser).proved_at is None
    assert not Html(browser.get("/confirm")).all(name="code")
    response = browser.post("/confirm", {"password": PASSWORD, "next": "/local"})
    assert (response.status_code, response["Location"]) == (302, "/local")
    proof = sign_in_of(alice, browser)
    assert proof.proved_with == BY_PASSWORD
    assert datetime.fromisoformat(str(proof.proved_at)) > datetime.now(UTC) - timedelta(minutes=1)


def test_who_has_a_second_factor_gives_its_code_too(alice, log_in):
    app = with_second_factor(alice)
    browser = log_in(alice)
    assert browser.post("/confirm", {"password": PASSWORD}).status_code == 422
    assert sign_in_of(alice, browser).proved_at is None
    form = {"password": PASSWORD, "code": app.code()}
    assert browser.post("/confirm", form).status_code == 302
    assert sign_in_of(alice, browser).proved_with == BY_CODE


@pytest.mark.parametrize("wrong", ["password", "code"])
def test_what_is_wrong_is_said_beside_it_and_proves_nothing(alice, log_in, wrong):
    app = with_second_factor(alice)
    browser = log_in(alice)
    form = {"password": PASSWORD, "code": app.code()}
    form[wrong] = "not hers at all" if wrong == "password" else app.wrong_code()
    response = browser.post("/confirm", form)
    assert response.status_code == 422
    assert Html(response).error(wrong)
    assert Html(response).value("password") == ""
    assert sign_in_of(alice, browser).proved_at is None


def test_a_code_proves_once_and_in_one_browser(alice, log_in):
    app = with_second_factor(alice)
    one, other = log_in(alice), log_in(alice)
    form = {"password": PASSWORD, "code": app.code()}
    assert one.post("/confirm", form).status_code == 302
    assert other.post("/confirm", form).status_code == 422
    assert sign_in_of(alice, other).proved_at is None


def test_a_form_sent_twice_finds_its_proof(alice, log_in):
    app = with_second_factor(alice)
    browser = log_in(alice)
    form = {"password": PASSWORD, "code": app.code(), "next": "/local"}
    answers = [browser.post("/confirm", form) for _ in range(2)]
    assert [answer["Location"] for answer in answers] == ["/local", "/local"]


def test_a_proof_begins_a_new_sign_in_and_ends_the_one_before(alice, log_in):
    browser, thief = log_in(alice), Client()
    name = settings.SESSION_COOKIE_NAME
    thief.cookies[name] = browser.cookies[name].value
    browser.post("/confirm", {"password": PASSWORD})
    assert browser.get("/settings/profile").status_code == 200
    assert thief.get("/settings/profile")["Location"].startswith("/login")
    assert len(list(query(keys.sign_ins(alice.user_id), consistent=True))) == 1


def test_forms_that_wait_in_other_tabs_can_still_be_sent(alice, log_in):
    browser = log_in(alice)
    browser.handler.enforce_csrf_checks = True
    token = Html(browser.get("/settings/profile")).value("csrfmiddlewaretoken")
    browser.post("/confirm", {"password": PASSWORD, "csrfmiddlewaretoken": token})
    form = {"name": "Alice A.", "csrfmiddlewaretoken": token}
    assert browser.post("/settings/profile", form).status_code == 302


def test_a_sign_in_that_has_ended_proves_nothing(alice, log_in):
    by = in_browser(alice, log_in(alice))
    sign_out(by=by)
    with pytest.raises(NotFound):
        prove_identity(by=by, browser="", password=PASSWORD)
    assert not list(query(keys.sign_ins(alice.user_id), consistent=True))


def test_a_recovery_code_proves_as_well(alice, log_in):
    app = with_second_factor(alice)
    browser = log_in(alice)
    page = Html(browser.get("/confirm?next=/local&recovery"))
    assert page.value("next") == "/local"
    form = {"password": PASSWORD, "code": app.recovery[0], "next": "/local"}
    assert browser.post("/confirm?recovery", form)["Location"] == "/local"


def test_signing_in_with_a_code_is_a_proof(alice):
    app = with_second_factor(alice)
    browser = Client()
    browser.post("/login", {"account": "alice", "password": PASSWORD})
    browser.post("/login/code", {"code": app.code()})
    assert sign_in_of(alice, browser).proved_with == BY_CODE


def test_signing_in_with_the_password_alone_is_none(alice):
    browser = Client()
    browser.post("/login", {"account": "alice", "password": PASSWORD})
    assert sign_in_of(alice, browser).proved_at is None


def test_a_password_is_nobody_elses(alice, bob, log_in):
    by = in_browser(alice, log_in(alice))
    with pytest.raises(WrongPassword):
        prove_identity(by=by, browser="", password="bob's own password")


@pytest.mark.parametrize("target", ["https://evil.example/", "//evil.example", "javascript:x", ""])
def test_it_leads_back_within_the_site_alone(alice, log_in, target):
    response = log_in(alice).post("/confirm", {"password": PASSWORD, "next": target})
    assert response["Location"] == "/"


def test_tries_are_limited(alice, log_in, limit):
    limit(views, "PROOFS_BY_ACCOUNT", 2)
    browser = log_in(alice)
    for _ in range(2):
        assert browser.post("/confirm", {"password": "not hers"}).status_code == 422
    assert browser.post("/confirm", {"password": PASSWORD}).status_code == 429
    assert sign_in_of(alice, browser).proved_at is None


def test_a_proof_gets_old(alice, log_in):
    browser = log_in(alice)
    browser.post("/confirm", {"password": PASSWORD})
    make_old(alice, browser, minutes=31)
    viewer = browser.get("/about").context["request"].user
    assert viewer.has_proved_within(timedelta(minutes=32))
    assert not viewer.has_proved_within(timedelta(minutes=30))
    assert not viewer.has_proved_within(timedelta(minutes=32), by_code=True)
    assert not VISITOR.has_proved_within(timedelta(days=9999))


def test_the_page_is_kept_nowhere(alice, log_in):
    assert "no-store" in log_in(alice).get("/confirm")["Cache-Control"]


def test_people_who_are_locked_out_confirm_too(alice, log_in):
    browser = log_in(alice)
    restrict(alice, Restriction.SUSPENDED)
    response = browser.post("/confirm", {"password": PASSWORD, "next": "/standing"})
    assert (response.status_code, response["Location"]) == (302, "/standing")
    assert sign_in_of(alice, browser).proved_with == BY_PASSWORD
    viewer, _, _ = get_viewer(alice.user_id, in_browser(alice, browser).secret_hash)
    assert viewer.has_proved_within(timedelta(minutes=1))
