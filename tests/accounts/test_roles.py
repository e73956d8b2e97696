"""Roles and what they open, and what is asked of staff before."""

from functools import partial

import pyotp
import pytest
from django.test import Client

from accounts.models import SignIn
from accounts.people.reads import get_user_info
from accounts.people.viewer import BY_PASSWORD, VISITOR
from accounts.permissions import (
    BUILT_IN,
    BadRole,
    BeyondOwn,
    NoSuchRole,
    OwnRole,
    Permission,
    RoleChanged,
    RoleInUse,
    delete_role,
    grant_role,
    list_roles,
    list_staff,
    permissions_of,
    permissions_of_role,
    save_role,
    set_role,
)
from socialsite.models import Role
from socialsite.table import (
    AlreadyExists,
    Create,
    Delete,
    NotFound,
    change,
    create,
    fetch,
    keys,
    query,
    transact,
)
from socialsite.table.ids import new_id
from tests.accounts.scenes import with_second_factor
from tests.accounts.staff_change import CHANGE, WORKER
from tests.accounts.test_proof import make_old, sign_in_of
from tests.conftest import HTMX, PASSWORD, person
from tests.moderation.cases import about, private_post, report_by_each
from tests.together import together
from tests.web.html import Html
from tests.web.staff_authorisation import BEGIN, PUBLIC_LOG, STAFF_ROWS

LOG_ONLY = {Permission.LOG}


def role_of(viewer) -> str:
    return get_user_info(viewer.user_id, consistent=True).role


def listed() -> list[str]:
    return [card.handle for card in list_staff()]


def is_listed(viewer) -> bool:
    return bool(fetch([keys.staff_member(viewer.user_id)], consistent=True))


def test_a_role_is_given_and_taken_away(alice, admin):
    grant_role(by=admin, user_id=alice.user_id, role="moderator")
    assert (role_of(alice), listed()) == ("moderator", ["addy", "alice"])
    grant_role(by=admin, user_id=alice.user_id, role="admin")
    assert (role_of(alice), listed()) == ("admin", ["addy", "alice"])
    grant_role(by=admin, user_id=alice.user_id, role="")
    assert (role_of(alice), listed()) == ("", ["addy"])
    assert not is_listed(alice)


@pytest.mark.parametrize("role", ["moderator", ""])
def test_the_same_twice_is_the_same_once(alice, admin, role):
    written = [grant_role(by=admin, user_id=alice.user_id, role=role) for _ in range(2)]
    assert written == [bool(role), False]
    assert role_of(alice) == role
    assert listed() == (["addy", "alice"] if role else ["addy"])


def test_nobody_changes_their_own_role(admin):
    for role in ("", "moderator", "admin"):
        with pytest.raises(OwnRole):
            grant_role(by=admin, user_id=admin.user_id, role=role)
    assert role_of(admin) == "admin"


@pytest.mark.parametrize("role", ["admin", "moderator"])
def test_who_has_no_role_gives_none(alice, bob, role):
    with pytest.raises(BeyondOwn):
        grant_role(by=alice, user_id=bob.user_id, role=role)
    assert role_of(bob) == ""


def test_nobody_gives_or_takes_more_than_they_have(alice, mod, admin):
    with pytest.raises(BeyondOwn):
        grant_role(by=mod, user_id=alice.user_id, role="admin")
    with pytest.raises(BeyondOwn):
        grant_role(by=mod, user_id=admin.user_id, role="")
    assert (role_of(alice), role_of(admin)) == ("", "admin")


def test_a_role_that_does_not_exist_is_given_to_nobody(alice, admin):
    for role in ("never-made", "Admin", "../x"):
        with pytest.raises(NoSuchRole):
            grant_role(by=admin, user_id=alice.user_id, role=role)
    assert listed() == ["addy"]


def test_a_person_who_does_not_exist_is_given_none(admin):
    for role in ("moderator", ""):
        with pytest.raises(NotFound):
            grant_role(by=admin, user_id=new_id(), role=role)


def test_what_comes_along_is_done_with_it_or_not_at_all(alice, bob, admin):
    role = Role.new(name="noted", title="Noted", permissions={"log"})
    grant_role(Create(role), by=admin, user_id=alice.user_id, role="moderator")
    assert permissions_of_role("noted") == LOG_ONLY
    another = Role.new(name="noted", title="Another", permissions={"log"})
    with pytest.raises(AlreadyExists):
        grant_role(Create(another), by=admin, user_id=bob.user_id, role="moderator")
    assert (role_of(bob), listed()) == ("", ["addy", "alice"])


