"""Who is suspended, or waits for a moderator, is not there for others, and a visitor who may read why."""

import pytest
from django.conf import settings
from django.test import Client

from accounts.people.reads import get_user_info
from accounts.people.restrictions import Restriction
from relations.follows.writes import Locked, follow, request_follow
from relations.friends.writes import accept_friend, request_friend
from socialsite.table import NotFound, keys, query
from tests.conftest import HTMX, PASSWORD, post
from tests.moderation.restricting import A_SECOND_AGO, let_wait, restrict
from tests.relations.relations import ACCEPT, OFF, ON, lock, relationship
from tests.web.html import Html

PRESSES = {"follow": ON, "friend": ON, "favourite": ON, "mute": ON | {"length": "1h"}, "block": ON}
SUSPENDED = Restriction.SUSPENDED
states = pytest.mark.parametrize("state", ["suspended", "waiting"])


def locked_out(person, state: str) -> None:
    if state == "waiting":
        let_wait(person)
    else:
        restrict(person, SUSPENDED)


@pytest.mark.parametrize("path", ["/@bob", "/@bob/followers", "/@bob/following"])
def test_of_a_suspended_person_there_is_one_sentence(bob, alice, log_in, path):
    restrict(bob, SUSPENDED)
    for browser in (Client(), log_in(alice)):
        response = browser.get(path)
        assert response.status_code == 410
        text, _, _ = Html(response).one("main").text.partition(" Request ID: ")
        assert text == "Suspended This account is suspended. Go to the home page"
        assert "Brandt" not in response.content.decode()


@pytest.mark.parametrize("path", ["/@bob", "/@bob/followers", "/@bob/following"])
def test_somebody_who_waits_has_never_been_there(bob, alice, log_in, path):
    let_wait(bob)
    for browser in (Client(), log_in(alice)):
        assert browser.get(path).status_code == 404


@states
def test_their_posts_are_not_there(bob, alice, log_in, state):
    post_id = post(bob)
    locked_out(bob, state)
    for path in ("", "/likers"):
        assert log_in(alice).get(f"/@bob/posts/{post_id}{path}").status_code == 404
    assert log_in(alice).post(f"/@bob/posts/{post_id}/like", ON).status_code == 404


@states
@pytest.mark.parametrize("locked", [False, True], ids=["open", "locked"])
@pytest.mark.parametrize("press", PRESSES)
def test_nobody_can_begin_anything_with_them(bob, alice, log_in, state, press, locked):
    lock(bob, locked=locked)
    locked_out(bob, state)
    before = relationship(alice, bob)
    browser = log_in(alice)
    for headers in ({}, HTMX):
        response = browser.post(f"/@bob/{press}", PRESSES[press], headers=headers)
        assert response.status_code == 404
    assert relationship(alice, bob) == before


@pytest.mark.parametrize("ask", ["mute", "block"])
def test_nobody_is_asked_about_them(bob, alice, log_in, ask):
    restrict(bob, SUSPENDED)
    assert log_in(alice).get(f"/@bob/{ask}").status_code == 410


def test_what_they_asked_for_cannot_be_granted(bob, alice, log_in):
    request_friend(by=bob, user_id=alice.user_id)
    restrict(bob, SUSPENDED)
    assert log_in(alice).post("/@bob/friend", ACCEPT).status_code == 409
    assert not relationship(alice, bob).is_friend


def test_what_one_has_with_them_can_be_taken_back(bob, alice, log_in):
    follow(by=alice, user_id=bob.user_id)
    restrict(bob, SUSPENDED)
    assert log_in(alice).post("/@bob/follow", OFF, headers=HTMX).status_code == 200
    assert not relationship(alice, bob).follows


def test_following_them_is_refused_as_a_locked_account_until_one_asks(bob, alice):
    restrict(bob, SUSPENDED)
    with pytest.raises(Locked):
        follow(by=alice, user_id=bob.user_id)
    with pytest.raises(NotFound):
        request_follow(by=alice, user_id=bob.user_id)


