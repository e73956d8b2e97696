"""What a person was told, as their page and their badges say it."""

import re

from django.test import Client
from django.utils.html import strip_tags

from accounts.people.viewer import Viewer, Waiting
from notifications.reads import list_notifications
from socialsite.table import fetch, keys
from tests.conftest import HTMX
from tests.web.html import Html

SURNAME = re.compile(r"(?<=Alice) Archer|(?<=Bob) Brandt|(?<=Carol) 陈")


def told(person: Viewer, only: str = "") -> list[str]:
    """The sentences of the page, newest first, with first names and without links."""
    notes = list_notifications(person, only=only).items
    return [SURNAME.sub("", strip_tags(note.html)) for note in notes]


def waiting(person: Viewer) -> Waiting:
    key = keys.bell(person.user_id)
    return Waiting.from_raw(fetch([key], consistent=True).get(key, {}))


def badge(browser: Client, name: str = "bell") -> str:
    """What the badge beside a link says; empty if there is none."""
    return " ".join(Html(browser.get("/about")).one("span", id=f"{name}-badge").text.split())


def shown(browser: Client, address: str = "/notifications") -> list[str]:
    """What a page says that it shows, once it stands there."""
    page = Html(browser.get(address))
    return [str(one["value"]) for one in page.all("input", name="shown")]


def read_page(browser: Client, address: str = "/notifications") -> Html:
    """Opens a page as a browser with scripts does."""
    tokens = shown(browser, address)
    return Html(browser.post("/notifications/read", {"shown": tokens}, headers=HTMX))
