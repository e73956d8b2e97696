"""Cases and their parts, and messages to people. Shape and keys only.

A case is about one person (reports of them and of their posts), one held post, or one sign-up. All its items are in one
partition, so a case page takes two Queries. Only an open case has `escalated_to` and `escalated_at`.
"""

from enum import StrEnum

from pynamodb.attributes import (
    BooleanAttribute,
    ListAttribute,
    MapAttribute,
    NumberAttribute,
    UnicodeAttribute,
    UnicodeSetAttribute,
)

from socialsite.table.item import Item


class CaseKind(StrEnum):
    """What a case is about. The kind is part of its key and of its address."""

    PERSON = "person"
    POST = "post"  # held until a moderator has seen it
    SIGN_UP = "sign-up"


class Queue(StrEnum):
    """The list in which an open case waits."""

    REPORTS = "reports"
    APPEALS = "appeals"
    HELD = "held"
    SIGN_UPS = "sign-ups"


class ActionKind(StrEnum):
    """A moderator's actions, from the mildest to the strongest, then the answers to held posts and sign-ups. `DISMISS`
    says that no rule was broken, and `CLOSE` only that there is no more to do."""

    DISMISS = "dismiss"
    CLOSE = "close"
    WARN = "warn"
    SENSITIVE = "sensitive"
    HIDE = "hide"
    RESET = "reset"  # parts of the profile
    LIMIT = "limit"
    FREEZE = "freeze"
    SUSPEND = "suspend"
    RELEASE = "release"
    REFUSE = "refuse"
    APPROVE = "approve"
    DECLINE = "decline"


class Appeal(StrEnum):
    """The state of an appeal against a strike."""

    OPEN = "open"
    GRANTED = "granted"
    REFUSED = "refused"


WITHOUT_APPEAL = {ActionKind.DECLINE}
WITHOUT_EFFECT = {ActionKind.DISMISS, ActionKind.CLOSE}


class Case(Item, discriminator="Case"):
    """One case. `version` rises with every change that matters for the decision, so that nobody decides a case they
    have not seen. `round` rises each time a closed case opens again. `claimed_by` reviews it until `claimed_until`.

    `reports`, `rules`, `named` and `languages` belong to this round: how many people reported, the rules they named,
    how many named each (by its severity and id, `cases/lists/severity.py`), and the languages of reporters and posts.
    `appealed` is the action that an open appeal is about, and `appeals` how many wait. `assigned_to` is the moderator
    it is assigned to, if any. `acted` is the kind of the last action of this round that left the case open and was not
    undone.
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
    named = MapAttribute[str, int](null=True)
    languages = UnicodeSetAttribute(null=True)
    claimed_by = UnicodeAttribute(null=True)
    claimed_until = UnicodeAttribute(null=True)
    assigned_to = UnicodeAttribute(null=True)
    appealed = UnicodeAttribute(null=True)
    appeals = NumberAttribute(null=True)
    closed_at = UnicodeAttribute(null=True)
    decision = UnicodeAttribute(null=True)
    acted = UnicodeAttribute(null=True)


class ReportSaying(MapAttribute[str, object]):
    """What someone said when they reported: the rule that they named, and their comment. Its names are short, as a
    report has room for several."""

    rule_id = UnicodeAttribute(attr_name="rule", null=True)
    comment = UnicodeAttribute(attr_name="text", null=True)
    said_at = UnicodeAttribute(attr_name="at")


class CaseReport(Item, discriminator="CaseReport"):
    """One person's report, once for each reporter and case. Reporting again adds posts to it; `rule_id` and `comment`
    are then what they said last, and `said_before` what they said before that in this round, oldest first. `erased`
    says that the reporter's account was erased, and that nobody has the id. `word_ids` are the word filters for which
    the site reports."""

    reporter_id = UnicodeAttribute()
    round = NumberAttribute()
    rule_id = UnicodeAttribute(null=True)
    comment = UnicodeAttribute(null=True)
    said_before = ListAttribute(of=ReportSaying, null=True)
    language = UnicodeAttribute(null=True)
    posts = UnicodeSetAttribute(null=True)
    reported_at = UnicodeAttribute()
    word_ids = UnicodeSetAttribute(null=True)
    erased = UnicodeAttribute(null=True)


class CaseEvidence(Item, discriminator="CaseEvidence"):
    """A post as it was when it was first reported, kept even if its author edits or deletes it. That of a reply names
    its place in the thread."""

    post_id = UnicodeAttribute()
    author_id = UnicodeAttribute()
    content = UnicodeAttribute()
    warning = UnicodeAttribute(null=True)
    audience = UnicodeAttribute(null=True)
    root_id = UnicodeAttribute(null=True)
    root_author_id = UnicodeAttribute(null=True)
    reply_to = UnicodeAttribute(null=True)
    path = UnicodeAttribute(null=True)
    kept_at = UnicodeAttribute()


class ProfileEvidence(Item, discriminator="ProfileEvidence"):
    """A profile as it was when it was reported, kept even if the person changes it. `avatar` and `header` name the
    files of the pictures."""

    person_id = UnicodeAttribute()
    handle = UnicodeAttribute()
    name = UnicodeAttribute(null=True)
    bio = UnicodeAttribute(attr_name="content", null=True)
    location = UnicodeAttribute(null=True)
    avatar = UnicodeAttribute(attr_name="imageUrl", null=True)
    header = UnicodeAttribute(null=True)
    gender = UnicodeAttribute(null=True)
    kept_at = UnicodeAttribute()


class CaseNote(Item, discriminator="CaseNote"):
    """A moderator's note for other moderators."""

    note_id = UnicodeAttribute()
    moderator_id = UnicodeAttribute()
    text = UnicodeAttribute(attr_name="content")


