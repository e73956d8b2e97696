"""Posts for someone: what at least two people one and two steps away like, with their number, and a way to turn it
off."""

import pytest
from django.core.management import call_command

from accounts.models import UserInfo
from accounts.people.restrictions import FOR_EVER
from accounts.profile.writes import save_privacy
from feed.for_you import reads
from feed.for_you.reads import LEAST, list_posts_for
from feed.likes.writes import like_post, unlike_post
from feed.publishing.writes import publish_post
from relations.blocks.writes import block, mute
from relations.follows.writes import follow
from relations.suggested import find_suggestions, look_for_people
from socialsite.streams.models import JobKind
from socialsite.table import change, fetch, keys
from tests.conftest import person, post
from tests.feed.scenes import answer
from tests.relations.scenes import befriend
from tests.streams.crowd import jobs, returning
from tests.web.html import Html


@pytest.fixture
def friends(alice):
    three = [person(f"friend{number}") for number in range(3)]
    for one in three:
        befriend(alice, one)
    return three


@pytest.fixture
def liked(mod, friends) -> str:
    """A post of someone whom Alice does not know, which two of her friends like."""
    post_id = post(mod, "Bread, bread, bread")
    for one in friends[:2]:
        like_post(by=one, post_id=post_id, author_id=mod.user_id)
    return post_id


def found(viewer) -> dict[str, str]:
    """What the page shows, best first."""
    beyond = [one.user_id for one in find_suggestions(viewer).people]
    posts = list_posts_for(returning(viewer), beyond=beyond)
    return {one.card.post_id: one.reason for one in posts}


def test_what_two_friends_like_is_found(alice, mod, friends, liked):
    assert found(alice) == {liked: "2 friends like this"}
    like_post(by=friends[2], post_id=liked, author_id=mod.user_id)
    assert found(alice) == {liked: "3 friends like this"}


def test_of_one_person_it_would_say_what_they_like(alice, mod, friends, liked):
    unlike_post(by=friends[0], post_id=liked)
    assert found(alice) == {}
    assert LEAST == 2


def test_people_two_steps_away_count_once_the_worker_has_found_them(
    alice, mod, bob, friends, liked
):
    befriend(friends[2], bob)
    unlike_post(by=friends[0], post_id=liked)
    like_post(by=bob, post_id=liked, author_id=mod.user_id)
    assert found(alice) == {}
    look_for_people(alice.user_id)
    assert found(alice) == {liked: "2 people you or your friends know like this"}


def test_what_more_and_nearer_people_like_comes_first(alice, bob, carol, mod, friends, liked):
    other = post(mod, "Cheese")
    for one in (bob, carol):
        follow(by=alice, user_id=one.user_id)
        like_post(by=one, post_id=other, author_id=mod.user_id)
    assert list(found(alice)) == [liked, other]
    like_post(by=friends[2], post_id=other, author_id=mod.user_id)
    assert list(found(alice)) == [other, liked]


def test_neither_own_posts_nor_those_liked_already(alice, mod, friends, liked):
    own = post(alice, "Mine")
    for one in friends:
        like_post(by=one, post_id=own, author_id=alice.user_id)
    like_post(by=alice, post_id=liked, author_id=mod.user_id)
    assert found(alice) == {}


@pytest.mark.parametrize("how", ["muted", "blocked", "blocking", "limited"])
def test_what_the_viewer_may_or_will_not_see_is_not_found(alice, mod, bob, friends, liked, how):
    match how:
        case "muted":
            mute(by=alice, user_id=mod.user_id)
        case "blocked":
            block(by=alice, user_id=mod.user_id)
        case "blocking":
            block(by=mod, user_id=alice.user_id)
        case _:
            limited = [UserInfo.limited_until.set(FOR_EVER)]
            change(UserInfo, keys.user_info(mod.user_id), limited)
    assert found(alice) == {}


def test_what_is_for_friends_of_another_is_not_found(alice, mod, friends):
    for one in friends[:2]:
        befriend(mod, one)
    closed = publish_post(by=mod, content="Among us", nonce="n" * 26, audience="friends")
    for one in friends[:2]:
        like_post(by=returning(one), post_id=closed, author_id=mod.user_id)
    assert found(alice) == {}


def test_replies_are_left_out_as_likes_do_not_know_whom_they_answer(
    alice, mod, bob, friends, liked
):
    reply = answer(bob, mod, liked)
    for one in friends[:2]:
        like_post(by=one, post_id=reply, author_id=bob.user_id)
    assert found(alice).keys() == {liked}


def test_old_posts_are_left_out(alice, friends, liked, monkeypatch):
    monkeypatch.setattr(reads, "OLDEST", reads.OLDEST * 0)
    assert found(alice) == {}


def switch_off(viewer) -> None:
    save_privacy(
        by=viewer,
        locked=False,
        archived_before=None,
        not_suggested=False,
        not_indexed=False,
        no_topics=True,
    )


def test_the_switch_counts_for_both_directions(alice, friends, liked, log_in):
    switch_off(friends[0])
    assert found(alice) == {}
    assert found(friends[0]) == {}
    assert "turned this off" in log_in(friends[0]).get("/explore/posts").content.decode()


def test_the_page_says_how_many_and_explore_leads_to_it(alice, friends, liked, log_in):
    browser = log_in(alice)
    page = Html(browser.get("/explore/posts"))
    assert page.one("p", class_="for-you").text == "2 friends like this"
    assert len(page.all("article", class_="post")) == 1
    assert Html(browser.get("/explore")).all("a", href="/explore/posts")


def test_nobody_near_is_told_in_a_sentence(alice, log_in):
    assert "Nothing here yet" in log_in(alice).get("/explore/posts").content.decode()


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_its_price_is_bound(alice, bob, mod, measure):
    posts = [post(mod, f"Post {number}") for number in range(20)]
    for number in range(30):
        one = person(f"near{number:02}")
        follow(by=alice, user_id=one.user_id)
        if number % 3 == 0:
            for post_id in posts:
                like_post(by=one, post_id=post_id, author_id=mod.user_id)
    viewer = returning(alice)
    with measure() as meter:
        assert list_posts_for(viewer, beyond=[])
    operations = [call.operation for call in meter.calls]
    assert operations.count("Query") <= 26
    assert operations.count("BatchGetItem") <= 3
    assert meter.read_units <= 120


def test_the_command_prints_them(alice, friends, liked, capsys):
    call_command("recommend", "alice", "--of", "posts")
    told = capsys.readouterr().out
    assert "2 friends like this" in told
    assert f"/posts/{liked}" in told
    assert "list_posts_for" in told
    assert not fetch([keys.suggestions(alice.user_id)])  # it keeps nothing, and asks for nothing
    assert not jobs(JobKind.LOOK_FOR_PEOPLE)
