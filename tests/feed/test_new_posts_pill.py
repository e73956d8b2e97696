"""The pill: how many posts of others came since the page was made, and those posts when asked for."""

from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client

from feed.publishing.writes import delete_post
from tests.conftest import HTMX, post
from tests.feed.timelines import authors, fill_home, point_at
from tests.web.html import Html


@pytest.fixture
def member(alice, log_in) -> Client:
    return log_in(alice)


def pill_address(page: Html) -> str:
    """What the page asks next, with what it says of its pill and badges."""
    return page.one(id="pulse")["hx-get"]


def since(address: str) -> str:
    return parse_qs(urlsplit(address).query)["since"][0]


def ask(member: Client, address: str):
    return member.get(address, headers=HTMX)


def arrive(alice, author, number: int = 1) -> list[str]:
    """Posts of someone else reach Alice's timeline; newest first."""
    posts = [post(author) for _ in range(number)]
    for post_id in posts:
        point_at(alice, post_id, author.user_id)
    return posts[::-1]


def test_nothing_new_is_an_empty_answer(alice, bob, member):
    arrive(alice, bob)
    response = ask(member, pill_address(Html(member.get("/"))))
    assert (response.status_code, response.content) == (204, b"")


def test_new_posts_of_others_are_counted(alice, bob, member):
    arrive(alice, bob)
    address = pill_address(Html(member.get("/")))
    arrive(alice, bob, 3)
    page = Html(ask(member, address))
    assert page.one("a", id="pill").text == "3 new posts"
    assert ask(member, pill_address(page)).status_code == 204
    arrive(alice, bob)
    assert Html(ask(member, pill_address(page))).one("a", id="pill").text == "4 new posts"


def test_on_an_empty_home_the_first_post_is_new(alice, bob, member):
    address = pill_address(Html(member.get("/")))
    assert ask(member, address).status_code == 204
    arrive(alice, bob)
    assert Html(ask(member, address)).one("a", id="pill").text == "1 new post"


def test_own_posts_are_not_new(alice, bob, member):
    arrive(alice, bob)
    address = pill_address(Html(member.get("/")))
    post(alice)
    assert ask(member, address).status_code == 204
    arrive(alice, bob)
    post(alice)
    assert Html(ask(member, address)).one("a", id="pill").text == "1 new post"


def test_many_own_posts_do_not_hide_the_one_of_somebody_else(alice, bob, member):
    address = pill_address(Html(member.get("/")))
    for _ in range(25):
        post(alice)
    arrive(alice, bob)
    assert Html(ask(member, address)).one("a", id="pill").text == "1 new post"


def test_posts_that_were_deleted_meanwhile_are_not_new(alice, bob, member):
    address = pill_address(Html(member.get("/")))
    (post_id,) = arrive(alice, bob)
    delete_post(by=bob, post_id=post_id)
    page = Html(ask(member, address))
    assert not page.all("a", id="pill")
    assert ask(member, pill_address(page)).status_code == 204


def test_more_than_a_page_is_said_with_a_plus(alice, member):
    address = pill_address(Html(member.get("/")))
    fill_home(alice, authors(25))
    page = Html(ask(member, address))
    assert page.one("a", id="pill").text == "20+ new posts"
    assert "since" not in pill_address(page)  # more would say nothing new


def test_pressing_it_gives_the_cards_and_a_fresh_slot(alice, bob, member):
    old = arrive(alice, bob)
    address = pill_address(Html(member.get("/")))
    new = arrive(alice, bob, 2)
    show = Html(ask(member, address)).one("a", id="pill")["hx-get"]
    page = Html(ask(member, show))
    assert page.post_ids() == new
    assert not page.all("html")
    slot = page.one(id="pill-slot")
    assert slot["hx-swap-oob"] == "true"
    assert not page.all(id="pill")
    assert ask(member, pill_address(page)).status_code == 204
    arrive(alice, bob)
    assert Html(ask(member, pill_address(page))).one("a", id="pill").text == "1 new post"
    assert old[0] not in page.post_ids()


def test_pressing_it_again_and_again_shows_all_of_many_each_once(alice, member):
    address = pill_address(Html(member.get("/")))
    posts = fill_home(alice, authors(25))
    seen: list[str] = []
    while (answer := ask(member, address)).status_code == 200:
        show = Html(answer).one("a", id="pill")["hx-get"]
        page = Html(ask(member, show))
        seen = page.post_ids() + seen  # each press puts its cards above what is there
        address = pill_address(page)
    assert seen == posts


def test_pressing_it_when_there_is_nothing_counts_nothing_as_new_again(alice, bob, member):
    """As when the same pill is pressed in two windows, or its posts were deleted."""
    arrive(alice, bob, 3)
    address = pill_address(Html(member.get("/")))
    page = Html(ask(member, f"/new?since={since(address)}&show=1"))
    assert page.post_ids() == []
    assert ask(member, pill_address(page)).status_code == 204


def test_without_htmx_it_is_never_shown(alice, bob, member):
    arrive(alice, bob)
    address = pill_address(Html(member.get("/")))
    arrive(alice, bob)
    for path in (address, "/new", "/new?show=1"):
        response = member.get(path)
        assert (response.status_code, response["Location"]) == (302, "/")


def test_a_page_from_before_the_badges_came_along_hears_of_nothing_and_its_pill_still_shows_posts(
    alice, bob, member
):
    before = f"/new?since={since(pill_address(Html(member.get('/'))))}"
    new = arrive(alice, bob)
    assert ask(member, before).status_code == 204
    assert Html(ask(member, f"{before}&show=1")).post_ids() == new
    assert ask(member, "/new").status_code == 204


def test_somebody_elses_place_is_refused(alice, bob, member, log_in):
    address = pill_address(Html(log_in(bob).get("/")))
    assert ask(member, address).status_code == 400
