"""Who is blocked or muted is out of sight at once, before the stream worker comes, and stays so after."""

from datetime import UTC, datetime, timedelta

import pytest

from accounts.models import UserInfo, UserSettings
from feed.cards.reads import get_post
from feed.home.reads import get_timeline
from feed.likes.reads import list_likers
from feed.likes.writes import like_post
from feed.timelines.local import list_public
from relations.blocks.writes import block, mute, unblock, unmute
from relations.follows.writes import follow
from socialsite.table import NotFound, change, keys, query
from tests.conftest import post
from tests.streams.crowd import returning


@pytest.fixture
def followed(alice, bob, drain_stream) -> str:
    """A post of Bob in the timeline of Alice, who follows him."""
    follow(by=alice, user_id=bob.user_id)
    post_id = post(bob)
    drain_stream()
    assert home(alice) == [post_id]
    return post_id


def home(viewer) -> list[str]:
    return [card.post_id for card in get_timeline(returning(viewer)).items]


def entries(viewer) -> int:
    return sum(1 for _ in query(keys.timeline(viewer.user_id)))


@pytest.mark.parametrize("blocker", ["alice", "bob"])
def test_a_block_hides_both_from_one_another_everywhere_at_once(
    followed, alice, bob, blocker, drain_stream
):
    by, other = (alice, bob) if blocker == "alice" else (bob, alice)
    like_post(by=alice, post_id=followed, author_id=bob.user_id)
    block(by=by, user_id=other.user_id)

    assert home(alice) == []
    assert list_public(viewer=returning(alice)).items == []
    with pytest.raises(NotFound):
        get_post(followed, bob.user_id, viewer=returning(alice))
    assert list_likers(followed, viewer=returning(bob)).items == []
    drain_stream()
    assert home(alice) == []
    assert entries(alice) == 0


def test_others_see_a_blocked_person_as_before(followed, alice, bob, carol):
    block(by=alice, user_id=bob.user_id)
    assert get_post(followed, bob.user_id, viewer=carol)


def test_who_is_unblocked_can_be_seen_but_is_not_followed_again(followed, alice, bob, drain_stream):
    block(by=alice, user_id=bob.user_id)
    unblock(by=alice, user_id=bob.user_id)
    drain_stream()
    assert get_post(followed, bob.user_id, viewer=returning(alice))
    assert home(alice) == []


def test_a_mute_empties_home_and_local_at_once_but_not_the_persons_own_page(
    followed, alice, bob, drain_stream
):
    mute(by=alice, user_id=bob.user_id)
    assert home(alice) == []
    assert list_public(viewer=returning(alice)).items == []
    assert get_post(followed, bob.user_id, viewer=returning(alice))
    drain_stream()
    assert home(alice) == []


def test_what_a_muted_person_posts_is_not_brought(followed, alice, bob, drain_stream):
    mute(by=alice, user_id=bob.user_id)
    drain_stream()
    post(bob)
    drain_stream()
    assert entries(alice) == 0


def test_the_end_of_a_mute_brings_the_newest_posts_back(followed, alice, bob, drain_stream):
    mute(by=alice, user_id=bob.user_id)
    drain_stream()
    missed = post(bob)
    drain_stream()
    unmute(by=alice, user_id=bob.user_id)
    drain_stream()
    assert home(alice) == [missed, followed]


def test_a_mute_that_is_over_lets_new_posts_through(followed, alice, bob, drain_stream):
    mute(by=alice, user_id=bob.user_id, until=datetime.now(UTC) - timedelta(seconds=1))
    drain_stream()
    new = post(bob)
    drain_stream()
    assert home(alice) == [new, followed]


def test_a_muted_person_who_is_pulled_is_passed_over(followed, alice, bob, drain_stream):
    change(UserInfo, keys.user_info(bob.user_id), [UserInfo.reading.set("pulled")])
    taught = [UserSettings.pulled.add({bob.user_id})]
    change(UserSettings, keys.user_settings(alice.user_id), taught)
    assert home(alice) == [followed]
    mute(by=alice, user_id=bob.user_id)
    drain_stream()
    assert returning(alice).hidden == ()
    assert home(alice) == []


def test_on_another_day_nobody_is_named_and_nothing_is_left(followed, alice, bob, drain_stream):
    block(by=alice, user_id=bob.user_id)
    assert returning(alice).hidden == (bob.user_id,)
    drain_stream()
    _tomorrow(alice)
    drain_stream()
    assert returning(alice).hidden == ()
    assert home(alice) == []


def _tomorrow(viewer):
    day = (datetime.now(UTC) + timedelta(days=1)).date().isoformat()
    change(UserSettings, keys.user_settings(viewer.user_id), [UserSettings.seen.set(day)])
