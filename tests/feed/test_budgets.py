"""What a page costs: calls, keys and read units, flat however many people someone follows."""

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from accounts.people.viewer import Viewer
from feed.explore.reads import explored
from feed.home.reads import newest_authors
from feed.likes.writes import like_post
from feed.posts.models import Poll
from feed.saved.writes import save_post
from relations.follows.writes import follow, unfollow
from socialsite import keys
from tests.conftest import HTMX, person, post
from tests.feed.scenes import vote_for
from tests.feed.timelines import authors, fill_home, fill_local, follow_all
from tests.relations.scenes import people_you_may_know
from tests.web.html import Html

capacity = pytest.mark.engines("embedded", reason="the others report other capacity")

IN_A_YEAR = (datetime.now(UTC) + timedelta(days=365)).isoformat(timespec="seconds")
VIEWER_AND_HOME = ["BatchGetItem", "Query", "BatchGetItem"]


@pytest.fixture
def member(alice, log_in) -> Client:
    return log_in(alice)


def test_the_meter_around_a_request_sees_its_calls(member, measure):
    with measure() as meter:
        member.get("/")
    assert [call.operation for call in meter.calls] == VIEWER_AND_HOME[: len(meter.calls)]
    assert meter.calls


def test_home_is_three_calls_for_twenty_posts_of_twenty_authors(alice, member, requests_of):
    fill_home(alice, authors(20))
    with requests_of() as requests:
        member.get("/")
    assert requests.operations == VIEWER_AND_HOME
    assert requests.made[0].keys <= 4
    assert 60 <= requests.made[2].keys <= 80
    assert not any(request.is_consistent for request in requests.made)
    assert requests.made[1].parameters["Limit"] == 21


@capacity
def test_polls_and_the_own_votes_in_them_cost_home_nothing_more(alice, member, requests_of):
    people = authors(20)
    posts = fill_home(alice, people, poll=Poll(options=["Tea", "Coffee"], ends=IN_A_YEAR))
    for post_id, author in zip(posts[::-1], people, strict=True):
        vote_for(alice, Viewer(author.user_id), post_id, 1)
    with requests_of() as requests:
        page = Html(member.get("/"))
    assert len(page.all("div", class_="poll")) == 20
    assert len(page.all("span", class_="poll-mine")) == 20
    assert requests.operations == VIEWER_AND_HOME
    assert requests.made[2].keys == 80
    assert requests.units == [2, 0.5, 40]


@capacity
@pytest.mark.parametrize("followed", [10, 1000])
def test_home_costs_the_same_whatever_number_of_people_one_follows(
    alice, member, requests_of, followed
):
    people = authors(20)
    fill_home(alice, people)
    follow_all(alice, authors(followed))
    with requests_of() as requests:
        member.get("/")
    assert requests.operations == VIEWER_AND_HOME
    assert requests.made[2].keys == 80
    assert requests.units == [2, 0.5, 40]


@capacity
@pytest.mark.parametrize("which", ["first", "last"])
def test_an_older_page_costs_what_the_first_costs(alice, member, requests_of, which):
    fill_home(alice, authors(20), each=4)
    address = "/"
    if which == "last":
        while following := Html(member.get(address)).link("next"):
            address = following
    with requests_of() as requests:
        member.get(address)
    assert requests.operations == VIEWER_AND_HOME
    assert requests.units == [2, 0.5, 40]


MOST_CALLS = {
    "/@bob": 4,
    "/@bob/posts/{post}": 4,
    "/@bob/posts/{post}/reply": 5,
    "/@bob/posts/{post}/likers": 4,
    "/@bob/feed.atom": 4,
    "/@bob/replies": 5,
    "/@bob/followers": 4,
    "/@bob/following": 4,
    "/@bob/card": 4,
    "/local": 10,
    "/tags/cats": 5,
    "/tags": 2,
    "/complete?q=@bo": 3,
    "/complete?q=%23ca": 2,
    "/tags/cats/feed.atom": 3,
    "/search?q=bo": 5,
    "/search?q=%40bob": 5,
    "/search?q=%23cats": 5,
    "/search?tab=people&q=bo": 3,
    "/search?tab=tags&q=ca": 2,
    "/search?tab=posts&q=hello": 5,
    "/search?tab=posts&q=hello+world": 5,
    "/search?tab=posts&q=from:bob": 5,
    "/search?tab=posts&by=likes&q=hello+world": 5,
    "/search?tab=posts&by=likes&q=from:bob": 5,
    "/explore": 3,
    "/explore?from=10": 3,
    "/explore/people": 3,
    "/explore/posts": 9,
    "/people-to-follow": 3,
    "/welcome": 4,
    "/saved": 3,
    "/saved?q=hello": 4,
    "/@bob/posts/{post}/save": 3,
    "/posts/new": 1,
    "/about": 1,
    "/settings/profile": 2,
    "/settings/appearance": 1,
    "/settings/app": 1,
    "/app.webmanifest": 0,
    "/sw.js": 0,
    "/offline": 0,
    "/settings/privacy": 1,
    "/settings/blocks": 5,
    "/friends": 4,
    "/friends?show=favourites": 3,
    "/circles": 2,
    "/circles/rename?circle=x": 2,
    "/circles/delete?circle=x": 2,
    "/requests": 9,
    "/@bob/circles": 3,
    "/@bob/mute": 2,
    "/@bob/block": 2,
    "/robots.txt": 0,
    "/healthz": 0,
    "/not/there": 1,
}


