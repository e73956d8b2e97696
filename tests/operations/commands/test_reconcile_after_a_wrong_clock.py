"""`manage.py reconcile` after the site's clock stood two days ahead, and came back: what it ended early ends again."""

from datetime import timedelta

from notifications.writes import read_notifications
from relations.follows.writes import follow
from relations.models import Follower
from socialsite.clock import utc_now
from socialsite.due.work import do_due
from socialsite.table import change, get, keys
from tests.feed.expiring import clock_at
from tests.feed.polls.polling import ask, choose
from tests.looks import broken_invariants
from tests.notifications.told import waiting
from tests.operations.commands.test_reconcile import applied, reconciled

PLANNED = "every open poll has its end planned, once"
LATE = "followers were here as late as their edges say"


def test_an_open_poll_has_its_end_planned_again_and_its_voters_are_told_then(alice, bob, capsys):
    post_id = ask(alice)
    choose(bob, alice, post_id, 1)
    applied()
    with clock_at(utc_now() + timedelta(days=2)):
        do_due()
    applied()
    assert broken_invariants() == {PLANNED: [post_id]}
    for _ in range(2):
        reconciled(capsys)
        assert not broken_invariants()
    read_notifications(by=bob, up_to=waiting(bob).changes)
    with clock_at(utc_now() + timedelta(days=2)):
        do_due()
        applied()
        assert waiting(bob).notifications == 1
        assert not broken_invariants()


def test_an_edge_says_no_later_day_than_its_follower(alice, bob, carol, capsys):
    for fan in (bob, carol):
        follow(by=fan, user_id=alice.user_id)
    applied()
    edge, other = (keys.follower(alice.user_id, fan.user_id) for fan in (bob, carol))
    today = get(Follower, other, consistent=True).seen
    in_two_days = (utc_now() + timedelta(days=2)).date().isoformat()
    change(Follower, edge, [Follower.seen.set(in_two_days)])
    assert list(broken_invariants()) == [LATE]
    reconciled(capsys)
    assert not broken_invariants()
    assert [get(Follower, key, consistent=True).seen for key in (edge, other)] == [today, today]
