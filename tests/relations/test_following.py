"""Following: at the same moment, asked for where accounts are locked, and listed."""

import random
from functools import partial

import pytest
from django.test import Client

from accounts.models import UserInfo
from accounts.people.reads import get_user_info
from accounts.profile.writes import save_privacy
from relations.blocks.writes import block
from relations.follows import writes
from relations.follows.writes import follow, request_follow, unfollow
from relations.models import Follower, Following
from relations.relation import TooManyFollowed
from socialsite.table import Conflict, keys, query, write_batch
from socialsite.table.ids import new_id
from tests.conftest import HTMX, person
from tests.relations.scenes import ACCEPT, DECLINE, OFF, ON, WITHDRAW, lock, relationship
from tests.together import together
from tests.web.html import Html

THREADS, TURNS = 8, 50

not_on_moto = pytest.mark.engines(
    "embedded", "dynamodb-local", reason="moto does not hold transactions apart from each other"
)


def assert_counts_equal_edges(*people) -> None:
    for one in people:
        card = get_user_info(one.user_id)
        following = len(list(query(keys.followings(one.user_id), consistent=True)))
        followers = len(list(query(keys.followers(one.user_id), consistent=True)))
        assert (card.following, card.followers) == (following, followers)


def turns(by, user_id: str, seed: int) -> None:
    dice = random.Random(seed)
    for _ in range(TURNS):
        try:
            dice.choice((follow, unfollow))(by=by, user_id=user_id)
        except Conflict:  # a refusal that says so and wrote nothing is right
            continue


@not_on_moto
def test_a_storm_on_one_pair_leaves_counts_equal_to_edges(alice, bob):
    results = together(*(partial(turns, alice, bob.user_id, seed) for seed in range(THREADS)))
    assert results == [None] * THREADS
    assert_counts_equal_edges(alice, bob)
    follow(by=alice, user_id=bob.user_id)
    assert get_user_info(bob.user_id).followers == 1


@not_on_moto
def test_two_who_follow_each_other_in_a_storm_keep_their_counts(alice, bob):
    pairs = [(alice, bob), (bob, alice)] * (THREADS // 2)
    jobs = (partial(turns, by, other.user_id, seed) for seed, (by, other) in enumerate(pairs))
    assert together(*jobs) == [None] * THREADS
    assert_counts_equal_edges(alice, bob)


@not_on_moto
def test_many_who_follow_one_person_at_once_are_all_counted(alice):
    fans = [person(f"fan_{number}") for number in range(THREADS)]
    results = together(*(partial(follow, by=fan, user_id=alice.user_id) for fan in fans))
    assert results == [None] * THREADS
    assert_counts_equal_edges(alice, *fans)
    assert get_user_info(alice.user_id).followers == THREADS


# Locked accounts: the follow button asks, the person answers, and a request that waits grants nothing.

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

    monkeypatch.setattr(writes, "request_follow", unlock_then_ask)
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

    monkeypatch.setattr(writes, "follow", refuse)
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
    few = writes.REQUESTS.__class__("requests", 1, 10**9)
    monkeypatch.setattr(writes, "REQUESTS", few)
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


# The pages of followers and followed: the right people, in order, page by page.


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
