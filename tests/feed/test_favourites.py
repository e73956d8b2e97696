"""The favourites' timeline has what the people with a star said, newest first, and costs little."""

import pytest

from feed.home import reads
from feed.home.reads import get_favourites
from feed.posts.models import Audience
from feed.publishing.writes import publish_post
from relations.blocks.writes import block
from relations.models import RelationType
from relations.relation import create_relation, delete_relation
from socialsite.table import ids
from tests.conftest import HTMX, person, post


def star(by, other):
    create_relation(by=by, relation_type=RelationType.FAVOURITE, user_id=other.user_id)


def shown(viewer):
    return [card.post_id for card in get_favourites(viewer).items]


def test_it_merges_the_posts_of_all_favourites_in_order(alice, bob, carol):
    star(alice, bob)
    star(alice, carol)
    said = [post(bob), post(carol), post(bob)]
    assert shown(alice) == said[::-1]


def test_who_has_no_star_any_more_or_is_blocked_is_not_in_it(alice, bob, carol):
    star(alice, bob)
    star(alice, carol)
    post(bob)
    post(carol)
    delete_relation(by=alice, relation_type=RelationType.FAVOURITE, user_id=bob.user_id)
    block(by=carol, user_id=alice.user_id)
    assert shown(alice) == []


def test_what_is_for_friends_stays_with_friends(alice, bob):
    star(alice, bob)
    publish_post(by=bob, content="x", nonce=ids.new_id(), audience=Audience.FRIENDS)
    assert shown(alice) == []


def test_pages_go_on_and_repeat_nothing(alice, bob, carol):
    star(alice, bob)
    star(alice, carol)
    said = [post(author) for _ in range(12) for author in (bob, carol)]
    first = get_favourites(alice)
    second = get_favourites(alice, cursor=first.next_cursor)
    assert [card.post_id for page in (first, second) for card in page.items] == said[::-1]


def test_it_is_one_query_a_favourite_and_one_batch(alice, monkeypatch, measure):
    monkeypatch.setattr(reads, "MOST_FAVOURITES", 3)
    for number in range(5):
        friend = person(f"star{number}")
        star(alice, friend)
        post(friend)
    with measure() as meter:
        get_favourites(alice)
    operations = [call.operation for call in meter.calls]
    assert operations == ["Query"] * 4 + ["BatchGetItem"]


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_its_page_and_fragment(alice, bob, log_in, headers):
    star(alice, bob)
    post(bob, "From a star")
    answer = log_in(alice).get("/favourites", headers=headers)
    assert "From a star" in answer.content.decode()
    assert ("<html" in answer.content.decode()) == (not headers)


def test_it_is_for_members(client, table):
    assert client.get("/favourites").status_code == 302
