"""Following and friendship as they are written: both edges and both counts, in force on both sides or on neither."""

import pytest
from django.test import Client

from accounts.models import UserCount
from accounts.people.reads import get_user_info
from accounts.people.viewer import Circle
from relations.blocks.writes import block
from relations.friends import writes
from relations.friends.writes import (
    accept_friend,
    decline_friend,
    end_friendship,
    request_friend,
    withdraw_friend_request,
)
from relations.models import RelationType
from relations.reads import list_circles, list_relating
from relations.relation import (
    Blocked,
    CannotRelateToYourself,
    NotRelated,
    TooManyFriends,
    update_relation,
)
from socialsite.table import NotFound, get, keys, query
from tests.conftest import HTMX
from tests.relations.scenes import relationship
from tests.web.html import Html

ON, OFF = {"on": "1"}, {"on": "0"}


def edges(follower, followed) -> tuple[int, int]:
    following = [row["followed_id"]["S"] for row in query(keys.followings(follower.user_id))]
    followers = [row["follower_id"]["S"] for row in query(keys.followers(followed.user_id))]
    return following.count(followed.user_id), followers.count(follower.user_id)


def counts(follower, followed) -> tuple[int | None, int | None]:
    return get_user_info(follower.user_id).following, get_user_info(followed.user_id).followers


def test_following_writes_both_edges_and_both_counts(alice, bob, log_in):
    response = log_in(alice).post("/@bob/follow", ON)
    assert (response.status_code, response["Location"]) == (302, "/@bob")
    assert edges(alice, bob) == counts(alice, bob) == (1, 1)
    assert edges(bob, alice) == counts(bob, alice) == (0, 0)


def test_following_over_htmx_answers_the_pressed_button(alice, bob, log_in):
    response = log_in(alice).post("/@bob/follow", ON, headers=HTMX)
    assert response.status_code == 200
    (button,) = (element for element in Html(response).elements if element.tag == "button")
    assert Html(response).elements[0] == button
    assert button["id"] == f"follow-{bob.user_id}"
    assert (button["aria-pressed"], button["value"]) == ("true", "0")
    assert button["hx-post"] == button["formaction"] == "/@bob/follow"


def test_unfollowing_takes_both_edges_and_both_counts_back(alice, bob, log_in):
    browser = log_in(alice)
    browser.post("/@bob/follow", ON)
    response = browser.post("/@bob/follow", OFF, headers=HTMX)
    button = Html(response).one("button")
    assert (button["aria-pressed"], button["value"]) == ("false", "1")
    assert edges(alice, bob) == counts(alice, bob) == (0, 0)


@pytest.mark.parametrize(("wanted", "number"), [(ON, 1), (OFF, 0)])
def test_pressing_twice_counts_once(alice, bob, log_in, wanted, number):
    browser = log_in(alice)
    browser.post("/@bob/follow", ON)
    for _ in range(2):
        assert browser.post("/@bob/follow", wanted).status_code == 302
    assert edges(alice, bob) == counts(alice, bob) == (number, number)


def test_the_profile_shows_the_button_in_the_state_of_the_viewer(alice, bob, carol, log_in):
    browser = log_in(alice)
    browser.post("/@bob/follow", ON)

    def pressed(viewer_browser: Client) -> str:
        return Html(viewer_browser.get("/@bob")).one("button", class_="follow")["aria-pressed"]

    assert pressed(browser) == "true"
    assert pressed(log_in(carol)) == "false"


@pytest.mark.parametrize("wanted", [ON, OFF])
def test_nobody_follows_oneself(alice, log_in, wanted):
    assert log_in(alice).post("/@alice/follow", wanted).status_code == 400
    assert edges(alice, alice) == counts(alice, alice) == (0, 0)
    assert not Html(log_in(alice).get("/@alice")).all("button", class_="follow")


def test_nobody_follows_nobody(alice, log_in):
    browser = log_in(alice)
    for extra in ({}, {"headers": HTMX}):
        assert browser.post("/@not_there/follow", ON, **extra).status_code == 404
    assert get_user_info(alice.user_id).following == 0


def test_a_handle_in_the_address_may_have_any_case(alice, bob, log_in):
    log_in(alice).post("/@BoB/follow", ON)
    assert edges(alice, bob) == (1, 1)


# Friendship is asked for, accepted or declined, and in force on both sides or on neither.

REQUEST = RelationType.FRIEND_REQUEST


