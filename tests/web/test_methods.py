"""What each address takes, by the table of all of them."""

from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from urllib.parse import urlencode

import pytest
from django.test import Client

from tests.conftest import HTMX
from tests.prepared import by_key, everything
from tests.web.authorisation import ROWS, Row
from tests.web.staff_authorisation import (
    SETTINGS_ROWS,
    STAFF_ROWS,
    UNPUBLISHED_ROWS,
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
