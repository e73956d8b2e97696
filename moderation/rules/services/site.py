"""Changes how the site is set up. Each change is one transaction with its audit log entry. It takes effect at once in
this process, and in others after `SITE_RULES_SECONDS`. Its neighbours change the rules, the settings, the templates
and the blocks; this module has what they share, and the word filters.

The forms in `moderation/rules/forms/` check the fields. This module checks how many of each there may be.
"""

import hashlib
from collections.abc import Iterable
from typing import Any

from accounts.viewer import Viewer
from moderation.audit.record import record
from socialsite.clock import utc_now_iso
from socialsite.models import WordRule
from socialsite.site.site_rules import forget_site_rules, read_site_rules
from socialsite.site.word_filters import Word
from socialsite.table import keys
from socialsite.table.actions import IS_ABSENT, IS_PRESENT, Create, Delete, Upsert, WriteAction
from socialsite.table.errors import AlreadyExists, NotFound, TableError
from socialsite.table.meter import access_pattern

MOST_WORDS = 500


class TooMany(TableError):
    """The list is full."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"at most {limit}")
        self.limit = limit


class ThereAlready(AlreadyExists):
    """It already exists."""


@access_pattern
def add_word_rule(*, by: Viewer, word: Word) -> None:
    """Adds a word filter. Raises `ThereAlready` for the same words or link again, and `TooMany`.

    One consistent Query, then TransactWriteItems of WordRule and the audit entry.
    """
    if len(read_site_rules().words) >= MOST_WORDS:
        raise TooMany(MOST_WORDS)
    rule = WordRule.new(
        rule_id=id_from(word.kind, word.folded),
        kind=word.kind,
        pattern=word.pattern,
        effect=word.effect,
        site_rule=word.site_rule,
        created=utc_now_iso(),
    )
    detail = {"kind": word.kind, "pattern": word.pattern, "effect": word.effect}
    change_site(by, "add word rule", Create(rule, ThereAlready), rule=rule.rule_id, **detail)


@access_pattern
def remove_word_rule(*, by: Viewer, rule_id: str) -> None:
    """Removes a word filter. Raises `NotFound`. One consistent Query, then TransactWriteItems with the audit entry."""
    word = next((one for one in read_site_rules().words if one.rule_id == rule_id), None)
    if word is None:
        raise NotFound(rule_id)
    detail = {"kind": word.kind, "pattern": word.pattern, "effect": word.effect}
    change_site(by, "remove word rule", Delete(keys.word_rule(rule_id)), rule=rule_id, **detail)


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
