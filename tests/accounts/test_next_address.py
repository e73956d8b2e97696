"""Where one goes after signing in: on this site, whatever the address says."""

import pytest
from django.test import Client

from tests.conftest import PASSWORD
from tests.web.html import Html

ELSEWHERE = [
    "https://evil.example/",
    "http://evil.example",
    "//evil.example/",
    "///evil.example/",
    "/\\evil.example",
    "\\\\evil.example",
    "https:evil.example",
    "http:///evil.example",
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "data:text/html,x",
    "ftp://testserver/",
    "https://testserver@evil.example/",
    "https://testserver.evil.example/",
    "\x01//evil.example",
    " //evil.example",
]


def browser() -> Client:
    return Client(raise_request_exception=False)


def submit(target: str):
    form = {"account": "alice", "password": PASSWORD, "next": target}
    return browser().post("/login", form)


@pytest.mark.parametrize("target", ["/local", "/@alice?page=x", "/settings/profile"])
def test_one_returns_to_where_one_came_from(alice, target):
    page = Html(browser().get("/login", {"next": target}))
    assert page.value("next") == target
    assert submit(target)["Location"] == target


@pytest.mark.parametrize("target", ELSEWHERE)
def test_another_site_is_no_target(alice, log_in, target):
    page = Html(browser().get("/login", {"next": target}))
    assert not page.all("input", name="next")
    assert submit(target)["Location"] == "/"
    assert log_in(alice).get("/login", {"next": target})["Location"] == "/"


@pytest.mark.parametrize("target", ["foo", "local", "no such name", "feed:home", "x:y", "…"])
def test_a_target_that_is_no_address_is_no_fault(alice, log_in, target):
    signed_in = log_in(alice)
    signed_in.raise_request_exception = False
    for response in (submit(target), signed_in.get("/login", {"next": target})):
        assert response.status_code == 302
        assert response["Location"].startswith("/")


def test_a_target_beyond_all_measure_is_no_fault(alice):
    assert submit("/" + "a" * 20_000).status_code in (302, 400)
