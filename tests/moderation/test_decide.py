"""Deciding a case: what each action writes, what the person is told, and how the case ends.

What is refused is in `test_decide_refused.py`, races in `test_decide_at_once.py`.
"""

import pytest

from accounts.models import UserSettings
from accounts.people.restrictions import FOR_EVER
from feed.posts.models import Withheld
from feed.publishing.writes import delete_post
from moderation.cases.effects import WITH_NOTICE, undo_action
from moderation.cases.lists import list_closed
from moderation.cases.reads import read_case
from moderation.models import ActionKind, CaseOutcome, Queue
from moderation.reports.reads import list_own_reports
from socialsite.table import get, keys
from tests.conftest import post
from tests.moderation.cases import (
    about,
    about_post,
    actions,
    broken,
    decide,
    held_post,
    index,
    info,
    logged,
    post_count,
    report,
    strikes,
    withheld,
)
from tests.moderation.scenes import EACH, scene_of

K = ActionKind
UNTIL = "2030-01-01T00:00:00+00:00"


SHOWN = {"posts counted": 2}
WRITES = {
    K.DISMISS: SHOWN,
    K.CLOSE: SHOWN,
    K.WARN: SHOWN,
    K.SENSITIVE: SHOWN | {"sensitive": ["yes", "yes"]},
    K.HIDE: {"withheld": ["hidden", "hidden"]},
    K.RESET: SHOWN | {"name": "bob"},
    K.LIMIT: SHOWN | {"limited": UNTIL},
    K.FREEZE: SHOWN | {"frozen": UNTIL},
    K.SUSPEND: SHOWN | {"suspended": UNTIL},
    K.RELEASE: {"posts counted": 1},
    K.REFUSE: {"withheld": ["hidden"]},
    K.APPROVE: {},
    K.DECLINE: {"suspended": FOR_EVER},
}


def test_every_action_belongs_to_a_case():
    assert {action for _, action in EACH} == set(K) == WRITES.keys()


@pytest.mark.parametrize(("kind", "action"), EACH)
def test_each_action_does_what_it_says_tells_the_person_and_closes(kind, action, alice, bob, mod):
    scene = scene_of(kind, alice, bob)
    decided = {"until": UNTIL} if action in (K.LIMIT, K.FREEZE, K.SUSPEND) else {}
    action_id = decide(
        mod, scene.case_id, action, *scene.posts, text="Because", rule_id="spam", **decided
    )

    assert scene.state() == WRITES[action]
    (done,) = actions(scene.case_id)
    about_posts = action in (K.SENSITIVE, K.HIDE, K.RELEASE, K.REFUSE)
    posts = set(scene.posts) if about_posts else None
    assert (done.action_id, done.kind, done.moderator_id) == (action_id, action, mod.user_id)
    assert (done.text, done.until, done.posts) == ("Because", decided.get("until"), posts)

    told = [action_id] if action in WITH_NOTICE else []
    assert [strike.action_id for strike in strikes(bob)] == told
    own = get(UserSettings, keys.user_settings(bob.user_id), consistent=True)
    assert own.notice == (action_id if told else None)
    for strike in strikes(bob):
        assert (strike.kind, strike.text, strike.posts) == (action, "Because", posts)
        assert (strike.case_kind, strike.subject_id) == (kind, scene.case_id.subject_id)
        assert strike.rule_id == done.rule_id == "spam"

    case = read_case(scene.case_id)
    assert (case.decision, case.claimed_by, index(mod)) == (action_id, None, {})
    assert [row.case_id for row in list_closed(case.closed_at[:7]).items] == [scene.case_id]
    outcome = keys.case_outcome(kind, scene.case_id.subject_id, 1)
    assert get(CaseOutcome, outcome, consistent=True).decision == action
    (entry,) = logged()
    assert (entry.action, entry.case, entry.person_id) == (action, str(scene.case_id), bob.user_id)
    assert broken() == {}


def test_a_restriction_without_an_end_is_for_ever(alice, bob, mod):
    report(alice, bob)
    decide(mod, about(bob), K.SUSPEND)
    assert info(bob).suspended_until == FOR_EVER


def test_reporters_are_told_how_it_ended(alice, bob, mod):
    report(alice, bob)
    assert list_own_reports(alice)[0].is_open
    decide(mod, about(bob), K.WARN)
    assert list_own_reports(alice)[0].outcome == K.WARN


def test_a_case_that_is_kept_open_takes_several_actions(alice, bob, mod):
    post_id = post(bob)
    report(alice, bob, post_id)
    decide(mod, about(bob), K.HIDE, post_id, keep_open=True)
    assert index() == {keys.queue(Queue.REPORTS): [about(bob)]}
    assert read_case(about(bob)).claimed_by == mod.user_id
    decide(mod, about(bob), K.WARN, keep_open=True)
    decide(mod, about(bob), K.FREEZE, until=UNTIL)
    assert [done.kind for done in actions(about(bob))] == [K.HIDE, K.WARN, K.FREEZE]
    assert (info(bob).frozen_until, withheld(bob, post_id)) == (UNTIL, Withheld.HIDDEN)
    assert index() == {}
    assert broken() == {}


def test_a_case_that_closes_after_an_action_says_so_to_its_reporters(alice, bob, mod):
    report(alice, bob)
    decide(mod, about(bob), K.WARN, keep_open=True)
    decide(mod, about(bob), K.CLOSE)
    assert list_own_reports(alice)[0].outcome == K.WARN


def test_an_action_that_was_undone_is_none_to_the_reporters(alice, bob, mod):
    report(alice, bob)
    action_id = decide(mod, about(bob), K.WARN, keep_open=True)
    undo_action(by=mod, case_id=about(bob), action_id=action_id)
    decide(mod, about(bob), K.DISMISS)
    assert list_own_reports(alice)[0].outcome == K.DISMISS


def test_held_posts_and_sign_ups_are_not_kept_open(bob, mod):
    post_id = held_post(bob)
    decide(mod, about_post(post_id), K.RELEASE, keep_open=True)
    assert index() == {}


def test_more_may_be_done_about_a_person_whose_case_is_closed(alice, bob, mod):
    report(alice, bob)
    first = decide(mod, about(bob), K.WARN)
    decide(mod, about(bob), K.LIMIT, until=UNTIL)
    assert read_case(about(bob)).decision == first
    assert info(bob).limited_until == UNTIL
    assert broken() == {}


def test_a_hidden_post_is_counted_once_less_whoever_deletes_it(alice, bob, mod):
    hidden, _ = post(bob, "one"), post(bob, "two")
    report(alice, bob, hidden)
    decide(mod, about(bob), K.HIDE, hidden)
    assert post_count(bob) == 1
    delete_post(by=bob, post_id=hidden)
    assert post_count(bob) == 1
    assert broken() == {}


def test_hiding_a_held_post_counts_nothing_and_its_case_can_still_be_closed(alice, bob, mod):
    held = held_post(bob)
    report(alice, bob)
    decide(mod, about(bob), K.HIDE, held)
    assert (withheld(bob, held), post_count(bob)) == (Withheld.HIDDEN, 0)
    decide(mod, about_post(held), K.RELEASE)
    assert withheld(bob, held) == Withheld.HIDDEN
    assert index() == {}
    assert broken() == {}
