"""Waves: one decision about many cases, each of which is decided as if alone, with one Undo."""

import time

import pytest

from accounts.people.viewer import Viewer
from accounts.permissions import grant_role
from accounts.profile.writes import save_preferences
from feed.posts.models import Withheld
from moderation.bulk_decisions.reads import (
    MOST_TARGETS,
    TooManyTargets,
    WaveDecision,
    WaveMoved,
    Why,
    read_wave,
)
from moderation.bulk_decisions.writes import make_wave, start_wave, undo_wave
from moderation.cases.reads import is_open, read_case
from moderation.models import ActionKind, Wave, WaveState, WaveTarget
from moderation.suspicions.reads import Target
from socialsite.streams.worker import Worker
from socialsite.table import as_model, change, ids, keys, query
from socialsite.web.preferences import Preferences
from tests.conftest import person, post
from tests.moderation.cases import (
    about,
    about_post,
    actions,
    broken,
    decide,
    held_post,
    info,
    logged,
    strikes,
    waiting_sign_up,
    withheld,
)
from tests.moderation.queues import report, reported_people, version_of

SUSPEND = WaveDecision(ActionKind.SUSPEND, rule_id="spam")
DISMISS = WaveDecision(ActionKind.DISMISS)


@pytest.fixture
def worker(table: str) -> Worker:
    return Worker()


def seen(*people: Viewer) -> list[Target]:
    return [Target(about(one), version_of(about(one))) for one in people]


def carried_out(worker: Worker, by: Viewer, targets: list[Target], decision: WaveDecision) -> Wave:
    wave_id = make_wave(by=by, targets=targets, decision=decision)
    start_wave(by=by, wave_id=wave_id, decision=decision)
    worker.drain()
    return read_wave(wave_id)


def taken_back(worker: Worker, by: Viewer, wave: Wave) -> Wave:
    undo_wave(by=by, wave_id=wave.wave_id)
    worker.drain()
    return read_wave(wave.wave_id)


def left_out(wave: Wave) -> dict[str, str]:
    rows = query(keys.wave_targets(wave.wave_id), consistent=True)
    targets = (as_model(WaveTarget, raw) for raw in rows)
    return {one.subject_id: one.why_not for one in targets if one.why_not}


def test_a_draft_does_nothing(worker, mod, alice):
    people = reported_people(2, by=alice)
    make_wave(by=mod, targets=seen(*people), decision=SUSPEND)
    worker.drain()
    assert not any(info(one).suspended_until for one in people)
    assert not logged()


def test_each_case_of_a_wave_is_decided_and_logged_by_itself(worker, mod, alice):
    people = reported_people(23, by=alice)
    wave = carried_out(worker, mod, seen(*people), SUSPEND)
    assert (wave.state, wave.done, wave.skipped) == (WaveState.DONE, 23, 0)
    assert all(info(one).suspended_until for one in people)
    assert [[one.kind, one.rule_id] for one in strikes(people[7])] == [["suspend", "spam"]]
    assert not is_open(read_case(about(people[7])))
    entries = [entry for entry in logged() if entry.action == "suspend"]
    assert {entry.person_id for entry in entries} == {one.user_id for one in people}
    assert {entry.detail["wave"] for entry in entries} == {wave.wave_id}
    assert not broken(before_the_worker=False)


def test_one_undo_takes_back_every_action_and_the_cases_wait_again(worker, mod, admin, alice):
    people = reported_people(12, by=alice)
    wave = taken_back(worker, admin, carried_out(worker, mod, seen(*people), SUSPEND))
    assert (wave.state, wave.undone) == (WaveState.UNDONE, 12)
    assert not any(info(one).suspended_until for one in people)
    assert all(is_open(read_case(about(one))) for one in people)
    assert [e.moderator_id for e in logged() if e.action == "undo suspend"] == [admin.user_id] * 12
    assert not broken(before_the_worker=False)


def test_a_case_that_changed_since_it_was_chosen_is_left_out(worker, mod, admin, alice, bob):
    people = reported_people(3, by=alice)
    targets = seen(*people)
    report(people[0], by=[bob])
    decide(admin, about(people[1]), ActionKind.WARN)
    wave = carried_out(worker, mod, targets, DISMISS)
    assert (wave.done, wave.skipped) == (1, 2)
    assert left_out(wave) == {people[0].user_id: Why.MOVED, people[1].user_id: Why.MOVED}
    assert is_open(read_case(about(people[0])))


def test_staff_and_the_moderator_are_left_out(worker, mod, admin, alice, bob):
    report(mod, by=[alice])
    report(admin, by=[alice])
    report(bob, by=[alice])
    wave = carried_out(worker, mod, seen(mod, admin, bob), DISMISS)
    assert left_out(wave) == {mod.user_id: Why.OWN, admin.user_id: Why.STAFF}
    assert wave.done == 1


def test_who_has_no_case_is_reported_first_and_the_case_is_closed(worker, mod, alice):
    wave = carried_out(worker, mod, [Target(about(alice), 0)], SUSPEND)
    assert wave.done == 1
    case = read_case(about(alice))
    assert info(alice).suspended_until
    assert not is_open(case)
    assert [action.kind for action in actions(about(alice))] == ["suspend"]


