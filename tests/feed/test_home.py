"""The home timeline: what the people one follows said, newest first, page by page."""

from datetime import timedelta

from django.test import Client

from feed.publishing.writes import delete_post
from relations.follows.writes import follow
from tests.conftest import HTMX, post
from tests.feed.timelines import authors, fill_home, point_at
from tests.web.html import Html


def test_home_shows_own_and_followed_posts_newest_first(alice, bob, carol, log_in, drain_stream):
    follow(by=alice, user_id=bob.user_id)
    first = post(bob)
    own = post(alice)
    post(carol)
    last = post(bob)
    drain_stream()
    assert Html(log_in(alice).get("/")).post_ids() == [last, own, first]


def test_home_goes_older_and_newer_over_pages_that_meet(alice, log_in):
    posts = fill_home(alice, authors(9), each=5)
    browser = log_in(alice)
    first = Html(browser.get("/"))
    second = Html(browser.get(first.link("next")))
    third = Html(browser.get(second.link("next")))
    assert first.post_ids() + second.post_ids() + third.post_ids() == posts
    assert first.link("prev") is None
    assert third.link("next") is None
    assert Html(browser.get(third.link("prev"))).post_ids() == second.post_ids()
    assert Html(browser.get(second.link("prev"))).post_ids() == first.post_ids()


def test_a_link_to_an_older_page_shows_the_same_after_new_posts_came(alice, log_in):
    people = authors(5)
    fill_home(alice, people, each=6)
    browser = log_in(alice)
    address = Html(browser.get("/")).link("next")
    before = Html(browser.get(address)).post_ids()
    fill_home(alice, people, each=2)
    assert Html(browser.get(address)).post_ids() == before


def test_the_page_below_comes_as_a_fragment_over_htmx(alice, log_in):
    posts = fill_home(alice, authors(5), each=5)
    browser = log_in(alice)
    first = Html(browser.get("/"))
    (box,) = first.all("div", class_="more")
    assert box["hx-get"] == first.link("next")
    fragment = Html(browser.get(box["hx-get"], headers=HTMX))
    assert fragment.post_ids() == posts[20:]
    assert not fragment.all("html")
    assert not fragment.all("form", id="composer")


def test_only_the_newest_page_has_the_composer_and_the_pill(alice, log_in):
    fill_home(alice, authors(5), each=5)
    browser = log_in(alice)
    first = Html(browser.get("/"))
    second = Html(browser.get(first.link("next")))
    assert [len(page.all(id="composer")) for page in (first, second)] == [1, 0]
    assert [len(page.all(id="pill-slot")) for page in (first, second)] == [1, 0]


def test_entries_that_have_run_out_are_not_shown(alice, bob, log_in):
    kept, gone = post(bob), post(bob)
    point_at(alice, kept, bob.user_id)
    point_at(alice, gone, bob.user_id, lasts=timedelta(seconds=-1))
    assert Html(log_in(alice).get("/")).post_ids() == [kept]


def test_entries_that_have_run_out_do_not_shorten_a_page(alice, bob, log_in):
    posts = fill_home(alice, authors(25))
    for _ in range(30):
        point_at(alice, post(bob), bob.user_id, lasts=timedelta(seconds=-1))
    assert Html(log_in(alice).get("/")).post_ids() == posts[:20]


def test_a_home_without_anything_says_what_to_do(alice, log_in):
    page = Html(log_in(alice).get("/"))
    assert page.post_ids() == []
    assert page.all("a", href="/explore", class_="button")


def test_a_page_whose_posts_were_all_deleted_does_not_say_that_nobody_is_here(alice, log_in):
    older = [post(alice) for _ in range(3)]
    newer = [post(alice) for _ in range(20)]
    for post_id in newer:
        delete_post(by=alice, post_id=post_id)
    browser = log_in(alice)
    response = browser.get("/")
    assert "quiet here so far" not in response.content.decode()
    assert Html(browser.get(Html(response).link("next"))).post_ids() == older[::-1]


def test_a_link_behind_the_last_post_leads_back_up(alice, log_in, drain_stream):
    """What stood on the older page was deleted meanwhile."""
    posts = [post(alice) for _ in range(21)]
    browser = log_in(alice)
    address = Html(browser.get("/")).link("next")
    delete_post(by=alice, post_id=posts[0])
    drain_stream()
    page = Html(browser.get(address))
    assert page.post_ids() == []
    assert page.link("prev")
    assert "quiet here so far" not in browser.get(address).content.decode()


def test_a_visitor_gets_the_landing_page_with_everybodys_newest_post(alice, bob, drain_stream):
    posts = [post(author) for author in (alice, bob) * 6]
    drain_stream()
    page = Html(Client().get("/"))
    assert page.post_ids() == posts[:-3:-1]
    assert page.all("a", href="/signup")
    assert page.all("a", href="/local")
    assert not page.all("form", id="composer")
    assert page.handles() == ["bob", "alice"]  # in the right column, each once


def test_two_people_in_one_process_see_each_their_own(alice, bob, log_in):
    mine, theirs = post(alice), post(bob)
    browsers = log_in(alice), log_in(bob)
    for _ in range(2):
        pages = [Html(browser.get("/")) for browser in browsers]
        assert [page.post_ids() for page in pages] == [[mine], [theirs]]
        assert pages[0].all("a", href="/@alice")
        assert not pages[0].all("a", href="/@bob")
