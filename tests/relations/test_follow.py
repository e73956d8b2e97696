"""The follow button: both edges and both counts, whoever presses it however often."""

import pytest
from django.test import Client

from accounts.people.reads import get_user_info
from socialsite.table import keys, query
from tests.conftest import HTMX
from tests.web.html import Html

ON, OFF = {"on": "1"}, {"on": "0"}


def edges(follower, followed) -> tuple[int, int]:
    following = [row["followed_id"]["S"] for row in query(keys.followings(follower.user_id))]
    followers = [row["follower_id"]["S"] for row in query(keys.followers(followed.user_id))]
    return following.count(followed.user_id), followers.count(follower.user_id)


def counts(follower, followed) -> tuple[int | None, int | None]:
    return get_user_info(follower.user_id).following, get_user_info(followed.user_id).followers


def test_following_writes_both_edges_and_both_counts(alice, bob, log_in):
    response = log_in(alice).post("/@bob/follow", ON)
    assert (response.status_code, response["Location"]) == (302, "/@bob")
    assert edges(alice, bob) == counts(alice, bob) == (1, 1)
    assert edges(bob, alice) == counts(bob, alice) == (0, 0)


def test_following_over_htmx_answers_the_pressed_button(alice, bob, log_in):
    response = log_in(alice).post("/@bob/follow", ON, headers=HTMX)
    assert response.status_code == 200
    (button,) = (element for element in Html(response).elements if element.tag == "button")
    assert Html(response).elements[0] == button
    assert button["id"] == f"follow-{bob.user_id}"
    assert (button["aria-pressed"], button["value"]) == ("true", "0")
    assert button["hx-post"] == button["formaction"] == "/@bob/follow"


def test_unfollowing_takes_both_edges_and_both_counts_back(alice, bob, log_in):
    browser = log_in(alice)
    browser.post("/@bob/follow", ON)
    response = browser.post("/@bob/follow", OFF, headers=HTMX)
    button = Html(response).one("button")
    assert (button["aria-pressed"], button["value"]) == ("false", "1")
    assert edges(alice, bob) == counts(alice, bob) == (0, 0)


@pytest.mark.parametrize(("wanted", "number"), [(ON, 1), (OFF, 0)])
def test_pressing_twice_counts_once(alice, bob, log_in, wanted, number):
    browser = log_in(alice)
    browser.post("/@bob/follow", ON)
    for _ in range(2):
        assert browser.post("/@bob/follow", wanted).status_code == 302
    assert edges(alice, bob) == counts(alice, bob) == (number, number)


def test_the_profile_shows_the_button_in_the_state_of_the_viewer(alice, bob, carol, log_in):
    browser = log_in(alice)
    browser.post("/@bob/follow", ON)

    def pressed(viewer_browser: Client) -> str:
        return Html(viewer_browser.get("/@bob")).one("button", class_="follow")["aria-pressed"]

    assert pressed(browser) == "true"
    assert pressed(log_in(carol)) == "false"


@pytest.mark.parametrize("wanted", [ON, OFF])
def test_nobody_follows_oneself(alice, log_in, wanted):
    assert log_in(alice).post("/@alice/follow", wanted).status_code == 400
    assert edges(alice, alice) == counts(alice, alice) == (0, 0)
    assert not Html(log_in(alice).get("/@alice")).all("button", class_="follow")


def test_nobody_follows_nobody(alice, log_in):
    browser = log_in(alice)
    for extra in ({}, {"headers": HTMX}):
        assert browser.post("/@not_there/follow", ON, **extra).status_code == 404
    assert get_user_info(alice.user_id).following == 0


def test_a_handle_in_the_address_may_have_any_case(alice, bob, log_in):
    log_in(alice).post("/@BoB/follow", ON)
    assert edges(alice, bob) == (1, 1)
