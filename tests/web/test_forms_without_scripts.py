"""Without scripts a page is its links and forms: each leads to an address of the site, and each button is answered."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from html.parser import HTMLParser
from types import SimpleNamespace
from urllib.parse import urljoin, urlsplit

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import Resolver404, resolve

from feed.saved.writes import create_folder, save_post
from moderation.reports.writes import file_report
from relations.follows.writes import follow
from relations.friends.writes import request_friend
from tests.conftest import browser_of, post
from tests.feed.scenes import ask, schedule
from tests.prepared import Prepared, Snapshot
from tests.tables import RunningEngine, empty_table, forget_other_tables
from tests.web.html import Html
from tests.web.test_languages import (
    CASE_PAGES,
    MEMBER_PAGES,
    SITE_PAGES,
    VISITOR_PAGES,
    ask_everyone,
)

pytestmark = pytest.mark.engines(
    "embedded", reason="where a form leads does not hang on the engine"
)

ELSEWHERE = ("/static/", "/media/", "/m/", "/pm/")  # files
ANSWERED = {200, 204, 302, 400, 403, 409, 422, 429}


@dataclass
class Press:
    """A button and what a browser without scripts sends for it."""

    text: str
    address: str
    form: dict[str, str]


@pytest.fixture(scope="module")
def site(running_engine: RunningEngine, prepared: Prepared) -> Iterator[SimpleNamespace]:
    """Alice, to whom all kinds of things have happened, and staff who have a case."""
    with empty_table(running_engine, prepared):
        alice, bob, carol, addy = map(prepared.join, ("alice", "bob", "carol", "addy"))
        theirs, own = post(bob, "Look, a bird"), post(alice)
        ask(bob)
        folder = create_folder(by=alice, name="Birds")
        save_post(by=alice, post_id=theirs, author_id=bob.user_id, folder_id=folder)
        follow(by=carol, user_id=alice.user_id)
        request_friend(by=carol, user_id=alice.user_id)
        schedule(alice, content="Later")
        file_report(by=carol, person_id=bob.user_id, post_id=theirs, rule_id="spam")
        names = {
            "post_id": theirs,
            "own_id": own,
            "person": bob.user_id,
            "vote_id": ask_everyone(addy),
        }
        names["case"] = f"/moderation/cases/person/{bob.user_id}"
        member, staff = browser_of(alice), browser_of(addy)
        yield SimpleNamespace(
            pages=[
                *((member, path.format(**names)) for path in MEMBER_PAGES),
                *((staff, path.format(**names)) for path in (*CASE_PAGES, *SITE_PAGES)),
                *((Client(), path) for path in VISITOR_PAGES),
            ],
            as_it_was=Snapshot(),
        )


def test_every_address_on_every_page_is_one_of_the_site(site):
    wrong = {}
    for browser, path in site.pages:
        for address in addresses_on(path, browser.get(path)):
            if not is_of_the_site(urlsplit(address).path):
                wrong[path] = address
    assert wrong == {}


@cache
def is_of_the_site(path: str) -> bool:
    try:
        resolve(path)
    except Resolver404:
        return False
    return True


def addresses_on(path: str, response: HttpResponse) -> Iterator[str]:
    for element in Html(response).elements:
        for name in ("href", "action", "formaction", "hx-get", "hx-post"):
            address = urljoin(path, element.attributes.get(name, ""))
            if address.startswith("/") and not address.startswith(("//", *ELSEWHERE)):
                yield address


def test_every_button_is_answered_by_the_address_of_its_form(site):
    unanswered, pressed = {}, set()
    for browser, path in site.pages:
        cookies = browser.cookies.copy()
        for press in Buttons(path, browser.get(path)).found:
            kind = (resolve(urlsplit(press.address).path).url_name, press.text)
            if kind in pressed:
                continue
            pressed.add(kind)
            status = browser.post(press.address, press.form).status_code
            if status not in ANSWERED:
                unanswered[f"{press.text!r} on {path}"] = (press.address, status)
            site.as_it_was.restore()
            forget_other_tables()
            browser.cookies = cookies.copy()
    assert unanswered == {}
    assert len(pressed) > 80


class Buttons(HTMLParser):
    """The buttons of a page that send a form by POST, in the form or with its id."""

    def __init__(self, path: str, response: HttpResponse) -> None:
        super().__init__()
        self._path = path
        self._forms: list[dict[str, str]] = []
        self._fields: list[
            tuple[dict[str, str], str, str]
        ] = []  # their form's attributes, name and value
        self._buttons: list[tuple[dict[str, str], dict[str, str], list[str]]] = []
        self._form: dict[str, str] = {}
        self._text: list[str] | None = None
        self.feed(response.content.decode())
        self.found = [press for button in self._buttons if (press := self._press(*button))]

    def _press(self, form: dict[str, str], button: dict[str, str], text: list[str]) -> Press | None:
        named = [one for one in self._forms if one.get("id") == button.get("form")]
        form = named[0] if "form" in button else form
        if form.get("method", "").lower() != "post":
            return None
        fields = {name: value for owner, name, value in self._fields if owner is form}
        if button.get("name"):
            fields[button["name"]] = button.get("value", "")
        address = button.get("formaction", form.get("action", ""))
        return Press(" ".join("".join(text).split()), urljoin(self._path, address), fields)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._form = given
            self._forms.append(given)
        elif tag == "input" and given.get("type") not in ("checkbox", "radio", "file"):
            self._fields.append((self._form, given.get("name", ""), given.get("value", "")))
        elif tag == "button" and given.get("type", "submit") == "submit":
            self._text = []
            self._buttons.append((self._form, given, self._text))

    def handle_data(self, data: str) -> None:
        if self._text is not None:
            self._text.append(data)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._form = {}
        elif tag == "button":
            self._text = None
