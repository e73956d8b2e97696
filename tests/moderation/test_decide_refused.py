"""What nobody decides: what they have not seen, what is not theirs to decide, what is not there. Nothing is written."""

import pytest

from accounts.people.viewer import Viewer
from feed.publishing.writes import delete_post
from moderation.cases.decisions import (
    OF_KIND,
    Decision,
    IsStaff,
    NotForThisCase,
    NothingToActOn,
    decide_case,
)
from moderation.cases.reads import CaseId, CaseMoved, OwnCase
from moderation.cases.writes import add_note, claim_case
from moderation.models import ActionKind, CaseKind
from socialsite.table import NotFound, ids
from tests.conftest import person, post
from tests.moderation.cases import (
    about,
    actions,
    broken,
    decide,
    info,
    let_claim_lapse,
    logged,
    report,
    strikes,
)
from tests.moderation.scenes import scene_of

K = ActionKind


def assert_nothing_written(case_id: CaseId, bob: Viewer) -> None:
    assert (actions(case_id), strikes(bob), logged()) == ([], [], [])
    assert info(bob).suspended_until is None
    assert broken() == {}


def decide_as_seen(by: Viewer, case_id: CaseId, version: int) -> None:
    suspend = Decision(K.SUSPEND)
    with pytest.raises(CaseMoved):
        decide_case(by=by, case_id=case_id, decision=suspend, version=version)


def test_nobody_decides_what_they_have_not_seen(alice, bob, carol, mod):
    seen = int(report(alice, bob).version)
    report(carol, bob)
    decide_as_seen(mod, about(bob), seen)
    assert_nothing_written(about(bob), bob)


def test_nobody_decides_while_another_looks_at_it(alice, bob, mod):
    mei = person("mei", "Mei", role="moderator")
    seen = int(report(alice, bob).version)
    claim_case(by=mei, case_id=about(bob))
    decide_as_seen(mod, about(bob), seen)
    assert_nothing_written(about(bob), bob)
    let_claim_lapse(about(bob))
    decide(mod, about(bob), K.WARN)


def test_nobody_decides_about_themselves(alice, mod):
    report(alice, mod)
    with pytest.raises(OwnCase):
        decide(mod, about(mod), K.DISMISS)
    assert_nothing_written(about(mod), mod)


@pytest.mark.parametrize("kind", [K.LIMIT, K.FREEZE, K.SUSPEND])
def test_who_has_a_role_is_warned_and_not_restricted(alice, mod, admin, kind):
    report(alice, mod)
    with pytest.raises(IsStaff):
        decide(admin, about(mod), kind)
    assert_nothing_written(about(mod), mod)
    decide(admin, about(mod), K.WARN)


@pytest.mark.parametrize("kind", list(CaseKind))
def test_an_action_of_another_kind_of_case_is_refused(alice, bob, mod, kind):
    scene = scene_of(kind, alice, bob)
    for action in set(K) - set(OF_KIND[kind]):
        with pytest.raises(NotForThisCase):
            decide(mod, scene.case_id, action, *scene.posts)
    assert_nothing_written(scene.case_id, bob)


@pytest.mark.parametrize("action", [K.HIDE, K.SENSITIVE])
def test_posts_that_are_gone_cannot_be_acted_on_and_the_others_are(alice, bob, mod, action):
    gone, there = post(bob, "gone"), post(bob, "there")
    report(alice, bob, gone)
    delete_post(by=bob, post_id=gone)
    for chosen in [(), (gone,), (ids.new_id(),)]:
        with pytest.raises(NothingToActOn):
            decide(mod, about(bob), action, *chosen)
    assert_nothing_written(about(bob), bob)
    decide(mod, about(bob), action, gone, there)
    assert actions(about(bob))[0].posts == {there}


@pytest.mark.parametrize("kind", [CaseKind.POST, CaseKind.SIGN_UP])
def test_held_posts_and_sign_ups_are_decided_once(alice, bob, mod, kind):
    scene = scene_of(kind, alice, bob)
    yes, no = OF_KIND[kind]
    decide(mod, scene.case_id, yes)
    with pytest.raises(CaseMoved):
        decide(mod, scene.case_id, no)
    assert [done.kind for done in actions(scene.case_id)] == [yes]


def test_there_is_no_case_where_nothing_was_reported(bob, mod):
    with pytest.raises(NotFound):
        decide(mod, about(bob), K.WARN)
    with pytest.raises(NotFound):
        add_note(by=mod, case_id=about(bob), text="Hm")
