"""Undoing: what an action did ends at once, what was in force before it is in force again, its case is open again."""

import pytest

from accounts.models import UserSettings
from accounts.people.restrictions import FOR_EVER
from accounts.people.viewer import Viewer
from feed.posts.models import Post, Withheld
from feed.publishing.writes import delete_post
from moderation.cases.decisions import OF_KIND
from moderation.cases.effects import WITH_NOTICE, undo_action
from moderation.cases.lists import list_closed
from moderation.cases.reads import OwnCase, read_case
from moderation.cases.writes import AlreadyAnswered, answer_appeal, appeal, claim_case
from moderation.models import ActionKind, Appeal, CaseKind, Queue
from moderation.reports.reads import list_own_reports
from socialsite.table import NotFound, get, keys
from tests.conftest import person, post
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
SOON, LATER = "2030-01-01T00:00:00+00:00", "2031-01-01T00:00:00+00:00"
QUEUES = {
    CaseKind.PERSON: Queue.REPORTS,
    CaseKind.POST: Queue.HELD,
    CaseKind.SIGN_UP: Queue.SIGN_UPS,
}


def told(person: Viewer) -> str | None:
    return get(UserSettings, keys.user_settings(person.user_id), consistent=True).notice


@pytest.mark.parametrize(("kind", "action"), EACH)
def test_each_action_undone_leaves_all_as_it_was_and_its_case_open(kind, action, alice, bob, mod):
    scene = scene_of(kind, alice, bob)
    before = scene.state()
    action_id = decide(mod, scene.case_id, action, *scene.posts)
    undo_action(by=mod, case_id=scene.case_id, action_id=action_id)
    undo_action(by=mod, case_id=scene.case_id, action_id=action_id)

    assert scene.state() == before
    (done,) = actions(scene.case_id)
    assert done.undone_by == mod.user_id
    assert [strike.undone_at for strike in strikes(bob)] == [done.undone_at] * (
        action in WITH_NOTICE
    )
    assert told(bob) == (action_id if action in WITH_NOTICE else None)
    assert index(mod) == {keys.queue(QUEUES[kind]): [scene.case_id]}
    assert list_closed(done.undone_at[:7]).items == []
    assert [entry.action for entry in logged()] == [action, f"undo {action}"]
    assert broken() == {}


@pytest.mark.parametrize(("kind", "action"), EACH)
def test_what_was_undone_can_be_decided_anew(kind, action, alice, bob, mod):
    scene = scene_of(kind, alice, bob)
    first = decide(mod, scene.case_id, action, *scene.posts)
    done = scene.state()
    undo_action(by=mod, case_id=scene.case_id, action_id=first)
    second = decide(mod, scene.case_id, action, *scene.posts)
    assert scene.state() == done
    assert read_case(scene.case_id).decision == second
    assert index(mod) == {}
    assert broken() == {}


def test_reporters_see_that_it_is_looked_at_again(alice, bob, mod):
    report(alice, bob)
    action_id = decide(mod, about(bob), K.WARN)
    undo_action(by=mod, case_id=about(bob), action_id=action_id)
    assert list_own_reports(alice)[0].is_open


def test_one_of_several_actions_undone_leaves_the_others_and_the_case_closed(alice, bob, mod):
    post_id = post(bob)
    report(alice, bob, post_id)
    hidden = decide(mod, about(bob), K.HIDE, post_id, keep_open=True)
    decide(mod, about(bob), K.LIMIT, until=SOON)
    undo_action(by=mod, case_id=about(bob), action_id=hidden)
    assert (withheld(bob, post_id), info(bob).limited_until) == (None, SOON)
    assert index(mod) == {}
    assert broken() == {}


def test_a_case_that_others_opened_again_meanwhile_stays_in_its_round(alice, bob, carol, mod):
    report(alice, bob)
    action_id = decide(mod, about(bob), K.FREEZE)
    report(carol, bob)
    undo_action(by=mod, case_id=about(bob), action_id=action_id)
    case = read_case(about(bob))
    assert (case.round, case.reports, info(bob).frozen_until) == (2, 1, None)
    assert broken() == {}


def test_an_earlier_restriction_stands_again(alice, bob, mod):
    report(alice, bob)
    first = decide(mod, about(bob), K.LIMIT, keep_open=True)
    decide(mod, about(bob), K.FREEZE, until=LATER, keep_open=True)
    second = decide(mod, about(bob), K.LIMIT, until=SOON)
    undo_action(by=mod, case_id=about(bob), action_id=second)
    assert (info(bob).limited_until, info(bob).frozen_until) == (FOR_EVER, LATER)
    undo_action(by=mod, case_id=about(bob), action_id=first)
    assert (info(bob).limited_until, info(bob).frozen_until) == (None, LATER)


