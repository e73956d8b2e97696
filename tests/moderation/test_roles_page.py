"""Giving and making roles on the page: what it refuses in words, and what stands in the audit log."""

import pytest
from django.test import Client

from accounts.people.reads import get_user_info
from accounts.permissions import (
    BUILT_IN,
    Permission,
    list_roles,
    permissions_of_role,
    save_role,
    set_role,
)
from moderation.staff.writes import MOST_ROLES, give_role, make_role
from tests.conftest import person
from tests.moderation.cases import logged
from tests.web.html import Html

PAGE = "/moderation/roles"
GREETER = {"title": "Greeter", "permissions": ["sign-ups", "overview"]}


def role_of(viewer) -> str:
    return get_user_info(viewer.user_id, consistent=True).role


def entries() -> list[tuple[str, dict]]:
    return [(entry.action, entry.detail or {}) for entry in logged()]


def own_roles() -> dict[str, set[str]]:
    return {role.name: set(role.permissions) for role in list_roles() if not role.is_built_in}


@pytest.fixture
def admins(admin, log_in) -> Client:
    return log_in(admin)


@pytest.mark.parametrize(
    ("method", "address"),
    [
        ("get", PAGE),
        ("post", f"{PAGE}/give"),
        ("post", f"{PAGE}/take"),
        ("get", f"{PAGE}/add"),
        ("post", f"{PAGE}/add"),
        ("get", f"{PAGE}/of/greeter"),
        ("post", f"{PAGE}/of/greeter/remove"),
    ],
)
def test_the_pages_are_not_there_for_who_gives_no_roles(alice, mod, log_in, method, address):
    for client in (Client(), log_in(alice), log_in(mod)):
        assert getattr(client, method)(address).status_code == 404


def test_the_page_lists_staff_and_what_each_role_may_do(admins, mod):
    text = Html(admins.get(PAGE)).one("main").text
    assert "@moddy" in text
    assert "Moderator" in text
    assert "Suspend accounts" in text
    assert "@addy" in text


def test_a_role_is_given_by_handle_and_entered_in_the_log(admins, alice):
    given = {"person": "@Alice", "role": "moderator"}
    assert admins.post(f"{PAGE}/give", given).status_code == 302
    assert role_of(alice) == "moderator"
    [entry] = logged()
    assert (entry.action, entry.person_id) == ("give role", alice.user_id)
    assert entry.detail == {"role": "moderator"}


def test_the_same_again_changes_nothing_and_is_not_entered(admins, alice):
    for _ in range(2):
        admins.post(f"{PAGE}/give", {"person": "alice", "role": "moderator"})
        assert role_of(alice) == "moderator"
    assert len(logged()) == 1
    for _ in range(2):
        assert admins.post(f"{PAGE}/take", {"person": alice.user_id}).status_code == 302
        assert role_of(alice) == ""
    assert [name for name, _ in entries()] == ["give role", "take role"]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"person": "nobody", "role": "moderator"}, "Nobody has this handle. Check the spelling."),
        ({"person": "", "role": "moderator"}, "required"),
        ({"person": "alice", "role": "king"}, "king"),
        ({"person": "addy", "role": "moderator"}, "Ask someone else on the staff"),
    ],
)
def test_what_is_refused_is_said_beside_the_field(admins, alice, given, told):
    answer = admins.post(f"{PAGE}/give", given)
    assert answer.status_code == 422
    assert told in answer.content.decode()
    assert logged() == []


def test_nobody_gives_or_takes_more_than_they_have(alice, admin, bob, log_in):
    save_role(by=admin, name="chief", title="Chief", permissions=[Permission.ROLES])
    set_role(user_id=alice.user_id, role="chief")
    chiefs = log_in(alice)
    answer = chiefs.post(f"{PAGE}/give", {"person": "bob", "role": "moderator"})
    assert answer.status_code == 422
    assert "has permissions you do not have" in answer.content.decode()
    answer = chiefs.post(f"{PAGE}/take", {"person": admin.user_id}, follow=True)
    assert "has permissions you do not have" in answer.content.decode()
    assert role_of(admin) == "admin"
    made = chiefs.post(f"{PAGE}/add", {"title": "More", "permissions": ["suspend"]})
    assert made.status_code == 422
    assert logged() == []