@pytest.mark.engines(
    "embedded", "dynamodb-local", reason="moto does not hold transactions apart from each other"
)
def test_two_who_give_at_once_leave_one_whole_state(alice, admin):
    other = person("otto", role="admin")
    for _ in range(20):
        set_role(user_id=alice.user_id, role="moderator")
        jobs = [
            partial(grant_role, by=admin, user_id=alice.user_id, role="admin"),
            partial(grant_role, by=other, user_id=alice.user_id, role=""),
        ]
        for result in together(*jobs):
            assert isinstance(result, bool | RoleChanged)
        assert is_listed(alice) == bool(role_of(alice))


def test_who_had_a_role_before_the_list_was_is_listed_with_the_next(mod, admin):
    transact(Delete(keys.staff_member(mod.user_id)))
    grant_role(by=admin, user_id=mod.user_id, role="moderator")
    assert listed() == ["addy", "moddy"]
    transact(Delete(keys.staff_member(mod.user_id)))
    grant_role(by=admin, user_id=mod.user_id, role="")
    assert (role_of(mod), listed()) == ("", ["addy"])


# Roles of the site's own


def test_a_role_is_made_changed_and_deleted(admin):
    save_role(by=admin, name="greeter", title="Greeter", permissions={Permission.SIGN_UPS})
    save_role(by=admin, name="greeter", title="Porter", permissions=LOG_ONLY)
    own = [role for role in list_roles() if not role.is_built_in]
    assert [(role.name, role.title, role.permissions) for role in own] == [
        ("greeter", "Porter", LOG_ONLY)
    ]
    assert [delete_role(by=admin, name="greeter") for _ in range(2)] == [True, False]
    assert [role.name for role in list_roles()] == list(BUILT_IN)


def test_another_set_is_that_of_all_who_have_the_role_at_once(alice, admin):
    save_role(by=admin, name="greeter", title="Greeter", permissions={Permission.SIGN_UPS})
    grant_role(by=admin, user_id=alice.user_id, role="greeter")
    save_role(by=admin, name="greeter", title="Greeter", permissions=LOG_ONLY)
    assert permissions_of_role(role_of(alice)) == LOG_ONLY


@pytest.mark.parametrize(
    "name", ["admin", "moderator", "", "x", "Greeter", "a b", "a#b", "-a", "a" * 31, "é" * 5]
)
def test_a_name_is_plain_and_not_built_in(admin, name):
    with pytest.raises(BadRole):
        save_role(by=admin, name=name, title="T", permissions=LOG_ONLY)
    assert not list(query(keys.roles()))


def test_a_role_lets_people_do_something(admin):
    with pytest.raises(BadRole):
        save_role(by=admin, name="greeter", title="Greeter", permissions=())


def test_nobody_makes_or_changes_a_role_beyond_their_own(mod, admin):
    with pytest.raises(BeyondOwn):
        save_role(by=mod, name="mine", title="Mine", permissions={Permission.ROLES})
    save_role(by=admin, name="rulers", title="Rulers", permissions={Permission.SITE})
    with pytest.raises(BeyondOwn):
        save_role(by=mod, name="rulers", title="Rulers", permissions=LOG_ONLY)
    with pytest.raises(BeyondOwn):
        delete_role(by=mod, name="rulers")
    assert permissions_of_role("rulers") == {Permission.SITE}


def test_a_role_that_somebody_has_stays(alice, admin):
    save_role(by=admin, name="greeter", title="Greeter", permissions=LOG_ONLY)
    grant_role(by=admin, user_id=alice.user_id, role="greeter")
    with pytest.raises(RoleInUse):
        delete_role(by=admin, name="greeter")
    grant_role(by=admin, user_id=alice.user_id, role="")
    delete_role(by=admin, name="greeter")
    assert not list(query(keys.roles()))


def test_a_built_in_role_is_not_deleted(admin):
    for name in BUILT_IN:
        with pytest.raises(BadRole):
            delete_role(by=admin, name=name)


# Which role may what


# What a permission opens. `/operations/worker` stands for the pages, a page of the test's own for the changes.


@pytest.mark.urls("tests.accounts.staff_change")
def test_admins_may_everything_and_moderators_what_cases_need(mod, admin):
    assert permissions_of(admin) == set(Permission)
    assert permissions_of(mod) == {
        Permission.CASES,
        Permission.SUSPEND,
        Permission.PEOPLE,
        Permission.SIGN_UPS,
        Permission.LOG,
        Permission.OVERVIEW,
        Permission.PEOPLE,
    }


@pytest.mark.urls("tests.accounts.staff_change")
def test_nobody_else_may_anything(alice):
    assert permissions_of(alice) == permissions_of(VISITOR) == set()
    assert not alice.is_staff


