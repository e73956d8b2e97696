"""Changes how the site is set up. Each change is one transaction with its audit log entry. It takes effect at once in
this process, and in others after `SITE_RULES_SECONDS`. Its neighbours change the rules, the settings, the templates,
the word filters and the blocks; this module has what they share.

The forms in `moderation/rules/forms/` check the fields. The services check how many of each there may be.
"""

import hashlib
from collections.abc import Iterable
from typing import Any

from accounts.viewer import Viewer
from moderation.audit.record import record
from socialsite.site.site_rules import forget_site_rules
from socialsite.table import keys
from socialsite.table.actions import IS_ABSENT, IS_PRESENT, Upsert, WriteAction
from socialsite.table.errors import AlreadyExists, TableError


class TooMany(TableError):
    """The list is full."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"at most {limit}")
        self.limit = limit


class ThereAlready(AlreadyExists):
    """It already exists."""


def change_site(by: Viewer, action: str, *actions: WriteAction, **detail: Any) -> None:
    """Writes with an audit entry. Forgets this process's copy of the rules even if the outcome is unknown."""
    try:
        record(*actions, by=by.user_id, action=action, detail=detail)
    finally:
        forget_site_rules()


def put(model: type[Any], key: keys.Key, actions: Iterable[Any]) -> Upsert:
    """Sets attributes of an item, and creates it if it is missing."""
    return Upsert(model, key, list(actions), IS_PRESENT | IS_ABSENT, TableError)


def id_from(*texts: str) -> str:
    """Returns an id that depends on the words alone, so that a form sent twice makes one item."""
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:16]
