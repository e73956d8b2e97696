"""What a permission opens, and what is asked of staff before: a second factor, and for changes a fresh proof.

`/moderation/worker` stands for the pages, a page of the test's own for the changes.
"""

import pyotp
import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import path

from accounts.guards import permission_required
from accounts.permissions import BUILT_IN, Permission, permissions_of
from accounts.services.grant_role import save_role, set_role
from accounts.viewer import VISITOR
from socialsite.models import Role
from socialsite.table.writing import create
from socialsite.urls import handler404 as handler404
from socialsite.urls import urlpatterns as pages
from tests.accounts.codes import with_second_factor
from tests.accounts.test_prove_identity import make_old
from tests.conftest import HTMX, PASSWORD, person
from tests.web.html import Html

WORKER = "/moderation/worker"
CHANGE = "/test/change"
HERE = {"Referer": "http://testserver/moderation/worker?page=2"}


@permission_required(Permission.CASES)
def change(request) -> HttpResponse:
    return HttpResponse("changed")


urlpatterns = [path("test/change", change), *pages]

pytestmark = pytest.mark.urls(__name__)


@pytest.fixture
def strict(settings) -> None:
    settings.STAFF_SECOND_FACTOR = True


def sign_in_with_code(app, handle: str) -> Client:
    browser = Client()
    browser.post("/login", {"account": handle, "password": PASSWORD})
    assert browser.post("/login/code", {"code": app.code()}).status_code == 302
    return browser


# Which role may what


def test_admins_may_everything_and_moderators_what_cases_need(mod, admin):
    assert permissions_of(admin) == set(Permission)
    assert permissions_of(mod) == {
        Permission.CASES,
        Permission.SUSPEND,
        Permission.SIGN_UPS,
        Permission.LOG,
        Permission.OVERVIEW,
    }


def test_nobody_else_may_anything(alice):
    assert permissions_of(alice) == permissions_of(VISITOR) == set()
    assert not alice.is_staff


def test_a_role_of_the_sites_own_is_what_its_set_says(alice, admin):
    save_role(by=admin, name="greeter", title="Greeter", permissions={Permission.SIGN_UPS})
    greeter = person("gina", role="greeter")
    assert permissions_of(greeter) == {Permission.SIGN_UPS}
    assert greeter.is_staff


def test_a_role_that_is_gone_and_a_permission_that_is_gone_are_nothing(table):
    create(Role.new(name="old", title="Old", permissions={"log", "of-an-older-version"}))
    assert permissions_of(person("olga", role="old")) == {Permission.LOG}
    assert permissions_of(person("gone", role="never-made")) == set()


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_built_in_roles_cost_nothing_and_others_one_get(alice, mod, admin, measure):
    save_role(by=admin, name="greeter", title="Greeter", permissions={Permission.SIGN_UPS})
    greeter = person("gina", role="greeter")
    with measure() as meter:
        for viewer in (alice, mod, admin, VISITOR):
            permissions_of(viewer)
    assert not meter.calls
    with measure() as meter:
        permissions_of(greeter)
    assert [(call.operation, call.units) for call in meter.calls] == [("GetItem", 0.5)]


# What it opens


@pytest.mark.parametrize("staff_second_factor", [True, False])
def test_without_the_permission_the_page_is_not_there(
    alice, mod, log_in, settings, staff_second_factor
):
    settings.STAFF_SECOND_FACTOR = staff_second_factor
    for browser in (Client(), log_in(alice), log_in(mod)):
        assert browser.get(WORKER).status_code == 404
        assert browser.get(WORKER, headers=HTMX).status_code == 404
    for browser in (Client(), log_in(alice)):
        assert browser.post(CHANGE).status_code == 404


def test_with_the_permission_it_is(mod, admin, log_in):
    assert log_in(admin).get(WORKER).status_code == 200
    assert log_in(mod).post(CHANGE).content == b"changed"


def test_a_role_that_is_taken_away_is_gone_at_the_next_request(admin, log_in):
    browser = log_in(admin)
    assert browser.get(WORKER).status_code == 200
    set_role(user_id=admin.user_id, role="")
    assert browser.get(WORKER).status_code == 404


# What is asked before


@pytest.mark.usefixtures("strict")
def test_without_a_second_factor_one_is_led_to_set_it_up(admin, log_in):
    browser = log_in(admin)
    assert browser.get(WORKER)["Location"] == "/settings/security"
    assert browser.post(CHANGE)["Location"] == "/settings/security"
    assert browser.post(CHANGE, headers=HTMX)["HX-Redirect"] == "/settings/security"
    banner = Html(browser.get("/settings/security")).one("p", class_="banner")
    assert "Your role asks for a second factor" in banner.text


@pytest.mark.usefixtures("strict")
def test_who_is_not_of_the_staff_is_not_asked(alice, log_in):
    assert not Html(log_in(alice).get("/settings/security")).all("p", class_="banner")


