"""Home fetches one sheet. What it shows, its dialogs too, is styled there; rooms.css is for all other pages."""

import re

import pytest
from django.conf import settings

from relations.services.follow import follow
from tests.conftest import HTMX, post
from tests.web.html import Html

CSS = settings.BASE_DIR / "static" / "css"
IMPORTED = re.compile(r'^@import "(.+)";', re.MULTILINE)
CLASS = re.compile(r"\.([a-z][a-z-]+)")
OWN, OTHERS = ("edit", "delete", "pin", "replies", "audience"), ("save", "report", "reply")


def classes_in(sheet: str) -> set[str]:
    parts = IMPORTED.findall((CSS / sheet).read_text())
    return {name for part in parts for name in CLASS.findall((CSS / part).read_text())}


@pytest.fixture(scope="module")
def elsewhere() -> set[str]:
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


def test_home_and_what_it_brings_into_itself_need_no_other_sheet(
    alice, bob, log_in, drain_stream, elsewhere
):
    follow(by=alice, user_id=bob.user_id)
    his, hers = post(bob), post(alice)
    drain_stream()
    browser = log_in(alice)
    parts = [f"{alice.card.url}/posts/{hers}/{one}" for one in OWN]
    parts += [f"{bob.card.url}/posts/{his}/{one}" for one in OTHERS]
    parts += [f"{bob.card.url}/{one}" for one in ("mute", "block")]
    parts += ["/posts/new", "/people-to-follow", "/search?q=b"]
    answers = [browser.get("/"), *(browser.get(part, headers=HTMX) for part in parts)]
    for answer in answers:
        assert answer.status_code == 200, answer.request["PATH_INFO"]
        for element in Html(answer).elements:
            used = set(element.attributes.get("class", "").split())
            assert not used & elsewhere, (answer.request["PATH_INFO"], used & elsewhere)