@pytest.mark.parametrize("who", ["member", "visitor"])
def test_a_page_keeps_to_its_calls_and_reads_nothing_consistently(
    alice, bob, carol, member, requests_of, who
):
    post_id = post(bob)
    save_post(by=alice, post_id=post_id, author_id=bob.user_id)
    for fan in (alice, carol):
        like_post(by=fan, post_id=post_id, author_id=bob.user_id)
        follow(by=fan, user_id=bob.user_id)
        follow(by=bob, user_id=fan.user_id)
    people_you_may_know(viewer=alice)  # found once a day: tests/relations/test_discovery.py
    broken = {}
    for path, most in MOST_CALLS.items():
        newest_authors()  # which each process keeps
        explored()
        with requests_of() as requests:
            (member if who == "member" else Client()).get(path.format(post=post_id))
        is_kept = len(requests.made) <= most
        reads = {*requests.operations} <= {"BatchGetItem", "Query", "GetItem"}
        if not is_kept or not reads or any(one.is_consistent for one in requests.made):
            broken[path] = requests.made
    assert broken == {}


@capacity
def test_a_profile_is_one_batch_before_its_posts(alice, bob, member, requests_of):
    post(bob)
    with requests_of() as requests:
        member.get("/@bob")
    assert requests.operations == ["BatchGetItem", "BatchGetItem", "Query", "BatchGetItem"]
    assert requests.made[1].keys == 11
    assert requests.units == [2.5, 5.5, 0.5, 2.5]


def test_the_landing_page_is_one_batch_while_the_process_knows_who_posted(alice, requests_of):
    for number in range(12):
        fill_local(person(f"author{number}").user_id, [datetime.now(UTC)] * 3)
    newest_authors()
    with requests_of() as requests:
        Client().get("/")
    assert requests.operations == ["BatchGetItem"]
    assert requests.made[-1].keys <= 30


def test_the_landing_page_reads_one_post_of_somebody_who_posts_all_day(alice, requests_of):
    fill_local(alice.user_id, [datetime.now(UTC)] * 30)
    newest_authors()
    with requests_of() as requests:
        Client().get("/")
    assert requests.made[-1].keys <= 3


def test_a_static_page_costs_a_visitor_nothing(table, requests_of):
    with requests_of() as requests:
        for path in ("/about", "/login", "/signup", "/healthz", "/not/there"):
            Client().get(path)
    assert requests.made == []


@pytest.mark.parametrize("extra", [{}, {"headers": HTMX}], ids=["page", "htmx"])
def test_a_press_is_one_transaction_and_two_reads(bob, member, requests_of, extra):
    for address in ("/@bob/follow", f"/@bob/posts/{post(bob)}/like"):
        member.post(address, {"on": "1"})
        for state in "01":
            with requests_of() as requests:
                member.post(address, {"on": state}, **extra)
            assert requests.operations.count("TransactWriteItems") == 1, (address, state)
            assert len(requests.made) <= 3, (address, state)


@pytest.mark.parametrize("on", ["1", "0"], ids=["on", "off"])
def test_a_press_about_somebody_whom_very_many_follow_writes_no_item_of_theirs(
    alice, bob, member, requests_of, settings, on
):
    settings.PULL_ABOVE = -1
    if on == "0":
        follow(by=alice, user_id=bob.user_id)
    with requests_of() as requests:
        member.post("/@bob/follow", {"on": on}, headers=HTMX)
    (write,) = (made for made in requests.made if made.operation == "TransactWriteItems")
    actions = [next(iter(action.values())) for action in write.parameters["TransactItems"]]
    written = {(action.get("Key") or action["Item"])["PK"]["S"] for action in actions}
    assert keys.user_info(bob.user_id).pk not in written
    assert len(requests.made) <= (4 if on == "1" else 3)


@capacity
def test_a_follow_of_somebody_whom_very_many_follow_takes_less(alice, bob, requests_of, settings):
    with requests_of() as requests:
        follow(by=alice, user_id=bob.user_id)
        unfollow(by=alice, user_id=bob.user_id)
    assert requests.units == [12, 8]
    settings.PULL_ABOVE = -1
    with requests_of() as requests:
        follow(by=alice, user_id=bob.user_id, is_widely_followed=True)
        unfollow(by=alice, user_id=bob.user_id, is_widely_followed=True)
    assert requests.operations == ["BatchGetItem", "TransactWriteItems", "TransactWriteItems"]
    assert requests.units == [1, 8, 6]


def test_publishing_is_one_transaction_beside_its_limit(alice, member, requests_of):
    with requests_of() as requests:
        member.post("/posts", {"content": "Hello", "nonce": "n" * 22})
    assert requests.operations == ["BatchGetItem", "TransactWriteItems", "TransactWriteItems"]
