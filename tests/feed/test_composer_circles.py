"""The composer is one on every page: it offers each audience, the author's circles among them, at no further call."""

import pytest

from feed.posts.models import Audience
from feed.profiles.reads import list_posts
from relations.friends.writes import create_circle, file_friend
from tests.conftest import HTMX
from tests.relations.relations import befriend
from tests.streams.crowd import returning
from tests.web.html import Html

NONCE = "n" * 22


@pytest.fixture
def family(alice, bob) -> str:
    befriend(alice, bob)
    circle_id = create_circle(by=alice, name="Family")
    file_friend(by=alice, user_id=bob.user_id, circles=[circle_id], note="")
    return circle_id


def offered(response) -> list[str]:
    """The audiences; what follows them is who can reply."""
    options = [option["value"] for option in Html(response).all("option")]
    return options[: options.index("", 1)]


def test_home_and_the_own_page_offer_the_same(alice, log_in, family):
    browser = log_in(alice)
    audiences = ["", "followers", "friends", f"circle:{family}", "me"]
    assert offered(browser.get("/")) == offered(browser.get("/posts/new")) == audiences


def test_the_fresh_composer_after_a_post_and_the_refused_one_offer_them_too(alice, log_in, family):
    browser = log_in(alice)
    answers = [
        browser.post("/posts", {"content": content, "nonce": NONCE}, headers=HTMX)
        for content in ("Hello", "")
    ]
    assert [answer.status_code for answer in answers] == [200, 422]
    for answer in answers:
        assert f"circle:{family}" in offered(answer)


def test_a_post_from_home_goes_to_the_circle(alice, bob, carol, log_in, family):
    form = {"content": "Hello", "nonce": NONCE, "audience": f"circle:{family}"}
    assert log_in(alice).post("/posts", form, headers=HTMX).status_code == 200
    (card,) = list_posts(returning(alice).card, viewer=returning(alice)).items
    assert (card.audience, card.circle) == (Audience.CIRCLE, "Family")
    assert len(list_posts(alice.card, viewer=bob).items) == 1
    assert list_posts(alice.card, viewer=carol).items == []


def test_somebody_elses_circle_is_no_audience(bob, log_in, family):
    form = {"content": "Hello", "nonce": NONCE, "audience": f"circle:{family}"}
    response = log_in(bob).post("/posts", form)
    assert response.status_code == 422
    assert "Choose who can see your post." in response.content.decode()
    assert Html(response).value("content") == "Hello"
    assert list_posts(bob.card, viewer=bob).items == []


def test_circles_cost_home_no_call(alice, log_in, family, requests_of):
    browser = log_in(alice)
    with requests_of() as requests:
        browser.get("/")
    assert requests.operations == ["BatchGetItem", "Query"]
    with requests_of() as requests:
        browser.get("/posts/new")
    assert requests.operations == ["BatchGetItem"]
