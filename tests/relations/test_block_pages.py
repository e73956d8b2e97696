"""Blocking on pages: asked first, then nobody of the two finds the other."""

import re

import pytest
from django.test import Client

from accounts.models import UserInfo
from relations.blocks.writes import block
from relations.follows import views
from relations.follows.writes import follow
from socialsite.table import change, keys
from tests.conftest import HTMX, post
from tests.relations.scenes import OFF, ON, befriend, relationship
from tests.web.html import Html

PAGE = "/@bob/block"


def test_the_page_and_the_dialog_say_what_a_block_does(alice, bob, log_in):
    browser = log_in(alice)
    for extra in ({}, {"headers": HTMX}):
        response = browser.get(PAGE, **extra)
        html = Html(response)
        assert html.one("form", class_="confirm")["action"] == PAGE
        assert "You won’t see each other any more" in response.content.decode()
        assert bool(html.all("html")) is not bool(extra)
    assert not relationship(alice, bob).blocks


def test_blocking_ends_what_was_between_the_two(alice, bob, log_in):
    follow(by=bob, user_id=alice.user_id)
    befriend(alice, bob)
    browser = log_in(alice)
    for _ in range(2):
        response = browser.post(PAGE, ON)
        assert (response.status_code, response["Location"]) == (302, "/@bob")
    seen = relationship(alice, bob)
    assert seen.blocks
    assert not seen.is_followed
    assert not seen.is_friend


def test_over_htmx_the_whole_page_follows(alice, bob, log_in):
    response = log_in(alice).post(PAGE, ON, headers=HTMX)
    assert response["HX-Redirect"] == "/@bob"
    assert relationship(alice, bob).blocks


@pytest.mark.parametrize(
    "path", ["", "/followers", "/following", "/mute", "/block", "/circles", "/posts/{post}"]
)
def test_to_who_is_blocked_nobody_is_there(alice, bob, log_in, path):
    post_id = post(bob)
    block(by=bob, user_id=alice.user_id)
    address = f"/@bob{path.format(post=post_id)}"
    response, nobody = log_in(alice).get(address), log_in(alice).get("/@nobody_here")
    assert response.status_code == nobody.status_code == 404
    assert "Brandt" not in response.content.decode()


# What differs in any two answers: tokens of forms, and the id of the request.
TOKEN = re.compile(r'(?<=name="csrfmiddlewaretoken" value=")\w+|(?<=Request ID: )\w+')
PRESSES = [
    ("/@{}/follow", ON),
    ("/@{}/follow", OFF),
    ("/@{}/remove-follower", {}),
    ("/@{}/follow-request", {"answer": "accept"}),
    ("/@{}/follow-request", {"answer": "decline"}),
    ("/@{}/follow-request", {"answer": "withdraw"}),
    ("/@{}/friend", ON),
    ("/@{}/friend", OFF),
    ("/@{}/friend", {"answer": "accept"}),
    ("/@{}/friend", {"answer": "decline"}),
    ("/@{}/favourite", ON),
    ("/@{}/favourite", OFF),
    ("/@{}/mute", ON | {"length": "1h"}),
    ("/@{}/mute", OFF),
    ("/@{}/report", {"reason": "spam"}),
    ("/@{}/circles", {"new": "x"}),
]


@pytest.mark.parametrize("extra", [{}, {"headers": HTMX}], ids=["page", "htmx"])
@pytest.mark.parametrize("is_locked", [False, True], ids=["open", "locked"])
def test_a_press_about_a_person_who_blocks_is_answered_like_one_about_nobody(
    alice, bob, log_in, extra, is_locked
):
    if is_locked:
        change(UserInfo, keys.user_info(bob.user_id), [UserInfo.locked.set("yes")])
    block(by=bob, user_id=alice.user_id)
    browser = log_in(alice)
    for address, form in PRESSES:
        there = browser.post(address.format("bob"), form, **extra)
        nobody = browser.post(address.format("zed"), form, **extra)
        assert there.status_code == nobody.status_code == 404, (address, form)
        pages = [TOKEN.sub("", answer.content.decode()) for answer in (there, nobody)]
        # The column of suggestions names whom the address names, there or not.
        assert pages[0].replace("besides=bob", "besides=zed") == pages[1]
        assert set(there.headers) == set(nobody.headers)


def test_a_block_that_commits_during_a_press_is_not_told_either(alice, bob, log_in, monkeypatch):
    def block_then_follow(**asked):
        block(by=bob, user_id=alice.user_id)
        follow(**asked)

    monkeypatch.setattr(views.writes, "follow", block_then_follow)
    assert log_in(alice).post("/@bob/follow", ON).status_code == 404


def test_the_blocker_sees_the_name_and_that_they_block(alice, bob, log_in):
    post(bob, "A word of Bob's")
    block(by=alice, user_id=bob.user_id)
    response = log_in(alice).get("/@bob")
    html = Html(response)
    text = response.content.decode()
    assert "You’ve blocked Bob Brandt." in text
    assert "A word of Bob's" not in text
    assert html.one("button", formaction=PAGE)["value"] == "0"
    assert not html.all("button", class_="follow")
    for path in ("/@bob/followers", "/@bob/following"):
        assert log_in(alice).get(path).status_code == 404


def test_what_the_blocker_does_not_see_is_not_read(alice, bob, log_in, measure):
    block(by=alice, user_id=bob.user_id)
    browser = log_in(alice)
    for extra in ({}, {"headers": HTMX}):
        with measure() as meter:
            response = browser.get("/@bob", **extra)
        assert [call.operation for call in meter.calls] == ["BatchGetItem", "BatchGetItem"]
        assert not Html(response).post_ids()


def test_unblocking_lets_both_see_each_other_again(alice, bob, log_in):
    block(by=alice, user_id=bob.user_id)
    browser = log_in(alice)
    for _ in range(2):
        assert browser.post(PAGE, OFF).status_code == 302
    assert not relationship(alice, bob).blocks
    assert log_in(bob).get("/@alice").status_code == 200


def test_who_is_blocked_cannot_end_the_block(alice, bob, log_in):
    block(by=alice, user_id=bob.user_id)
    assert log_in(bob).post("/@alice/block", OFF).status_code == 302
    assert relationship(alice, bob).blocks


def test_both_may_block_and_each_ends_their_own(alice, bob, log_in):
    block(by=alice, user_id=bob.user_id)
    log_in(bob).post("/@alice/block", ON)
    log_in(alice).post(PAGE, OFF)
    assert relationship(bob, alice).blocks
    assert relationship(alice, bob).is_blocked


def test_whom_one_blocks_is_listed_and_unblocked_there(alice, bob, log_in):
    block(by=alice, user_id=bob.user_id)
    browser = log_in(alice)
    assert Html(browser.get("/settings/blocks")).handles() == ["bob"]
    assert Html(log_in(bob).get("/settings/blocks")).handles() == []
    answer = Html(browser.post(PAGE, OFF | {"place": "blocked"}, headers=HTMX))
    assert answer.one("article")["id"] == f"blocked-{bob.user_id}"
    response = browser.post(f"{PAGE}?next=/settings/blocks", OFF)
    assert response["Location"] == "/settings/blocks"
    assert Html(browser.get("/settings/blocks")).handles() == []


def test_a_visitor_sees_who_blocks_others(alice, bob):
    block(by=alice, user_id=bob.user_id)
    assert Client().get("/@alice").status_code == Client().get("/@bob").status_code == 200
