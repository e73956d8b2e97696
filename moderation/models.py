"""Items of moderation: cases with what belongs to them, what people were told, and the audit log. Shape and keys only.

A case is about one person (reports of them and of their posts), one held post, or one sign-up. All of it stands in one
partition, so that a case page is two Queries. Only an open case carries `escalated_to` and `escalated_at`.
"""

from enum import StrEnum
from typing import Any, Self

from pynamodb.attributes import (
    BooleanAttribute,
    JSONAttribute,
    NumberAttribute,
    UnicodeAttribute,
    UnicodeSetAttribute,
)

from socialsite.table import keys
from socialsite.table.item import Item


class CaseKind(StrEnum):
    """What a case is about; a part of its key and of its address."""

    PERSON = "person"
    POST = "post"  # held until a moderator saw it
    SIGN_UP = "sign-up"


class Queue(StrEnum):
    """Where an open case waits."""

    REPORTS = "reports"
    APPEALS = "appeals"
    HELD = "held"
    SIGN_UPS = "sign-ups"


class ActionKind(StrEnum):
    """What a moderator does, from the mildest to the strongest, then what answers held posts and sign-ups."""

    DISMISS = "dismiss"
    WARN = "warn"
    SENSITIVE = "sensitive"
    HIDE = "hide"
    LIMIT = "limit"
    FREEZE = "freeze"
    SUSPEND = "suspend"
    RELEASE = "release"
    REFUSE = "refuse"
    APPROVE = "approve"
    DECLINE = "decline"


class Appeal(StrEnum):
    """How an appeal against a strike stands."""

    OPEN = "open"
    GRANTED = "granted"
    REFUSED = "refused"


WITHOUT_APPEAL = {ActionKind.DECLINE}


class Case(Item, discriminator="Case"):
    """One case. `version` rises with every change of what is to be decided, so that nobody decides what they have not
    seen; `round` with every opening after it was closed. `claimed_by` is who looks at it, until `claimed_until`.

    `reports` and `rules` are of this round: how many people reported, and which rules they named. `appealed` is the
    action that an open appeal is about. `assigned_to` is the moderator on whose desk it lies, if on one; `acted` what
    was done in this round while the case stayed open.
    """

    kind = UnicodeAttribute()
    subject_id = UnicodeAttribute()
    person_id = UnicodeAttribute()
    queue = UnicodeAttribute()
    severity = NumberAttribute()
    opened_at = UnicodeAttribute()
    version = NumberAttribute(default=1)
    round = NumberAttribute(default=1)
    reports = NumberAttribute(default=0)
    rules = UnicodeSetAttribute(null=True)
    claimed_by = UnicodeAttribute(null=True)
    claimed_until = UnicodeAttribute(null=True)
    assigned_to = UnicodeAttribute(null=True)
    appealed = UnicodeAttribute(null=True)
    closed_at = UnicodeAttribute(null=True)
    decision = UnicodeAttribute(null=True)
    acted = UnicodeAttribute(null=True)


class CaseReport(Item, discriminator="CaseReport"):
    """What one person reported, once for each reporter and case: reporting again adds posts to it."""

    reporter_id = UnicodeAttribute()
    round = NumberAttribute()
    rule_id = UnicodeAttribute(null=True)
    comment = UnicodeAttribute(null=True)
    posts = UnicodeSetAttribute(null=True)
    reported_at = UnicodeAttribute()


class CaseEvidence(Item, discriminator="CaseEvidence"):
    """A post as it was when it was first reported: kept when its author edits or deletes it."""

    post_id = UnicodeAttribute()
    author_id = UnicodeAttribute()
    content = UnicodeAttribute()
    audience = UnicodeAttribute(null=True)
    kept_at = UnicodeAttribute()


class CaseNote(Item, discriminator="CaseNote"):
    """What a moderator wrote for the other moderators."""

    note_id = UnicodeAttribute()
    moderator_id = UnicodeAttribute()
    text = UnicodeAttribute(attr_name="content")


