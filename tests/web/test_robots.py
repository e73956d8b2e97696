"""`/robots.txt` lets search engines see what visitors see, and no forms."""

from urllib.robotparser import RobotFileParser

import pytest
from django.test import Client
from django.urls import resolve

from socialsite.web.pages import CLOSED


@pytest.fixture
def robots() -> RobotFileParser:
    response = Client().get("/robots.txt")
    assert response["Content-Type"] == "text/plain; charset=utf-8"
    parser = RobotFileParser()
    parser.parse(response.content.decode().splitlines())
    return parser


def test_what_visitors_read_may_be_asked_for(robots):
    for path in ("/", "/local", "/@alice", "/@alice/posts/01KAAAAAAAAAAAAAAAAAAAAAAA", "/about"):
        assert robots.can_fetch("*", path), path
    assert robots.can_fetch("*", "/@alice/feed.atom")


def test_forms_and_what_needs_a_sign_in_may_not(robots):
    for path in ("/settings/profile", "/moderation/queue", "/login?next=/", "/search?q=a"):
        assert not robots.can_fetch("*", path), path


def test_every_address_that_is_closed_is_one_of_the_site():
    for path in CLOSED:
        assert resolve(path).url_name, path


def test_it_asks_nothing_of_the_table(table, measure):
    with measure() as meter:
        Client().get("/robots.txt")
    assert meter.calls == []
