"""Names that are stored, what built-in roles hold, who stands above whom, and what menus remember."""

import pytest

from accounts import permissions
from accounts.models import UserInfo
from accounts.people.cards import PersonCard
from accounts.people.viewer import VISITOR, Viewer
from accounts.permissions import (
    ADMIN,
    BUILT_IN,
    JUNIOR,
    MODERATOR,
    TITLE_MAX_CHARACTERS,
    BadRole,
    BeyondOwn,
    NoSuchRole,
    Permission,
    RoleChanged,
    RoleInUse,
    delete_role,
    forget_menus,
    grant_role,
    is_junior,
    list_roles,
    list_staff,
    list_staff_ids,
    outranks,
    permissions_for_menus,
    permissions_of_role,
    save_role,
    set_role,
    staff_among,
)
from socialsite.engine.program import EngineError
from socialsite.models import Role, Staff
from socialsite.observing.logs import Event
from socialsite.table import Create, Delete, NotFound, Unavailable, change, create, get, keys
from tests.conftest import person
from tests.feed.conftest import listen


def with_role(role):
    return Viewer("someone", "", PersonCard("someone", "one", "One", "/@one", "", role=role))


def role_of(viewer):
    return get(UserInfo, keys.user_info(viewer.user_id), consistent=True).role or ""


def test_permissions_and_built_in_roles_keep_the_names_under_which_they_are_stored():
    assert {one.name: one.value for one in Permission} == {
        "CASES": "cases",
        "SUSPEND": "suspend",
        "PEOPLE": "people",
        "ORIGINS": "origins",
        "SIGN_UPS": "sign-ups",
        "SITE": "site",
        "ROLES": "roles",
        "LOG": "log",
        "OVERVIEW": "overview",
        "WORKER": "worker",
        "LENS": "lens",
        "COSTS": "costs",
    }
    assert (
        list(BUILT_IN) == [JUNIOR, MODERATOR, ADMIN] == ["junior_moderator", "moderator", "admin"]
    )


def test_each_built_in_role_holds_that_of_the_one_below_and_more():
    juniors = {Permission.CASES, Permission.SUSPEND, Permission.PEOPLE, Permission.OVERVIEW}
    assert BUILT_IN[JUNIOR] == juniors
    assert BUILT_IN[MODERATOR] == juniors | {Permission.SIGN_UPS, Permission.LOG}
    assert BUILT_IN[ADMIN] == set(Permission)
    assert permissions_of_role("") == set()


def test_people_stand_above_roles_that_may_less_and_never_above_their_own():
    above = {
        of: [role for role in ("", *BUILT_IN) if outranks(with_role(of), role)]
        for of in ("", *BUILT_IN)
    }
    assert above == {
        "": [],
        JUNIOR: [""],
        MODERATOR: ["", JUNIOR],
        ADMIN: ["", JUNIOR, MODERATOR],
    }
    assert not outranks(VISITOR, "")


def test_a_junior_has_that_role_and_no_other():
    assert [one for one in (with_role(role) for role in ("", *BUILT_IN)) if is_junior(one)] == [
        with_role(JUNIOR)
    ]
    assert is_junior(VISITOR) is False


# What menus show may be some seconds old.


@pytest.fixture
def clock(monkeypatch, settings):
    at = [0.0]  # as the machine has just begun
    monkeypatch.setattr("accounts.permissions.time.monotonic", lambda: at[0])
    settings.STAFF_NAV_SECONDS = 10
    forget_menus()
    yield at
    forget_menus()


def test_menus_ask_for_a_role_once_in_a_while(clock, monkeypatch):
    asked = []
    monkeypatch.setattr(
        permissions, "permissions_of_role", lambda name: asked.append(name) or {Permission.LOG}
    )
    for passed, times in ((0, 1), (9, 1), (1, 2), (9, 2)):
        clock[0] += passed
        assert permissions_for_menus(with_role("own")) == {Permission.LOG}
        assert asked == ["own"] * times
    permissions_for_menus(with_role("another"))
    assert asked == ["own", "own", "another"]
    forget_menus()
    permissions_for_menus(with_role("own"))
    assert len(asked) == 4


