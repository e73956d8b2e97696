"""The pages of one post, of its likers, and of one person."""

import pytest
from django.test import Client

from feed.likes.models import Like
from socialsite.table import write_batch
from socialsite.table.ids import new_id
from tests.conftest import HTMX, person, post
from tests.web.html import Html, shown_name


def test_a_post_is_shown_whole_to_everybody(alice, bob, carol, log_in):
    post_id = post(alice, "First\nsecond <b> & @carol https://example.org/?a=1&b=2")
    for browser in (Client(), log_in(bob), log_in(alice)):
        page = Html(browser.get(f"/@alice/posts/{post_id}"))
        assert page.post_ids() == [post_id]
        text = page.one("div", class_="post-text")
        assert "".join(text.parts).startswith("First\nsecond <b> & @carol")
        assert page.one("a", href=f"/@carol?id={carol.user_id}").text == "@carol"
        assert page.one("a", rel="ugc")["href"] == "https://example.org/?a=1&b=2"
        assert page.one("time")["datetime"]


@pytest.mark.parametrize("path", ["", "/likers"])
def test_a_post_stands_under_its_author_only(alice, bob, path):
    post_id = post(alice)
    assert Client().get(f"/@alice/posts/{post_id}{path}").status_code == 200
    for wrong in (
        f"/@bob/posts/{post_id}",
        f"/@alice/posts/{new_id()}",
        f"/@nobody/posts/{post_id}",
    ):
        response = Client().get(wrong + path)
        assert response.status_code == 404
        assert "There’s nothing here" in response.content.decode()


def test_likers_are_listed_oldest_account_first_over_pages(alice):
    post_id = post(alice)
    fans = [person(f"fan_{number:02}") for number in range(23)]
    write_batch(
        puts=[
            Like.new(post_id=post_id, author_id=alice.user_id, user_id=fan.user_id) for fan in fans
        ]
    )
    first = Html(Client().get(f"/@alice/posts/{post_id}/likers"))
    second = Html(Client().get(first.link("next")))
    assert first.handles() + second.handles() == [fan.handle for fan in fans]
    assert second.link("next") is None
    assert Html(Client().get(second.link("prev"))).handles() == first.handles()
    fragment = Html(Client().get(first.link("next"), headers=HTMX))
    assert fragment.handles() == second.handles()
    assert not fragment.all("html")


def test_a_liker_may_be_followed_from_the_list(alice, bob, log_in):
    post_id = post(alice)
    log_in(bob).post(f"/@alice/posts/{post_id}/like", {"on": "1"})
    page = Html(log_in(alice).get(f"/@alice/posts/{post_id}/likers"))
    assert page.handles() == ["bob"]
    assert page.one("button", class_="follow")["formaction"] == "/@bob/follow"


def test_a_profile_shows_the_person_and_their_posts_newest_first(alice, bob):
    posts = [post(alice, f"number {number}") for number in range(4)]
    post(bob, "not hers")
    response = Client().get("/@alice")
    assert shown_name(response) == "Alice Archer"
    assert Html(response).post_ids() == posts[::-1]


def test_a_profile_goes_older_and_newer_over_pages_that_meet(alice):
    posts = [post(alice, f"number {number}") for number in range(45)][::-1]
    first = Html(Client().get("/@alice"))
    second = Html(Client().get(first.link("next")))
    third = Html(Client().get(second.link("next")))
    assert first.post_ids() + second.post_ids() + third.post_ids() == posts
    assert third.link("next") is None
    assert Html(Client().get(third.link("prev"))).post_ids() == second.post_ids()
    assert Html(Client().get(second.link("prev"))).post_ids() == first.post_ids()


def test_more_posts_of_a_profile_come_as_a_fragment_over_htmx(alice):
    posts = [post(alice, f"number {number}") for number in range(22)]
    address = Html(Client().get("/@alice")).link("next")
    page = Html(Client().get(address, headers=HTMX))
    assert page.post_ids() == posts[1::-1]
    assert not page.all("html")


def test_a_restored_history_page_is_a_whole_page(alice):
    headers = HTMX | {"HX-History-Restore-Request": "true"}
    assert Html(Client().get("/@alice", headers=headers)).all("html")


def test_a_handle_in_the_address_may_have_any_case(alice):
    assert shown_name(Client().get("/@ALICE")) == "Alice Archer"


@pytest.mark.parametrize("path", ["/@nobody", "/@nobody/followers", "/@ab", "/@" + "a" * 31])
def test_nobody_has_no_page(table, path):
    response = Client().get(path)
    assert response.status_code == 404
    assert "There’s nothing here" in response.content.decode()


def test_the_buttons_of_a_profile_fit_the_viewer(alice, bob, log_in):
    own, other, visitor = (
        Html(browser.get("/@alice")) for browser in (log_in(alice), log_in(bob), Client())
    )
    assert own.one("a", class_="button", href="/settings/profile").text == "Edit profile"
    assert not own.all("button", class_="follow")
    assert other.one("button", class_="follow")["value"] == "1"
    assert visitor.one("a", href="/login?next=/%40alice").text == "Follow"
