"""Waves and what each of them is about. Shape and keys only."""

from datetime import datetime
from enum import StrEnum
from typing import Any, Self

from pynamodb.attributes import (
    JSONAttribute,
    NumberAttribute,
    UnicodeAttribute,
    UnicodeSetAttribute,
)

from socialsite.table import keys
from socialsite.table.item import Item


class WaveState(StrEnum):
    DRAFT = "draft"  # its maker looks at the preview
    RUNNING = "running"
    DONE = "done"
    UNDOING = "undoing"
    UNDONE = "undone"


class Wave(Item, discriminator="Wave"):
    """One decision about many cases of one kind. `done` and `skipped` are how many of `total` the job acted on and left
    out so far, `undone` how many actions were undone again. `undone_by` is the moderator who asked for that. An erased
    account takes its name out. `hint_id` is the hint from which it was made."""

    wave_id = UnicodeAttribute()
    moderator_id = UnicodeAttribute(null=True)
    case_kind = UnicodeAttribute()
    decision = JSONAttribute()
    state = UnicodeAttribute(default=WaveState.DRAFT)
    total = NumberAttribute()
    done = NumberAttribute(default=0)
    skipped = NumberAttribute(default=0)
    undone = NumberAttribute(default=0)
    started_at = UnicodeAttribute(null=True)
    undone_by = UnicodeAttribute(null=True)
    hint_id = UnicodeAttribute(null=True)

    @classmethod
    def new(
        cls,
        *,
        wave_id: str,
        moderator_id: str,
        case_kind: str,
        decision: dict[str, Any],
        total: int,
        ttl: datetime,
        hint_id: str = "",
    ) -> Self:
        return cls(
            *keys.wave(wave_id),
            wave_id=wave_id,
            moderator_id=moderator_id,
            case_kind=case_kind,
            decision=decision,
            total=total,
            ttl=ttl,
            hint_id=hint_id or None,
        )


class WaveTarget(Item, discriminator="WaveTarget"):
    """A case of a wave as the moderator chose it. `version` is 0 for people who were not chosen by a case;
    `seen_version` is then the version of the case that the preview showed. `action_id` is what was done about it,
    `why_not` why nothing was."""

    kind = UnicodeAttribute()
    subject_id = UnicodeAttribute()
    version = NumberAttribute()
    seen_version = NumberAttribute(null=True)
    posts = UnicodeSetAttribute(null=True)
    action_id = UnicodeAttribute(null=True)
    why_not = UnicodeAttribute(null=True)

    @classmethod
    def new(
        cls,
        *,
        wave_id: str,
        kind: str,
        subject_id: str,
        version: int,
        posts: tuple[str, ...],
        ttl: datetime,
        seen_version: int = 0,
    ) -> Self:
        return cls(
            *keys.wave_target(wave_id, kind, subject_id),
            kind=kind,
            subject_id=subject_id,
            version=version,
            seen_version=seen_version or None,
            posts=set(posts) or None,
            ttl=ttl,
        )
