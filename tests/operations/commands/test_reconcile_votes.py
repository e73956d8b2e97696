"""`manage.py reconcile` and polls: votes are counted anew after stream records were lost."""

from feed.polls.models import Vote
from feed.posts.models import LikeCount
from socialsite.clock import utc_now
from socialsite.streams.worker import bulk_load
from socialsite.table import change, ids, keys, write_batch
from tests.feed.polls.polling import ask, choose
from tests.looks import broken_invariants
from tests.operations.commands.test_reconcile import applied, reconciled


def test_wrong_counts_of_votes_are_set_right_and_votes_of_no_post_go(alice, bob, carol, capsys):
    post_id = ask(alice, several=True)
    choose(bob, alice, post_id, 0, 2)
    choose(carol, alice, post_id, 2)
    gone = Vote.new(
        post_id=ids.new_id(),
        author_id=alice.user_id,
        user_id=bob.user_id,
        choices="0",
        at=utc_now(),
    )
    applied()
    wrong = [LikeCount.votes0.set(7), LikeCount.votes2.remove(), LikeCount.voters.set(1)]
    change(LikeCount, keys.like_count(post_id), wrong)
    with bulk_load():
        write_batch(puts=[gone])
    lines = reconciled(capsys)
    assert [line.split(" ", 1)[1] for line in lines[:-1]] == [
        "voters: 1 → 2",
        "votes0: 7 → 1",
        "votes2: 0 → 2",
    ]
    assert not list(broken_invariants())
