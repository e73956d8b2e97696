"""Two at the same moment: moderators who decide, and an author who deletes what is being hidden.

Each race a dozen times; a hundred times with `FAULTS=long`.
"""

import random
import time
from collections.abc import Callable
from functools import partial

import pytest

from feed.publishing.writes import delete_post
from moderation.cases.decisions import Decision, NothingToActOn, decide_case
from moderation.cases.effects import undo_action
from moderation.cases.reads import CaseMoved, read_case
from moderation.models import ActionKind
from socialsite.table import NotFound
from tests.conftest import person, post
from tests.injected.rotation import IS_LONG
from tests.moderation.cases import (
    about,
    actions,
    broken,
    info,
    logged,
    post_count,
    report,
    strikes,
    withheld,
)
from tests.together import together

K = ActionKind
ROUNDS = 100 if IS_LONG else 12
pytestmark = [
    pytest.mark.engines(
        "embedded", "dynamodb-local", reason="moto does not hold transactions apart from each other"
    ),
    pytest.mark.timeout(240),
]


@pytest.mark.parametrize("others", [K.WARN, K.SUSPEND])
def test_of_two_who_decide_one_does(alice, bob, mod, others):
    mei = person("mei", "Mei", role="moderator")
    for number in range(1, ROUNDS + 1):
        case = report(alice, bob)
        decisions = [
            partial(
                decide_case,
                by=by,
                case_id=about(bob),
                decision=Decision(kind),
                version=int(case.version),
            )
            for by, kind in ((mod, K.SUSPEND), (mei, others))
        ]
        results = together(*decisions)
        (action_id,) = [result for result in results if isinstance(result, str)]
        (refused,) = [result for result in results if not isinstance(result, str)]
        assert isinstance(refused, CaseMoved), repr(refused)
        assert read_case(about(bob)).decision == action_id
        assert len(actions(about(bob))) == len(strikes(bob)) == number
        decided = [entry for entry in logged() if not entry.action.startswith("undo")]
        assert len(decided) == number
    assert broken() == {}


def test_a_post_is_hidden_or_its_author_deletes_it(alice, bob, mod):
    """Whoever is first: the count of posts is right, and what is gone is not acted on.

    A deletion is quicker than a decision, so it begins at a moment by chance; else it would always be first.
    """
    kept, hiding = post(bob, "kept"), 0.05
    for _ in range(3 * ROUNDS):
        post_id = post(bob)
        case = report(alice, bob, post_id)
        decision = Decision(K.HIDE, (post_id,))
        (hidden, took), (deleted, _) = together(
            partial(
                timed,
                0,
                decide_case,
                by=mod,
                case_id=about(bob),
                decision=decision,
                version=int(case.version),
            ),
            partial(timed, random.uniform(0, hiding), delete_post, by=bob, post_id=post_id),
        )
        hiding = took * 1.2
        assert deleted is None
        assert isinstance(hidden, str | NothingToActOn), repr(hidden)
        with pytest.raises(NotFound):
            withheld(bob, post_id)
        assert post_count(bob) == 1
    assert withheld(bob, kept) is None
    assert broken() == {}


def timed(wait: float, act: Callable[..., object], **arguments: object) -> tuple[object, float]:
    """What an act returned or raised that began so many seconds later, and how long it took."""
    time.sleep(wait)
    begun = time.monotonic()
    try:
        outcome = act(**arguments)
    except NothingToActOn as error:
        outcome = error
    return outcome, time.monotonic() - begun


def test_an_action_that_two_undo_is_undone_once(alice, bob, mod):
    mei = person("mei", "Mei", role="moderator")
    for number in range(1, ROUNDS + 1):
        post_id = post(bob)
        version = int(report(alice, bob, post_id).version)
        hide = Decision(K.HIDE, (post_id,))
        action_id = decide_case(by=mod, case_id=about(bob), decision=hide, version=version)
        undoing = [
            partial(undo_action, by=by, case_id=about(bob), action_id=action_id)
            for by in (mod, mei)
        ]
        assert together(*undoing) == [None, None]
        assert post_count(bob) == number
        assert info(bob).suspended_until is None
        undone = [entry for entry in logged() if entry.action.startswith("undo")]
        assert len(undone) == number
    assert broken() == {}