def test_menus_of_people_without_a_role_ask_nothing(clock, monkeypatch):
    monkeypatch.setattr(permissions, "permissions_of_role", None)
    assert permissions_for_menus(VISITOR) == set()
    assert permissions_for_menus(with_role("")) == set()
    assert permissions_for_menus(Viewer("someone", "", None)) == set()


@pytest.mark.parametrize("error", [Unavailable, EngineError])
def test_an_engine_that_is_away_fails_no_menu_and_leaves_what_was_known(clock, monkeypatch, error):
    def away(name):
        raise error

    monkeypatch.setattr(permissions, "permissions_of_role", away)
    assert permissions_for_menus(with_role("own")) == set()
    forget_menus()
    monkeypatch.setattr(permissions, "permissions_of_role", lambda name: {Permission.LOG})
    permissions_for_menus(with_role("own"))
    monkeypatch.setattr(permissions, "permissions_of_role", away)
    clock[0] += 10
    assert permissions_for_menus(with_role("own")) == {Permission.LOG}


# Lists.


def test_roles_are_listed_with_the_built_in_ones_first(table):
    create(Role.new(name="greeter", title="Greeter", permissions={"log", "gone"}))
    shown = [(one.name, one.title, one.permissions, one.is_built_in) for one in list_roles()]
    assert shown == [
        (JUNIOR, "Junior moderator", BUILT_IN[JUNIOR], True),
        (MODERATOR, "Moderator", BUILT_IN[MODERATOR], True),
        (ADMIN, "Administrator", BUILT_IN[ADMIN], True),
        ("greeter", "Greeter", {Permission.LOG}, False),
    ]


def test_direction_marks_of_a_title_act_on_nothing_else(table):
    create(Role.new(name="greeter", title="Greeter\u202e", permissions={"log"}))
    assert list_roles()[-1].title == "Greeter"


def test_staff_are_listed_by_name_whatever_its_case(table, alice, bob):
    zoe, adam = person("zoe", "adam b", "admin"), person("adam", "Adam C", "moderator")
    people = [one.user_id for one in (zoe, adam)]
    assert [card.handle for card in list_staff()] == ["zoe", "adam"]
    assert [card.handle for card in staff_among([*reversed(people), alice.user_id])] == [
        "zoe",
        "adam",
    ]
    with listen() as requests:
        assert list_staff_ids() == set(people)
    assert all(made.is_consistent for made in requests.made)


# Writing.


def test_a_name_has_two_to_thirty_signs_and_a_title_at_most_fifty(admin):
    for name in ("ab", "a" * 30, "0-a"):
        save_role(by=admin, name=name, title="T", permissions={Permission.LOG})
        assert permissions_of_role(name) == {Permission.LOG}
    assert TITLE_MAX_CHARACTERS == 50


def test_giving_asks_for_all_that_both_roles_permit(alice, mod, admin):
    save_role(by=admin, name="granter", title="G", permissions={Permission.LOG, Permission.CASES})
    save_role(by=admin, name="loggers", title="L", permissions={Permission.LOG})
    save_role(by=admin, name="costs", title="C", permissions={Permission.COSTS})
    granter = person("greta", role="granter")
    assert grant_role(by=granter, user_id=alice.user_id, role="loggers") is True
    with pytest.raises(BeyondOwn):
        grant_role(by=granter, user_id=alice.user_id, role="costs")
    set_role(user_id=alice.user_id, role="costs")
    with pytest.raises(BeyondOwn):
        grant_role(by=granter, user_id=alice.user_id, role="loggers")
    assert role_of(alice) == "costs"


