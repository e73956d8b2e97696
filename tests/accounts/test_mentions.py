"""Whom a post or a bio mentions is looked up when it is written: only people who are there are linked."""

import pytest
from django.test import Client

from accounts.models import UserInfo
from accounts.people.reads import MOST_MENTIONS, find_mentioned
from accounts.profile.writes import edit_profile
from feed.posts.models import Post
from socialsite.table import change, get, keys
from tests.conftest import person, post


def test_people_are_found_by_handle_in_one_call(alice, bob, measure):
    with measure() as meter:
        found = find_mentioned("@Alice, @bob, @nobody_here and @alice")
    assert found == {"alice": alice.user_id, "bob": bob.user_id}
    assert [call.operation for call in meter.calls] == ["BatchGetItem"]


def test_a_text_without_mentions_costs_nothing(table, measure):
    with measure() as meter:
        assert find_mentioned("me@bob.example, https://a.example/@bob") is None
    assert not meter.calls


def test_at_most_ten_are_looked_up(table):
    people = [person(f"person_{number}") for number in range(MOST_MENTIONS + 1)]
    text = " ".join(f"@{one.handle}" for one in people)
    assert list(find_mentioned(text) or ()) == [one.handle for one in people[:MOST_MENTIONS]]


def test_a_post_links_who_is_there_and_nobody_else(alice, bob):
    post_id = post(alice, "Hello @bob and @nobody_here")
    stored = get(Post, keys.post(alice.user_id, post_id))
    assert stored.mentions.as_dict() == {"bob": bob.user_id}
    for path in ("/@alice", f"/@alice/posts/{post_id}"):
        page = Client().get(path).content.decode()
        assert f'<a href="/@bob?id={bob.user_id}">@bob</a>' in page
        assert "@nobody_here" in page
        assert 'href="/@nobody_here' not in page


def test_somebody_who_signs_up_later_is_not_linked_by_old_posts(alice):
    post_id = post(alice, "Hello @dora")
    person("dora")
    assert 'href="/@dora' not in Client().get(f"/@alice/posts/{post_id}").content.decode()


def test_a_post_of_before_links_every_handle(alice):
    post_id = post(alice, "Hello @dora")
    change(Post, keys.post(alice.user_id, post_id), [Post.mentions.remove()])
    assert 'href="/@dora"' in Client().get(f"/@alice/posts/{post_id}").content.decode()


@pytest.mark.parametrize(
    ("bio", "linked"), [("With @bob", True), ("With @nobody_here", False), ("", False)]
)
def test_a_bio_links_who_is_there(alice, bob, bio, linked):
    edit_profile(by=alice, bio="Of @carol and @bob")
    edit_profile(by=alice, bio=bio)
    page = Client().get("/@alice").content.decode()
    assert (f'<a href="/@bob?id={bob.user_id}">@bob</a>' in page) is linked
    assert 'href="/@nobody_here' not in page
    stored = get(UserInfo, keys.user_info(alice.user_id)).mentions
    assert (stored is None) is ("@" not in bio)
