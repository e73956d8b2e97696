"""On every page of the site: the lens has the figures of the engine, and nobody without the right has a lens."""

import re
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client

from lens.sight import kept_of
from tests.injected.faults import share
from tests.web.authorisation import ROWS
from tests.web.staff_authorisation import SETTINGS_ROWS, STAFF_ROWS, UNPUBLISHED_ROWS
from tests.web.test_authorisation import address_of, browser_for, built, society

__all__ = ["built", "society"]

pytestmark = pytest.mark.engines("embedded", reason="the others report other capacity")

PAGES = [
    row
    for row in (*ROWS, *UNPUBLISHED_ROWS, *SETTINGS_ROWS, *STAFF_ROWS)
    if row.method == "get" and not row.address.startswith("/dev/")
]
KINDS = ["visitor", "author", "admin"]
# One of them, another one each run, asks for every page to see its figures.
COUNTED = share(KINDS, one_of=3, salt="figures")
DRAWER = [b'id="lens"', b"lens.css", b"lens.js"]
# Tokens of forms are drawn by chance, and one in a few hundred runs has these four letters.
BY_CHANCE = re.compile(rb"[\w-]{20,}")
PARTS = {"visitor": [b"lens"], "author": [b"lens"], "admin": DRAWER}  # whose menu leads to it


@pytest.fixture
def browsers(society: SimpleNamespace) -> dict[str, Client]:
    return {kind: browser_for(kind, society) for kind in KINDS}


@pytest.fixture
def addresses(society: SimpleNamespace) -> list[str]:
    return [address_of(row, society.alice) for row in PAGES]


@pytest.mark.usefixtures("developing")
@pytest.mark.parametrize("kind", COUNTED)
def test_the_figures_are_those_of_the_engine(kind, society, browsers, addresses, requests_of):
    browser = browsers[kind]
    viewer_id = "" if kind == "visitor" else society.people[kind].user_id
    wrong, shown = {}, 0
    for address in addresses:
        with requests_of() as requests:
            answer = browser.get(address)
        # A Scan counts the table's bytes for the drawer, after the page.
        heard = [one for one in requests.made if one.operation != "Scan"]
        shown += b'id="lens"' in _body(answer)
        if not heard or answer.status_code == 302:
            continue
        kept = (*kept_of(viewer_id), *kept_of(""))  # the second of pages that ask nobody's name
        sight = next((one for one in kept if one.address == address), None)
        told = sight and [(call.operation, call.units) for call in sight.made]
        if told != [(one.operation, one.units) for one in heard]:
            wrong[address] = (told, heard)
    assert not wrong
    assert shown > 50


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_of_it_is_in_any_page_of_others(kind, browsers, addresses):
    browser = browsers[kind]
    browser.cookies["__Host-lens"] = "" if kind == "admin" else "1"
    for address in addresses:
        answer = browser.get(address)
        headers = "\n".join(f"{name}: {value}" for name, value in answer.headers.items())
        assert "lens" not in headers.lower(), address
        body = BY_CHANCE.sub(b"", _body(answer)).lower()
        assert not [part for part in PARTS[kind] if part in body], address


def _body(answer: Any) -> bytes:
    return b"".join(answer) if answer.streaming else answer.content
