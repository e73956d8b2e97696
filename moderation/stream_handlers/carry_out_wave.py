"""Carries out a wave that was started (`moderation/waves/services/start_wave.py`), by a job."""

from itertools import islice

from moderation.models import Wave, WaveState, WaveTarget
from moderation.waves.services.act_on_target import act_on_target
from moderation.waves.waves import read_actor, read_wave
from socialsite.models import Job, JobKind
from socialsite.streams.jobs import Step, job_step
from socialsite.table import keys
from socialsite.table.actions import Change
from socialsite.table.errors import NotFound
from socialsite.table.keys import Key
from socialsite.table.reading import as_model, key_of, query

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
