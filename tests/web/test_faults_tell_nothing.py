"""Whatever breaks, and wherever, the answer says that it did and nothing else: no detail, key or name of code."""

import html
import json
from collections.abc import Callable

import pytest
from django.conf import settings as site_settings
from django.template.loader import render_to_string
from django.test import Client

from feed.home import views
from socialsite.table import Refused, Unavailable
from tests.conftest import HTMX

DETAIL = "s3cr3t detail of a query"


def fault(**_: object) -> None:
    key = site_settings.SECRET_KEY  # in a local, where a page of debug mode would show it
    raise RuntimeError(f"{DETAIL} {key}")


def of_the_engine(error: type[Exception]) -> Callable[..., None]:
    def refuse(**_: object) -> None:
        raise error(DETAIL) from ValueError(f"{DETAIL}: u#01ARZ3NDEKTSV4RRFFQ69G5FAV")

    return refuse


class Breaks:
    """A value that breaks the template that shows it."""

    def __init__(self, **_: object) -> None:
        self.items = self

    def __iter__(self) -> object:
        raise RuntimeError(DETAIL)

    def __str__(self) -> str:
        raise RuntimeError(DETAIL)

    next_cursor = previous_cursor = ""


FAULTS = {
    "view": (fault, 500),
    "template": (Breaks, 500),
    "engine is down": (of_the_engine(Unavailable), 503),
    "engine refuses": (of_the_engine(Refused), 503),
}


@pytest.mark.parametrize(
    "headers", [{}, HTMX, {"Accept": "application/json"}], ids=["page", "htmx", "json"]
)
@pytest.mark.parametrize("where", FAULTS)
@pytest.mark.parametrize("who", ["visitor", "member", "admin"])
def test_an_answer_to_a_fault_tells_nothing_of_it(
    who, where, headers, bob, admin, log_in, monkeypatch, settings
):
    settings.DEBUG = False
    browser = Client() if who == "visitor" else log_in(bob if who == "member" else admin)
    browser.raise_request_exception = False
    breaks, status = FAULTS[where]
    monkeypatch.setattr(views, "list_public", breaks)
    answer = browser.get("/local", headers=headers)
    assert answer.status_code == status
    assert_tells_nothing(answer)


def test_nor_does_one_of_a_page_of_errors_that_breaks_itself(bob, log_in, monkeypatch, settings):
    """The frame of a 404 shows the viewer, who cannot be read."""
    settings.DEBUG = False
    monkeypatch.setattr("accounts.middleware.get_viewer", fault)
    browser = log_in(bob)
    browser.raise_request_exception = False
    answer = browser.get("/not/there")
    assert answer.status_code == 500
    assert_tells_nothing(answer)


def assert_tells_nothing(answer) -> None:
    said = html.unescape(answer.content.decode()) + json.dumps(dict(answer.headers))
    told = (
        *(DETAIL, "Traceback", "RuntimeError", "ValueError", "Refused", "Unavailable"),
        *(str(site_settings.BASE_DIR), "feed/home", ".py", "u#01ARZ3", "DynamoDB"),
        *(site_settings.SECRET_KEY, str(site_settings.DATA_KEY)),
    )
    assert [one for one in told if one and one in said] == []


@pytest.mark.parametrize("page", ["500.html", "503.html", "413.html"])
def test_the_pages_of_faults_need_nothing_that_could_break(page):
    assert "<h1" in render_to_string(page, {})
