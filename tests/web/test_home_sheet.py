"""Home fetches one sheet. What it shows is styled there, its dialogs in forms.css; rooms.css, of which that is the
first part, is for all other pages."""

import re

import pytest
from django.conf import settings

from relations.follows.writes import follow
from tests.conftest import HTMX, post
from tests.web.html import Html

CSS = settings.BASE_DIR / "static" / "css"
IMPORTED = re.compile(r'^@import "(.+)";', re.MULTILINE)
CLASS = re.compile(r"\.([a-z][a-z-]+)")
OWN, OTHERS = ("edit", "delete", "pin", "replies", "audience"), ("save", "report")


def classes_in(sheet: str) -> set[str]:
    parts = IMPORTED.findall((CSS / sheet).read_text()) or [sheet]
    return {name for part in parts for name in CLASS.findall((CSS / part).read_text())}


@pytest.fixture(scope="module")
def rooms() -> set[str]:
    """The classes that rooms.css alone styles."""
    return classes_in("rooms.css") - classes_in("site.css")


def sheets(browser, address: str) -> list[str]:
    links = Html(browser.get(address)).all("link", rel="stylesheet")
    return [link["href"].rpartition("/")[2] for link in links]


def test_home_alone_is_spared_what_it_never_shows(alice, mod, log_in):
    browser = log_in(alice)
    assert sheets(browser, "/") == ["site.css"]
    for address in ("/notifications", "/settings/security", "/saved", alice.card.url, "/nowhere"):
        assert sheets(browser, address)[:2] == ["site.css", "rooms.css"], address
    assert sheets(log_in(mod), "/") == ["site.css", "rooms.css", "cases.css"]
    assert not Html(log_in(mod).get("/")).one("dialog", id="modal")["data-style"].strip()


def test_home_and_what_it_brings_into_itself_need_no_other_sheet_than_that_of_its_dialogs(
    alice, bob, log_in, drain_stream, rooms
):
    follow(by=alice, user_id=bob.user_id)
    his, hers = post(bob), post(alice)
    drain_stream()
    browser = log_in(alice)
    dialogs = [f"{alice.card.url}/posts/{hers}/{one}" for one in OWN]
    dialogs += [f"{bob.card.url}/posts/{his}/{one}" for one in OTHERS]
    dialogs += ["/help/keys", *(f"{bob.card.url}/{one}" for one in ("mute", "block"))]
    parts = [
        f"{bob.card.url}/posts/{his}/reply",
        "/posts/new",
        "/people-to-follow",
        "/search?place=side-&q=b",
    ]
    home, *answers = [browser.get("/"), *(browser.get(p, headers=HTMX) for p in (*dialogs, *parts))]
    assert Html(home).one("dialog", id="modal")["data-style"].strip().endswith("/css/forms.css")
    for answer in (home, *answers):
        path = answer.request["PATH_INFO"]
        assert answer.status_code == 200, path
        elsewhere = rooms - (classes_in("forms.css") if path in dialogs else set())
        for element in Html(answer).elements:
            used = set(element.attributes.get("class", "").split())
            assert not used & elsewhere, (path, used & elsewhere)