def are_friends(one, other) -> bool:
    sides = {relationship(one, other).is_friend, relationship(other, one).is_friend}
    assert len(sides) == 1
    return sides.pop()


def friends_of(viewer) -> int:
    return int(get(UserCount, keys.user_count(viewer.user_id)).friends)


@pytest.fixture
def asked(alice, bob):
    """Alice asked Bob."""
    request_friend(by=alice, user_id=bob.user_id)


def test_a_request_is_seen_by_who_is_asked_and_grants_nothing(asked, alice, bob):
    assert [card.person.handle for card in list_relating(bob.user_id, REQUEST).items] == ["alice"]
    assert relationship(bob, alice).is_asked
    assert relationship(alice, bob).asked_to_be_friends
    assert not are_friends(alice, bob)


def test_accepting_makes_both_friends_and_counts_both(asked, alice, bob, measure):
    with measure() as meter:
        accept_friend(by=bob, user_id=alice.user_id)
    assert [call.operation for call in meter.calls] == ["BatchGetItem", "TransactWriteItems"]
    assert are_friends(alice, bob)
    assert (friends_of(alice), friends_of(bob)) == (1, 1)
    assert not list_relating(bob.user_id, REQUEST).items


def test_asking_who_asked_is_accepting(asked, alice, bob):
    request_friend(by=bob, user_id=alice.user_id)
    assert are_friends(alice, bob)
    assert not relationship(bob, alice).asked_to_be_friends


@pytest.mark.parametrize("step", [request_friend, accept_friend, end_friendship])
def test_doing_it_again_changes_nothing(asked, alice, bob, step):
    accept_friend(by=bob, user_id=alice.user_id)
    for _ in range(2):
        step(by=bob, user_id=alice.user_id)
    expected = 0 if step is end_friendship else 1
    assert (friends_of(alice), friends_of(bob)) == (expected, expected)


@pytest.mark.parametrize("who", ["asked", "asking"])
def test_a_request_that_is_declined_or_withdrawn_cannot_be_accepted(asked, alice, bob, who):
    if who == "asked":
        decline_friend(by=bob, user_id=alice.user_id)
    else:
        withdraw_friend_request(by=alice, user_id=bob.user_id)
    with pytest.raises(NotRelated):
        accept_friend(by=bob, user_id=alice.user_id)
    assert not are_friends(alice, bob)


def test_nobody_accepts_for_somebody_else(asked, alice, bob):
    with pytest.raises(NotRelated):
        accept_friend(by=alice, user_id=bob.user_id)


def test_either_one_ends_it_for_both(asked, alice, bob):
    accept_friend(by=bob, user_id=alice.user_id)
    end_friendship(by=alice, user_id=bob.user_id)
    assert not are_friends(alice, bob)
    assert (friends_of(alice), friends_of(bob)) == (0, 0)


def test_friends_again_have_no_circles_from_before(asked, alice, bob):
    accept_friend(by=bob, user_id=alice.user_id)
    update_relation(
        by=alice, relation_type=RelationType.FRIEND, user_id=bob.user_id, tags={"family"}
    )
    assert list_circles(alice) == {Circle("family", "family"): 1}
    end_friendship(by=alice, user_id=bob.user_id)
    assert list_circles(alice) == {}
    request_friend(by=bob, user_id=alice.user_id)
    accept_friend(by=alice, user_id=bob.user_id)
    assert list_circles(alice) == {}


def test_not_with_oneself_nor_who_is_gone_nor_across_a_block(alice, bob):
    with pytest.raises(CannotRelateToYourself):
        request_friend(by=alice, user_id=alice.user_id)
    with pytest.raises(NotFound):
        request_friend(by=alice, user_id="01JD0000000000000000000000")
    block(by=bob, user_id=alice.user_id)
    with pytest.raises(Blocked):
        request_friend(by=alice, user_id=bob.user_id)


def test_a_thousand_friends_are_the_most(asked, alice, bob, monkeypatch):
    monkeypatch.setattr(writes, "MOST_FRIENDS", 0)
    with pytest.raises(TooManyFriends):
        accept_friend(by=bob, user_id=alice.user_id)
    assert not are_friends(alice, bob)
    assert relationship(bob, alice).is_asked


def test_it_is_no_follow(asked, alice, bob):
    accept_friend(by=bob, user_id=alice.user_id)
    assert get_user_info(alice.user_id).followers == 0
