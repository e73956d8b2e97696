"""Starting a wave: from now on the stream worker carries out its decision."""

from collections.abc import Collection
from contextlib import suppress

from accounts.viewer import Viewer
from moderation.audit.record import record
from moderation.cases.cases import CaseId
from moderation.hints.access_patterns import list_hints_within
from moderation.hints.hint_ids import in_the_log
from moderation.models import CaseKind, Hint, Wave, WaveState, WaveTarget
from moderation.waves.waves import WaveDecision, WaveMoved, Why, read_wave
from socialsite.clock import utc_now_iso
from socialsite.models import Job, JobKind
from socialsite.table import keys, reading
from socialsite.table.actions import Change, Create, WriteAction
from socialsite.table.errors import NotFound
from socialsite.table.keys import Key
from socialsite.table.meter import access_pattern
from socialsite.table.row import row
from socialsite.table.writing import transact

AT_ONCE = 50  # targets in a transaction


@access_pattern
def start_wave(
    *, by: Viewer, wave_id: str, decision: WaveDecision, left_out: Collection[CaseId] = ()
) -> None:
    """Starts the job that carries out the decision (`stream_handlers/carry_out_wave.py`), and enters it in the audit
    log. The cases in `left_out` stay as they are. Only who made the wave can start it. The hint that led to it is put
    away with it, and so are those whose accounts are all in it, so that nobody does the same again. Raises `NotFound`,
    `WaveMoved`.

    One consistent GetItem, a TransactWriteItems for 50 cases that are left out, 2 write units each, then one of the
    wave, the job and the audit entry: 8 write units and 2 read units; 2 write units and 1 read unit more for a hint. Of
    people a Query of the targets, 0.5 read units per 4 KB, and what `list_hints_within` costs.
    """
    wave = read_wave(wave_id)
    if wave.state != WaveState.DRAFT or wave.moderator_id != by.user_id:
        raise WaveMoved("it was started before")
    _leave_out(wave_id, list(left_out))
    hint_id = wave.hint_id or ""
    begun = [
        Wave.state.set(WaveState.RUNNING),
        Wave.started_at.set(utc_now_iso()),
        Wave.decision.set(decision.stored),
    ]
    is_draft = Wave.state == WaveState.DRAFT
    record(
        Change(Wave, keys.wave(wave_id), begun, is_draft, WaveMoved),
        Create(Job.new(kind=JobKind.WAVE, job_id=wave_id, subject_id=wave_id), WaveMoved),
        *_put_away(wave),
        by=by.user_id,
        action="start wave",
        detail={
            "wave": wave_id,
            "action": decision.kind,
            "cases": int(wave.total) - len(left_out),
            **({"hint": in_the_log(hint_id)} if hint_id else {}),
        },
    )


def _put_away(wave: Wave) -> list[WriteAction]:
    """Returns the changes of the hint and of those that are dealt with too, none if they ended before the draft did."""
    hints: set[Key] = set()
    if wave.case_kind == CaseKind.PERSON:
        targets = reading.query(keys.wave_targets(wave.wave_id))
        people = {row(WaveTarget, raw).subject_id for raw in targets}
        hints = {hint.key for hint in list_hints_within(people)}
    if wave.hint_id:
        with suppress(NotFound):
            hints.add(reading.get(Hint, keys.hint(wave.hint_id), consistent=True).key)
    away = [Hint.put_away.set("yes")]
    return [Change(Hint, key, away, otherwise=WaveMoved) for key in sorted(hints)]


def _leave_out(wave_id: str, cases: list[CaseId]) -> None:
    left_out = [WaveTarget.why_not.set(Why.LEFT_OUT)]
    for start in range(0, len(cases), AT_ONCE):
        some = cases[start : start + AT_ONCE]
        target_keys = [keys.wave_target(wave_id, one.kind, one.subject_id) for one in some]
        transact(*(Change(WaveTarget, key, left_out) for key in target_keys))
