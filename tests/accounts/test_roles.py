"""Giving roles and making them: by whom, to whom, and never more than one has oneself."""

from functools import partial

import pytest

from accounts.people.reads import get_user_info
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
    permissions_of_role,
    save_role,
    set_role,
)
from socialsite.models import Role
from socialsite.table import AlreadyExists, Create, Delete, NotFound, fetch, keys, query, transact
from socialsite.table.ids import new_id
from tests.conftest import person
from tests.together import together

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