def test_a_later_restriction_stays(alice, bob, mod):
    report(alice, bob)
    first = decide(mod, about(bob), K.SUSPEND, keep_open=True)
    decide(mod, about(bob), K.SUSPEND, until=SOON)
    undo_action(by=mod, case_id=about(bob), action_id=first)
    assert info(bob).suspended_until == SOON


@pytest.mark.parametrize("kind", [K.HIDE, K.SENSITIVE])
def test_a_post_stays_as_the_action_left_it_that_came_first(alice, bob, mod, kind):
    one, two = post(bob, "one"), post(bob, "two")
    report(alice, bob)
    first = decide(mod, about(bob), kind, one, keep_open=True)
    second = decide(mod, about(bob), kind, one, two)
    both = states(bob, one, two)
    undo_action(by=mod, case_id=about(bob), action_id=second)
    assert states(bob, one, two) == [both[0], (None, None)]
    undo_action(by=mod, case_id=about(bob), action_id=first)
    assert states(bob, one, two) == [(None, None)] * 2
    assert broken() == {}


def states(author: Viewer, *posts: str) -> list[tuple[str | None, str | None]]:
    found = (get(Post, keys.post(author.user_id, one), consistent=True) for one in posts)
    return [(one.withheld, one.sensitive) for one in found]


def test_posts_deleted_meanwhile_stay_gone_and_the_others_are_shown(alice, bob, mod, drain_stream):
    gone, there = post(bob, "gone"), post(bob, "there")
    report(alice, bob)
    action_id = decide(mod, about(bob), K.HIDE, gone, there)
    delete_post(by=bob, post_id=gone)
    undo_action(by=mod, case_id=about(bob), action_id=action_id)
    assert (withheld(bob, there), post_count(bob)) == (None, 1)
    with pytest.raises(NotFound):
        withheld(bob, gone)
    drain_stream()
    assert broken() == {}


@pytest.mark.parametrize("action", OF_KIND[CaseKind.POST])
def test_the_case_of_a_held_post_that_is_gone_stays_closed(bob, mod, action, drain_stream):
    post_id = held_post(bob)
    action_id = decide(mod, about_post(post_id), action)
    delete_post(by=bob, post_id=post_id)
    undo_action(by=mod, case_id=about_post(post_id), action_id=action_id)
    drain_stream()
    assert index() == {}
    assert broken() == {}


def test_a_held_post_that_was_released_is_withheld_again(bob, mod):
    post_id = held_post(bob)
    action_id = decide(mod, about_post(post_id), K.RELEASE)
    undo_action(by=mod, case_id=about_post(post_id), action_id=action_id)
    assert (withheld(bob, post_id), post_count(bob)) == (Withheld.HELD, 0)


def test_undoing_grants_the_appeal_that_waits(alice, bob, mod):
    report(alice, bob)
    action_id = decide(mod, about(bob), K.SUSPEND)
    appeal(person_id=bob.user_id, action_id=action_id, text="It was not me")
    undo_action(by=mod, case_id=about(bob), action_id=action_id)
    assert (strikes(bob)[0].appeal, info(bob).suspended_until) == (Appeal.GRANTED, None)
    assert index(mod) == {}
    with pytest.raises(AlreadyAnswered):
        answer_appeal(
            by=mod,
            case_id=about(bob),
            action_id=action_id,
            text="",
            version=int(read_case(about(bob)).version),
            grant=False,
        )
    assert broken() == {}


def test_undoing_needs_no_look_at_the_case(alice, bob, mod):
    """What was wrong ends at once, whoever looks at the case."""
    mei = person("mei", "Mei", role="moderator")
    report(alice, bob)
    action_id = decide(mod, about(bob), K.SUSPEND, keep_open=True)
    claim_case(by=mod, case_id=about(bob))
    undo_action(by=mei, case_id=about(bob), action_id=action_id)
    assert info(bob).suspended_until is None


def test_nobody_undoes_what_was_done_about_themselves(alice, mod, admin):
    report(alice, mod)
    action_id = decide(admin, about(mod), K.WARN)
    with pytest.raises(OwnCase):
        undo_action(by=mod, case_id=about(mod), action_id=action_id)
    assert strikes(mod)[0].undone_at is None


def test_what_was_never_done_cannot_be_undone(alice, bob, mod):
    with pytest.raises(NotFound):
        undo_action(by=mod, case_id=about(bob), action_id="nothing")
    report(alice, bob)
    with pytest.raises(NotFound):
        undo_action(by=mod, case_id=about(bob), action_id="nothing")
