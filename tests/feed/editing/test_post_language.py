"""The language of a post, which its author says and screen readers speak."""

import secrets

import pytest
from django.test import Client
from django.utils.translation import override

from feed.posts.reads import Pointer
from feed.threads.writes import reply
from socialsite.web.preferences import NAMES, language_of_page
from tests.conftest import HTMX, post
from tests.feed.editing.edits import broken, stored
from tests.web.html import Html

BOTH = pytest.mark.parametrize("extra", [{}, {"headers": HTMX}], ids=["page", "htmx"])


def publish(browser: Client, lang: str, **extra):
    form = {"content": "Guten Tag", "nonce": secrets.token_urlsafe(16), "language": lang}
    return browser.post("/posts", form, **extra)


def chosen(response) -> list[str]:
    options = Html(response).all("option")
    return [one["value"] for one in options if "selected" in one.attributes]


def spoken(browser: Client, path: str) -> list[str]:
    return [
        one.attributes.get("lang", "") for one in Html(browser.get(path)).all(class_="post-text")
    ]


@BOTH
def test_the_text_of_a_post_says_its_language(alice, bob, log_in, extra):
    publish(log_in(alice), "de", **extra)
    for browser in (log_in(bob), Client()):
        assert spoken(browser, "/@alice") == ["de"]


def test_a_post_of_before_says_none(alice):
    post(alice)
    assert spoken(Client(), "/@alice") == [""]


@pytest.mark.parametrize(("page", "language"), [("en", "en"), ("de", "de"), ("zh-hans", "zh-Hans")])
def test_the_composer_begins_with_the_language_of_the_page(alice, log_in, page, language):
    with override(page):
        assert language_of_page() == language
    assert language in dict(NAMES)
    browser = log_in(alice)
    browser.post("/settings/language", {"language": page})
    assert language in chosen(browser.get("/posts/new"))


@BOTH
def test_nonsense_is_explained_and_the_text_kept(alice, log_in, extra):
    response = publish(log_in(alice), "klingon", **extra)
    assert response.status_code == 422
    assert "Choose a language." in Html(response).one(id="composer-error").text
    assert Html(response).value("content") == "Guten Tag"


def test_a_reply_says_its_own_in_the_thread(alice, bob):
    root = post(alice)
    to = Pointer(root, alice.user_id)
    reply(by=bob, to=to, content="Guten Tag", nonce="n", lang="de")
    assert spoken(Client(), f"/@alice/posts/{root}") == ["", "de"]
    assert not broken()


def test_an_edit_changes_it_and_the_history_keeps_it(alice, log_in):
    browser = log_in(alice)
    publish(browser, "de")
    (post_id,) = Html(browser.get("/@alice")).post_ids()
    assert "de" in chosen(browser.get(f"/@alice/posts/{post_id}/edit"))
    form = {"content": "Goedendag", "version": "1", "language": "nl"}
    browser.post(f"/@alice/posts/{post_id}/edit", form)
    assert stored(alice, post_id).lang == "nl"
    assert spoken(browser, f"/@alice/posts/{post_id}/history") == ["nl", "de"]
    assert not broken()


def test_a_reply_begins_in_the_language_of_what_it_answers(alice, bob, log_in):
    publish(log_in(alice), "nl")
    (post_id,) = Html(Client().get("/@alice")).post_ids()
    for path in (f"/@alice/posts/{post_id}", f"/@alice/posts/{post_id}/reply"):
        assert "nl" in chosen(log_in(bob).get(path))
