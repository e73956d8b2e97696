"""Hiding what one person reposts: at once, in the home timeline alone, and only their reposts."""

import pytest

from feed.posts.reads import Pointer
from feed.profiles.reads import list_posts
from feed.sharing.writes import repost
from relations.follows.writes import follow
from relations.reads import get_person
from tests.conftest import HTMX, post
from tests.relations.relations import OFF, ON
from tests.streams.crowd import home, returning
from tests.web.html import Html

PATH = "/@bob/hide-reposts"


@pytest.fixture
def reposted(alice, bob, carol, drain_stream) -> tuple[str, str]:
    """A post of Alice that Bob reposted, and one of his own, both in the timeline of Carol."""
    follow(by=carol, user_id=bob.user_id)
    theirs, own = post(alice), post(bob)
    repost(by=bob, post=Pointer(theirs, alice.user_id))
    drain_stream()
    assert home(carol) == [theirs, own]
    return theirs, own


def test_reposts_are_gone_at_once_and_come_back(bob, carol, reposted, log_in):
    theirs, own = reposted
    browser = log_in(carol)
    for _ in range(2):
        assert browser.post(PATH, ON)["Location"] == "/@bob"
        assert home(carol) == [own]
    for _ in range(2):
        browser.post(PATH, OFF)
        assert home(carol) == [theirs, own]


def test_they_stay_on_the_profile(bob, carol, reposted, log_in):
    log_in(carol).post(PATH, ON)
    viewer = returning(carol)
    page = list_posts(get_person(bob.user_id, viewer=viewer), viewer=viewer)
    assert [card.post_id for card in page.items] == [*reposted]


def test_over_htmx_the_menu_offers_the_way_back(carol, reposted, log_in):
    browser = log_in(carol)
    for form, offered in ((ON, "0"), (OFF, "1")):
        page = Html(browser.post(PATH, form, headers=HTMX))
        assert page.one("button", formaction=PATH)["value"] == offered
    assert not Html(browser.get("/@alice")).all("button", formaction="/@alice/hide-reposts")


def test_more_than_a_hundred_are_refused_in_words(alice, carol, reposted, log_in, monkeypatch):
    monkeypatch.setattr("relations.own_choices.writes.MOST", 1)
    browser = log_in(carol)
    follow(by=carol, user_id=alice.user_id)
    browser.post("/@alice/hide-reposts", ON)
    response = browser.post(PATH, ON)
    assert response.status_code == 409
    assert "up to 100 people" in response.content.decode()
