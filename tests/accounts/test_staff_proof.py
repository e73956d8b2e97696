"""What is asked of staff before a page opens: a second factor, a sign-in that gave its code, and for changes a recent
proof.

`/operations/worker` stands for the pages, a page of the test's own for the changes.
"""

import pyotp
import pytest
from django.test import Client

from accounts.models import SignIn
from accounts.people.viewer import BY_PASSWORD
from accounts.permissions import set_role
from socialsite.table import change, query
from tests.accounts.codes import with_second_factor
from tests.accounts.staff_change import CHANGE, WORKER
from tests.accounts.test_prove_identity import make_old, sign_in_of
from tests.conftest import HTMX, PASSWORD
from tests.moderation.cases import about
from tests.moderation.queues import private_post, report
from tests.web.html import Html
from tests.web.staff_authorisation import BEGIN, PUBLIC_LOG, STAFF_ROWS

HERE = {"Referer": "http://testserver/operations/worker?page=2"}

pytestmark = [
    pytest.mark.urls("tests.accounts.staff_change"),
    pytest.mark.usefixtures("strict"),
]


@pytest.fixture
def strict(settings) -> None:
    settings.STAFF_SECOND_FACTOR = True


def sign_in_with_code(app, handle: str) -> Client:
    browser = Client()
    browser.post("/login", {"account": handle, "password": PASSWORD})
    assert browser.post("/login/code", {"code": app.code()}).status_code == 302
    return browser


def test_without_a_second_factor_one_is_led_to_set_it_up(admin, log_in):
    browser = log_in(admin)
    assert browser.get(WORKER)["Location"] == "/settings/security"
    assert browser.post(CHANGE)["Location"] == "/settings/security"
    assert browser.post(CHANGE, headers=HTMX)["HX-Redirect"] == "/settings/security"
    banner = Html(browser.get("/settings/security")).one("p", class_="banner")
    assert "Your role needs two-step verification" in banner.text


def test_who_is_not_of_the_staff_is_not_asked(alice, log_in):
    assert not Html(log_in(alice).get("/settings/security")).all("p", class_="banner")


def test_a_sign_in_that_gave_a_code_may_look_for_as_long_as_it_lives(admin):
    browser = sign_in_with_code(with_second_factor(admin), "addy")
    make_old(admin, browser, days=30)
    assert browser.get(WORKER).status_code == 200


def test_a_sign_in_by_password_alone_reads_nothing_until_it_gives_a_code(admin, log_in):
    app = with_second_factor(admin)
    browser = log_in(admin)
    sent = browser.get(f"{WORKER}?page=2")
    confirm = "/confirm?next=%2Foperations%2Fworker%3Fpage%3D2"
    assert (sent.status_code, sent["Location"]) == (302, confirm)
    assert not Html(browser.get(confirm)).all("p", class_="banner")
    form = {"password": PASSWORD, "code": app.code()}
    assert browser.post(confirm, form)["Location"] == f"{WORKER}?page=2"
    assert browser.get(WORKER).status_code == 200


def test_nor_does_a_sign_in_that_proved_itself_by_password(admin, log_in):
    with_second_factor(admin)
    browser = log_in(admin)
    make_old(admin, browser, minutes=1)
    by_password = [SignIn.proved_with.set(BY_PASSWORD)]
    change(SignIn, sign_in_of(admin, browser).key, by_password)
    assert browser.get(WORKER)["Location"].startswith("/confirm")


def test_htmx_is_led_from_what_it_asks_for_to_the_proof_and_back_to_its_page(admin, log_in):
    with_second_factor(admin)
    here = HTMX | {"HX-Current-URL": "http://testserver/moderation/log"}
    sent = log_in(admin).get(f"{WORKER}?page=2", headers=here)
    assert (sent.status_code, sent["HX-Redirect"]) == (204, "/confirm?next=%2Fmoderation%2Flog")


def test_every_staff_page_asks_what_this_sign_in_proved(admin, alice, log_in):
    rows = [row for row in STAFF_ROWS if row not in (PUBLIC_LOG, BEGIN)]
    without, found = log_in(admin), {}
    for row in rows:
        address = row.address.format(alice=alice.user_id)
        found[row.method, row.name] = getattr(without, row.method)(address, row.form)["Location"]
    assert set(found.values()) == {"/settings/security"}
    with_second_factor(admin)
    by_password = log_in(admin)
    for row in rows:
        address = row.address.format(alice=alice.user_id)
        sent = getattr(by_password, row.method)(address, row.form)["Location"]
        found[row.method, row.name] = sent.partition("?")[0]
    assert set(found.values()) == {"/confirm"}


def test_a_change_needs_a_fresh_proof_and_is_not_done_without(admin, log_in):
    app = with_second_factor(admin)
    browser = log_in(admin)
    refused = browser.post(CHANGE, headers=HERE)
    confirm = "/confirm?next=%2Foperations%2Fworker%3Fpage%3D2&again=1"
    assert (refused.status_code, refused["Location"]) == (302, confirm)
    banner = Html(browser.get(confirm)).one("p", class_="banner")
    assert "Nothing has changed yet" in banner.text
    form = {"password": PASSWORD, "code": app.code(), "next": f"{WORKER}?page=2"}
    assert browser.post(confirm, form)["Location"] == f"{WORKER}?page=2"
    assert browser.post(CHANGE).content == b"changed"


