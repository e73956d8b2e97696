"""A sign-in that was revoked or has run out is a visitor's at the next request."""

from datetime import UTC, datetime, timedelta
from urllib.parse import urlencode

import pytest
from django.conf import settings
from django.core import signing
from django.test import Client

from accounts.models import SignIn
from socialsite.table import change, keys, query, write_batch
from tests.conftest import HTMX, post
from tests.web.html import Html


def sign_in_key(viewer) -> keys.Key:
    (row,) = query(keys.sign_ins(viewer.user_id))
    return keys.Key(row["PK"]["S"], row["SK"]["S"])


def revoke(viewer) -> None:
    write_batch(deletes=[sign_in_key(viewer)])


def expire(viewer) -> None:
    past = datetime.now(UTC) - timedelta(seconds=2)
    change(SignIn, sign_in_key(viewer), [SignIn.ttl.set(past)])


@pytest.mark.parametrize("end", [revoke, expire])
def test_an_ended_sign_in_is_a_visitors_at_once(alice, bob, log_in, end):
    browser = log_in(alice)
    assert browser.get("/settings/profile").status_code == 200
    end(alice)
    assert browser.get("/settings/profile").status_code == 302
    assert Html(browser.get("/")).all("a", href="/signup")


@pytest.mark.parametrize("end", [revoke, expire])
def test_an_ended_sign_in_changes_nothing_any_more(alice, bob, log_in, end):
    browser = log_in(alice)
    post_id = post(bob)
    end(alice)
    for address, form in (
        ("/@bob/follow", {"on": "1"}),
        (f"/@bob/posts/{post_id}/like", {"on": "1"}),
        ("/posts", {"content": "hi", "nonce": "n" * 22}),
        ("/settings/profile", {"name": "Changed"}),
    ):
        assert browser.post(address, form)["Location"].startswith("/login")
        htmx = browser.post(address, form, headers=HTMX)
        assert htmx["HX-Redirect"].startswith("/login")
    assert not list(query(keys.followings(alice.user_id)))
    assert not list(query(keys.likes(post_id)))
    assert not list(query(keys.posts(alice.user_id)))


@pytest.mark.parametrize("end", [revoke, expire])
def test_an_ended_sign_in_leads_from_pages_of_staff_to_a_new_one(mod, log_in, end):
    """For all who never signed in, they are not there."""
    browser, queue = log_in(mod), "/moderation/queue?queue=reports"
    assert browser.get(queue).status_code == 200
    end(mod)
    assert browser.get(queue)["Location"] == f"/login?{urlencode({'next': queue})}"
    case = f"/moderation/cases/person/{mod.user_id}"
    assert browser.post(f"{case}/decide", {})["Location"] == "/login?next=%2F"
    assert browser.post(f"{case}/decide", {}, headers=HTMX)["HX-Redirect"] == "/login?next=%2F"
    assert Client().get(queue).status_code == 404


def test_what_is_asked_for_while_one_types_leads_nowhere_though_the_sign_in_has_ended(mod, log_in):
    """Proving who one is gives a new sign-in; a preview that was asked for with the one before comes late."""
    browser = log_in(mod)
    revoke(mod)
    case = f"/moderation/cases/person/{mod.user_id}"
    answer = browser.post(f"{case}/decide", {"preview": "1"}, headers=HTMX)
    assert (answer.status_code, answer.content, "HX-Redirect" in answer) == (204, b"", False)


def test_a_cookie_that_nobody_signed_is_a_visitors(alice, log_in):
    browser = log_in(alice)
    name = settings.SESSION_COOKIE_NAME
    forged = signing.dumps({"user": alice.user_id, "secret": "x"}, key="another key")
    for value in (browser.cookies[name].value[:-2], forged, "", "a:b:c", "\x00"):
        browser.cookies[name] = value
        assert browser.get("/settings/profile").status_code == 302


def test_a_sign_in_is_nobody_elses(alice, bob, log_in):
    """Alice's id with the secret of Bob's browser."""
    browser = log_in(bob)
    session = browser.session
    session["user"] = alice.user_id
    session.save()
    browser.cookies[settings.SESSION_COOKIE_NAME] = session.session_key
    assert browser.get("/settings/profile").status_code == 302


def test_a_sign_in_is_noted_as_seen_once_a_day(alice, log_in, measure):
    browser = log_in(alice)
    change(SignIn, sign_in_key(alice), [SignIn.seen.set("2020-01-01")])
    for _ in range(3):
        browser.get("/about")
    (row,) = query(keys.sign_ins(alice.user_id))
    assert row["seen"]["S"] == datetime.now(UTC).date().isoformat()


def test_the_first_look_of_a_day_renews_the_cookie_and_others_do_not(alice, log_in):
    browser = log_in(alice)
    change(SignIn, sign_in_key(alice), [SignIn.seen.set("2020-01-01")])
    name = settings.SESSION_COOKIE_NAME
    assert name in browser.get("/about").cookies
    assert name not in browser.get("/about").cookies
