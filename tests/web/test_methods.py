"""What an address takes, and each staff page opens with its own permission."""

from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from urllib.parse import urlencode

import pytest
from django.test import Client

from accounts.people.viewer import Viewer
from accounts.permissions import Permission, save_role
from moderation.reports.writes import file_report
from tests.conftest import HTMX, person
from tests.injected.faults import share
from tests.moderation.cases import private_post
from tests.prepared import by_key, everything
from tests.web.authorisation import ROWS, Row
from tests.web.html import Html
from tests.web.staff_authorisation import (
    BEGIN,
    CASES,
    CONTESTED,
    COSTS,
    INVITES,
    LENS,
    NOT_THERE,
    ORIGINS,
    OVERSIGHT,
    PEOPLE,
    PUBLIC_LOG,
    ROLES,
    SETTINGS_ROWS,
    SITE,
    STAFF_ROWS,
    UNPUBLISHED_ROWS,
    WORKER,
)
from tests.web.test_authorisation import address_of, browser_for, built, row_name, society

__all__ = ["built", "society"]

embedded_alone = pytest.mark.engines("embedded", reason="what an address takes hangs on no engine")

ALL = [*ROWS, *UNPUBLISHED_ROWS, *SETTINGS_ROWS, *STAFF_ROWS]
TAKES_GET = {row.name for row in ALL if row.method == "get"}
# Forms whose sending has no row, but tests of its own; and settings, which leads on whoever asks.
TAKES_POST = {row.name for row in ALL if row.method == "post"} | {
    *("sign_up", "sign_in", "enter_code", "settings", "welcome"),
    *("set_up_second_factor", "replace_second_factor", "set_up_replacement"),
    *("renew_recovery_codes", "turn_off_second_factor"),
}
# Who gave no password yet goes back to it: tests/accounts/test_sign_in.py, test_passkeys.py
HALF_SIGNED_IN = {"enter_code", "enter_passkey"}
FOR_MEMBERS = [row for row in ALL if row.may[0] == "i" and row.name not in HALF_SIGNED_IN]
PRESSES = [row for row in ALL if "on" in row.form and row.name != "open_lens"]  # keeps a cookie
METHODS = {"get": TAKES_GET, "post": TAKES_POST}


@contextmanager
def nothing_changes() -> Iterator[None]:
    before = by_key(everything())
    yield
    after = by_key(everything())
    assert [key for key in before.keys() | after.keys() if before.get(key) != after.get(key)] == []


def with_addresses(rows: list[Row], society: SimpleNamespace) -> list[tuple[Row, str]]:
    return [(row, address_of(row, society.alice)) for row in rows]


def who_may(row: Row, society: SimpleNamespace) -> Client:
    letters = row.letters()
    kinds = ("friend", "author", "moderator", "admin")
    return browser_for(next((kind for kind in kinds if letters[kind] == "y"), "admin"), society)


@embedded_alone
def test_a_visitor_is_sent_to_sign_in_and_changes_nothing(society):
    """Who looked comes back to the page. A change does not become the target: the browser would ask for it by GET."""
    wrong = {}
    asked = with_addresses(FOR_MEMBERS, society)
    with nothing_changes():
        for row, address in asked:
            for method, names in METHODS.items():
                target = f"/login?{urlencode({'next': address if method == 'get' else '/'})}"
                sent = row.form if method == "post" else None
                plain = getattr(Client(), method)(address, sent)
                htmx = getattr(Client(), method)(address, sent, headers=HTMX)
                if row.name not in names:
                    found = {plain.status_code, htmx.status_code} - {405}
                else:
                    answers = (plain.status_code, plain.headers.get("Location"))
                    others = (htmx.status_code, htmx.headers.get("HX-Redirect"))
                    found = {answers, others} - {(302, target), (204, target)}
                if found:
                    wrong[f"{row_name(row)}, by {method}"] = found
        assert wrong == {}


@embedded_alone
def test_a_link_changes_nothing(society):
    """A change is a POST: its address takes no GET, or shows a form whatever the query says."""
    wrong = {}
    asked = with_addresses([row for row in ALL if row.method == "post"], society)
    with nothing_changes():
        for row, address in asked:
            status = who_may(row, society).get(address, row.form or None).status_code
            if status >= 500 or (row.name not in TAKES_GET and status != 405):
                wrong[row_name(row)] = status
        assert wrong == {}


@embedded_alone
def test_what_is_only_looked_at_takes_no_post(society):
    looked_at = [row for row in ALL if row.name not in TAKES_POST]
    asked = with_addresses(looked_at, society)
    with nothing_changes():
        statuses = {
            f"{method} {row.name}": getattr(who_may(row, society), method)(address).status_code
            for row, address in asked
            for method in ("post", "put", "delete")
        }
    assert {name: status for name, status in statuses.items() if status != 405} == {}


