"""Waves: one decision for many cases. Shape and keys only."""

from collections.abc import Collection
from datetime import datetime
from typing import Any, Self

from pynamodb.attributes import (
    JSONAttribute,
    NumberAttribute,
    UnicodeAttribute,
    UnicodeSetAttribute,
)

from moderation.kinds import (
    WaveState,
)
from socialsite.table import Item, keys


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
    def new(cls, *, wave_id: str, ttl: datetime, hint_id: str = "", **attributes: Any) -> Self:
        key = keys.wave(wave_id)
        return cls(*key, wave_id=wave_id, ttl=ttl, hint_id=hint_id or None, **attributes)


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
    def new(cls, *, wave_id: str, posts: Collection[str], ttl: datetime, **case: Any) -> Self:
        key = keys.wave_target(wave_id, case["kind"], case["subject_id"])
        return cls(*key, posts=set(posts) or None, ttl=ttl, **case)