def test_taking_from_oneself_is_refused(admins, admin):
    answer = admins.post(f"{PAGE}/take", {"person": admin.user_id}, follow=True)
    assert "Ask someone else on the staff" in answer.content.decode()
    assert role_of(admin) == "admin"


def test_somebody_who_is_not_there_is_not_found(admins):
    assert admins.post(f"{PAGE}/take", {"person": "of nobody"}).status_code == 404
    assert admins.post(f"{PAGE}/take").status_code == 404


def test_a_role_is_made_changed_and_removed(admins, alice):
    assert admins.post(f"{PAGE}/add", GREETER).status_code == 302
    assert own_roles() == {"greeter": {"sign-ups", "overview"}}
    changed = {"title": "Door", "permissions": ["sign-ups"]}
    assert admins.post(f"{PAGE}/of/greeter", changed).status_code == 302
    assert own_roles() == {"greeter": {"sign-ups"}}
    admins.post(f"{PAGE}/give", {"person": "alice", "role": "greeter"})
    assert role_of(alice) == "greeter"
    in_use = admins.post(f"{PAGE}/of/greeter/remove", follow=True)
    assert "Someone still has this role" in in_use.content.decode()
    admins.post(f"{PAGE}/take", {"person": alice.user_id})
    for _ in range(2):
        assert admins.post(f"{PAGE}/of/greeter/remove").status_code == 302
    assert own_roles() == {}
    names = [name for name, _ in entries()]
    assert names == ["save role", "save role", "give role", "take role", "remove role"]
    assert entries()[0][1]["permissions"] == ["overview", "sign-ups"]


@pytest.mark.parametrize("typed", [{}, {"title": "Greeter"}, {"permissions": ["log"]}])
def test_a_role_needs_a_name_and_a_permission(admins, typed):
    answer = admins.post(f"{PAGE}/add", typed)
    assert answer.status_code == 422
    assert Html(answer).all(class_="field-error")
    assert own_roles() == {}


@pytest.mark.parametrize("title", ["Greeter", "greeter", "Moderator"])
def test_a_name_that_a_role_has_is_refused(admins, title):
    admins.post(f"{PAGE}/add", GREETER)
    answer = admins.post(f"{PAGE}/add", GREETER | {"title": title})
    assert answer.status_code == 422
    assert "There is already a role with this name. Choose another." in answer.content.decode()


def test_a_name_in_any_script_makes_a_role(admin):
    for title in ("客服", "Admin!", "a", "Moderator 2"):
        name = make_role(by=admin, title=title, permissions=[Permission.LOG])
        assert permissions_of_role(name) == {Permission.LOG}
        assert name not in BUILT_IN


def test_there_are_so_many_roles_and_no_more(admins, admin):
    for number in range(MOST_ROLES - len(BUILT_IN)):
        save_role(by=admin, name=f"r{number}x", title=f"{number}", permissions=[Permission.LOG])
    answer = admins.post(f"{PAGE}/add", GREETER)
    assert answer.status_code == 422
    assert "You can have up to" in answer.content.decode()


def test_a_built_in_role_has_no_page(admins):
    assert admins.get(f"{PAGE}/of/admin").status_code == 404
    assert admins.get(f"{PAGE}/of/nothing").status_code == 404


def test_the_form_of_a_role_shows_what_it_may_do(admins):
    admins.post(f"{PAGE}/add", GREETER)
    page = Html(admins.get(f"{PAGE}/of/greeter"))
    boxes = [box for box in page.all("input") if "checked" in box.attributes]
    assert {box["value"] for box in boxes} == {"sign-ups", "overview"}


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_what_giving_a_role_costs_with_its_entry(admin, measure):
    alice = person("alice")
    give_role(by=admin, user_id=person("bob").user_id, role="moderator")
    with measure() as meter:
        give_role(by=admin, user_id=alice.user_id, role="moderator")
    assert (meter.read_units, meter.write_units) == (3, 8)


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_role_that_is_built_in_is_neither_changed_nor_removed(admins, mod, name):
    for address in (f"{PAGE}/of/{name}", f"{PAGE}/of/{name}/remove"):
        assert admins.post(address, GREETER).status_code == 404
    assert permissions_of_role(name) == BUILT_IN[name]
    assert not logged()
