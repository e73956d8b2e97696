"""Items about what people take with them and what is deleted, shape and keys only: closed accounts and their receipts,
the export of a person's data, and what a person wants done with their old posts."""

from datetime import datetime
from enum import StrEnum
from typing import Any, Self

from pynamodb.attributes import (
    JSONAttribute,
    NumberAttribute,
    UnicodeAttribute,
    UnicodeSetAttribute,
)

from privacy.importing import models as importing  # noqa: F401 - its items
from socialsite.table import Item, keys


class State(StrEnum):
    """How far the erasure of a receipt is."""

    PLANNED = "planned"  # the account can still be kept
    BEGUN = "begun"
    ERASED = "erased"  # nobody finds anything of the person any more
    SEARCHED = "searched"  # the whole table and the archive were searched for what was left


class Receipt(Item, discriminator="Receipt"):
    """What was deleted with an account, for the person who left. It is found by an id that only they were shown, and
    holds nothing about them: how many items of each kind (`counts`), what the work cost, and what stays for how long
    (`kept`: kind and end). While the erasure waits for a legal hold, `held_until` is the hold's end. It expires a year
    later."""

    receipt_id = UnicodeAttribute()
    state = UnicodeAttribute()
    asked_at = UnicodeAttribute()
    closing = UnicodeAttribute()
    erased_at = UnicodeAttribute(null=True)
    searched_at = UnicodeAttribute(null=True)
    held_until = UnicodeAttribute(null=True)
    counts = JSONAttribute(null=True)
    kept = JSONAttribute(null=True)
    reads = NumberAttribute(default=0)
    writes = NumberAttribute(default=0)

    @classmethod
    def new(cls, *, receipt_id: str, asked_at: str, closing: str) -> Self:
        return cls(
            *keys.receipt(receipt_id),
            receipt_id=receipt_id,
            state=State.PLANNED,
            asked_at=asked_at,
            closing=closing,
        )


class Erasure(Item, discriminator="Erasure"):
    """A person whose erasure has begun, until the whole table was searched for their id, a day after `erased_at`."""

    user_id = UnicodeAttribute()
    receipt_id = UnicodeAttribute()
    erased_at = UnicodeAttribute(null=True)

    @classmethod
    def new(cls, *, user_id: str, receipt_id: str) -> Self:
        return cls(*keys.erasure(user_id), user_id=user_id, receipt_id=receipt_id)


class Export(Item, discriminator="Export"):
    """The export that a person asked for last. It is there for a day, during which they can download it and ask for no
    other: from the moment they ask, and anew from the moment it is ready.

    `site`, `language` and `zone` are those of the browser in which they asked. `ready_at` and `size` (bytes) are
    missing while it is being made. `granted_to` is the sign-in that may download it until `granted_until`, and
    `used_proof` the proof of identity that opened that download, so that a proof opens one.
    """

    user_id = UnicodeAttribute()
    export_id = UnicodeAttribute()
    asked_at = UnicodeAttribute()
    site = UnicodeAttribute()
    language = UnicodeAttribute()
    zone = UnicodeAttribute()
    ready_at = UnicodeAttribute(null=True)
    size = NumberAttribute(null=True)
    granted_to = UnicodeAttribute(null=True)
    granted_until = UnicodeAttribute(null=True)
    used_proof = UnicodeAttribute(null=True)

    @classmethod
    def new(
        cls,
        *,
        user_id: str,
        export_id: str,
        asked_at: str,
        site: str,
        language: str,
        zone: str,
        ttl: datetime,
    ) -> Self:
        return cls(
            *keys.export(user_id),
            user_id=user_id,
            export_id=export_id,
            asked_at=asked_at,
            site=site,
            language=language,
            zone=zone,
            ttl=ttl,
        )


class OldPostsWish(Item, discriminator="OldPostsWish"):
    """The standing wish that a person's posts are deleted at some age, and what came of it.

    `days` is that age, `chosen` names what goes and what stays (`old_posts/reads.py`), and `next_run` is when the
    worker looks again. All three are missing while the wish is off. `ran_at` is when the last run began, also one that
    the person asked for at once, and `deleted` is how many posts, replies and reposts it has deleted.
    """

    family = "posts"

    user_id = UnicodeAttribute()
    days = NumberAttribute(null=True)
    chosen = UnicodeSetAttribute(null=True)
    next_run = UnicodeAttribute(null=True)
    ran_at = UnicodeAttribute(null=True)
    deleted = NumberAttribute(default=0)

    @classmethod
    def new(cls, *, user_id: str) -> Self:
        return cls(*keys.old_posts_wish(user_id), user_id=user_id)


class Hold(Item, discriminator="Hold"):
    """That an account (`ACCOUNT`) or a case must be kept by law until a moment, as one person asked for and another one
    confirmed; until then it holds nothing. `renewal` is a later end that `renewal_by` asks for, and another has to
    confirm, too. It is deleted with its end, and the audit log remembers it."""

    page = "/moderation/holds"

    kind = UnicodeAttribute()
    subject_id = UnicodeAttribute()
    person_id = UnicodeAttribute()
    reason = UnicodeAttribute(attr_name="content")
    until = UnicodeAttribute()
    asked_by = UnicodeAttribute()
    asked_at = UnicodeAttribute()
    confirmed_by = UnicodeAttribute(null=True)
    confirmed_at = UnicodeAttribute(null=True)
    renewal = UnicodeAttribute(null=True)
    renewal_by = UnicodeAttribute(null=True)

    @classmethod
    def new(cls, *, kind: str, subject_id: str, **attributes: Any) -> Self:
        return cls(*keys.hold(kind, subject_id), kind=kind, subject_id=subject_id, **attributes)
