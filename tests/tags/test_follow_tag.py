"""Following a tag: the button, the list of followed tags, and how many there can be."""

import pytest
from django.test import Client

from relations.own_choices.writes import (
    MOST_FOLLOWED_TAGS,
    TooManyTags,
    follow_tag,
    followed_tags_now,
    unfollow_tag,
)
from socialsite.table import fetch, keys
from tests.conftest import HTMX
from tests.web.html import Html

ON, OFF = {"on": "1"}, {"on": "0"}
FOLLOW = "/tags/cats/follow"
pages = pytest.mark.engines("embedded", reason="looks at the page, which no engine changes")


@pages
def test_the_button_follows_and_unfollows_and_may_be_pressed_twice(alice, log_in):
    browser = log_in(alice)
    for form, state in ((ON, "true"), (ON, "true"), (OFF, "false"), (OFF, "false")):
        answer = browser.post(FOLLOW, form, headers=HTMX)
        assert Html(answer).one("button")["aria-pressed"] == state
        assert followed_tags_now(alice.user_id) == ({"cats"} if form is ON else set())
        button = Html(browser.get("/tags/cats")).one("button", id="follow-tag-cats")
        assert button["aria-pressed"] == state


@pages
def test_without_htmx_it_leads_back(alice, log_in):
    browser = log_in(alice)
    assert browser.post("/tags/Cats/follow", ON)["Location"] == "/tags/cats"
    assert browser.post(f"{FOLLOW}?from=tags", OFF)["Location"] == "/tags"


@pages
def test_what_is_no_press_is_refused(alice, log_in):
    browser = log_in(alice)
    assert browser.post("/tags/2026/follow", ON).status_code == 404
    assert not Html(Client().get("/tags/cats")).all("button", id="follow-tag-cats")


@pages
def test_the_followed_tags_are_listed_with_a_button_each(alice, bob, log_in):
    browser = log_in(alice)
    assert "Follow a tag on its page" in browser.get("/tags").content.decode()
    for tag in ("dogs", "猫"):
        follow_tag(by=alice, tag=tag)
    follow_tag(by=bob, tag="cats")
    page = Html(browser.get("/tags"))
    assert [one["href"] for one in page.all("a", class_="circle-friends")] == [
        "/tags/dogs",
        "/tags/%E7%8C%AB",
    ]
    assert page.one("button", id="follow-tag-猫")["aria-pressed"] == "true"
    assert page.one("button", id="follow-tag-猫")["formaction"].endswith("/follow?from=tags")


def test_one_follows_at_most_fifty(alice, log_in):
    for number in range(MOST_FOLLOWED_TAGS):
        follow_tag(by=alice, tag=f"tag{number}")
    with pytest.raises(TooManyTags):
        follow_tag(by=alice, tag="cats")
    follow_tag(by=alice, tag="tag0")  # repeating is no new one
    browser = log_in(alice)
    for headers in ({}, HTMX):
        assert browser.post(FOLLOW, ON, headers=headers).status_code == 409
    assert "up to 50 tags" in browser.post(FOLLOW, ON).content.decode()
    unfollow_tag(by=alice, tag="tag0")
    follow_tag(by=alice, tag="cats")


def test_a_followed_tag_has_its_follower(alice):
    follow_tag(by=alice, tag="cats")
    both = [keys.followed_tag(alice.user_id, "cats"), keys.tag_follower("cats", alice.user_id)]
    assert set(fetch(both)) == {*both}
    unfollow_tag(by=alice, tag="cats")
    assert not fetch(both)
