"""Locked accounts: the follow button asks, the person answers, and a request that waits grants nothing."""

import pytest

from accounts.people.reads import get_user_info
from accounts.profile.writes import save_privacy
from relations.blocks.writes import block
from relations.follows import views
from relations.follows.writes import follow, request_follow
from relations.relation import TooManyFollowed
from tests.conftest import HTMX, person
from tests.relations.relations import ACCEPT, DECLINE, OFF, ON, WITHDRAW, lock, relationship
from tests.web.html import Html

PRESS, ANSWER = "/@bob/follow", "/@alice/follow-request"


def button(response) -> tuple[str, str, str]:
    html = Html(response)
    element = html.one("button", class_="follow")
    return element["aria-pressed"], element["value"], html.one("span", class_="when-on").text


def test_pressing_follow_on_a_locked_account_asks(alice, bob, log_in):
    lock(bob)
    response = log_in(alice).post(PRESS, ON)
    assert (response.status_code, response["Location"]) == (302, "/@bob")
    assert relationship(alice, bob).asked_to_follow
    assert not relationship(alice, bob).follows
    assert get_user_info(bob.user_id).followers == 0


def test_over_htmx_the_button_says_that_one_has_asked(alice, bob, log_in):
    lock(bob)
    browser = log_in(alice)
    assert button(browser.post(PRESS, ON, headers=HTMX)) == ("true", "0", "Requested")
    assert button(browser.get("/@bob")) == ("true", "0", "Requested")


def test_pressing_again_withdraws(alice, bob, log_in):
    lock(bob)
    browser = log_in(alice)
    browser.post(PRESS, ON)
    for _ in range(2):
        assert button(browser.post(PRESS, OFF, headers=HTMX))[:2] == ("false", "1")
    assert not relationship(alice, bob).asked_to_follow


def test_asking_twice_is_asking_once(alice, bob, log_in):
    lock(bob)
    for _ in range(2):
        assert log_in(alice).post(PRESS, ON).status_code == 302
    assert Html(log_in(bob).get("/requests")).handles() == ["alice"]


def test_who_follows_already_stays_when_the_account_is_locked(alice, bob, log_in):
    follow(by=alice, user_id=bob.user_id)
    lock(bob)
    browser = log_in(alice)
    assert button(browser.get("/@bob")) == ("true", "0", "Following")
    assert button(browser.post(PRESS, ON, headers=HTMX)) == ("true", "0", "Following")
    assert not relationship(alice, bob).asked_to_follow


def test_an_account_that_is_unlocked_meanwhile_is_followed(alice, bob, log_in, monkeypatch):
    lock(bob)

    def unlock_then_ask(**asked):
        save_privacy(
            by=bob, locked=False, archived_before=None, not_suggested=False, not_indexed=False
        )
        request_follow(**asked)

    monkeypatch.setattr(views.writes, "request_follow", unlock_then_ask)
    log_in(alice).post(PRESS, ON)
    assert relationship(alice, bob).follows


@pytest.mark.parametrize("extra", [{}, {"headers": HTMX}], ids=["page", "htmx"])
def test_nobody_follows_whom_they_block_and_is_told(alice, bob, log_in, extra):
    block(by=alice, user_id=bob.user_id)
    response = log_in(alice).post(PRESS, ON, **extra)
    said = response["HX-Trigger"] if extra else response.content.decode()
    assert response.status_code == 403
    assert "because you and @bob" in said
    assert not relationship(alice, bob).follows


def test_who_follows_as_many_as_one_may_is_told(alice, bob, log_in, monkeypatch):
    def refuse(**_):
        raise TooManyFollowed

    monkeypatch.setattr(views.writes, "follow", refuse)
    response = log_in(alice).post(PRESS, ON)
    assert response.status_code == 409
    assert "7,500" in response.content.decode()
    assert "7,500" in log_in(alice).post(PRESS, ON, headers=HTMX)["HX-Trigger"]


def test_a_request_is_answered_from_the_list(alice, bob, log_in):
    lock(bob)
    request_follow(by=alice, user_id=bob.user_id)
    response = log_in(bob).post(f"{ANSWER}?next=/requests", ACCEPT)
    assert (response.status_code, response["Location"]) == (302, "/requests")
    assert relationship(alice, bob).follows
    assert Html(log_in(bob).get("/requests")).handles() == []