class CaseMessage(Item, discriminator="CaseMessage"):
    """A part of the conversation about an appeal: by the person, or by a moderator, whose name they do not see."""

    message_id = UnicodeAttribute()
    action_id = UnicodeAttribute()
    writer_id = UnicodeAttribute()
    is_staff = BooleanAttribute(default=False)
    text = UnicodeAttribute(attr_name="content")


class CaseAction(Item, discriminator="CaseAction"):
    """What a moderator did about a case; never changed but for who undid it and when."""

    action_id = UnicodeAttribute()
    moderator_id = UnicodeAttribute()
    kind = UnicodeAttribute()
    until = UnicodeAttribute(null=True)
    posts = UnicodeSetAttribute(null=True)
    text = UnicodeAttribute(attr_name="content", null=True)
    undone_by = UnicodeAttribute(null=True)
    undone_at = UnicodeAttribute(null=True)


class CaseOutcome(Item, discriminator="CaseOutcome"):
    """How one round of a case ended: what its reporters are told."""

    round = NumberAttribute()
    decision = UnicodeAttribute()
    decided_at = UnicodeAttribute()


class ClosedCase(Item, discriminator="ClosedCase"):
    """A pointer to a case in the month in which it was closed."""

    kind = UnicodeAttribute()
    subject_id = UnicodeAttribute()
    decision = UnicodeAttribute()
    moderator_id = UnicodeAttribute()
    closed_at = UnicodeAttribute()


class Strike(Item, discriminator="Strike"):
    """In the person's partition: what moderators did and told them. `case_kind` and `subject_id` lead to the case."""

    user_id = UnicodeAttribute()
    action_id = UnicodeAttribute()
    kind = UnicodeAttribute()
    case_kind = UnicodeAttribute()
    subject_id = UnicodeAttribute()
    text = UnicodeAttribute(attr_name="content", null=True)
    until = UnicodeAttribute(null=True)
    posts = UnicodeSetAttribute(null=True)
    rule_id = UnicodeAttribute(null=True)
    appeal = UnicodeAttribute(null=True)
    undone_at = UnicodeAttribute(null=True)


class ReportTrace(Item, discriminator="ReportTrace"):
    """In the reporter's partition: which case they reported to, and in which round."""

    user_id = UnicodeAttribute()
    kind = UnicodeAttribute()
    subject_id = UnicodeAttribute()
    person_id = UnicodeAttribute()
    round = NumberAttribute()
    reported_at = UnicodeAttribute()


class AuditHead(Item, discriminator="AuditHead"):
    """The end of the audit log: its last number and hash, and the months of its first and last entry."""

    number = NumberAttribute(default=0)
    hash = UnicodeAttribute(default="")
    first_month = UnicodeAttribute(null=True)
    month = UnicodeAttribute(null=True)


class AuditEntry(Item, discriminator="AuditEntry"):
    """One thing that a member of staff did. `hash` covers all of it and the hash before, `previous`."""

    number = NumberAttribute()
    at = UnicodeAttribute()
    moderator_id = UnicodeAttribute()
    action = UnicodeAttribute()
    case = UnicodeAttribute(null=True)
    person_id = UnicodeAttribute(null=True)
    detail = JSONAttribute(null=True)
    previous = UnicodeAttribute(default="")
    hash = UnicodeAttribute()

    @classmethod
    def new(cls, *, month: str, number: int, **attributes: Any) -> Self:
        return cls(*keys.audit_entry(month, number), number=number, **attributes)


class DayCount(Item, discriminator="DayCount"):
    """How often something happened on one day, counted by the stream worker alone. Created at 0 with the first."""

    day = UnicodeAttribute()
    name = UnicodeAttribute()
    times = NumberAttribute(default=0)

    @classmethod
    def new(cls, *, day: str, name: str) -> Self:
        return cls(*keys.day_count(day, name), day=day, name=name)
