"""Carries out a wave that was started, and undoes one, each by a job."""

from contextlib import suppress
from itertools import islice

from accounts.people.viewer import Viewer
from accounts.permissions import is_junior
from moderation.bulk_decisions.reads import WaveDecision, case_id_of, may_act, read_actor, read_wave
from moderation.bulk_decisions.writes import act_on_target
from moderation.cases.effects import undo_action
from moderation.cases.limits import BeyondLimits
from moderation.cases.reads import CaseMoved, Outranked, OwnCase
from moderation.items.models import Wave, WaveTarget
from moderation.models import CaseKind, WaveState
from socialsite.streams import Job, JobKind, Step, job_step
from socialsite.table import Change, Key, NotFound, as_model, key_of, keys, query

TARGETS_A_STEP = 10  # each a transaction of its own


@job_step(JobKind.WAVE)
def wave_step(job: Job) -> Step:
    """Acts on the next 10 cases of the wave, each as `act_on_target`, with the permissions that the moderator has now.

    Safe to run twice: what was done about a case stands in its target, and the wave counts with the cursor.
    """
    try:
        wave = read_wave(job.subject_id)
    except NotFound:
        return Step(0, None)
    actor = read_actor(wave.moderator_id or "")
    partition = keys.wave_targets(wave.wave_id)
    after = Key(partition, job.cursor) if job.cursor else None
    rows = query(partition, after=after, consistent=True, limit=TARGETS_A_STEP)
    found = list(islice(rows, TARGETS_A_STEP))
    targets = [as_model(WaveTarget, raw) for raw in found]
    acted = [act_on_target(by=actor, wave=wave, target=target) for target in targets]
    done = sum(acted)
    if len(targets) < TARGETS_A_STEP:
        # With those who were erased since the wave was made, whose targets are gone.
        skipped = int(wave.total) - int(wave.done) - done
        ended = [Wave.skipped.set(skipped), Wave.state.set(WaveState.DONE)]
        return Step(len(acted), None, [Change(Wave, wave.key, [Wave.done.add(done), *ended])])
    counted = [Wave.done.add(done), Wave.skipped.add(len(acted) - done)]
    return Step(len(acted), key_of(found[-1]).sk, [Change(Wave, wave.key, counted)])


@job_step(JobKind.UNDO_WAVE)
def undo_wave_step(job: Job) -> Step:
    """Undoes what the wave did about the next 10 cases, each as `undo_action`, with the permissions that the moderator
    has now. Cases that someone reviews or changes at this moment stay as they are. If the moderator may not act any
    more at the end, or is a junior who may not undo all of it, the wave is done as before, so that another one can undo
    what is left.

    Safe to run twice: an action is undone once, and the wave counts with the cursor.
    """
    try:
        wave = read_wave(job.subject_id)
    except NotFound:
        return Step(0, None)
    actor = read_actor(wave.undone_by or "")
    partition = keys.wave_targets(wave.wave_id)
    after = Key(partition, job.cursor) if job.cursor else None
    rows = query(partition, after=after, consistent=True, limit=TARGETS_A_STEP)
    found = list(islice(rows, TARGETS_A_STEP))
    targets = [as_model(WaveTarget, raw) for raw in found]
    may_undo = may_act(actor, CaseKind(wave.case_kind), WaveDecision.of(wave).kind)
    undone = sum(may_undo and _is_undone(actor, target) for target in targets)
    counted = [Wave.undone.add(undone)]
    is_last = len(targets) < TARGETS_A_STEP
    is_left = is_junior(actor) and int(wave.undone) + undone < int(wave.done)
    ends = WaveState.DONE if is_left or not may_undo else WaveState.UNDONE
    ended = [Wave.state.set(ends)] if is_last else []
    cursor = None if is_last else key_of(found[-1]).sk
    return Step(len(targets), cursor, [Change(Wave, wave.key, [*counted, *ended])])


def _is_undone(actor: Viewer, target: WaveTarget) -> bool:
    if not target.action_id:
        return False
    with suppress(CaseMoved, NotFound, OwnCase, Outranked, BeyondLimits):
        undo_action(by=actor, case_id=case_id_of(target), action_id=target.action_id)
        return True
    return False
