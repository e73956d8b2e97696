"""What was decided for a time ends on time: nobody does anything for it, and nothing has to be deleted."""

from datetime import UTC, datetime, timedelta

import pytest

from accounts.people.reads import get_user_info
from accounts.people.restrictions import UNTIL, Frozen, must_be_there
from accounts.people.viewer import Viewer
from moderation.cases.effects import RESTRICTIONS, undo_action
from moderation.models import ActionKind
from moderation.reports.reads import list_strikes
from socialsite.table import NotFound, fetch, keys, transact
from tests.conftest import post
from tests.moderation.cases import about, decide, info, report

FOR_A_TIME = [ActionKind.LIMIT, ActionKind.FREEZE, ActionKind.SUSPEND]
MINUTE = timedelta(minutes=1)


def moment(from_now: timedelta) -> str:
    return (datetime.now(UTC) + from_now).isoformat()


def holds(kind: ActionKind, bob: Viewer) -> bool:
    """Whether the restriction acts: on the card that every page has, and on what is written."""
    card = get_user_info(bob.user_id)
    as_now = Viewer(bob.user_id, "", card)
    match kind:
        case ActionKind.LIMIT:
            return card.is_limited
        case ActionKind.FREEZE:
            assert card.is_frozen == is_refused(as_now)
            return card.is_frozen
    try:
        transact(must_be_there(bob.user_id))
    except NotFound:
        assert card.is_locked_out
        assert is_refused(as_now)
        return True
    assert not card.is_locked_out
    assert not is_refused(as_now)
    return False


def is_refused(author: Viewer) -> bool:
    try:
        post(author)
    except Frozen:
        return True
    return False


@pytest.mark.parametrize("kind", FOR_A_TIME)
def test_it_holds_until_its_end_and_not_a_moment_longer(alice, bob, mod, kind):
    report(alice, bob)
    decide(mod, about(bob), kind, until=moment(MINUTE), keep_open=True)
    assert holds(kind, bob)
    decide(mod, about(bob), kind, until=moment(timedelta(microseconds=-1)), keep_open=True)
    assert not holds(kind, bob)
    decide(mod, about(bob), kind)
    assert holds(kind, bob)


@pytest.mark.parametrize("kind", FOR_A_TIME)
def test_what_ended_leaves_everything_where_it_is(alice, bob, mod, kind):
    """No time to live, which deletes late: the moment itself is compared, at every read."""
    report(alice, bob)
    ended = moment(-MINUTE)
    decide(mod, about(bob), kind, until=ended)
    raw = fetch([keys.user_info(bob.user_id)])[keys.user_info(bob.user_id)]
    assert raw[UNTIL[RESTRICTIONS[kind]].attr_name] == {"S": ended}
    assert "ttl" not in raw
    (strike,) = list_strikes(bob.user_id)
    assert (strike.is_over, strike.is_undone) == (True, False)


def test_what_ended_may_be_undone_all_the_same(alice, bob, mod):
    report(alice, bob)
    action_id = decide(mod, about(bob), ActionKind.FREEZE, until=moment(-MINUTE))
    undo_action(by=mod, case_id=about(bob), action_id=action_id)
    assert info(bob).frozen_until is None
