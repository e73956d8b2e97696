"""A form that did not come from this site changes nothing and gets a page of its own."""

from itertools import product

from django.test import Client

from socialsite.table import keys, query
from tests.conftest import HTMX, PASSWORD, post
from tests.web.html import Html


def strict(browser: Client) -> Client:
    browser.handler.enforce_csrf_checks = True
    return browser


ADDRESSES = [
    "/signup", "/login", "/login/code", "/login/passkey", "/confirm", "/settings/security/begin",
    "/settings/passkeys/add", "/settings/security/sign-out-others", "/logout", "/posts", "/settings/profile",
    "/settings/appearance", "/password/forgot", "/password/reset/x", "/email/confirm/x", "/email/undo/x",
    "/settings/language", "/welcome", "/@bob/follow", "/@alice/posts/{post}/like", "/@alice/posts/{post}/delete",
    "/people-to-follow/bob/dismiss", "/@alice/posts/{post}/save", "/saved/{post}/remove", "/drafts",
    "/drafts/{post}/delete", "/@alice/posts/{post}/edit", "/@alice/posts/{post}/pin",
]  # fmt: skip


def test_a_form_without_a_token_is_refused_with_a_page(alice, bob, log_in):
    post_id = post(alice)
    browser = strict(log_in(alice))
    form = {"on": "1", "content": "x", "nonce": "n" * 22, "name": "Changed"}
    for address, headers in product(ADDRESSES, ({}, HTMX)):
        response = browser.post(address.format(post=post_id), form, headers=headers)
        assert response.status_code == 403, (address, headers)
        assert "This page was open for a long time" in response.content.decode(), address
    assert Html(browser.get("/settings/profile")).value("name") == "Alice Archer"
    assert [raw["post_id"]["S"] for raw in query(keys.posts(alice.user_id))] == [post_id]
    assert not list(query(keys.followings(alice.user_id)))
    assert not list(query(keys.likes(post_id)))


def test_a_wrong_token_is_refused(alice, log_in):
    browser = strict(log_in(alice))
    browser.get("/settings/profile")
    for token in ("", "x" * 64, "é" * 64, "x" * 10_000):
        form = {"name": "Changed", "csrfmiddlewaretoken": token}
        assert browser.post("/settings/profile", form).status_code == 403


def test_a_form_from_another_site_is_refused_even_with_the_token(alice, log_in):
    browser = strict(log_in(alice))
    token = Html(browser.get("/settings/profile")).value("csrfmiddlewaretoken")
    form = {"name": "Changed", "csrfmiddlewaretoken": token}
    for origin in ("https://evil.example", "null"):
        response = browser.post("/settings/profile", form, headers={"Origin": origin})
        assert response.status_code == 403


def test_every_form_of_the_site_carries_its_token(alice, bob, log_in):
    post_id = post(alice)
    member, visitor = strict(log_in(alice)), strict(Client())
    for browser, path in (
        *((visitor, path) for path in ("/signup", "/login", "/settings/appearance")),
        *((member, path) for path in ("/", "/posts/new", "/settings/profile", "/@bob")),
        (member, f"/@alice/posts/{post_id}/delete"),
    ):
        page = Html(browser.get(path))
        forms = page.all("form", method="post")
        assert forms
        assert len(page.all(name="csrfmiddlewaretoken")) == len(forms), path


def test_the_buttons_work_with_the_token_of_their_page(alice, bob, log_in):
    browser = strict(log_in(alice))
    page = Html(browser.get("/@bob"))
    assert page.one("button", class_="follow")["form"] == page.one("form", id="act")["id"]
    token = page.value("csrfmiddlewaretoken")
    form = {"on": "1", "csrfmiddlewaretoken": token}
    assert browser.post("/@bob/follow", form, headers=HTMX).status_code == 200


def test_a_visitor_signs_in_with_the_token_of_the_form(alice):
    browser = strict(Client())
    token = Html(browser.get("/login")).value("csrfmiddlewaretoken")
    form = {"account": "alice", "password": PASSWORD}
    assert browser.post("/login", form).status_code == 403
    assert browser.post("/login", form | {"csrfmiddlewaretoken": token}).status_code == 302
