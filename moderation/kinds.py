"""The words that items of moderation are made of: kinds of cases, queues, actions, and how far something is."""

from enum import StrEnum


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
    SENIORS = "seniors"  # what juniors asked about, whatever queue it came from


class ActionKind(StrEnum):
    """A moderator's actions, from the mildest to the strongest, then the answers to held posts and sign-ups. `DISMISS`
    says that no rule was broken, and `CLOSE` only that there is no more to do."""

    DISMISS = "dismiss"
    CLOSE = "close"
    WARN = "warn"
    SENSITIVE = "sensitive"
    HIDE = "hide"
    RESET = "reset"  # parts of the profile, and the words of starter packs
    WITHDRAW = "withdraw"  # starter packs
    NO_MESSAGES = "no-messages"  # they may not write private messages
    LIMIT = "limit"
    FREEZE = "freeze"
    SUSPEND = "suspend"
    REMOVE = "remove"  # illegal pictures, whose hashes are kept
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


class Keeping(StrEnum):
    """How far the copy of a reported photo is."""

    COMING = "coming"
    KEPT = "kept"
    GONE = "gone"  # the photo was deleted before it was copied


class HintKind(StrEnum):
    TEXT = "text"  # the same text, on one day
    LINK = "link"  # links to the same host, within one hour
    MESSAGE = "message"  # the same first message to strangers, within one hour
    BRIGADE = "brigade"  # reports of one person, or answers to them, within one hour
    PLACE = "place"  # sign-ins from the same network, on one day


class WaveState(StrEnum):
    DRAFT = "draft"  # its maker looks at the preview
    RUNNING = "running"
    DONE = "done"
    UNDOING = "undoing"
    UNDONE = "undone"