@pytest.mark.usefixtures("strict")
def test_a_second_factor_is_enough_to_look(admin, log_in):
    with_second_factor(admin)
    assert log_in(admin).get(WORKER).status_code == 200


@pytest.mark.usefixtures("strict")
def test_a_change_needs_a_fresh_proof_and_is_not_done_without(admin, log_in):
    app = with_second_factor(admin)
    browser = log_in(admin)
    refused = browser.post(CHANGE, headers=HERE)
    confirm = "/confirm?next=%2Fmoderation%2Fworker%3Fpage%3D2&again=1"
    assert (refused.status_code, refused["Location"]) == (302, confirm)
    banner = Html(browser.get(confirm)).one("p", class_="banner")
    assert "Nothing was changed yet" in banner.text
    form = {"password": PASSWORD, "code": app.code(), "next": f"{WORKER}?page=2"}
    assert browser.post(confirm, form)["Location"] == f"{WORKER}?page=2"
    assert browser.post(CHANGE).content == b"changed"


@pytest.mark.usefixtures("strict")
def test_htmx_is_led_to_the_proof_by_its_header(admin, log_in):
    with_second_factor(admin)
    address = {"HX-Current-URL": "http://testserver/moderation/worker"}
    refused = log_in(admin).post(CHANGE, headers=HTMX | address)
    assert refused.status_code == 204
    assert refused["HX-Redirect"] == "/confirm?next=%2Fmoderation%2Fworker&again=1"


@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize("page", ["https://evil.example/x", "//evil.example", "javascript:x", ""])
def test_it_never_leads_to_another_site(admin, log_in, page):
    with_second_factor(admin)
    refused = log_in(admin).post(CHANGE, headers={"Referer": page})
    assert refused["Location"] == "/confirm?next=%2F&again=1"


@pytest.mark.usefixtures("strict")
def test_signing_in_with_a_code_is_a_fresh_proof(admin):
    browser = sign_in_with_code(with_second_factor(admin), "addy")
    assert browser.post(CHANGE).content == b"changed"


@pytest.mark.usefixtures("strict")
def test_setting_it_up_is_a_fresh_proof_in_that_browser_alone(admin, log_in):
    browser, other = log_in(admin), log_in(admin)
    browser.post("/settings/security/begin", {"password": PASSWORD})
    shown = Html(browser.get("/settings/security/set-up")).one("code", class_="secret").text
    code = pyotp.TOTP(shown.replace(" ", "")).now()
    browser.post("/settings/security/set-up", {"code": code})
    assert browser.post(CHANGE).content == b"changed"
    assert other.post(CHANGE)["Location"].startswith("/confirm")


@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize(("minutes", "status"), [(29, 200), (31, 302)])
def test_a_proof_is_fresh_for_thirty_minutes(admin, minutes, status):
    browser = sign_in_with_code(with_second_factor(admin), "addy")
    make_old(admin, browser, minutes=minutes)
    assert browser.post(CHANGE).status_code == status
    assert browser.get(WORKER).status_code == 200


@pytest.mark.usefixtures("strict")
def test_a_proof_by_password_alone_opens_nothing(alice, log_in):
    browser = log_in(alice)
    assert browser.post("/confirm", {"password": PASSWORD}).status_code == 302
    set_role(user_id=alice.user_id, role="admin")
    assert browser.get(WORKER)["Location"] == "/settings/security"
    assert browser.post(CHANGE)["Location"] == "/settings/security"
    assert browser.get("/confirm")["Location"] == "/settings/security"


@pytest.mark.usefixtures("strict")
def test_a_second_factor_that_was_turned_off_before_the_role_came_is_none(alice, log_in):
    app = with_second_factor(alice)
    browser = log_in(alice)
    form = {"password": PASSWORD, "code": app.code()}
    browser.post("/confirm", form)
    browser.post("/settings/security/turn-off", form | {"code": app.code()})
    set_role(user_id=alice.user_id, role="admin")
    assert browser.get(WORKER)["Location"] == "/settings/security"


@pytest.mark.engines("embedded", reason="the others report other capacity")
@pytest.mark.usefixtures("strict")
def test_asking_costs_half_a_unit_where_the_proof_is_old_and_nothing_after(admin, log_in, measure):
    app = with_second_factor(admin)
    units = []
    for browser in (log_in(admin), sign_in_with_code(app, "addy")):
        with measure() as meter:
            assert browser.get(WORKER).status_code == 200
        asked = [call for call in meter.calls if call.access_pattern == "get_second_factor"]
        units.append(sum(call.units for call in asked))
    assert units == [0.5, 0]


def test_every_permission_is_in_a_role():
    assert frozenset().union(*BUILT_IN.values()) == set(Permission)
