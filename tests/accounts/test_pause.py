"""A paused account: hidden with everything kept, until its owner comes back. Where it is hidden is in
tests/moderation/test_hidden_means_hidden.py."""

import pytest
from django.test import Client

from accounts.people.reads import get_user_info
from accounts.people.restrictions import Restriction
from accounts.profile.writes import pause_account
from relations.friends.writes import accept_friend, request_friend
from relations.relation import NotRelated
from tests.conftest import PASSWORD, post
from tests.moderation.restricting import restrict
from tests.web.html import Html

PAGE, BACK = "/settings/pause", "/settings/pause/end"


def is_seen(handle: str) -> bool:
    return Client().get(f"/@{handle}").status_code == 200


def test_a_pause_hides_the_person_and_coming_back_shows_them(alice, log_in):
    browser = log_in(alice)
    address = f"/@alice/posts/{post(alice)}"
    for _ in range(2):  # sending it twice is harmless
        assert browser.post(PAGE).status_code == 302
    assert not is_seen("alice")
    assert Client().get(address).status_code == 404
    for _ in range(2):
        assert browser.post(BACK)["Location"] == "/"
    assert is_seen("alice")
    assert Client().get(address).status_code == 200


def test_signing_in_does_not_end_it(alice):
    pause_account(by=alice)
    browser = Client()
    browser.post("/login", {"account": "alice", "password": PASSWORD})
    assert not is_seen("alice")
    standing = Html(browser.get("/standing"))
    assert standing.one(class_="standing").text.startswith("Your account is paused")
    assert standing.one("form", action=BACK)
    assert Html(browser.get("/local")).one("a", class_="banner-link").text == "Come back"


def test_nobody_follows_or_befriends_a_paused_person(alice, bob, log_in):
    request_friend(by=alice, user_id=bob.user_id)
    pause_account(by=alice)
    assert log_in(bob).post("/@alice/follow", {"on": "1"}).status_code == 404
    with pytest.raises(NotRelated):
        accept_friend(by=bob, user_id=alice.user_id)


def test_coming_back_lifts_no_suspension(alice, log_in):
    browser = log_in(alice)
    browser.post(PAGE)
    restrict(alice, Restriction.SUSPENDED)
    browser.post(BACK)
    assert not get_user_info(alice.user_id).is_paused
    assert not is_seen("alice")


def test_looking_pauses_nobody(alice, log_in):
    assert Html(log_in(alice).get(PAGE)).one("form", action=PAGE)
    assert is_seen("alice")