def test_a_friendship_outlasts_a_suspension(bob, alice, log_in):
    request_friend(by=alice, user_id=bob.user_id)
    accept_friend(by=bob, user_id=alice.user_id)
    restrict(bob, SUSPENDED)
    assert Html(log_in(alice).get("/friends")).handles() == []
    restrict(bob, SUSPENDED, lasts=A_SECOND_AGO)
    assert Html(log_in(alice).get("/friends")).handles() == ["bob"]


@states
def test_every_browser_of_theirs_is_a_visitors_at_its_next_request(bob, log_in, state):
    browsers = [log_in(bob), log_in(bob)]
    for browser in browsers:
        assert browser.get("/posts/new").status_code == 200
    locked_out(bob, state)
    for browser in browsers:
        page = Html(browser.get("/local"))
        assert page.all("a", href="/login")
        assert not page.all("form", id="act")


@pytest.mark.parametrize(
    ("state", "says"),
    [
        ("suspended", "Your account is suspended."),
        ("waiting", "Your account is waiting for approval."),
    ],
)
@pytest.mark.parametrize("path", ["/local", "/about", "/@alice", "/nowhere", "/login"])
def test_every_page_says_so_and_leads_to_why(bob, alice, log_in, state, says, path):
    locked_out(bob, state)
    banner = Html(log_in(bob).get(path)).one("p", class_="banner")
    assert says in banner.text
    assert Html(log_in(bob).get(path)).one("a", class_="banner-link")["href"] == "/standing"


@states
def test_what_needs_an_account_leads_to_why_and_does_nothing(bob, alice, log_in, state):
    browser = log_in(bob)
    locked_out(bob, state)
    liked = f"/@alice/posts/{post(alice)}/like"
    for path in ("/", "/favourites", "/settings/profile", "/posts/new"):
        assert browser.get(path)["Location"] == "/standing"
    for path, form in (
        ("/@alice/follow", ON),
        (liked, ON),
        ("/posts", {"content": "hi", "nonce": "n" * 22}),
        ("/settings/profile", {"name": "Changed"}),
    ):
        assert browser.post(path, form)["Location"] == "/standing"
        assert browser.post(path, form, headers=HTMX)["HX-Redirect"] == "/standing"
    assert not list(query(keys.followings(bob.user_id)))
    assert not list(query(keys.posts(bob.user_id)))
    assert get_user_info(bob.user_id).name == "Bob Brandt"


@states
def test_signing_in_leads_to_why_and_in_no_circle(bob, state):
    locked_out(bob, state)
    browser = Client()
    for following in ("", "/settings/profile"):
        form = {"account": "bob", "password": PASSWORD, "next": following}
        response = browser.post("/login", form, follow=True)
        assert response.status_code == 200
        assert response.redirect_chain[-1] == ("/standing", 302)


def test_they_can_sign_out(bob, log_in):
    browser = log_in(bob)
    restrict(bob, SUSPENDED)
    assert Html(browser.get("/standing")).one("form", action="/logout")
    assert browser.post("/logout")["Location"] == "/"
    assert not list(query(keys.sign_ins(bob.user_id)))
    assert not browser.cookies[settings.SESSION_COOKIE_NAME].value


def test_it_ends_on_time_and_nobody_has_to_sign_in_anew(bob, alice, log_in):
    browser = log_in(bob)
    restrict(bob, SUSPENDED)
    assert browser.get("/posts/new").status_code == 302
    restrict(bob, SUSPENDED, lasts=A_SECOND_AGO)
    assert browser.get("/posts/new").status_code == 200
    assert log_in(alice).get("/@bob").status_code == 200


def test_lists_that_one_takes_along_keep_them(bob, alice, log_in):
    follow(by=alice, user_id=bob.user_id)
    restrict(bob, SUSPENDED)
    response = log_in(alice).get("/settings/data/following_accounts.csv")
    assert "bob@testserver" in b"".join(response.streaming_content).decode()


def test_being_shut_out_costs_a_page_no_call(bob, log_in, measure):
    browser = log_in(bob)
    restrict(bob, SUSPENDED)
    for path in ("/about", "/help/keys"):
        with measure() as meter:
            browser.get(path)
        assert [call.operation for call in meter.calls] == ["BatchGetItem"]
