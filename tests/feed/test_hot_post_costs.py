"""What hot posts cost: a like and a card what they cost anyway, the page of likers more with every shard."""

import pytest

from feed.cards.reads import get_post
from feed.likes.reads import LEVELS, SHARDS, list_likers
from feed.likes.writes import like_post, unlike_post
from tests.conftest import post
from tests.feed.hot_posts import raise_to

pytestmark = pytest.mark.engines(
    "embedded",
    "dynamodb-local",
    reason="moto copies a table for each transaction: many likes take minutes",
)


@pytest.fixture
def post_id(alice) -> str:
    return post(alice)


@pytest.mark.engines("embedded", reason="the others report other capacity")
@pytest.mark.parametrize("shards", LEVELS)
def test_what_a_like_a_card_and_a_page_of_likers_cost(alice, bob, post_id, requests_of, shards):
    raise_to(shards, post_id, alice)
    with requests_of() as liking:
        like_post(by=bob, post_id=post_id, author_id=alice.user_id, shards=shards)
    with requests_of() as card:
        assert get_post(post_id, alice.user_id, viewer=bob).liked
    with requests_of() as page:
        assert list_likers(post_id, shards=shards, viewer=bob).items
    with requests_of() as unliking:
        unlike_post(by=bob, post_id=post_id, shards=shards)
    assert (liking.units, card.units, unliking.units) == ([4], [2.5], [4])
    assert page.operations == ["Query"] * (shards + 1) + ["BatchGetItem"]
    assert sum(page.units[:-1]) == 0.5 * (shards + 1)


def test_a_like_of_before_is_taken_back_in_two_calls(alice, bob, post_id, requests_of):
    like_post(by=bob, post_id=post_id, author_id=alice.user_id)
    raise_to(SHARDS, post_id, alice)
    with requests_of() as requests:
        unlike_post(by=bob, post_id=post_id, shards=SHARDS)
    assert requests.operations == ["TransactWriteItems"] * 2


def test_taking_back_what_was_not_liked_is_two_calls_however_many_places(
    alice, bob, post_id, requests_of
):
    """One where the like stands alone, and one where a repost keeps its trace."""
    raise_to(SHARDS, post_id, alice)
    with requests_of() as requests:
        unlike_post(by=bob, post_id=post_id, shards=SHARDS)
    assert requests.operations == ["TransactWriteItems"] * 2
