"""Deciding a case and undoing it: what each action writes, what is refused, and two at the same moment."""

import random
import time
from collections.abc import Callable
from functools import partial

import pytest

from accounts.models import UserSettings
from accounts.people.restrictions import FOR_EVER
from accounts.people.viewer import Viewer
from feed.posts.models import Post, Withheld
from feed.publishing.writes import delete_post
from moderation.cases.decisions import (
    NAMES_POSTS,
    OF_KIND,
    Decision,
    IsStaff,
    NotForThisCase,
    NothingToActOn,
    decide_case,
)
from moderation.cases.effects import WITH_NOTICE, undo_action
from moderation.cases.forms import HAS_END
from moderation.cases.lists import list_closed
from moderation.cases.reads import CaseId, CaseMoved, OwnCase, read_case
from moderation.cases.writes import AlreadyAnswered, add_note, answer_appeal, appeal, claim_case
from moderation.models import ActionKind, Appeal, CaseKind, CaseOutcome, Queue
from moderation.reports.reads import list_own_reports
from socialsite.table import NotFound, get, ids, keys
from tests.conftest import person, post
from tests.injected.faults import IS_LONG
from tests.moderation.cases import (
    EACH,
    about,
    about_post,
    actions_of,
    broken,
    decide,
    held_post,
    index,
    info,
    let_claim_lapse,
    logged,
    post_count,
    report,
    scene_of,
    strikes,
    withheld,
)
from tests.together import together

# Deciding a case: what each action writes, what the person is told, and how the case ends.
#
# What is refused is in `test_deciding.py`, races in `test_deciding.py`.

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
    K.WITHDRAW: SHOWN | {"withdrawn": ["Who works"]},
    K.NO_MESSAGES: SHOWN | {"no messages": UNTIL},
    K.LIMIT: SHOWN | {"limited": UNTIL},
    K.FREEZE: SHOWN | {"frozen": UNTIL},
    K.SUSPEND: SHOWN | {"suspended": UNTIL},
    K.RELEASE: {"posts counted": 1},
    K.REFUSE: {"withheld": ["hidden"]},
    K.APPROVE: {},
    K.DECLINE: {"suspended": FOR_EVER},
}


def test_every_action_belongs_to_a_case():
    # What removes pictures is played in test_illegal_pictures.py.
    assert {action for _, action in EACH} == set(K) - {K.REMOVE} == WRITES.keys()


@pytest.mark.parametrize(("kind", "action"), EACH)
def test_each_action_does_what_it_says_tells_the_person_and_closes(kind, action, alice, bob, mod):
    scene = scene_of(kind, alice, bob)
    decided = {"until": UNTIL} if action in HAS_END else {}
    action_id = decide(
        mod, scene.case_id, action, *scene.posts, text="Because", rule_id="spam", **decided
    )

    assert scene.state() == WRITES[action]
    (done,) = actions_of(scene.case_id)
    about_posts = action in {K.SENSITIVE, K.HIDE, K.RELEASE, K.REFUSE, *NAMES_POSTS}
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
    assert [done.kind for done in actions_of(about(bob))] == [K.HIDE, K.WARN, K.FREEZE]
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


# What nobody decides: what they have not seen, what is not theirs to decide, what is not there. Nothing is
# written.


def assert_nothing_written(case_id: CaseId, bob: Viewer) -> None:
    assert (actions_of(case_id), strikes(bob), logged()) == ([], [], [])
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
    assert actions_of(about(bob))[0].posts == {there}


@pytest.mark.parametrize("kind", [CaseKind.POST, CaseKind.SIGN_UP])
def test_held_posts_and_sign_ups_are_decided_once(alice, bob, mod, kind):
    scene = scene_of(kind, alice, bob)
    yes, no = OF_KIND[kind]
    decide(mod, scene.case_id, yes)
    with pytest.raises(CaseMoved):
        decide(mod, scene.case_id, no)
    assert [done.kind for done in actions_of(scene.case_id)] == [yes]


def test_there_is_no_case_where_nothing_was_reported(bob, mod):
    with pytest.raises(NotFound):
        decide(mod, about(bob), K.WARN)
    with pytest.raises(NotFound):
        add_note(by=mod, case_id=about(bob), text="Hm")


# Two at the same moment: moderators who decide, and an author who deletes what is being hidden.
#
# Each race a dozen times; a hundred times with `FAULTS=long`.

ROUNDS = 100 if IS_LONG else 12
not_on_moto = pytest.mark.engines(
    "embedded", "dynamodb-local", reason="moto does not hold transactions apart from each other"
)


@not_on_moto
@pytest.mark.timeout(240)
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
        assert len(actions_of(about(bob))) == len(strikes(bob)) == number
        decided = [entry for entry in logged() if not entry.action.startswith("undo")]
        assert len(decided) == number
    assert broken() == {}


@not_on_moto
@pytest.mark.timeout(240)
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


@not_on_moto
@pytest.mark.timeout(240)
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


# Undoing: what an action did ends at once, what was in force before it is in force again, its case is open again.

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
    (done,) = actions_of(scene.case_id)
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
