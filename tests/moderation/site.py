"""What tests of the site's rules share: setting it up as staff do, and looking at what was entered in the log."""

from datetime import UTC, datetime
from typing import Any

from accounts.people.viewer import Viewer
from moderation.models import AuditEntry
from moderation.rules.filter_writes import add_word_rule
from moderation.rules.writes import save_settings
from socialsite.site_settings.site_rules import read_site_rules
from socialsite.site_settings.word_filters import Word, WordKind
from socialsite.table import as_model, keys, query


def set_up(admin: Viewer, **values: Any) -> None:
    save_settings(by=admin, values=values)


def word_rule(
    admin: Viewer,
    pattern: str,
    effect: str,
    *,
    kind: str = WordKind.WORD,
    site_rule: str = "spam",
) -> str:
    """Adds a word rule and returns its id."""
    add_word_rule(by=admin, word=Word("", kind, pattern, effect, site_rule))
    return next(word.rule_id for word in read_site_rules().words if word.pattern == pattern)


def logged() -> list[tuple[str, str, dict[str, Any]]]:
    """Who did what with which detail, oldest first, as the audit log of this month has it."""
    month = datetime.now(UTC).strftime("%Y-%m")
    entries = [
        as_model(AuditEntry, raw) for raw in query(keys.audit_entries(month), consistent=True)
    ]
    return [(entry.moderator_id, entry.action, entry.detail or {}) for entry in entries]
