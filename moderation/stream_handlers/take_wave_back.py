"""Undoes a wave (`moderation/waves/services/undo_wave.py`), by a job."""

from contextlib import suppress
from itertools import islice

from accounts.viewer import Viewer
from moderation.cases.case_permissions import Outranked
from moderation.cases.cases import CaseMoved
from moderation.cases.services.decide import OwnCase
from moderation.cases.services.undo import undo_action
from moderation.models import CaseKind, Wave, WaveState, WaveTarget
from moderation.waves.waves import WaveDecision, case_id_of, may_act, read_actor, read_wave
from socialsite.models import Job, JobKind
from socialsite.streams.jobs import Step, job_step
from socialsite.table import keys
from socialsite.table.actions import Change
from socialsite.table.errors import NotFound
from socialsite.table.keys import Key
from socialsite.table.reading import as_model, key_of, query

TARGETS_A_STEP = 10


@job_step(JobKind.UNDO_WAVE)
def undo_wave_step(job: Job) -> Step:
    """Undoes what the wave did about the next 10 cases, each as `undo_action`, with the permissions that the moderator
    has now. Cases that someone reviews or changes at this moment stay as they are. If the moderator may not act any
    more at the end, the wave is done as before, so that another one can undo what is left.

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
    ended = [Wave.state.set(WaveState.UNDONE if may_undo else WaveState.DONE)] if is_last else []
    cursor = None if is_last else key_of(found[-1]).sk
    return Step(len(targets), cursor, [Change(Wave, wave.key, [*counted, *ended])])


def _is_undone(actor: Viewer, target: WaveTarget) -> bool:
    if not target.action_id:
        return False
    with suppress(CaseMoved, NotFound, OwnCase, Outranked):
        undo_action(by=actor, case_id=case_id_of(target), action_id=target.action_id)
        return True
    return False
