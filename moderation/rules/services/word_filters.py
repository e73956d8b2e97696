"""Adds, edits and removes word filters. Each change is one transaction with its audit log entry."""

from accounts.viewer import Viewer
from moderation.rules.services.site import ThereAlready, TooMany, change_site, id_from
from socialsite.clock import utc_now_iso
from socialsite.models import WordRule
from socialsite.site.site_rules import read_site_rules
from socialsite.site.site_setup import SiteRules
from socialsite.site.word_filters import Effect, Word
from socialsite.table import keys
from socialsite.table.actions import Change, Create, Delete
from socialsite.table.errors import NotFound
from socialsite.table.meter import access_pattern

MOST_WORDS = 500


@access_pattern
def add_word_rule(*, by: Viewer, word: Word) -> None:
    """Adds a word filter. Raises `ThereAlready` for the same words or link again, and `TooMany`.

    One consistent Query, then TransactWriteItems of WordRule and the audit entry.
    """
    before = read_site_rules()
    _must_be_new(word, before)
    if len(before.words) >= MOST_WORDS:
        raise TooMany(MOST_WORDS)
    rule = WordRule.new(
        rule_id=_free_id(word, before),
        kind=word.kind,
        pattern=word.pattern,
        effect=word.effect,
        site_rule=word.site_rule,
        created=utc_now_iso(),
        options=word.options,
        days=_days(word),
    )
    create = Create(rule, ThereAlready)
    change_site(by, "add word rule", create, rule=rule.rule_id, **_detail(word))


@access_pattern
def save_word_rule(*, by: Viewer, rule_id: str, word: Word) -> None:
    """Changes a word filter in place: it keeps its id, its hits and its day. Raises `NotFound`, and `ThereAlready` if
    another filter has these words or this link. Does nothing if nothing changes.

    One consistent Query, then TransactWriteItems of WordRule and the audit entry, which names the words before.
    """
    before = read_site_rules()
    old = before.word_of(rule_id)
    if old is None:
        raise NotFound(rule_id)
    _must_be_new(word, before, besides=rule_id)
    detail, was = _detail(word), _detail(old)
    if detail == was and word.site_rule == old.site_rule:
        return
    actions = [
        WordRule.kind.set(word.kind),
        WordRule.pattern.set(word.pattern),
        WordRule.effect.set(word.effect),
        WordRule.site_rule.set(word.site_rule) if word.site_rule else WordRule.site_rule.remove(),
        WordRule.options.set(set(word.options)) if word.options else WordRule.options.remove(),
        WordRule.days.set(days) if (days := _days(word)) else WordRule.days.remove(),
    ]
    if old.pattern != word.pattern:
        detail["was"] = old.pattern
    change = Change(WordRule, keys.word_rule(rule_id), actions)
    change_site(by, "edit word rule", change, rule=rule_id, **detail)


@access_pattern
def remove_word_rule(*, by: Viewer, rule_id: str) -> None:
    """Removes a word filter. Raises `NotFound`. One consistent Query, then TransactWriteItems with the audit entry."""
    word = read_site_rules().word_of(rule_id)
    if word is None:
        raise NotFound(rule_id)
    delete = Delete(keys.word_rule(rule_id))
    change_site(by, "remove word rule", delete, rule=rule_id, **_detail(word))


def _must_be_new(word: Word, site: SiteRules, *, besides: str = "") -> None:
    same = (one for one in site.words if (one.kind, one.folded) == (word.kind, word.folded))
    if any(one.rule_id != besides for one in same):
        raise ThereAlready(word.pattern)


def _free_id(word: Word, site: SiteRules) -> str:
    """Returns an id that depends on the words alone, so that a form sent twice makes one filter. A filter that was
    edited may have the id of the words that it had."""
    taken = {one.rule_id for one in site.words}
    rule_id = id_from(word.kind, word.folded)
    while rule_id in taken:
        rule_id = id_from(rule_id)
    return rule_id


def _detail(word: Word) -> dict[str, str]:
    detail = {"kind": word.kind, "pattern": word.pattern, "effect": word.effect}
    if word.options:
        detail["options"] = ", ".join(sorted(word.options))
    if days := _days(word):
        detail["days"] = str(days)
    return detail


def _days(word: Word) -> int | None:
    return word.days if word.effect == Effect.LIMIT else None
