"""What a page cost is shown to staff, and to everyone in debug mode only."""

import pytest
from django.test import Client


def test_staff_see_what_a_page_cost(mod, log_in):
    timing = log_in(mod).get("/")["Server-Timing"]
    assert timing.startswith("dynamodb;dur=")
    assert '"2 calls' in timing or '"3 calls' in timing
    assert "1-get_viewer;" in timing
    assert "2-get_timeline;" in timing


def test_others_see_nothing_of_it(alice, bob, log_in):
    for browser in (log_in(alice), Client()):
        for path in ("/", "/local", "/@bob", "/not/there", "/readyz"):
            assert "Server-Timing" not in browser.get(path)


def test_in_debug_mode_everybody_sees_it(bob, settings):
    settings.DEBUG = True
    assert "get_viewer" in Client().get("/@bob")["Server-Timing"]


@pytest.mark.usefixtures("table")
def test_an_answer_without_calls_has_no_timing(settings):
    settings.DEBUG = True
    assert "Server-Timing" not in Client().get("/about")