@embedded_alone
@pytest.mark.parametrize("form", [{}, {"on": ""}, {"on": "2"}, {"on": "banana"}], ids=str)
def test_a_press_that_says_no_state_changes_nothing(society, form):
    wrong = {}
    asked = with_addresses(PRESSES, society)
    with nothing_changes():
        for row, address in asked:
            for extra in ({}, {"headers": HTMX}):
                answer = who_may(row, society).post(address, form, **extra)
                if answer.status_code != 400:
                    wrong[row_name(row)] = answer.status_code
        assert wrong == {}


@embedded_alone
def test_nothing_is_done_about_a_person_who_is_not_there(society):
    """Nor shown: nobody has the handle that the address names."""
    wrong = {}
    about = [row for row in ALL if "/alice" in row.address or "/@alice" in row.address]
    asked = with_addresses(about, society)
    with nothing_changes():
        for row, address in asked:
            nowhere = address.replace("alice", "nobody_here", 1)
            status = getattr(who_may(row, society), row.method)(nowhere, row.form).status_code
            if status != 404:
                wrong[row_name(row)] = status
        assert wrong == {}


# Each staff page opens with its own permission, and with no other one. Cases and queues have a table of their
# own: `tests/moderation/test_ranks.py`.

embedded_alone_for_staff_permissions = pytest.mark.engines(
    "embedded", reason="who may do what does not hang on the engine"
)

OF_THE_SITE = {"end_site_vote", "preset", "word", "try_edited_word"}
QUEUES = {"queue", "in_bulk", "waves", "languages"}  # of which everyone opens their own
NOT_THERE_YET = {"undo", "look_at_photo", "photo_file"}
NO_TABS = (Permission.SUSPEND, Permission.ORIGINS, Permission.WORKER, Permission.LENS)
OF_NOTHING = [*NOT_THERE, *(row for row in CONTESTED if row.name in NOT_THERE_YET)]
PAGES_OF = {
    Permission.CASES: [
        *CASES,
        *CONTESTED,
        *(row for row in NOT_THERE if "wave" in row.name or "hint" in row.name),
    ],
    Permission.PEOPLE: PEOPLE,
    Permission.ORIGINS: [],
    Permission.SIGN_UPS: [*INVITES, *(row for row in CASES if row.name in QUEUES)],
    Permission.LOG: [row for row in OVERSIGHT if row.name == "log"],
    Permission.OVERVIEW: [row for row in OVERSIGHT if row.name == "overview"],
    Permission.SITE: [
        *SITE,
        *(row for row in CASES if row.name == "slow_down"),
        *(row for row in NOT_THERE if row.name in OF_THE_SITE),
    ],
    Permission.ROLES: [*ROLES, *(row for row in NOT_THERE if "role" in row.name)],
    Permission.WORKER: WORKER,
    Permission.LENS: LENS,
    Permission.COSTS: COSTS,
    Permission.SUSPEND: [],
}


@embedded_alone_for_staff_permissions
def test_every_staff_page_belongs_to_a_permission():
    stated = {(row.method, row.name) for rows in PAGES_OF.values() for row in rows}
    everything = {(row.method, row.name) for row in STAFF_ROWS}
    with_two = {(row.method, row.name) for row in ORIGINS}
    assert everything - stated - with_two == {(row.method, row.name) for row in (BEGIN, PUBLIC_LOG)}


# A third of them, others each run: each asks for every page of staff.
@embedded_alone_for_staff_permissions
@pytest.mark.parametrize("permission", share(Permission, one_of=3, salt="permissions"))
def test_one_permission_opens_its_own_pages_alone(permission, admin, alice, bob, log_in):
    post_id = private_post(alice, "Friends only")
    file_report(by=bob, person_id=alice.user_id, post_id=post_id, rule_id="spam")
    browser = log_in(with_permission(admin, permission))
    opened = set()
    for row in STAFF_ROWS:
        if row in (BEGIN, PUBLIC_LOG, *OF_NOTHING):
            continue
        address = row.address.format(alice=alice.user_id)
        if getattr(browser, row.method)(address, row.form).status_code != 404:
            opened.add((row.method, row.name))
    assert opened == {
        (row.method, row.name) for row in PAGES_OF[permission] if row not in OF_NOTHING
    }


@embedded_alone_for_staff_permissions
@pytest.mark.parametrize("permission", Permission)
def test_the_tabs_are_those_that_the_permission_opens(permission, admin, log_in):
    browser = log_in(with_permission(admin, permission))
    begin = browser.get("/moderation")
    if permission in NO_TABS:
        assert begin.status_code == 404
        return
    page = browser.get(begin["Location"])
    assert page.status_code == 200
    for tab in Html(page).all("a"):
        if tab["href"].startswith("/moderation"):
            assert browser.get(tab["href"]).status_code in (200, 302), tab["href"]


def with_permission(admin: Viewer, permission: Permission) -> Viewer:
    save_role(by=admin, name="one-thing", title="One thing", permissions={permission})
    return person("staffer", role="one-thing")
