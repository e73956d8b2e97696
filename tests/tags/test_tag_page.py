"""The page of a tag: its posts, newest first, and who sees which."""

import pytest
from django.test import Client

from accounts.people.restrictions import Restriction
from feed.posts.models import Withheld
from feed.publishing.writes import delete_post
from relations.blocks.writes import block, mute
from tests.conftest import HTMX, person, post
from tests.moderation.cases import restrict, withhold
from tests.tags.tagged import shown
from tests.web.html import Html

pages = pytest.mark.engines("embedded", reason="looks at the page, which no engine changes")


def test_it_shows_the_posts_with_the_tag_newest_first(alice, bob, log_in, drain_stream):
    posts = [post(alice, "#cats"), post(bob, "#CATS"), post(alice, "no #dogs")]
    drain_stream()
    for browser in (Client(), log_in(bob)):
        assert shown(browser) == posts[1::-1]


def test_a_tag_in_a_post_leads_to_it(alice, drain_stream):
    post_id = post(alice, "#Größe und #größe")
    drain_stream()
    page = Html(Client().get(f"/@alice/posts/{post_id}"))
    address = next(link["href"] for link in page.all("a") if link.text == "#Größe")
    assert Html(Client().get(address)).one("h1").text == "#grösse"
    assert Html(Client().get(address)).post_ids() == [post_id]


@pages
def test_other_spellings_lead_to_the_one_address(table):
    for spelling in ("Cats", "CATS", "ｃａｔｓ"):
        answer = Client().get(f"/tags/{spelling}")
        assert (answer.status_code, answer["Location"]) == (301, "/tags/cats")
    assert Client().get("/tags/%E7%8C%AB").status_code == 200


@pages
@pytest.mark.parametrize("word", ["2026", "a-b", "%23cats", "a" * 101, "a%20b", "%EF%B7%BA"])
def test_what_is_no_tag_has_no_page(table, word):
    assert Client().get(f"/tags/{word}").status_code == 404
    assert Client().get(f"/tags/{word}/feed.atom").status_code == 404


def test_older_posts_come_by_a_link_and_lead_back(alice, drain_stream):
    posts = [post(alice, "#cats") for _ in range(25)][::-1]
    drain_stream()
    first = Html(Client().get("/tags/cats"))
    assert first.post_ids() == posts[:20]
    older = Html(Client().get(first.link("next")))
    assert older.post_ids() == posts[20:]
    assert Html(Client().get(older.link("prev"))).post_ids() == posts[:20]
    fragment = Html(Client().get(first.link("next"), headers=HTMX))
    assert fragment.post_ids() == posts[20:]
    assert not fragment.all("html")


def test_a_deleted_or_withheld_post_is_gone_before_the_worker_has_run(alice, drain_stream):
    gone, hidden, kept = post(alice, "#cats"), post(alice, "#cats"), post(alice, "#cats")
    drain_stream()
    delete_post(by=alice, post_id=gone)
    withhold(alice, hidden, Withheld.HIDDEN)
    assert shown(Client()) == [kept]


def test_people_who_block_each_other_do_not_see_each_others_posts(alice, bob, log_in, drain_stream):
    of_alice, of_bob = post(alice, "#cats"), post(bob, "#cats")
    drain_stream()
    block(by=alice, user_id=bob.user_id)
    assert shown(log_in(alice)) == [of_alice]
    assert shown(log_in(bob)) == [of_bob]


def test_posts_of_muted_people_are_left_out(alice, bob, log_in, drain_stream):
    post(bob, "#cats")
    drain_stream()
    mute(by=alice, user_id=bob.user_id)
    assert shown(log_in(alice)) == []


def test_a_limited_person_sees_their_posts_there_alone(alice, bob, log_in, drain_stream):
    post_id = post(alice, "#cats")
    drain_stream()
    restrict(alice, Restriction.LIMITED)
    assert shown(log_in(alice)) == [post_id]
    assert shown(log_in(bob)) == shown(Client()) == []


@pages
def test_a_tag_whose_posts_are_hidden_looks_as_one_that_never_was(alice, drain_stream):
    withheld = post(alice, "#aaaa")
    drain_stream()
    withhold(alice, withheld)
    of_hidden, of_none = (
        Html(Client().get(f"/tags/{tag}")).one("main").text for tag in ("aaaa", "bbbb")
    )
    assert of_hidden.replace("aaaa", "bbbb") == of_none


@pages
def test_nothing_to_show_is_said(table):
    assert "Yours could be the first" in Client().get("/tags/cats").content.decode()


@pages
def test_many_authors_take_two_batches_and_the_page_is_whole(alice, log_in, drain_stream):
    people = [person(f"author{number}") for number in range(20)]
    posts = [post(one, "#cats") for one in people]
    drain_stream()
    assert shown(log_in(alice)) == posts[::-1]