@pytest.mark.urls("tests.accounts.staff_change")
def test_a_role_of_the_sites_own_is_what_its_set_says(alice, admin):
    save_role(by=admin, name="greeter", title="Greeter", permissions={Permission.SIGN_UPS})
    greeter = person("gina", role="greeter")
    assert permissions_of(greeter) == {Permission.SIGN_UPS}
    assert greeter.is_staff


@pytest.mark.urls("tests.accounts.staff_change")
def test_a_role_that_is_gone_and_a_permission_that_is_gone_are_nothing(table):
    create(Role.new(name="old", title="Old", permissions={"log", "of-an-older-version"}))
    assert permissions_of(person("olga", role="old")) == {Permission.LOG}
    assert permissions_of(person("gone", role="never-made")) == set()


@pytest.mark.urls("tests.accounts.staff_change")
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


@pytest.mark.urls("tests.accounts.staff_change")
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


@pytest.mark.urls("tests.accounts.staff_change")
def test_with_the_permission_it_is(mod, admin, log_in):
    assert log_in(admin).get(WORKER).status_code == 200
    assert log_in(mod).post(CHANGE).content == b"changed"


@pytest.mark.urls("tests.accounts.staff_change")
def test_a_role_that_is_taken_away_is_gone_at_the_next_request(admin, log_in):
    browser = log_in(admin)
    assert browser.get(WORKER).status_code == 200
    set_role(user_id=admin.user_id, role="")
    assert browser.get(WORKER).status_code == 404


@pytest.mark.urls("tests.accounts.staff_change")
def test_every_permission_is_in_a_role():
    assert frozenset().union(*BUILT_IN.values()) == set(Permission)


# What is asked of staff before a page opens: a second factor, a sign-in that gave its code, and for changes a
# recent proof.
#
# `/operations/worker` stands for the pages, a page of the test's own for the changes.

HERE = {"Referer": "http://testserver/operations/worker?page=2"}


@pytest.fixture
def strict(settings) -> None:
    settings.STAFF_SECOND_FACTOR = True


def sign_in_with_code(app, handle: str) -> Client:
    browser = Client()
    browser.post("/login", {"account": handle, "password": PASSWORD})
    assert browser.post("/login/code", {"code": app.code()}).status_code == 302
    return browser


@pytest.mark.urls("tests.accounts.staff_change")
@pytest.mark.usefixtures("strict")
def test_without_a_second_factor_one_is_led_to_set_it_up(admin, log_in):
    browser = log_in(admin)
    assert browser.get(WORKER)["Location"] == "/settings/security"
    assert browser.post(CHANGE)["Location"] == "/settings/security"
    assert browser.post(CHANGE, headers=HTMX)["HX-Redirect"] == "/settings/security"
    banner = Html(browser.get("/settings/security")).one("p", class_="banner")
    assert "Your role needs two-step verification" in banner.text


@pytest.mark.urls("tests.accounts.staff_change")
@pytest.mark.usefixtures("strict")
def test_who_is_not_of_the_staff_is_not_asked(alice, log_in):
    assert not Html(log_in(alice).get("/settings/security")).all("p", class_="banner")


@pytest.mark.urls("tests.accounts.staff_change")
@pytest.mark.usefixtures("strict")
def test_a_sign_in_that_gave_a_code_may_look_for_as_long_as_it_lives(admin):
    browser = sign_in_with_code(with_second_factor(admin), "addy")
    make_old(admin, browser, days=30)
    assert browser.get(WORKER).status_code == 200


@pytest.mark.urls("tests.accounts.staff_change")
@pytest.mark.usefixtures("strict")
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


@pytest.mark.urls("tests.accounts.staff_change")
@pytest.mark.usefixtures("strict")
def test_nor_does_a_sign_in_that_proved_itself_by_password(admin, log_in):
    with_second_factor(admin)
    browser = log_in(admin)
    make_old(admin, browser, minutes=1)
    by_password = [SignIn.proved_with.set(BY_PASSWORD)]
    change(SignIn, sign_in_of(admin, browser).key, by_password)
    assert browser.get(WORKER)["Location"].startswith("/confirm")


@pytest.mark.urls("tests.accounts.staff_change")
@pytest.mark.usefixtures("strict")
def test_htmx_is_led_from_what_it_asks_for_to_the_proof_and_back_to_its_page(admin, log_in):
    with_second_factor(admin)
    here = HTMX | {"HX-Current-URL": "http://testserver/moderation/log"}
    sent = log_in(admin).get(f"{WORKER}?page=2", headers=here)
    assert (sent.status_code, sent["HX-Redirect"]) == (204, "/confirm?next=%2Fmoderation%2Flog")


@pytest.mark.urls("tests.accounts.staff_change")
@pytest.mark.usefixtures("strict")
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


