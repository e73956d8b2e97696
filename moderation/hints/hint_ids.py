"""The ids of hints, which say what kind they are, and which kinds someone sees. Pure functions."""

import hashlib

from accounts.permissions import Permission, Permissions
from moderation.models import HintKind

FOR_PLACES = frozenset({Permission.PEOPLE, Permission.ORIGINS})


def hint_id_of(window: str, kind: HintKind, value: str) -> str:
    """Returns the id of a hint. It begins with its day or hour, and holds the value as a hash alone."""
    return f"{window}-{kind}-{hashlib.sha256(value.encode()).hexdigest()[:24]}"


def kind_of(hint_id: str) -> HintKind | None:
    """Returns the kind, or None for what is no id."""
    named = hint_id.rpartition("-")[0].rpartition("-")[2]
    return next((kind for kind in HintKind if kind == named), None)


def is_of_place(hint_id: str) -> bool:
    """Whether the hint says who shares a network."""
    return kind_of(hint_id) == HintKind.PLACE


def is_shown_to(permissions: Permissions, hint_id: str) -> bool:
    """Whether someone who opens cases sees the hint."""
    return kind_of(hint_id) in hints_shown_to(permissions)


def in_the_log(hint_id: str) -> str:
    """Returns what the audit log says of a hint. It keeps that for ever, so of one about a network not the hash."""
    return hint_id.rpartition("-")[0] if is_of_place(hint_id) else hint_id


def hints_shown_to(permissions: Permissions) -> frozenset[HintKind]:
    """Returns the kinds of hints that someone sees who opens cases. Those about a place say who shares a network."""
    return frozenset(
        kind for kind in HintKind if kind != HintKind.PLACE or permissions >= FOR_PLACES
    )