@pytest.mark.parametrize("answer", [ACCEPT, DECLINE])
def test_over_htmx_the_row_says_what_was_done(alice, bob, log_in, answer):
    lock(bob)
    request_follow(by=alice, user_id=bob.user_id)
    response = log_in(bob).post(ANSWER, answer | {"place": "follow"}, headers=HTMX)
    row = Html(response).one("article")
    assert row["id"] == f"follow-{alice.user_id}"
    assert not Html(response).all("button")
    assert relationship(alice, bob).follows == (answer == ACCEPT)
    assert not relationship(alice, bob).asked_to_follow


def test_declining_twice_is_declining_once_and_accepting_then_is_told(alice, bob, log_in):
    lock(bob)
    request_follow(by=alice, user_id=bob.user_id)
    for _ in range(2):
        assert log_in(bob).post(ANSWER, DECLINE).status_code == 302
    response = log_in(bob).post(ANSWER, ACCEPT)
    assert response.status_code == 409
    assert "answered or withdrawn" in response.content.decode()
    assert not relationship(alice, bob).follows


def test_a_request_to_somebody_else_cannot_be_accepted(alice, bob, carol, log_in):
    lock(bob)
    request_follow(by=alice, user_id=bob.user_id)
    assert log_in(carol).post(ANSWER, ACCEPT).status_code == 409
    assert relationship(alice, bob).asked_to_follow
    assert not relationship(alice, carol).follows


def test_ones_own_request_is_withdrawn_from_the_list(alice, bob, log_in):
    lock(bob)
    request_follow(by=alice, user_id=bob.user_id)
    browser = log_in(alice)
    assert Html(browser.get("/requests")).handles() == ["bob"]
    form = WITHDRAW | {"place": "sent-follow"}
    assert Html(browser.post("/@bob/follow-request", form, headers=HTMX)).one("article")
    assert Html(browser.get("/requests")).handles() == []


def test_the_newest_request_stands_first_and_many_are_paged(alice, log_in):
    lock(alice)
    asking = [person(f"asker{number:02}") for number in range(23)]
    for viewer in asking:
        request_follow(by=viewer, user_id=alice.user_id)
    browser = log_in(alice)
    newest_first = [viewer.handle for viewer in reversed(asking)]
    assert Html(browser.get("/requests")).handles() == newest_first[:20]
    alone = Html(browser.get("/requests?show=follow"))
    assert alone.handles() == newest_first[:20]
    following = alone.link("next")
    assert Html(browser.get(following)).handles() == newest_first[20:]
    assert Html(browser.get(following, headers=HTMX)).elements[0].tag == "article"


def test_requests_are_limited(alice, bob, log_in, monkeypatch):
    lock(bob)
    few = views.REQUESTS.__class__("requests", 1, 10**9)
    monkeypatch.setattr(views, "REQUESTS", few)
    browser = log_in(alice)
    assert browser.post(PRESS, ON).status_code == 302
    assert browser.post(PRESS, ON).status_code == 429


@pytest.mark.parametrize("form", [{}, {"answer": "perhaps"}, {"on": "1"}])
def test_an_answer_that_says_nothing_changes_nothing(alice, bob, log_in, form):
    lock(bob)
    request_follow(by=alice, user_id=bob.user_id)
    assert log_in(bob).post(ANSWER, form).status_code == 400
    assert relationship(alice, bob).asked_to_follow


def test_a_follower_is_removed_without_being_told(alice, bob, log_in):
    follow(by=alice, user_id=bob.user_id)
    browser = log_in(bob)
    for _ in range(2):
        assert browser.post("/@alice/remove-follower").status_code == 302
    assert not relationship(alice, bob).follows
    assert get_user_info(bob.user_id).followers == 0


def test_removing_over_htmx_answers_the_header_without_the_entry(alice, bob, log_in):
    follow(by=alice, user_id=bob.user_id)
    browser = log_in(bob)
    path = "/@alice/remove-follower"
    assert Html(browser.get("/@alice")).all("button", formaction=path)
    answer = Html(browser.post(path, headers=HTMX))
    assert answer.elements[0]["id"] == "profile"
    assert not answer.all("button", formaction=path)
