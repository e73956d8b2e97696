"""Posts under their tags: which are there, from when on, and when they go."""

from datetime import timedelta

import pytest
from django.conf import settings

from accounts.people.viewer import Viewer
from feed.posts.models import Audience, Post, Withheld
from feed.publishing.writes import delete_post, publish_post
from socialsite.clock import utc_now
from socialsite.streams.change import Change, change_of, dead_letter_of
from socialsite.streams.ledger import Ledger
from socialsite.table import change, ids, keys, reading
from tags.models import TagEntry
from tags.stream_handlers import list_under_tags
from tests.conftest import post
from tests.feed.answers import answer
from tests.moderation.restricting import withhold
from tests.tags.tagged import found_tags, under


def set_on(author: Viewer, post_id: str, *actions) -> None:
    change(Post, keys.post(author.user_id, post_id), list(actions))


def test_a_public_post_stands_under_each_of_its_tags_once_the_worker_has_passed(
    alice, drain_stream
):
    post_id = post(alice, "#Cats and #dogs")
    assert under("cats") == []
    drain_stream()
    assert under("cats") == under("dogs") == [post_id]
    assert found_tags("ca") == ["cats"]


@pytest.mark.parametrize("audience", [one for one in Audience if one])
def test_a_post_for_some_does_not(alice, drain_stream, audience):
    publish_post(by=alice, content="#cats", nonce=ids.new_id(), audience=audience)
    drain_stream()
    assert under("cats") == found_tags("ca") == []


def test_an_answer_to_somebody_else_does_not_but_a_part_of_ones_story_does(
    alice, bob, drain_stream
):
    root = post(alice, "a story")
    answer(bob, alice, root, "#cats")
    part = answer(alice, alice, root, "#cats")
    drain_stream()
    assert under("cats") == [part]


def test_a_held_post_stands_under_its_tags_from_its_release_on(alice, drain_stream):
    post_id = post(alice, "#cats")
    withhold(alice, post_id, Withheld.HELD)
    drain_stream()
    assert under("cats") == found_tags("ca") == []
    set_on(alice, post_id, Post.withheld.remove())
    drain_stream()
    assert under("cats") == [post_id]


def test_a_deleted_post_leaves_its_tags_and_the_last_one_the_index(alice, bob, drain_stream):
    post_id, other = post(alice, "#cats"), post(bob, "#cats")
    drain_stream()
    delete_post(by=alice, post_id=post_id)
    drain_stream()
    assert (under("cats"), found_tags("ca")) == ([other], ["cats"])
    delete_post(by=bob, post_id=other)
    drain_stream()
    assert under("cats") == found_tags("ca") == []


def test_an_edit_takes_tags_away_and_brings_others(alice, drain_stream):
    post_id = post(alice, "#cats #dogs")
    drain_stream()
    set_on(alice, post_id, Post.content.set("#dogs #birds"))
    drain_stream()
    assert (under("cats"), under("dogs"), under("birds")) == ([], [post_id], [post_id])


def test_a_post_that_becomes_one_for_some_leaves_its_tags(alice, drain_stream):
    post_id = post(alice, "#cats")
    drain_stream()
    set_on(alice, post_id, Post.audience.set(Audience.FRIENDS))
    drain_stream()
    assert under("cats") == []


def test_an_entry_expires_with_its_time_under_tags(alice, drain_stream):
    post_id = post(alice, "#cats")
    drain_stream()
    entry = reading.get(TagEntry, keys.tag_entry("cats", post_id, alice.user_id))
    lasts = entry.ttl - ids.time_of(post_id)
    assert lasts.total_seconds() == pytest.approx(settings.TAG_DAYS * 86_400, abs=1)


def test_a_post_that_is_older_is_not_listed(alice):
    old = ids.first_id_at(utc_now() - timedelta(days=settings.TAG_DAYS + 1))
    made = Post.new(post_id=old, author_id=alice.user_id, content="#cats")
    list_under_tags(Change("INSERT", None, made, "1"), Ledger())
    assert under("cats") == []


def test_a_dead_letter_keeps_no_text_and_its_post_is_listed_all_the_same(alice):
    post_id = post(alice, "#cats")
    made = reading.get(Post, keys.post(alice.user_id, post_id)).serialize()
    record = {
        "eventName": "INSERT",
        "dynamodb": {
            "Keys": {name: made[name] for name in ("PK", "SK")},
            "NewImage": made,
            "SequenceNumber": "1",
        },
    }
    letter = dead_letter_of(record, shard_id="s", error=ValueError("no"))
    assert "cats" not in str(letter.image)
    list_under_tags(change_of(letter), Ledger())
    assert under("cats") == [post_id]


def test_handled_twice_it_is_the_same(alice, drain_stream):
    post_id = post(alice, "#cats")
    made = reading.get(Post, keys.post(alice.user_id, post_id))
    for _ in range(2):
        list_under_tags(Change("INSERT", None, made, "1"), Ledger())
    assert (under("cats"), found_tags("ca")) == ([post_id], ["cats"])
    for _ in range(2):
        list_under_tags(Change("REMOVE", made, None, "2"), Ledger())
    assert under("cats") == found_tags("ca") == []


def test_a_tag_of_one_chinese_letter_is_found(alice, drain_stream):
    post(alice, "#猫 #猫咪")
    drain_stream()
    assert found_tags("猫") == ["猫", "猫咪"]
