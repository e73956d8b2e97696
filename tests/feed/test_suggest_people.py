"""People to follow: who posted here lately and is not followed yet, on Explore and in the right column."""

import os
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from accounts.models import UserCount, UserInfo
from feed.home.reads import newest_authors, suggest_people
from feed.publishing.writes import delete_post
from relations.blocks.writes import mute, unmute
from relations.follows.writes import follow
from socialsite.clock import utc_now
from socialsite.table import change, ids, keys, write_batch
from tests.conftest import person, post
from tests.feed.timelines import fill_local, posting
from tests.web.html import Html

capacity = pytest.mark.engines("embedded", reason="the others report other capacity")
NOW = datetime.now(UTC)
A_MOMENT = timedelta(milliseconds=200)  # so that midnight hardly comes between


def suggested(viewer=None, **asked) -> list[str]:
    wanted = {"viewer": viewer} if viewer else {}
    return [one.handle for one in suggest_people(**wanted, **asked)]


def long_here(handle: str, *, followers: int = 0) -> str:
    """Someone who signed up a month ago and has so many followers; their id."""
    user_id = ids.id_at(NOW - timedelta(days=30), os.urandom(10))
    count = UserCount.new(user_id=user_id)
    count.followers = followers
    write_batch(puts=[UserInfo.new(user_id=user_id, handle=handle, name=handle), count])
    return user_id


def test_people_who_have_been_here_come_before_newcomers_who_posted_later(alice, bob):
    fill_local(long_here("dora"), [NOW - A_MOMENT])
    fill_local(bob.user_id, [NOW] * 9)
    assert suggested(alice) == ["dora", "bob"]


def test_many_newcomers_who_post_do_not_hide_who_has_been_here(alice):
    fill_local(long_here("dora"), [NOW - A_MOMENT])
    for number in range(12):
        fill_local(person(f"author{number:02}").user_id, [NOW - number * A_MOMENT / 100])
    assert suggested(alice, size=3) == ["dora", "author00", "author01"]


def test_of_people_who_have_been_here_those_with_most_followers_come_first(alice):
    for number, (handle, followers) in enumerate((("nobodys", 0), ("liked", 2), ("loved", 9))):
        moment = NOW - number * A_MOMENT
        fill_local(long_here(handle, followers=followers), [moment])
    assert suggested(alice) == ["loved", "liked", "nobodys"]


def test_who_posted_last_comes_first_and_each_once(alice, bob, carol, drain_stream):
    for author in (bob, carol, bob, carol, bob):
        post(author)
    drain_stream()
    assert suggested(alice) == ["bob", "carol"]


def test_neither_oneself_nor_who_is_followed_is_suggested(alice, bob, carol, drain_stream):
    follow(by=alice, user_id=bob.user_id)
    for author in (alice, bob, carol):
        post(author)
    drain_stream()
    assert suggested(alice) == ["carol"]


def test_a_visitor_is_shown_everybody_who_posts(alice, bob, drain_stream):
    for author in (alice, bob):
        post(author)
    drain_stream()
    assert suggested() == ["bob", "alice"]


def test_who_opted_out_is_not_suggested(alice, carol, mod):
    for author in (carol, mod):
        fill_local(author.user_id, [NOW])
    change(UserInfo, keys.user_info(carol.user_id), [UserInfo.not_suggested.set("yes")])
    assert suggested(alice) == ["moddy"]


def test_whom_one_mutes_is_not_suggested_until_the_mute_ends(alice, bob, carol):
    for author in (bob, carol):
        fill_local(author.user_id, [NOW])
    mute(by=alice, user_id=bob.user_id)
    assert suggested(alice) == ["carol"]
    unmute(by=alice, user_id=bob.user_id)
    assert set(suggested(alice)) == {"bob", "carol"}


def test_who_is_gone_or_took_the_post_back_is_not_suggested(alice, bob, carol, drain_stream):
    post(bob)
    taken_back = post(carol)
    drain_stream()
    delete_post(by=carol, post_id=taken_back)
    drain_stream()
    write_batch(deletes=[keys.user_info(bob.user_id)])
    assert suggested(alice) == []


def test_yesterday_fills_up_what_today_lacks_and_last_week_does_not(alice, bob, carol, mod):
    now = utc_now()
    fill_local(mod.user_id, [now])
    fill_local(bob.user_id, [now - timedelta(days=1)])
    fill_local(carol.user_id, [now - timedelta(days=5)])
    assert suggested(alice) == ["moddy", "bob"]


def test_no_more_than_asked_for(alice):
    handles = posting(14)
    assert suggested(alice, size=3) == handles[:3]
    assert len(suggested(alice)) == 12


def test_it_is_one_query_and_one_batch_where_the_authors_are_known(alice, requests_of):
    posting(20)
    newest_authors()
    with requests_of() as requests:
        suggest_people(viewer=alice, size=3)
    assert requests.operations == ["Query", "BatchGetItem"]
    assert requests.made[-1].keys == 2 * 11
    assert not any(request.is_consistent for request in requests.made)


@capacity
@pytest.mark.parametrize("posts", [1, 40])
def test_it_costs_the_same_however_much_is_posted(alice, bob, requests_of, posts):
    now = utc_now()
    moments = [now - timedelta(seconds=number + 1) for number in range(40 * posts)]
    fill_local(bob.user_id, moments)
    with requests_of() as requests:
        suggest_people(viewer=alice, size=3)
    assert sum(requests.units) <= 4 + 0.5 + 0.5 + 1


def test_explore_has_whom_one_may_know_above_who_posts_and_nobody_twice(alice, knows_bob, log_in):
    newest = posting(2)
    for path in ("/explore", "/search"):
        page = Html(log_in(alice).get(path))
        assert [title.text for title in page.all("h2", class_="section-title")] == [
            "People you may know",
            "People who post here",
        ]
        assert page.handles() == ["bob", *newest]


def test_a_visitor_is_shown_only_who_posts(alice, knows_bob):
    page = Html(Client().get("/explore"))
    assert page.one("h2", class_="section-title").text == "People who post here"


@pytest.mark.parametrize("path", ["/explore", "/search"])
def test_explore_and_an_empty_search_show_people_to_follow(alice, bob, log_in, drain_stream, path):
    post(bob)
    drain_stream()
    page = Html(log_in(alice).get(path))
    assert page.handles() == ["bob"]
    assert page.one("button", class_="follow")["aria-pressed"] == "false"
    assert not page.all("section", class_="side-card")
    assert Html(Client().get(path)).handles() == ["bob"]


def test_with_nobody_to_suggest_explore_leads_to_local(alice, log_in):
    assert Html(log_in(alice).get("/explore")).all("a", href="/local", class_="button")


def test_explore_is_in_the_navigation_of_everybody(alice, log_in):
    for browser in (log_in(alice), Client()):
        link = Html(browser.get("/explore")).one("a", class_="nav-link", href="/explore")
        assert link["aria-current"] == "page"
