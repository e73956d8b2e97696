"""Publishing: one post per form, seen at once by its author, refused with the text kept."""

import secrets

import pytest
from django.test import Client

from accounts.people.reads import get_user_info
from feed.cards.reads import get_post
from feed.publishing.writes import publish_post
from relations.follows.writes import follow
from socialsite.table import keys, query
from tests.conftest import HTMX
from tests.web.html import Html


def publish(browser: Client, content: str = "Good morning", nonce: str = "", **extra):
    form = {"content": content, "nonce": nonce or secrets.token_urlsafe(16)}
    return browser.post("/posts", form, **extra)


def contents(viewer) -> list[str]:
    return [raw["content"]["S"] for raw in query(keys.posts(viewer.user_id), consistent=True)]


def test_publishing_leads_to_the_new_post(alice, log_in):
    browser = log_in(alice)
    response = publish(browser)
    assert response.status_code == 302
    page = Html(browser.get(response["Location"]))
    assert page.one("div", class_="post-text").text == "Good morning"
    assert "Post published." in page.one(id="toasts").text
    assert contents(alice) == ["Good morning"]


def test_one_sees_the_own_post_at_home_without_waiting_for_the_worker(alice, log_in):
    browser = log_in(alice)
    publish(browser)
    assert len(Html(browser.get("/")).post_ids()) == 1


def test_publishing_over_htmx_answers_the_card_and_a_fresh_composer(alice, log_in):
    browser = log_in(alice)
    nonce = Html(browser.get("/")).value("nonce")
    response = publish(browser, nonce=nonce, headers=HTMX)
    page = Html(response)
    assert response.status_code == 200
    assert page.elements[0]["id"] == "composer"
    assert page.value("content") == ""
    assert page.value("nonce") not in ("", nonce)
    assert page.value("csrfmiddlewaretoken")
    assert page.one("div", hx_swap_oob="afterbegin:#feed")
    assert len(page.post_ids()) == 1


def test_a_new_post_counts_and_starts_without_likes(alice, log_in):
    browser = log_in(alice)
    for number in range(3):
        publish(browser, f"number {number}")
    assert get_user_info(alice.user_id).posts == 3
    (post_id, *_) = Html(browser.get("/@alice")).post_ids()
    assert get_post(post_id, alice.user_id).like_count == 0


def test_sending_the_same_form_twice_makes_one_post(alice, log_in):
    browser = log_in(alice)
    nonce = secrets.token_urlsafe(16)
    first, second = (publish(browser, nonce=nonce) for _ in range(2))
    assert first["Location"] == second["Location"]
    assert publish(browser, nonce=nonce, headers=HTMX).status_code == 200
    assert contents(alice) == ["Good morning"]
    assert get_user_info(alice.user_id).posts == 1
    assert len(Html(browser.get("/")).post_ids()) == 1


def test_the_same_words_from_another_form_are_another_post(alice, log_in):
    browser = log_in(alice)
    publish(browser)
    publish(browser)
    assert contents(alice) == ["Good morning"] * 2


def test_other_words_from_a_form_that_came_back_are_not_lost(alice, log_in):
    """The back button brings the old form with its nonce; what is typed into it then is new."""
    browser = log_in(alice)
    nonce = secrets.token_urlsafe(16)
    publish(browser, "Good morning", nonce=nonce)
    response = publish(browser, "Something else entirely", nonce=nonce)
    is_kept = "Something else entirely" in contents(alice)
    is_refused = response.status_code == 422 and "entirely" in Html(response).value("content")
    assert is_kept or is_refused


def test_the_same_form_for_other_readers_is_another_post(alice):
    nonce = secrets.token_urlsafe(16)
    readers = [("", ""), ("friends", ""), ("circle", "family"), ("circle", "old friends")]
    first, again = (
        [
            publish_post(by=alice, content="Hello", nonce=nonce, audience=audience, circle=circle)
            for audience, circle in readers
        ]
        for _ in range(2)
    )
    assert len(set(first)) == len(readers)
    assert again == first


def test_the_same_nonce_of_two_people_makes_two_posts(alice, bob, log_in):
    nonce = secrets.token_urlsafe(16)
    for viewer in (alice, bob):
        publish(log_in(viewer), nonce=nonce)
    assert contents(alice) == contents(bob) == ["Good morning"]


def test_followers_see_it_when_the_worker_has_passed(alice, bob, carol, log_in, drain_stream):
    follow(by=bob, user_id=alice.user_id)
    publish(log_in(alice))
    drain_stream()
    assert len(Html(log_in(bob).get("/")).post_ids()) == 1
    assert Html(log_in(carol).get("/")).post_ids() == []


BAD = ["", " \n ", "x" * 1001, "\x07", "\u202e\u200e", "nul \x00", "a" + "\u0300" * 9]


@pytest.mark.parametrize("content", BAD)
@pytest.mark.parametrize("extra", [{}, {"headers": HTMX}], ids=["page", "htmx"])
def test_what_cannot_be_is_said_and_the_text_stays(alice, log_in, content, extra):
    nonce = secrets.token_urlsafe(16)
    response = publish(log_in(alice), content, nonce, **extra)
    page = Html(response)
    assert response.status_code == 422
    assert page.one(id="composer-error").text
    assert page.value("content") == content
    assert page.value("nonce") == nonce
    assert bool(page.all("html")) is not bool(extra)
    assert contents(alice) == []


@pytest.mark.parametrize("nonce", ["short", "n" * 23, "n" * 21 + "\n", "n" * 21 + "#", "é" * 22])
def test_a_form_that_this_site_did_not_make_is_refused_with_the_text_kept(alice, log_in, nonce):
    response = publish(log_in(alice), nonce=nonce)
    assert response.status_code == 422
    assert Html(response).value("content") == "Good morning"
    assert contents(alice) == []


def test_as_much_as_allowed_is_fine(alice, log_in):
    assert publish(log_in(alice), "é" * 1000).status_code == 302


def test_one_publishes_as_oneself_whatever_the_form_says(alice, bob, log_in):
    form = {"content": "x", "nonce": "n" * 22, "author_id": bob.user_id, "by": bob.user_id}
    log_in(alice).post("/posts", form)
    assert contents(bob) == []
    assert contents(alice) == ["x"]


def test_the_composer_has_a_page_of_its_own(alice, log_in):
    page = Html(log_in(alice).get("/posts/new"))
    assert page.one("form", id="composer", action="/posts")["method"] == "post"
    assert page.value("nonce") != Html(log_in(alice).get("/posts/new")).value("nonce")
