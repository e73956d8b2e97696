"""The like button: one like and one trace per person, counted by the worker."""

import pytest
from django.test import Client

from feed.likes.reads import get_like_count
from feed.likes.writes import like_post, unlike_post
from socialsite.table import fetch, keys, query
from socialsite.table.ids import new_id
from tests.conftest import HTMX, post
from tests.web.html import Html

ON, OFF = {"on": "1"}, {"on": "0"}


@pytest.fixture
def post_id(alice) -> str:
    return post(alice)


def press(browser: Client, post_id: str, form: dict[str, str], **extra):
    return browser.post(f"/@alice/posts/{post_id}/like", form, **extra)


def stored(liker, post_id: str) -> list[str]:
    wanted = [keys.like(post_id, liker.user_id), keys.like_trace(liker.user_id, post_id)]
    return [raw["type"]["S"] for raw in fetch(wanted, consistent=True).values()]


def test_liking_is_one_transaction_of_the_like_and_its_trace(alice, bob, post_id, requests_of):
    with requests_of() as requests:
        like_post(by=bob, post_id=post_id, author_id=alice.user_id)
    assert requests.operations == ["TransactWriteItems"]
    puts = [action["Put"]["Item"] for action in requests.made[0].parameters["TransactItems"]]
    assert [put["type"]["S"] for put in puts] == ["Like", "LikeTrace"]
    assert [(put["PK"]["S"], put["SK"]["S"]) for put in puts] == [
        keys.like(post_id, bob.user_id),
        keys.like_trace(bob.user_id, post_id),
    ]


def test_unliking_is_one_transaction_of_the_same_two(alice, bob, post_id, requests_of):
    like_post(by=bob, post_id=post_id, author_id=alice.user_id)
    with requests_of() as requests:
        unlike_post(by=bob, post_id=post_id)
    assert requests.operations == ["TransactWriteItems"]
    assert len(requests.made[0].parameters["TransactItems"]) == 2
    assert stored(bob, post_id) == []


def test_pressing_leads_back_to_the_post(alice, bob, post_id, log_in):
    response = press(log_in(bob), post_id, ON)
    assert (response.status_code, response["Location"]) == (302, f"/@alice/posts/{post_id}")
    assert stored(bob, post_id) == ["Like", "LikeTrace"]


def test_pressing_over_htmx_answers_the_button_with_the_like_counted(alice, bob, post_id, log_in):
    response = press(log_in(bob), post_id, ON, headers=HTMX)
    page = Html(response)
    assert page.elements[0]["class"] == "like"
    button = page.one("button")
    assert (button["aria-pressed"], button["value"]) == ("true", "0")
    assert page.one(class_="like-count").text == "1 like"


def test_liking_twice_counts_once(alice, bob, post_id, log_in, drain_stream):
    browser = log_in(bob)
    press(browser, post_id, ON)
    page = Html(press(browser, post_id, ON, headers=HTMX))
    assert page.one("button")["aria-pressed"] == "true"
    drain_stream()
    assert get_like_count(post_id) == 1
    assert len(list(query(keys.likes(post_id)))) == 1
    assert Html(press(browser, post_id, ON, headers=HTMX)).one(class_="like-count").text == "1 like"


def test_taking_it_back_twice_counts_once(alice, bob, carol, post_id, log_in, drain_stream):
    for viewer in (bob, carol):
        press(log_in(viewer), post_id, ON)
    for _ in range(2):
        page = Html(press(log_in(bob), post_id, OFF, headers=HTMX))
        assert page.one("button")["aria-pressed"] == "false"
    drain_stream()
    assert get_like_count(post_id) == 1
    assert stored(bob, post_id) == []
    assert stored(carol, post_id) == ["Like", "LikeTrace"]


def test_the_count_in_the_answer_is_never_below_zero(alice, bob, post_id, log_in):
    """The like is there, the worker has not counted it yet, and it is taken back."""
    browser = log_in(bob)
    press(browser, post_id, ON)
    page = Html(press(browser, post_id, OFF, headers=HTMX))
    assert page.one(class_="like-count").text == "0 likes"


def test_each_sees_the_own_like_only(alice, bob, carol, post_id, log_in, drain_stream):
    press(log_in(bob), post_id, ON)
    drain_stream()
    for viewer, pressed in ((bob, "true"), (carol, "false")):
        page = Html(log_in(viewer).get(f"/@alice/posts/{post_id}"))
        assert page.one(id=f"like-button-{post_id}")["aria-pressed"] == pressed
        assert page.one(class_="like-count").text == "1 like"


def test_one_may_like_the_own_post(alice, post_id, log_in):
    assert press(log_in(alice), post_id, ON).status_code == 302
    assert stored(alice, post_id) == ["Like", "LikeTrace"]


def test_a_post_that_is_not_there_is_not_liked(alice, bob, post_id, log_in):
    browser, other = log_in(bob), new_id()
    for address in (
        f"/@alice/posts/{other}",
        f"/@bob/posts/{post_id}",
        f"/@not_there/posts/{post_id}",
    ):
        assert browser.post(f"{address}/like", ON).status_code == 404
        assert browser.post(f"{address}/like", ON, headers=HTMX).status_code == 404
    assert stored(bob, other) == stored(bob, post_id) == []
