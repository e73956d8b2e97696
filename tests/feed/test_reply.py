"""The composer of a reply: page and fragment, sent twice, refused with the text kept."""

import secrets

import pytest
from django.test import Client

from accounts.people.reads import get_user_info
from feed.posts.models import Audience, Replies
from feed.publishing.writes import delete_post, publish_post
from tests.conftest import HTMX, post
from tests.feed.answers import answer
from tests.web.html import Html

capacity = pytest.mark.engines("embedded", reason="the others report other capacity")


def send(browser: Client, handle: str, post_id: str, content: str = "I see", nonce="", **extra):
    form = {"content": content, "nonce": nonce or secrets.token_urlsafe(16)}
    return browser.post(f"/@{handle}/posts/{post_id}/reply", form, **extra)


def test_a_reply_over_a_page_leads_to_the_reply(alice, bob, log_in):
    root = post(alice)
    browser = log_in(bob)
    form = Html(browser.get(f"/@alice/posts/{root}/reply"))
    assert form.one("form", action=f"/@alice/posts/{root}/reply")
    response = send(browser, "alice", root)
    assert response.status_code == 302
    page = Html(browser.get(response["Location"].partition("#")[0]))
    assert "Reply published." in page.one(id="toasts").text
    assert "I see" in [one.text for one in page.all("div", class_="post-text")]


def test_a_reply_over_htmx_stands_in_place_of_its_composer(alice, bob, log_in):
    root = post(alice)
    response = send(log_in(bob), "alice", root, headers=HTMX)
    assert response.status_code == 200
    assert len(Html(response).post_ids()) == 1
    assert not Html(response).all("html")


def test_a_reply_at_the_foot_comes_to_the_end_of_the_list(alice, bob, log_in):
    root = post(alice)
    form = {"content": "I see", "nonce": secrets.token_urlsafe(16), "at": "foot"}
    response = log_in(bob).post(f"/@alice/posts/{root}/reply", form, headers=HTMX)
    page = Html(response)
    assert page.one("ol", hx_swap_oob="beforeend:#replies")
    assert page.one("form", id="reply")
    assert len(page.post_ids()) == 1


def test_sending_the_same_reply_twice_writes_one(alice, bob, log_in):
    root = post(alice)
    browser, nonce = log_in(bob), secrets.token_urlsafe(16)
    first, again = (send(browser, "alice", root, nonce=nonce) for _ in range(2))
    assert first["Location"] == again["Location"]
    assert get_user_info(bob.user_id).posts == 1


@pytest.mark.parametrize("extra", [{}, {"headers": HTMX}], ids=["page", "htmx"])
def test_a_refused_reply_keeps_what_was_typed(alice, bob, log_in, extra):
    root = publish_post(by=alice, content="Hello", nonce="n", replies=Replies.NOBODY)
    response = send(log_in(bob), "alice", root, "My long thought", **extra)
    assert response.status_code in (403, 422)
    page = Html(response)
    assert "The author has turned replies off." in page.one("div", class_="composer-error").text
    assert "My long thought" in page.value("content")
    assert get_user_info(bob.user_id).posts == 0


def test_an_empty_reply_is_asked_for_words(alice, bob, log_in):
    root = post(alice)
    assert send(log_in(bob), "alice", root, "  ").status_code == 422


def test_what_one_may_not_see_one_cannot_answer(alice, bob, log_in):
    root = publish_post(by=alice, content="Mine", nonce="n", audience=Audience.ONLY_ME)
    assert send(log_in(bob), "alice", root).status_code == 404
    delete_post(by=alice, post_id=root)
    assert send(log_in(alice), "alice", root).status_code == 404


def test_replies_have_a_tab_of_their_own(alice, bob, log_in):
    root = post(alice)
    own = post(bob)
    first = answer(bob, alice, root)
    part = answer(bob, bob, own)
    browser = log_in(alice)
    assert Html(browser.get("/@bob")).post_ids() == [part, own]
    page = Html(browser.get("/@bob/replies"))
    assert page.post_ids() == [first]
    assert "Replying to @alice" in page.one("article", id=f"post-{first}").text