@pytest.mark.urls("tests.accounts.staff_change")
@pytest.mark.usefixtures("strict")
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


@pytest.mark.urls("tests.accounts.staff_change")
@pytest.mark.usefixtures("strict")
def test_htmx_is_led_to_the_proof_by_its_header(admin, log_in):
    with_second_factor(admin)
    address = {"HX-Current-URL": "http://testserver/operations/worker"}
    refused = log_in(admin).post(CHANGE, headers=HTMX | address)
    assert refused.status_code == 204
    assert refused["HX-Redirect"] == "/confirm?next=%2Foperations%2Fworker&again=1"


@pytest.mark.urls("tests.accounts.staff_change")
@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize("page", ["https://evil.example/x", "//evil.example", "javascript:x", ""])
def test_it_never_leads_to_another_site(admin, log_in, page):
    with_second_factor(admin)
    refused = log_in(admin).post(CHANGE, headers={"Referer": page})
    assert refused["Location"] == "/confirm?next=%2F&again=1"


@pytest.mark.urls("tests.accounts.staff_change")
@pytest.mark.usefixtures("strict")
def test_signing_in_with_a_code_is_a_fresh_proof(admin):
    browser = sign_in_with_code(with_second_factor(admin), "addy")
    assert browser.post(CHANGE).content == b"changed"


@pytest.mark.urls("tests.accounts.staff_change")
@pytest.mark.usefixtures("strict")
def test_setting_it_up_is_a_fresh_proof_in_that_browser_alone(admin, log_in):
    browser = log_in(admin)
    browser.post("/settings/security/begin", {"password": PASSWORD})
    shown = Html(browser.get("/settings/security/set-up")).one("code", class_="secret").text
    code = pyotp.TOTP(shown.replace(" ", "")).now()
    browser.post("/settings/security/set-up", {"code": code})
    assert browser.post(CHANGE).content == b"changed"
    assert log_in(admin).post(CHANGE)["Location"].startswith("/confirm")


@pytest.mark.urls("tests.accounts.staff_change")
@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize(("minutes", "status"), [(29, 200), (31, 401)])
def test_a_proof_is_fresh_for_thirty_minutes(admin, minutes, status):
    browser = sign_in_with_code(with_second_factor(admin), "addy")
    make_old(admin, browser, minutes=minutes)
    assert browser.post(CHANGE).status_code == status
    assert browser.get(WORKER).status_code == 200


@pytest.mark.urls("tests.accounts.staff_change")
@pytest.mark.usefixtures("strict")
def test_a_proof_by_password_alone_opens_nothing(alice, log_in):
    browser = log_in(alice)
    assert browser.post("/confirm", {"password": PASSWORD}).status_code == 302
    set_role(user_id=alice.user_id, role="admin")
    assert browser.get(WORKER)["Location"] == "/settings/security"
    assert browser.post(CHANGE)["Location"] == "/settings/security"
    assert browser.get("/confirm")["Location"] == "/settings/security"


@pytest.mark.urls("tests.accounts.staff_change")
@pytest.mark.usefixtures("strict")
def test_a_second_factor_that_was_turned_off_before_the_role_came_is_none(alice, log_in):
    app = with_second_factor(alice)
    browser = log_in(alice)
    form = {"password": PASSWORD, "code": app.code()}
    browser.post("/confirm", form)
    browser.post("/settings/security/turn-off", form | {"code": app.code()})
    set_role(user_id=alice.user_id, role="admin")
    assert browser.get(WORKER)["Location"] == "/settings/security"


@pytest.mark.urls("tests.accounts.staff_change")
@pytest.mark.usefixtures("strict")
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


@pytest.mark.urls("tests.accounts.staff_change")
@pytest.mark.usefixtures("strict")
def test_an_old_proof_is_enough_to_look(admin, bob, carol):
    report_by_each(bob, by=[carol], post_id=private_post(bob, "Between friends"))
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


@pytest.mark.urls("tests.accounts.staff_change")
@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize("path", ["note", "undo", "assign", "appeal", "decide"])
def test_preview_in_the_form_saves_no_other_change_its_proof(admin, bob, carol, path):
    report_by_each(bob, by=[carol])
    browser = sign_in_with_code(with_second_factor(admin), "addy")
    make_old(admin, browser, minutes=31)
    form = {"preview": "1", "text": "Hm.", "action": "warn", "version": "1", "moderator": ""}
    if path == "decide":
        del form["preview"]
    before = list(query(about(bob).key.pk, consistent=True))
    browser.post(f"{about(bob).url}/{path}", form)
    assert list(query(about(bob).key.pk, consistent=True)) == before
