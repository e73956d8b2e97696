"""Undoing a wave: every action that it took, each as if a moderator undid it."""

from accounts.viewer import Viewer
from moderation.audit.record import record
from moderation.models import Wave, WaveState
from moderation.waves.waves import WaveDecision, WaveMoved, read_wave
from socialsite.models import Job, JobKind
from socialsite.table import keys
from socialsite.table.actions import Change, Create
from socialsite.table.meter import access_pattern


@access_pattern
def undo_wave(*, by: Viewer, wave_id: str) -> None:
    """Starts the job that undoes the wave (`stream_handlers/take_wave_back.py`), and enters it in the audit log. Raises
    `NotFound`, `WaveMoved` for a wave that is not done, or was undone before.

    Two consistent GetItems, of the wave and the log's head, then one TransactWriteItems of the wave, the job and the
    audit entry: 8 write units and 2 read units.
    """
    wave = read_wave(wave_id)
    begun = [
        Wave.state.set(WaveState.UNDOING),
        Wave.undone_by.set(by.user_id),
        Wave.undone.set(0),  # an undo that was left halfway counts again what it undid
    ]
    is_done = Wave.state == WaveState.DONE
    record(
        Change(Wave, keys.wave(wave_id), begun, is_done, WaveMoved),
        Create(Job.new(kind=JobKind.UNDO_WAVE, job_id=wave_id, subject_id=wave_id), WaveMoved),
        by=by.user_id,
        action="undo wave",
        detail={
            "wave": wave_id,
            "action": WaveDecision.of(wave).kind,
            "cases": int(wave.done),
        },
    )
