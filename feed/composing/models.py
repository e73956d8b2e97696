"""What people have written and not published yet. Shape and keys only."""

from collections.abc import Collection
from datetime import datetime
from typing import Self

from pynamodb.attributes import NumberAttribute, UnicodeAttribute, UnicodeSetAttribute

from accounts.models import SealedAttribute
from socialsite.table import Item, keys


class Draft(Item, discriminator="Draft"):
    """On a person's shelf: a post that they are writing. Only they read it. It expires 90 days after it was last saved.

    `composition` is all that they composed (`feed/composing/composition.py`), sealed with their key. `version` counts
    the savings. `writer` names the browser that saved it last, so that it knows its own saving again, and `turn` is the
    number of that saving among its own. `reason` says why a scheduled post became a draft (a `Reason`), and
    `planned_for` when it should have been published. `photos` are the ids of those that it holds, in no order.
    """

    most_bytes = 41_984  # a story of ten long posts

    user_id = UnicodeAttribute()
    draft_id = UnicodeAttribute()
    version = NumberAttribute()
    saved_at = UnicodeAttribute()
    composition = SealedAttribute()
    writer = UnicodeAttribute(null=True)
    turn = NumberAttribute(null=True)
    reason = UnicodeAttribute(null=True)
    planned_for = UnicodeAttribute(null=True)
    photos = UnicodeSetAttribute(attr_name="held", null=True)  # no name has two types in the table

    @classmethod
    def new(
        cls,
        *,
        user_id: str,
        draft_id: str,
        saved_at: datetime,
        composition: bytes,
        ttl: datetime,
        writer: str = "",
        turn: int = 0,
        reason: str = "",
        planned_for: str = "",
        photos: Collection[str] = (),
    ) -> Self:
        return cls(
            *keys.draft(user_id, draft_id),
            user_id=user_id,
            draft_id=draft_id,
            version=1,
            saved_at=saved_at.isoformat(timespec="seconds"),
            composition=composition,
            ttl=ttl,
            writer=writer or None,
            turn=turn or None,
            reason=reason or None,
            planned_for=planned_for or None,
            photos=set(photos) or None,
        )


class Scheduled(Item, discriminator="Scheduled"):
    """On a person's shelf: a post that the clock publishes at a moment (`publish_due`). A due item of
    the same moment belongs to it. `zone` is the time zone in which its author chose the moment. `photos` are the ids of
    those that it holds, in no order."""

    most_bytes = 41_984  # as a draft

    user_id = UnicodeAttribute()
    scheduled_id = UnicodeAttribute()
    version = NumberAttribute()
    publish_at = UnicodeAttribute()
    zone = UnicodeAttribute()
    composition = SealedAttribute()
    photos = UnicodeSetAttribute(attr_name="held", null=True)  # no name has two types in the table

    @classmethod
    def new(
        cls,
        *,
        user_id: str,
        scheduled_id: str,
        version: int,
        publish_at: datetime,
        zone: str,
        composition: bytes,
        photos: Collection[str] = (),
    ) -> Self:
        return cls(
            *keys.scheduled(user_id, publish_at, scheduled_id),
            user_id=user_id,
            scheduled_id=scheduled_id,
            version=version,
            publish_at=publish_at.isoformat(timespec="seconds"),
            zone=zone,
            composition=composition,
            photos=set(photos) or None,
        )