def test_reports_that_nobody_saw_still_wait(worker, mod, alice, bob):
    report(alice, by=[bob])
    carried_out(worker, mod, [Target(about(alice), 0)], SUSPEND)
    assert info(alice).suspended_until
    assert is_open(read_case(about(alice)))


def test_chosen_posts_are_hidden_and_come_back(worker, mod, alice):
    first, second, other = post(alice), post(alice), post(alice)
    hide = WaveDecision(ActionKind.HIDE, rule_id="spam")
    wave = carried_out(worker, mod, [Target(about(alice), 0, (first, second))], hide)
    states = [withheld(alice, one) for one in (first, second, other)]
    assert states == [Withheld.HIDDEN, Withheld.HIDDEN, None]
    taken_back(worker, mod, wave)
    assert [withheld(alice, one) for one in (first, second)] == [None, None]


def test_of_a_report_the_reported_posts_are_hidden(worker, mod, alice, bob):
    reported, other = report(alice, by=[bob], text="Buy this"), post(alice)
    carried_out(worker, mod, seen(alice), WaveDecision(ActionKind.HIDE, rule_id="spam"))
    assert withheld(alice, reported) == Withheld.HIDDEN
    assert withheld(alice, other) is None


def test_a_report_without_posts_has_none_to_hide(worker, mod, alice, bob):
    report(alice, by=[bob])
    wave = carried_out(worker, mod, seen(alice), WaveDecision(ActionKind.HIDE, rule_id="spam"))
    assert left_out(wave) == {alice.user_id: Why.NOTHING}


def test_held_posts_are_published_and_sign_ups_approved(worker, mod, alice, bob):
    post_id = held_post(alice)
    held = Target(about_post(post_id), version_of(about_post(post_id)))
    carried_out(worker, mod, [held], WaveDecision(ActionKind.RELEASE))
    assert withheld(alice, post_id) is None
    asks = waiting_sign_up(bob)
    carried_out(worker, mod, [Target(asks, version_of(asks))], WaveDecision(ActionKind.APPROVE))
    assert not info(bob).waiting


def test_each_person_is_told_in_their_own_language(worker, mod, alice):
    german = person("dora")
    save_preferences(by=german, preferences=Preferences(language="de"))
    for one in (alice, german):
        report(one, by=[mod])
    carried_out(worker, mod, seen(alice, german), WaveDecision(ActionKind.WARN, rule_id="spam"))
    [english], [own] = strikes(alice), strikes(german)
    assert english.text != own.text


def test_what_the_moderator_may_no_longer_do_is_not_done(worker, mod, admin, alice):
    people = reported_people(2, by=alice)
    wave_id = make_wave(by=mod, targets=seen(*people), decision=SUSPEND)
    start_wave(by=mod, wave_id=wave_id, decision=SUSPEND)
    grant_role(by=admin, user_id=mod.user_id, role="")
    worker.drain()
    assert set(left_out(read_wave(wave_id)).values()) == {Why.NOT_PERMITTED}
    assert not any(info(one).suspended_until for one in people)


def test_a_wave_starts_once_by_its_maker_and_is_undone_once(worker, mod, admin, alice):
    people = reported_people(1, by=alice)
    wave_id = make_wave(by=mod, targets=seen(*people), decision=DISMISS)
    with pytest.raises(WaveMoved):
        start_wave(by=admin, wave_id=wave_id, decision=DISMISS)
    with pytest.raises(WaveMoved):
        undo_wave(by=mod, wave_id=wave_id)
    start_wave(by=mod, wave_id=wave_id, decision=DISMISS)
    with pytest.raises(WaveMoved):
        start_wave(by=mod, wave_id=wave_id, decision=DISMISS)
    worker.drain()
    undo_wave(by=mod, wave_id=wave_id)
    with pytest.raises(WaveMoved):
        undo_wave(by=mod, wave_id=wave_id)


def test_a_wave_has_at_most_500_cases(mod, table):
    too_many = [Target(about(Viewer(ids.new_id())), 0) for _ in range(MOST_TARGETS + 1)]
    with pytest.raises(TooManyTargets):
        make_wave(by=mod, targets=too_many, decision=SUSPEND)


def test_forty_accounts_are_ended_in_less_than_a_minute(worker, mod, alice):
    people = reported_people(40, by=alice)
    targets = seen(*people)
    worker.drain()
    begun = time.monotonic()
    wave = carried_out(worker, mod, targets, SUSPEND)
    took = time.monotonic() - begun
    print(f"a wave of 40 accounts: {took:.2f} s")
    assert wave.done == 40
    assert took < 60


def test_what_was_acted_on_before_is_not_dismissed_as_if_no_rule_was_broken(
    worker, mod, alice, bob
):
    report(bob, by=[alice])
    decide(mod, about(bob), ActionKind.WARN, keep_open=True)
    wave = carried_out(worker, mod, seen(bob), DISMISS)
    assert left_out(wave) == {bob.user_id: Why.UNFIT}
    carried_out(worker, mod, seen(bob), WaveDecision(ActionKind.CLOSE))
    assert not is_open(read_case(about(bob)))


def test_a_wave_whose_counts_are_wrong_is_found(worker, mod, alice, bob):
    report(bob, by=[alice])
    wave = carried_out(worker, mod, seen(bob), DISMISS)
    change(Wave, wave.key, [Wave.skipped.set(1)])
    place = f"{wave.pk} / {wave.sk}"
    assert broken() == {"a wave has dealt with each of its cases once": [place]}
