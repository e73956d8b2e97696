"""What a permission opens. `/operations/worker` stands for the pages, a page of the test's own for the changes."""

import pytest
from django.test import Client

from accounts.people.viewer import VISITOR
from accounts.permissions import BUILT_IN, Permission, permissions_of, save_role, set_role
from socialsite.models import Role
from socialsite.table import create
from tests.accounts.staff_change import CHANGE, WORKER
from tests.conftest import HTMX, person

pytestmark = pytest.mark.urls("tests.accounts.staff_change")


# Which role may what


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


def test_every_permission_is_in_a_role():
    assert frozenset().union(*BUILT_IN.values()) == set(Permission)
