"""The files of a post's photos: everyone gets those of posts for everyone, and of other posts only those who may see
the post, each by addresses of their own. Once a post is closed, the addresses of before lead nowhere."""

import re
from datetime import timedelta

import pytest
from django.test import Client

from accounts.models import UserInfo
from feed.cards.reads import get_post
from feed.posts.models import Audience, Post
from feed.publishing.changes import change_audience, limit_past_posts
from feed.publishing.writes import delete_post
from moderation.cases.effects import Target, effects_of, effects_of_undoing
from moderation.models import ActionKind
from relations.blocks.writes import block
from relations.follows.writes import follow
from socialsite.clock import utc_now
from socialsite.due.work import do_due
from socialsite.table import change, get, keys, transact
from tests.conftest import person
from tests.feed.photographs import photo, post_photos
from tests.relations.relations import befriend, lock_older_posts

FILES = re.compile(
    r"/p?m/[\w-]{22}/(?:\d+\.webp|share\.jpg)(?:\?e=\d+&(?:amp;)?s=[\w-]+(?:&(?:amp;)?o=\w+)?)?"
)


def files_on(browser: Client, address: str) -> set[str]:
    """The addresses of photos' files on a page, as a browser would fetch them."""
    text = browser.get(address).content.decode()
    return {one.replace("&amp;", "&") for one in FILES.findall(text)}


def opens(browser: Client, address: str) -> bool:
    return browser.get(address).status_code == 200


@pytest.fixture
def readers(alice, log_in):
    """Seven kinds of people who look at Alice's posts, each with their browser."""
    people = {kind: person(kind) for kind in ("stranger", "follower", "friend", "fan", "blocked")}
    follow(by=people["follower"], user_id=alice.user_id)
    befriend(alice, people["friend"])
    follow(by=people["fan"], user_id=alice.user_id)
    block(by=alice, user_id=people["blocked"].user_id)
    browsers = {kind: log_in(one) for kind, one in people.items()}
    return {"visitor": Client(), "author": log_in(alice), **browsers}


SEEN_BY = {
    Audience.EVERYONE: {"visitor", "author", "stranger", "follower", "friend", "fan"},
    Audience.FOLLOWERS: {"author", "follower", "fan"},
    Audience.FRIENDS: {"author", "friend"},
    Audience.ONLY_ME: {"author"},
}


@pytest.mark.parametrize("audience", SEEN_BY)
def test_each_reader_gets_addresses_that_only_they_can_use(alice, readers, audience):
    post_id = post_photos(alice, photo(alice), photo(alice), audience=audience)
    url = f"/@alice/posts/{post_id}"
    named = {kind: files_on(browser, url) for kind, browser in readers.items()}
    assert {kind for kind, files in named.items() if files} == SEEN_BY[audience]
    for owner, files in named.items():
        for address in files:
            can = {kind for kind, browser in readers.items() if opens(browser, address)}
            everyone = audience == Audience.EVERYONE
            assert can == (set(readers) if everyone else {owner}), (owner, address)


def test_nobody_finds_the_private_files_of_an_open_post(alice, readers):
    post_id = post_photos(alice)
    stored = get(Post, keys.post(alice.user_id, post_id)).photos[0]
    for secret in (stored.secret, stored.public_secret):
        address = f"/pm/{secret}/480.webp"
        assert not any(opens(browser, address) for browser in readers.values())
    assert not any(opens(browser, f"/m/{stored.secret}/480.webp") for browser in readers.values())


def closed_by_audience(alice, post_id):
    change_audience(by=alice, post_id=post_id, audience=Audience.FRIENDS)
    return lambda: change_audience(by=alice, post_id=post_id, audience=Audience.EVERYONE)


def hidden_by_moderators(alice, post_id):
    target = Target(alice.user_id, (post_id,))
    transact(*effects_of(ActionKind.HIDE, target))
    return lambda: transact(*effects_of_undoing(ActionKind.HIDE, target))


def locked_with_older_posts(alice, post_id):
    lock_older_posts(alice)
    return lambda: lock_older_posts(alice, locked=False)


def limited_with_past_posts(alice, post_id):
    limit_past_posts(by=alice, audience=Audience.FOLLOWERS, count=1)
    return lambda: change_audience(by=alice, post_id=post_id, audience=Audience.EVERYONE)


def suspended(alice, post_id):
    key = keys.user_info(alice.user_id)
    end = utc_now() + timedelta(days=2)
    change(UserInfo, key, [UserInfo.suspended_until.set(end.isoformat(timespec="seconds"))])
    return lambda: change(UserInfo, key, [UserInfo.suspended_until.remove()])


@pytest.mark.parametrize(
    "close",
    [
        closed_by_audience,
        hidden_by_moderators,
        locked_with_older_posts,
        limited_with_past_posts,
        suspended,
    ],
)
def test_a_closed_post_has_no_public_files_and_opened_again_it_has_others(
    alice, drain_stream, close
):
    visitor, url = Client(), f"/@alice/posts/{(post_id := post_photos(alice))}"
    before = files_on(visitor, url)
    drain_stream()
    assert before
    assert all(opens(visitor, one) for one in before)
    open_again = close(alice, post_id)
    if close is not limited_with_past_posts:  # which the worker does
        assert files_on(visitor, url) == set()
    drain_stream()
    drain_stream()
    assert not any(opens(visitor, one) for one in before)
    open_again()
    drain_stream()
    after = files_on(visitor, url)
    assert after
    assert not after & before
    assert all(opens(visitor, one) for one in after)
    assert not any(opens(visitor, one) for one in before)


def test_the_files_of_a_deleted_post_open_for_nobody_once_the_worker_was_there(
    alice, readers, drain_stream
):
    post_id = post_photos(alice, audience=Audience.FOLLOWERS)
    url = f"/@alice/posts/{post_id}"
    named = {kind: files_on(readers[kind], url) for kind in ("author", "follower")}
    assert all(named.values())
    delete_post(by=alice, post_id=post_id)
    drain_stream()
    drain_stream()
    assert not any(opens(readers[kind], one) for kind, files in named.items() for one in files)


def test_a_suspension_that_ends_brings_the_photos_back(alice, drain_stream):
    visitor, url = Client(), f"/@alice/posts/{(post_id := post_photos(alice))}"
    suspended(alice, post_id)
    drain_stream()
    key = keys.user_info(alice.user_id)
    past = utc_now() - timedelta(seconds=1)
    change(UserInfo, key, [UserInfo.suspended_until.set(past.isoformat(timespec="seconds"))])
    drain_stream()
    do_due(now=utc_now() + timedelta(days=3))
    drain_stream()
    assert files_on(visitor, url)


def test_a_post_opened_by_its_author_shows_photos_to_visitors_once_the_worker_was_there(
    alice, drain_stream
):
    visitor, url = Client(), None
    post_id = post_photos(alice, audience=Audience.ONLY_ME)
    url = f"/@alice/posts/{post_id}"
    change_audience(by=alice, post_id=post_id, audience=Audience.EVERYONE)
    assert visitor.get(url).status_code == 200
    assert files_on(visitor, url) == set()
    drain_stream()
    drain_stream()
    assert files_on(visitor, url)
    assert get_post(post_id, alice.user_id).photos[0].is_public
