"""The pages of followers and followed: the right people, in order, page by page."""

import pytest
from django.test import Client

from accounts.models import UserInfo
from relations.follows.writes import follow
from relations.models import Follower, Following
from socialsite.table import write_batch
from socialsite.table.ids import new_id
from tests.conftest import HTMX
from tests.web.html import Html


def crowd(of, size: int, tab: str) -> list[str]:
    """Makes followers (or followed) of a person with the least that the page needs; their handles in order."""
    ids = [new_id() for _ in range(size)]
    people = [
        UserInfo.new(user_id=user_id, handle=f"fan_{number:02}", name=f"Fan {number}")
        for number, user_id in enumerate(ids)
    ]
    if tab == "followers":
        edges = [Follower.new(user_id=of.user_id, follower_id=user_id) for user_id in ids]
    else:
        edges = [Following.new(user_id=of.user_id, followed_id=user_id) for user_id in ids]
    write_batch(puts=[*people, *edges])
    return [card.handle for card in people]


@pytest.mark.parametrize("tab", ["followers", "following"])
def test_all_are_shown_oldest_account_first_over_pages_that_meet(alice, tab):
    handles = crowd(alice, 45, tab)
    seen: list[str] = []
    address: str | None = f"/@alice/{tab}"
    while address:
        page = Html(Client().get(address))
        seen += page.handles()
        address = page.link("next")
    assert seen == handles


@pytest.mark.parametrize("tab", ["followers", "following"])
def test_one_goes_back_up_to_the_very_same_pages(alice, tab):
    crowd(alice, 45, tab)
    first = Html(Client().get(f"/@alice/{tab}"))
    second = Html(Client().get(first.link("next")))
    third = Html(Client().get(second.link("next")))
    assert first.link("prev") is None
    assert Html(Client().get(third.link("prev"))).handles() == second.handles()
    back = Html(Client().get(second.link("prev")))
    assert back.handles() == first.handles()
    assert back.link("prev") is None


def test_htmx_gets_the_rows_alone(alice):
    handles = crowd(alice, 25, "followers")
    address = Html(Client().get("/@alice/followers")).link("next")
    response = Client().get(address, headers=HTMX)
    assert Html(response).handles() == handles[20:]
    assert not Html(response).all("html")
    assert Html(response).link("prev") is None


def test_follow_buttons_show_whom_the_viewer_follows(alice, bob, carol, log_in):
    for fan in (alice, bob):
        follow(by=fan, user_id=carol.user_id)
    follow(by=alice, user_id=bob.user_id)
    page = Html(log_in(alice).get("/@carol/followers"))
    assert page.handles() == ["alice", "bob"]
    buttons = page.all("button", class_="follow")
    assert [button["id"] for button in buttons] == [f"follow-{bob.user_id}"]
    assert buttons[0]["aria-pressed"] == "true"


def test_a_visitor_sees_the_people_and_no_buttons(alice, bob):
    follow(by=bob, user_id=alice.user_id)
    page = Html(Client().get("/@alice/followers"))
    assert page.handles() == ["bob"]
    assert not page.all("button", class_="follow")


def test_people_who_are_gone_are_left_out(alice):
    write_batch(puts=[Follower.new(user_id=alice.user_id, follower_id=new_id())])
    page = Html(Client().get("/@alice/followers"))
    assert page.handles() == []


def test_the_two_lists_are_not_mixed_up(alice, bob, carol):
    follow(by=alice, user_id=bob.user_id)
    follow(by=carol, user_id=alice.user_id)
    assert Html(Client().get("/@alice/following")).handles() == ["bob"]
    assert Html(Client().get("/@alice/followers")).handles() == ["carol"]


@pytest.mark.parametrize("tab", ["followers", "following"])
def test_nobody_has_no_lists(table, tab):
    assert Client().get(f"/@not_there/{tab}").status_code == 404


@pytest.mark.parametrize("tab", ["followers", "following"])
def test_a_cursor_of_the_other_list_is_refused(alice, tab):
    other = {"followers": "following", "following": "followers"}[tab]
    crowd(alice, 25, tab)
    address = Html(Client().get(f"/@alice/{tab}")).link("next")
    assert Client().get(address.replace(tab, other)).status_code == 400
