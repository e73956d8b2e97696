"""A passkey proves who is there, alone and as much as password and code together; and staff may need one."""

import pytest
from django.test import Client

from accounts.models import Credentials, SignIn
from accounts.people.viewer import BY_PASSKEY
from accounts.permissions import set_role
from accounts.proof import views
from socialsite.table import change, keys, query
from tests.accounts.authenticator import Authenticator, Key, add_passkey, asked, prove, sign_in
from tests.accounts.codes import with_second_factor
from tests.accounts.staff_change import CHANGE, WORKER
from tests.accounts.test_prove_identity import make_old, sign_in_of
from tests.conftest import PASSWORD
from tests.web.html import Html

CONFIRM = "/confirm/passkey"


@pytest.fixture
def key(alice, log_in, phone) -> Key:
    """Alice's passkey on her phone."""
    return add_passkey(prove(log_in(alice)), phone)


def use(browser: Client, device: Authenticator, page: str = "/confirm?next=/local", **differing):
    answer = device.use(asked(browser.get(page)), **differing)
    next_page = Html(browser.get(page)).value("next")
    return browser.post(CONFIRM, {"credential": answer, "next": next_page})


def test_a_passkey_proves_what_password_and_code_prove(alice, key, phone, log_in):
    with_second_factor(alice)
    browser = log_in(alice)
    old = sign_in_of(alice, browser).key
    assert use(browser, phone)["Location"] == "/local"
    proved = sign_in_of(alice, browser)
    assert proved.proved_with == BY_PASSKEY
    assert proved.key != old  # a copy of the cookie gains nothing
    assert old not in {SignIn.from_raw_data(raw).key for raw in query(keys.sign_ins(alice.user_id))}


def test_an_unverified_one_or_that_of_someone_else_proves_nothing(alice, bob, key, phone, log_in):
    tablet = Authenticator()
    add_passkey(prove(log_in(bob)), tablet)
    browser = log_in(alice)
    for answer in (use(browser, phone, verifies=False), use(browser, tablet)):
        assert answer.status_code == 422
        assert "That passkey didn’t work" in answer.content.decode()
    assert sign_in_of(alice, browser).proved_at is None


def test_a_password_typed_after_a_refused_passkey_still_counts(alice, key, phone, log_in):
    browser = log_in(alice)
    refused = use(browser, phone, verifies=False)
    forms = [
        form for form in Html(refused).all("form", method="post") if "action" in form.attributes
    ]
    assert "/confirm" in [form["action"] for form in forms]


def test_a_form_sent_twice_finds_its_proof(alice, key, phone, log_in):
    browser = log_in(alice)
    form = {"credential": phone.use(asked(browser.get("/confirm"))), "next": "/local"}
    assert [browser.post(CONFIRM, form)["Location"] for _ in range(2)] == ["/local", "/local"]


def test_an_answer_given_before_proves_nothing_later(alice, key, phone, log_in):
    browser = log_in(alice)
    form = {"credential": phone.use(asked(browser.get("/confirm"))), "next": "/local"}
    browser.post(CONFIRM, form)
    make_old(alice, browser, minutes=11)
    assert browser.post(CONFIRM, form).status_code == 422


def test_tries_are_limited_with_those_of_passwords(alice, key, phone, log_in, limit):
    browser = log_in(alice)
    limit(views, "PROOFS_BY_ACCOUNT", 1)
    assert use(browser, phone, verifies=False).status_code == 422
    assert use(browser, phone).status_code == 429


def test_people_without_passkeys_are_not_asked_for_one(bob, log_in):
    assert not Html(log_in(bob).get("/confirm")).all("form", id="passkey")


staff_pages = pytest.mark.urls("tests.accounts.staff_change")


@pytest.fixture
def strict(settings) -> None:
    settings.STAFF_SECOND_FACTOR = True


@pytest.fixture
def strictest(settings) -> None:
    settings.STAFF_SECOND_FACTOR = settings.STAFF_PASSKEY = True


@staff_pages
@pytest.mark.usefixtures("strict")
def test_signing_in_with_a_passkey_opens_the_pages_of_staff(alice, key, phone):
    set_role(user_id=alice.user_id, role="admin")
    browser = Client()
    sign_in(phone, browser)
    assert browser.get(WORKER).status_code == 200
    assert browser.post(CHANGE).content == b"changed"


@staff_pages
@pytest.mark.usefixtures("strict")
def test_staff_with_a_passkey_alone_are_asked_for_it(alice, key, phone, log_in):
    set_role(user_id=alice.user_id, role="admin")
    browser = log_in(alice)
    confirm = browser.get(WORKER)["Location"]
    assert confirm == "/confirm?next=%2Foperations%2Fworker&passkey=1"
    page = Html(browser.get(confirm))
    assert not page.all("input", name="password")
    assert use(browser, phone, confirm)["Location"] == WORKER
    make_old(alice, browser, minutes=31)
    assert browser.get(WORKER).status_code == 200
    assert browser.post(CHANGE).status_code == 401


@staff_pages
@pytest.mark.usefixtures("strictest")
def test_where_the_site_says_so_a_code_opens_nothing(admin, log_in, phone):
    app = with_second_factor(admin)
    browser = Client()
    browser.post("/login", {"account": "addy", "password": PASSWORD})
    browser.post("/login/code", {"code": app.code()})
    assert browser.get(WORKER)["Location"] == "/settings/passkeys"
    banner = Html(browser.get("/settings/passkeys")).one("p", class_="banner")
    assert "Your role needs a passkey" in banner.text
    add_passkey(browser, phone)
    confirm = browser.get(WORKER)["Location"]
    assert confirm == "/confirm?next=%2Foperations%2Fworker&passkey=1"
    assert use(browser, phone, confirm)["Location"] == WORKER
    assert browser.get(WORKER).status_code == 200
    assert browser.post(CHANGE).content == b"changed"


@staff_pages
@pytest.mark.usefixtures("strictest")
def test_staff_without_a_second_factor_can_add_a_passkey(admin, log_in, phone):
    browser = log_in(admin)
    confirm = browser.get("/settings/passkeys/add")["Location"]
    form = {"password": PASSWORD, "next": "/settings/passkeys/add"}
    assert browser.post(confirm, form)["Location"] == "/settings/passkeys/add"
    add_passkey(browser, phone)
    assert browser.get(WORKER)["Location"].endswith("&passkey=1")


@staff_pages
@pytest.mark.usefixtures("strictest")
def test_staff_whose_last_passkey_is_gone_read_nothing_any_more(alice, key, phone):
    set_role(user_id=alice.user_id, role="admin")
    browser = Client()
    sign_in(phone, browser)
    make_old(alice, browser, minutes=31)
    gone = [Credentials.passkeys.set(0)]
    change(Credentials, keys.credentials(alice.user_id), gone)
    assert browser.get(WORKER)["Location"] == "/settings/passkeys"


def test_password_managers_find_the_pages(table, settings):
    sent = Client().get("/.well-known/change-password")
    assert (sent.status_code, sent["Location"]) == (302, "/settings/password")
    pages = Client().get("/.well-known/passkey-endpoints").json()
    assert pages["manage"] == "http://testserver/settings/passkeys"
    assert pages["enroll"] == "http://testserver/settings/passkeys/add"
    settings.PASSKEY_DOMAIN = ""
    assert Client().get("/.well-known/passkey-endpoints").status_code == 404
