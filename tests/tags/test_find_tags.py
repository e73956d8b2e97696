"""Searching for tags: by their beginning, with or without the sign, while posts stand under them."""

import pytest
from django.test import Client

from feed.publishing.writes import delete_post
from relations.directory import find_tags
from tests.conftest import HTMX, post
from tests.web.html import Html


@pytest.fixture
def in_use(alice, drain_stream) -> str:
    """A post, so that these tags are in use."""
    post_id = post(alice, "#Cats #caterpillar #año #猫 #snow_day #ca")
    drain_stream()
    return post_id


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("cat", ["caterpillar", "cats"]),
        ("#CATS", ["cats"]),
        ("＃ｃａ", ["ca", "caterpillar", "cats"]),
        ("c", []),
        ("猫", ["猫"]),
        ("año", ["año"]),
        ("ano", []),
        ("snow_", ["snow_day"]),
        ("cats dogs", []),
        ("#", []),
        ("", []),
        ("a" * 200, []),
    ],
)
def test_a_tag_is_found_by_its_beginning(in_use, text, tags):
    assert find_tags(text, size=8) == tags


def test_at_most_as_many_as_asked_for(in_use):
    assert find_tags("ca", size=2) == ["ca", "caterpillar"]


def test_the_search_leads_to_the_pages_of_tags(in_use):
    for headers in ({}, HTMX):
        found = Html(Client().get("/search?q=%23cat", headers=headers))
        links = [link["href"] for link in found.all("a", class_="chip")]
        assert links == ["/tags/caterpillar", "/tags/cats"]
        assert "We couldn’t find" not in found.one(id="found").text


def test_people_and_tags_are_found_together(in_use, alice, drain_stream):
    post(alice, "#alps")
    drain_stream()
    found = Html(Client().get("/search?q=al"))
    assert [link["href"] for link in found.all("a", class_="chip")] == ["/tags/alps"]
    assert found.handles() == ["alice"]


def test_a_tag_that_nobody_uses_any_more_is_not_found(in_use, alice, drain_stream):
    delete_post(by=alice, post_id=in_use)
    drain_stream()
    found = Html(Client().get("/search?q=%23cats"))
    assert not found.all("a", class_="chip")
    assert "We couldn’t find “#cats”" in found.one(id="found").text
