"""Posts that end by themselves are counted right to the second, though nobody writes anything then."""

import pytest

from accounts.models import UserCount
from feed.posts.writes import ENDS
from feed.publishing.changes import change_audience, edit_post
from feed.publishing.writes import MOST_ENDING, TooManyEnding, delete_post
from moderation.cases.effects import Target, effects_of, effects_of_undoing
from moderation.models import ActionKind
from operations.reconcile import reconcile_page
from socialsite.table import change, get, keys, transact
from socialsite.table.reading import scan
from tests.conftest import post
from tests.feed.expiring import clock_at, end_of, ending_post, posts_shown
from tests.looks import broken_invariants


def ends(author) -> int:
    count = get(UserCount, keys.user_count(author.user_id), consistent=True)
    return sum(len(getattr(count, name) or ()) for name in ENDS)


def test_counts_are_right_at_each_second_though_nobody_writes(alice, drain_stream):
    post(alice)
    first = ending_post(alice)
    ending_post(alice, expires_in="1d", audience="followers")
    third = ending_post(alice, expires_in="1w")
    drain_stream()
    stored = get(UserCount, keys.user_count(alice.user_id), consistent=True)
    assert (stored.posts, stored.closed) == (1, 0)
    assert (posts_shown(alice), posts_shown(alice, alice)) == (3, 4)
    delete_post(by=alice, post_id=third)
    assert (posts_shown(alice), posts_shown(alice, alice)) == (2, 3)
    with clock_at(end_of(alice, first)):
        assert (posts_shown(alice), posts_shown(alice, alice)) == (1, 2)
        assert broken_invariants() == {}
        drain_stream()
    assert broken_invariants() == {}


def test_the_next_such_post_takes_ends_away_that_are_past(alice):
    first = ending_post(alice)
    with clock_at(end_of(alice, first)):
        assert ends(alice) == 1
        ending_post(alice, expires_in="1d")
        assert ends(alice) == 1


def test_no_more_than_fifty_at_once(alice, drain_stream):
    some = [ending_post(alice, f"Number {number}") for number in range(MOST_ENDING)]
    with pytest.raises(TooManyEnding) as refusal:
        ending_post(alice, "one too many")
    assert "50 posts" in refusal.value.sentence
    post(alice, "a lasting one")
    delete_post(by=alice, post_id=some[7])
    ending_post(alice, "in its place")
    assert posts_shown(alice) == MOST_ENDING + 1
    with clock_at(end_of(alice, some[-1])):
        ending_post(alice, "and when their time has come", expires_in="1d")
        drain_stream()
        assert broken_invariants() == {}


def test_audiences_edits_and_moderators_keep_its_end_and_its_count(alice, bob, drain_stream):
    post_id = ending_post(alice)
    end = end_of(alice, post_id)

    def shown() -> tuple[int | None, int | None]:
        drain_stream()
        assert broken_invariants() == {}
        assert end_of(alice, post_id) == end
        return posts_shown(alice), posts_shown(alice, alice)

    edit_post(by=alice, post_id=post_id, content="Other words", version=1)
    assert shown() == (1, 1)
    change_audience(by=alice, post_id=post_id, audience="friends")
    assert shown() == (0, 1)
    transact(*effects_of(ActionKind.HIDE, Target(alice.user_id, (post_id,))))
    assert shown() == (0, 0)
    transact(*effects_of_undoing(ActionKind.HIDE, Target(alice.user_id, (post_id,))))
    assert shown() == (0, 1)
    change_audience(by=alice, post_id=post_id, audience="")
    assert shown() == (1, 1)


def test_reconciling_puts_ends_right(alice, drain_stream):
    ending_post(alice)
    ending_post(alice, audience="friends")
    drain_stream()
    key = keys.user_count(alice.user_id)
    change(UserCount, key, [UserCount.ends.remove(), UserCount.posts.set(7)])
    assert broken_invariants() != {}
    lines = list(reconcile_page(list(scan()), begun="now"))
    assert len(lines) == 2
    drain_stream()
    assert broken_invariants() == {}
    assert list(reconcile_page(list(scan()), begun="now")) == []