def test_htmx_is_led_to_the_proof_by_its_header(admin, log_in):
    with_second_factor(admin)
    address = {"HX-Current-URL": "http://testserver/operations/worker"}
    refused = log_in(admin).post(CHANGE, headers=HTMX | address)
    assert refused.status_code == 204
    assert refused["HX-Redirect"] == "/confirm?next=%2Foperations%2Fworker&again=1"


@pytest.mark.parametrize("page", ["https://evil.example/x", "//evil.example", "javascript:x", ""])
def test_it_never_leads_to_another_site(admin, log_in, page):
    with_second_factor(admin)
    refused = log_in(admin).post(CHANGE, headers={"Referer": page})
    assert refused["Location"] == "/confirm?next=%2F&again=1"


def test_signing_in_with_a_code_is_a_fresh_proof(admin):
    browser = sign_in_with_code(with_second_factor(admin), "addy")
    assert browser.post(CHANGE).content == b"changed"


def test_setting_it_up_is_a_fresh_proof_in_that_browser_alone(admin, log_in):
    browser = log_in(admin)
    browser.post("/settings/security/begin", {"password": PASSWORD})
    shown = Html(browser.get("/settings/security/set-up")).one("code", class_="secret").text
    code = pyotp.TOTP(shown.replace(" ", "")).now()
    browser.post("/settings/security/set-up", {"code": code})
    assert browser.post(CHANGE).content == b"changed"
    assert log_in(admin).post(CHANGE)["Location"].startswith("/confirm")


@pytest.mark.parametrize(("minutes", "status"), [(29, 200), (31, 401)])
def test_a_proof_is_fresh_for_thirty_minutes(admin, minutes, status):
    browser = sign_in_with_code(with_second_factor(admin), "addy")
    make_old(admin, browser, minutes=minutes)
    assert browser.post(CHANGE).status_code == status
    assert browser.get(WORKER).status_code == 200


def test_a_proof_by_password_alone_opens_nothing(alice, log_in):
    browser = log_in(alice)
    assert browser.post("/confirm", {"password": PASSWORD}).status_code == 302
    set_role(user_id=alice.user_id, role="admin")
    assert browser.get(WORKER)["Location"] == "/settings/security"
    assert browser.post(CHANGE)["Location"] == "/settings/security"
    assert browser.get("/confirm")["Location"] == "/settings/security"


def test_a_second_factor_that_was_turned_off_before_the_role_came_is_none(alice, log_in):
    app = with_second_factor(alice)
    browser = log_in(alice)
    form = {"password": PASSWORD, "code": app.code()}
    browser.post("/confirm", form)
    browser.post("/settings/security/turn-off", form | {"code": app.code()})
    set_role(user_id=alice.user_id, role="admin")
    assert browser.get(WORKER)["Location"] == "/settings/security"


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_asking_costs_half_a_unit_where_the_proof_is_old_and_nothing_after(admin, log_in, measure):
    app = with_second_factor(admin)
    units = []
    old, recent = sign_in_with_code(app, "addy"), sign_in_with_code(app, "addy")
    make_old(admin, old, minutes=31)
    for browser in (old, recent):
        with measure() as meter:
            assert browser.get(WORKER).status_code == 200
        asked = [call for call in meter.calls if call.access_pattern == "get_second_factor"]
        units.append(sum(call.units for call in asked))
    assert units == [0.5, 0]


def test_an_old_proof_is_enough_to_look(admin, bob, carol):
    report(bob, by=[carol], post_id=private_post(bob, "Between friends"))
    browser, case = sign_in_with_code(with_second_factor(admin), "addy"), about(bob)
    make_old(admin, browser, minutes=31)
    for looks, form in (
        (f"{case.url}/claim", {"on": "1"}),
        (f"{case.url}/decide", {"action": "warn", "preview": "1", "version": "1"}),
        (f"{case.url}/reveal", {}),
        ("/moderation/words/try", {"kind": "word", "pattern": "x", "effect": "flag"}),
        ("/moderation/people/find", {"email": "nobody@example.org"}),
        ("/moderation/people/domain", {"domain": "example.org"}),
        ("/moderation/people/network", {"network": "203.0.113.7"}),
    ):
        assert browser.post(looks, form, headers=HTMX).status_code in (200, 404, 422), looks


@pytest.mark.parametrize("path", ["note", "undo", "assign", "appeal", "decide"])
def test_preview_in_the_form_saves_no_other_change_its_proof(admin, bob, carol, path):
    report(bob, by=[carol])
    browser = sign_in_with_code(with_second_factor(admin), "addy")
    make_old(admin, browser, minutes=31)
    form = {"preview": "1", "text": "Hm.", "action": "warn", "version": "1", "moderator": ""}
    if path == "decide":
        del form["preview"]
    before = list(query(about(bob).key.pk, consistent=True))
    browser.post(f"{about(bob).url}/{path}", form)
    assert list(query(about(bob).key.pk, consistent=True)) == before
