"""Items of moderation that stand apart from a case: an account that was secured, what became of someone's reports, and
waves. `moderation/models.py` holds all others, and these too."""

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


class Secured(Item, discriminator="Secured"):
    """In the person's partition: that staff secured their account, as someone else may have used it. It is no strike.
    `posts` are those that are still hidden for it. `locked_at` says that its sign-ins have ended: it is written first.
    `undone_at` says that staff took it back."""

    page = "/secured"

    user_id = UnicodeAttribute()
    secured_id = UnicodeAttribute()
    posts = UnicodeSetAttribute(null=True)
    locked_at = UnicodeAttribute(null=True)
    undone_at = UnicodeAttribute(null=True)

    @classmethod
    def new(cls, *, user_id: str, secured_id: str) -> Self:
        return cls(*keys.secured(user_id, secured_id), user_id=user_id, secured_id=secured_id)


class ReporterRecord(Item, discriminator="ReporterRecord"):
    """In the reporter's partition: how many of the cases to which they reported ended with an action, with the sentence
    that no rule was broken, and not yet. `counted` numbers the times that the worker counted. `muted_until` is staff's:
    until then their reports open no case, and they are not told."""

    user_id = UnicodeAttribute()
    upheld = NumberAttribute(default=0)
    rejected = NumberAttribute(default=0)
    waiting = NumberAttribute(attr_name="waiting#", default=0)
    counted = NumberAttribute(default=0)
    muted_until = UnicodeAttribute(null=True)


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
