"""A post that moderators marked as sensitive is behind a cover wherever it is shown, to its author too."""

import pytest
from django.test import Client

from relations.follows.writes import follow
from relations.own_choices.writes import favourite
from tests.conftest import HTMX, post
from tests.moderation.restricting import mark_sensitive
from tests.web.html import Html

PAGES = (
    "/",
    "/local",
    "/favourites",
    "/@bob",
    "/@bob/posts/{post}",
    "/@bob/posts/{post}/likers",
)


@pytest.fixture
def sensitive(alice, bob, drain_stream) -> str:
    follow(by=alice, user_id=bob.user_id)
    favourite(by=alice, user_id=bob.user_id)
    post_id = post(bob, "Not for every eye")
    drain_stream()
    mark_sensitive(bob, post_id)
    return post_id


def covers(response) -> list[str]:
    return [cover.text for cover in Html(response).all("details", class_="covered")]


@pytest.mark.parametrize("path", PAGES)
def test_on_every_page_its_text_is_behind_a_closed_cover(sensitive, alice, log_in, path):
    response = log_in(alice).get(path.format(post=sensitive))
    assert covers(response) == ["Sensitive content Show Hide Not for every eye"]
    html = Html(response)
    assert "open" not in html.one("details", class_="covered").attributes
    assert html.one("main").text.count("Not for every eye") == 1


def test_for_visitors_and_for_its_author_too(sensitive, bob, log_in):
    for browser in (Client(), log_in(bob)):
        assert covers(browser.get("/local"))


def test_what_the_pill_brings_is_covered_too(sensitive, alice, log_in, bob, drain_stream):
    browser = log_in(alice)
    pulse = Html(browser.get("/")).one(id="pulse")["hx-get"]
    newer = post(bob)
    drain_stream()
    mark_sensitive(bob, newer)
    pill = Html(browser.get(pulse, headers=HTMX)).one("a", id="pill")["hx-get"]
    assert covers(browser.get(pill, headers=HTMX))


def test_other_posts_have_none(alice, bob, log_in):
    post(bob)
    assert covers(log_in(alice).get("/@bob")) == []


def test_it_can_be_liked_as_any_other(sensitive, alice, log_in):
    assert log_in(alice).post(f"/@bob/posts/{sensitive}/like", {"on": "1"}).status_code == 302
    card = Html(log_in(alice).get(f"/@bob/posts/{sensitive}"))
    assert card.one(id=f"like-button-{sensitive}")["aria-pressed"] == "true"
