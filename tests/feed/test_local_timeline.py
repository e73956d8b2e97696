"""The local timeline: everyone's posts over days and shards, newest first."""

from datetime import UTC, datetime, time, timedelta

import pytest
from django.test import Client

from accounts.people.viewer import Viewer
from feed.cards import reads
from feed.cards.post_card import PostCard
from feed.likes.writes import like_post, unlike_post
from feed.publishing.writes import delete_post
from feed.timelines.local import DAYS, SCOPE, SHARDS, list_public, shard_of
from relations.blocks.writes import block, mute, unmute
from socialsite.clock import utc_now
from socialsite.table import Place, write_cursor
from socialsite.table.ids import last_id_before, new_id
from tests.conftest import HTMX, person, post
from tests.feed.timelines import fill_local
from tests.web.html import Html

NOW = datetime.now(UTC)
NOON = datetime.combine(NOW.date() - timedelta(days=1), time(12), UTC)  # of a day that is over
MOST_PAGES = 20


def walk(browser: Client, address: str = "/local") -> list[list[str]]:
    """The posts of each page, following the link to the older one."""
    pages: list[list[str]] = []
    following: str | None = address
    while following:
        page = Html(browser.get(following))
        pages.append(page.post_ids())
        following = page.link("next")
        assert len(pages) < MOST_PAGES
    return pages


def everything(browser: Client) -> list[str]:
    return [post_id for page in walk(browser) for post_id in page]


def test_a_post_is_local_when_the_worker_has_passed(alice, bob, log_in, drain_stream):
    posts = [post(alice), post(bob), post(alice)]
    drain_stream()
    for browser in (Client(), log_in(bob)):
        assert Html(browser.get("/local")).post_ids() == posts[::-1]


def test_posts_of_one_day_are_merged_from_all_shards_in_order(alice):
    moments = [NOW - timedelta(seconds=number) for number in range(45)]
    posts = fill_local(alice.user_id, moments)
    assert {shard_of(post_id) for post_id in posts} == set(range(SHARDS))
    pages = walk(Client())
    assert [len(page) for page in pages[:3]] == [20, 20, 5]
    assert [*pages[0], *pages[1], *pages[2]] == sorted(posts, reverse=True)


def test_posts_of_several_days_follow_each_other_without_gap_or_double(alice):
    moments = [NOW - timedelta(hours=5 * number, seconds=1) for number in range(30)]
    posts = fill_local(alice.user_id, moments)
    assert everything(Client()) == sorted(posts, reverse=True)


def test_a_quiet_time_in_between_does_not_end_the_list(alice):
    now = utc_now()
    posts = fill_local(alice.user_id, [now, now - timedelta(days=DAYS - 1)])
    assert everything(Client()) == posts


def test_a_page_that_ends_at_midnight_goes_on_the_day_before(alice):
    midnight = datetime.combine(NOW.date(), datetime.min.time(), UTC)
    around = [timedelta(milliseconds=number) for number in range(-21, 21)]
    posts = fill_local(alice.user_id, [midnight - timedelta(days=1) + step for step in around])
    assert everything(Client()) == posts[::-1]


def test_the_list_ends_after_some_days(alice):
    fill_local(alice.user_id, [NOW - timedelta(days=DAYS + 3)])
    assert everything(Client()) == []


def test_a_deleted_post_is_gone_before_the_worker_has_run(alice, drain_stream):
    kept, gone = post(alice), post(alice)
    drain_stream()
    delete_post(by=alice, post_id=gone)
    assert everything(Client()) == [kept]


def test_a_post_of_somebody_who_is_gone_is_left_out(alice):
    fill_local(new_id(), [NOW])
    (kept,) = fill_local(alice.user_id, [NOW - timedelta(seconds=1)])
    assert everything(Client()) == [kept]


def test_more_posts_come_as_a_fragment_over_htmx(alice):
    fill_local(alice.user_id, [NOW - timedelta(seconds=number) for number in range(25)])
    first = Html(Client().get("/local"))
    fragment = Html(Client().get(first.link("next"), headers=HTMX))
    assert len(fragment.post_ids()) == 5
    assert not fragment.all("html")


def test_a_visitor_likes_by_signing_in_and_a_member_by_a_button(alice, bob, log_in):
    (post_id,) = fill_local(alice.user_id, [NOW])
    visitor, member = Html(Client().get("/local")), Html(log_in(bob).get("/local"))
    assert not visitor.all(id=f"like-button-{post_id}")
    assert visitor.one("div", class_="like")
    assert member.one("button", id=f"like-button-{post_id}")


def test_nothing_to_show_is_said(table):
    assert "quiet here" in Client().get("/local").content.decode()


# What is the viewer's own, on a page of one day


def busy_day(count: int = 25) -> tuple[list[Viewer], list[str]]:
    """So many people who posted on a day that is over, and their posts, newest first."""
    people = [person(f"author{number:02}") for number in range(count)]
    posts = [
        fill_local(one.user_id, [NOON - timedelta(seconds=number)])[0]
        for number, one in enumerate(people)
    ]
    return people, posts


def page_of_that_day(viewer: Viewer) -> list[PostCard]:
    cursor = write_cursor(SCOPE, Place("next", last_id_before(datetime.combine(NOW, time(), UTC))))
    return list(list_public(viewer=viewer, cursor=cursor).items)


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_what_is_the_viewers_own_takes_two_queries_and_no_key(alice, requests_of):
    busy_day()
    with requests_of() as requests:
        assert len(page_of_that_day(alice)) == 20
    assert requests.operations == [*["Query"] * 6, "BatchGetItem"]
    assert requests.made[-1].keys == 60
    assert sum(requests.units) <= 4 * 1 + 2 * 0.5 + 30


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_a_day_that_lacks_one_post_of_a_page_pays_for_the_day_before_alone(alice, requests_of):
    people, _ = busy_day(20)
    fill_local(people[0].user_id, [NOON - timedelta(days=1)])
    with requests_of() as requests:
        assert len(page_of_that_day(alice)) == 20
    assert requests.operations == [*["Query"] * 8, *["BatchGetItem"] * 2]


def test_a_block_a_mute_and_a_like_show_at_once_all_the_same(alice):
    people, posts = busy_day()
    like_post(by=alice, post_id=posts[3], author_id=people[3].user_id)
    block(by=people[0], user_id=alice.user_id)
    mute(by=alice, user_id=people[1].user_id)
    page = page_of_that_day(alice)
    assert [one.post_id for one in page] == posts[2:20]
    assert [one.post_id for one in page if one.liked] == [posts[3]]
    unlike_post(by=alice, post_id=posts[3])
    unmute(by=alice, user_id=people[1].user_id)
    page = page_of_that_day(alice)
    assert [one.post_id for one in page] == posts[1:20]
    assert not any(one.liked for one in page)


def test_who_liked_very_much_is_asked_for_the_rest_by_key(alice, monkeypatch):
    people, posts = busy_day()
    liked = posts[:20:2]
    for number, post_id in enumerate(posts):
        if post_id in liked:
            like_post(by=alice, post_id=post_id, author_id=people[number].user_id)
    monkeypatch.setattr(reads, "MOST", 4)
    assert [one.post_id for one in page_of_that_day(alice) if one.liked] == liked