def test_a_role_is_saved_and_deleted_by_people_who_have_all_of_it_alone(admin):
    save_role(by=admin, name="both", title="B", permissions={Permission.LOG, Permission.CASES})
    both = person("berta", role="both")
    for permitted in ({Permission.LOG}, {Permission.LOG, Permission.CASES}):
        save_role(by=both, name="same", title="S", permissions=permitted)
    assert delete_role(by=both, name="same") is True
    save_role(by=both, name="logs", title="L", permissions={Permission.LOG})
    with pytest.raises(BeyondOwn):
        save_role(by=both, name="more", title="M", permissions={Permission.LOG, Permission.COSTS})
    save_role(by=both, name="logs", title="L", permissions={Permission.CASES})
    assert delete_role(by=both, name="logs") is True
    with pytest.raises(BadRole):
        delete_role(by=admin, name=MODERATOR)


def test_what_comes_along_with_a_role_is_done_with_it(admin):
    def beside(name):
        return Create(Role.new(name=name, title="T", permissions={"log"}))

    logs = {"by": admin, "name": "logs", "title": "L", "permissions": {Permission.LOG}}
    save_role(beside("one"), **logs)
    save_role(beside("two"), **logs | {"title": "Logs"})
    assert [one.name for one in list_roles()[3:]] == ["logs", "one", "two"]
    assert delete_role(Delete(keys.role("one")), by=admin, name="logs") is True
    assert delete_role(Delete(keys.role("two")), by=admin, name="logs") is False
    assert [one.name for one in list_roles()[3:]] == ["two"]


def test_a_role_that_people_have_is_not_deleted(admin):
    save_role(by=admin, name="logs", title="L", permissions={Permission.LOG})
    person("lotte", role="logs")
    with pytest.raises(RoleInUse):
        delete_role(by=admin, name="logs")


@pytest.mark.parametrize(
    ("held", "role", "now", "is_listed"),
    [
        (("", False), "moderator", "admin", True),  # given meanwhile
        (("", False), "moderator", "", True),
        (("admin", True), "", "moderator", True),  # another one
        (("admin", True), "", "admin", False),
    ],
)
def test_a_role_that_changed_meanwhile_is_left_as_it_is(alice, held, role, now, is_listed):
    key = keys.user_info(alice.user_id)
    change(UserInfo, key, [UserInfo.role.set(now) if now else UserInfo.role.remove()])
    if is_listed:
        create(Staff.new(user_id=alice.user_id))
    with pytest.raises(RoleChanged):
        permissions._write_role(permissions.Held(alice.user_id, *held), role, ())
    assert role_of(alice) == now


def test_what_comes_along_alone_tells_ones_own_grant_from_that_of_another(
    alice, admin, monkeypatch
):
    asked = []
    monkeypatch.setattr(permissions, "transact", lambda *actions, **more: asked.append(more))
    along = Create(Role.new(name="along", title="A", permissions={"log"}))
    set_role(user_id=alice.user_id, role="moderator")
    grant_role(along, by=admin, user_id=alice.user_id, role="moderator")
    assert asked == [{"may_be_own": False}, {"may_be_own": True}]


def test_taking_a_role_from_before_the_list_lists_nobody(alice):
    change(UserInfo, keys.user_info(alice.user_id), [UserInfo.role.set("moderator")])
    set_role(user_id=alice.user_id, role="")
    assert (role_of(alice), list_staff_ids()) == ("", set())


def test_the_command_line_gives_what_exists_and_to_people_who_exist(alice):
    with pytest.raises(NoSuchRole):
        set_role(user_id=alice.user_id, role="never-made")
    with pytest.raises(NotFound) as missing:
        set_role(user_id="nobody", role="admin")
    assert str(missing.value) == "no such person"
    with listen() as requests:
        set_role(user_id=alice.user_id, role="admin")
    assert all(made.is_consistent for made in requests.made if made.operation == "BatchGetItem")


def test_a_change_of_a_role_is_an_event(alice, monkeypatch):
    told = []
    monkeypatch.setattr(permissions, "note_event", lambda event, **of: told.append((event, of)))
    for role in ("moderator", "moderator", ""):
        set_role(user_id=alice.user_id, role=role)
    assert told == [
        (Event.ROLE_CHANGED, {"person": alice.user_id, "before": "", "role": "moderator"}),
        (Event.ROLE_CHANGED, {"person": alice.user_id, "before": "moderator", "role": ""}),
    ]
