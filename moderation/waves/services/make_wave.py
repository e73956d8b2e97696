"""Making a wave: a draft, which shows what it would do."""

from collections.abc import Sequence

from accounts.viewer import Viewer
from moderation.models import Wave, WaveTarget
from moderation.waves.waves import KEPT, MOST_TARGETS, Target, TooManyTargets, WaveDecision
from socialsite.clock import utc_now
from socialsite.table import ids
from socialsite.table.meter import access_pattern
from socialsite.table.writing import create, write_batch


@access_pattern
def make_wave(
    *, by: Viewer, targets: Sequence[Target], decision: WaveDecision, hint_id: str = ""
) -> str:
    """Writes down a wave about cases of one kind, which does nothing until it is started. `hint_id` is the hint that
    led to it. Returns its id. Raises `TooManyTargets`.

    One BatchWriteItem for 25 targets, 1 write unit each, then one PutItem. The wave comes last, so that one that is
    listed has all its targets.
    """
    if len(targets) > MOST_TARGETS:
        raise TooManyTargets(MOST_TARGETS)
    wave_id, ttl = ids.new_id(), utc_now() + KEPT
    write_batch(
        puts=[
            WaveTarget.new(
                wave_id=wave_id,
                kind=target.case_id.kind,
                subject_id=target.case_id.subject_id,
                version=target.version,
                seen_version=target.seen_version,
                posts=target.posts,
                ttl=ttl,
            )
            for target in targets
        ]
    )
    wave = Wave.new(
        wave_id=wave_id,
        moderator_id=by.user_id,
        case_kind=targets[0].case_id.kind,
        decision=decision.stored,
        total=len(targets),
        ttl=ttl,
        hint_id=hint_id,
    )
    create(wave)
    return wave_id
