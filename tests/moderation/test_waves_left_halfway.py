"""Waves go on, or can be gone on with, when someone is erased or loses their role meanwhile."""

import pytest

from accounts.people.viewer import Viewer
from accounts.permissions import grant_role
from moderation.bulk_decisions.reads import read_wave
from moderation.bulk_decisions.writes import make_wave, start_wave, undo_wave
from moderation.models import Wave, WaveState
from socialsite.streams.worker import Worker
from tests.moderation.cases import broken, info
from tests.moderation.queues import reported_people
from tests.moderation.test_waves import SUSPEND, carried_out, seen, taken_back
from tests.privacy.erasing import erase, search


@pytest.fixture
def worker(table: str) -> Worker:
    return Worker()


def test_who_was_erased_since_a_draft_was_made_is_left_out(worker, mod, alice):
    """Their case is not among the wave's any more once the search was there."""
    people = reported_people(3, by=alice)
    worker.drain()
    wave_id = make_wave(by=mod, targets=seen(*people), decision=SUSPEND)
    search(erase(people[1], worker), worker)
    start_wave(by=mod, wave_id=wave_id, decision=SUSPEND)
    worker.drain()
    wave = read_wave(wave_id)
    assert (wave.state, wave.done, wave.skipped) == (WaveState.DONE, 2, 1)
    assert not broken(before_the_worker=False)


def test_a_wave_goes_on_without_the_name_of_a_moderator_who_was_erased(worker, mod, admin, alice):
    people = reported_people(3, by=alice)
    worker.drain()
    wave = carried_out(worker, mod, seen(*people), SUSPEND)
    grant_role(by=admin, user_id=mod.user_id, role="")
    search(erase(mod, worker), worker)
    wave = read_wave(wave.wave_id)
    assert mod.user_id not in str(wave.attribute_values)
    assert taken_back(worker, admin, wave).undone == 3
    assert not broken(before_the_worker=False)


def half_undone(worker: Worker, by: Viewer, wave: Wave) -> None:
    undo_wave(by=by, wave_id=wave.wave_id)
    while not read_wave(wave.wave_id).undone:
        worker.step()


def test_what_is_left_of_an_undo_when_its_moderator_loses_the_role_another_one_can_undo(
    worker, mod, admin, alice
):
    people = reported_people(23, by=alice)
    wave = carried_out(worker, mod, seen(*people), SUSPEND)
    half_undone(worker, mod, wave)
    grant_role(by=admin, user_id=mod.user_id, role="")
    worker.drain()
    wave = read_wave(wave.wave_id)
    assert (wave.state, wave.undone) == (WaveState.DONE, 10)
    assert sum(bool(info(one).suspended_until) for one in people) == 13
    assert not broken(before_the_worker=False)
    wave = taken_back(worker, admin, wave)
    assert (wave.state, wave.undone) == (WaveState.UNDONE, 23)
    assert not any(info(one).suspended_until for one in people)
    assert not broken(before_the_worker=False)
