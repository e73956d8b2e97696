"""The lens never makes a fault of a page: without an engine it shows what the page asked, and asks nothing itself."""

import pytest
from django.test import Client

from tests.web.test_engine_down import TROUBLES


@pytest.fixture(autouse=True)
def developing(settings):
    settings.DEBUG = True


@pytest.mark.parametrize("trouble", TROUBLES)
def test_a_page_that_could_not_be_read_says_so_with_its_drawer(alice, log_in, request, trouble):
    browser = log_in(alice)
    request.getfixturevalue(trouble)
    answer = browser.get("/@alice")
    assert answer.status_code == 503
    assert b'id="lens"' in answer.content


@pytest.mark.usefixtures("engine_down")
def test_a_page_that_asked_nothing_needs_no_engine():
    browser = Client(enforce_csrf_checks=True)
    assert browser.post("/login", {"account": "alice", "password": "none"}).status_code == 403