class CaseMessage(Item, discriminator="CaseMessage"):
    """A part of the conversation about an appeal, by the person or a moderator. The person does not see the moderator's
    name."""

    message_id = UnicodeAttribute()
    action_id = UnicodeAttribute()
    writer_id = UnicodeAttribute()
    is_staff = BooleanAttribute(default=False)
    text = UnicodeAttribute(attr_name="content")


class CaseAction(Item, discriminator="CaseAction"):
    """A moderator's action on a case, in one of its rounds. It never changes, except that it notes who undid it and
    when. `rule_id` is the rule that the moderator named. `word_id` is the word filter for which the site itself
    acted. `parts` are those of the profile that were reset, and `profile` the version that the case keeps of it."""

    action_id = UnicodeAttribute()
    moderator_id = UnicodeAttribute()
    kind = UnicodeAttribute()
    until = UnicodeAttribute(null=True)
    posts = UnicodeSetAttribute(null=True)
    text = UnicodeAttribute(attr_name="content", null=True)
    rule_id = UnicodeAttribute(null=True)
    round = NumberAttribute(null=True)
    word_id = UnicodeAttribute(null=True)
    parts = UnicodeSetAttribute(null=True)
    profile = UnicodeAttribute(null=True)
    undone_by = UnicodeAttribute(null=True)
    undone_at = UnicodeAttribute(null=True)


class CaseOutcome(Item, discriminator="CaseOutcome"):
    """The outcome of one round of a case, for its reporters. `action_id` is the action that it names, `undone_at` says
    since when nothing of it stands."""

    round = NumberAttribute()
    decision = UnicodeAttribute()
    action_id = UnicodeAttribute(null=True)
    decided_at = UnicodeAttribute()
    undone_at = UnicodeAttribute(null=True)


class ClosedCase(Item, discriminator="ClosedCase"):
    """A pointer to a case in the month in which it was closed, by `moderator_id`. `decision` and `undone_at` are those
    of the outcome."""

    kind = UnicodeAttribute()
    subject_id = UnicodeAttribute()
    decision = UnicodeAttribute()
    moderator_id = UnicodeAttribute()
    closed_at = UnicodeAttribute()
    undone_at = UnicodeAttribute(null=True)


class Strike(Item, discriminator="Strike"):
    """In the person's partition: an action of the moderators and its message. `case_kind` and `subject_id` lead to the
    case. `automatic` says that the site did it by itself, for a word filter. `parts` as in `CaseAction`."""

    user_id = UnicodeAttribute()
    action_id = UnicodeAttribute()
    kind = UnicodeAttribute()
    case_kind = UnicodeAttribute()
    subject_id = UnicodeAttribute()
    text = UnicodeAttribute(attr_name="content", null=True)
    until = UnicodeAttribute(null=True)
    posts = UnicodeSetAttribute(null=True)
    parts = UnicodeSetAttribute(null=True)
    rule_id = UnicodeAttribute(null=True)
    appeal = UnicodeAttribute(null=True)
    automatic = UnicodeAttribute(null=True)
    undone_at = UnicodeAttribute(null=True)


class ReportTrace(Item, discriminator="ReportTrace"):
    """In the reporter's partition: a case that they reported to, and the round."""

    user_id = UnicodeAttribute()
    kind = UnicodeAttribute()
    subject_id = UnicodeAttribute()
    person_id = UnicodeAttribute()
    round = NumberAttribute()
    reported_at = UnicodeAttribute()
