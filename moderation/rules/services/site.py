"""Changes how the site is set up. Each change is one transaction with its audit log entry. It takes effect at once in
this process, and in others after `SITE_RULES_SECONDS`.

The forms in `moderation/rules/forms/` check the fields. This module checks how many of each there may be.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from accounts.viewer import Viewer
from moderation.audit.record import record
from socialsite.clock import utc_now_iso
from socialsite.models import SiteRule, SiteSettings, WordRule
from socialsite.site.default_rules import REASONS, TEXTS, TITLES
from socialsite.site.site_rules import forget_site_rules, read_site_rules
from socialsite.site.site_setup import Rule, SiteRules
from socialsite.site.word_filters import Word
from socialsite.table import ids, keys
from socialsite.table.actions import IS_ABSENT, IS_PRESENT, Create, Delete, Upsert, WriteAction
from socialsite.table.errors import AlreadyExists, NotFound, TableError
from socialsite.table.meter import access_pattern

MOST_RULES = 30
MOST_WORDS = 500


class TooMany(TableError):
    """The list is full."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"at most {limit}")
        self.limit = limit


class ThereAlready(AlreadyExists):
    """It already exists."""


@access_pattern
def save_settings(*, by: Viewer, values: dict[str, Any]) -> None:
    """Sets who may sign up, what waits for a moderator, the banner and the log. Only values that change are logged.

    One consistent Query of the site's rules, then TransactWriteItems of SiteSettings and the audit entry.
    """
    before = read_site_rules()
    changed = {name: value for name, value in values.items() if getattr(before, name) != value}
    if not changed:
        return
    actions = []
    for name, value in changed.items():
        attribute = getattr(SiteSettings, name)
        actions.append(attribute.remove() if value == "" else attribute.set(value))
    detail = {name: [getattr(before, name), value] for name, value in changed.items()}
    change_site(by, "change settings", put(SiteSettings, keys.site_settings(), actions), **detail)


@access_pattern
def save_rule(
    *, by: Viewer, title: str, text: str, severity: int, reason: str = "", rule_id: str = ""
) -> None:
    """Adds a site rule, or changes the rule with this id. Raises `NotFound`, `ThereAlready` if another rule has the
    title, `TooMany`. Open cases keep the severity that they were reported with.

    One consistent Query, then TransactWriteItems of what changes: the first change of the built-in rules stores all.
    """
    before = read_site_rules()
    rules = list(before.rules)
    if any(rule.title == title and rule.rule_id != rule_id for rule in rules):
        raise ThereAlready(title)
    if rule_id:
        at = _place_of(rule_id, before)
        rules[at] = _in_own_words(replace(rules[at], severity=severity), title, text, reason)
        _save_rules(by, "edit rule", before, rules, rule=rule_id, title=title)
        return
    if len(rules) >= MOST_RULES:
        raise TooMany(MOST_RULES)
    new_id = id_from(title)
    if any(rule.rule_id == new_id for rule in rules):
        new_id = ids.new_id()
    last = max((rule.order for rule in rules), default=0)
    rules.append(Rule(new_id, severity, last + 1, title, text, reason))
    _save_rules(by, "add rule", before, rules, rule=new_id, title=title)


@access_pattern
def remove_rule(*, by: Viewer, rule_id: str) -> None:
    """Removes a site rule. The built-in rules come back when the last one is gone. Raises `NotFound`.

    One consistent Query, then TransactWriteItems of the rule, or of all others if the built-in rules were in use.
    """
    before = read_site_rules()
    title = before.rules[_place_of(rule_id, before)].title
    rules = [rule for rule in before.rules if rule.rule_id != rule_id]
    _save_rules(by, "remove rule", before, rules, rule=rule_id, title=title)


@access_pattern
def move_rule(*, by: Viewer, rule_id: str, up: bool) -> None:
    """Moves a rule one place up or down. A rule at the end stays there. Raises `NotFound`.

    One consistent Query, then TransactWriteItems of the rules whose place changes.
    """
    before = read_site_rules()
    rules = list(before.rules)
    at = _place_of(rule_id, before)
    to = at - 1 if up else at + 1
    if not 0 <= to < len(rules):
        return
    rules[at], rules[to] = rules[to], rules[at]
    ordered = [replace(rule, order=number) for number, rule in enumerate(rules)]
    _save_rules(by, "move rule", before, ordered, rule=rule_id, to=to)


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


def _place_of(rule_id: str, site: SiteRules) -> int:
    places = [at for at, rule in enumerate(site.rules) if rule.rule_id == rule_id]
    if not places:
        raise NotFound(rule_id)
    return places[0]


def _in_own_words(rule: Rule, title: str, text: str, reason: str) -> Rule:
    """Returns the rule with these words. Built-in words are left out, so that everyone reads them in their own
    language."""
    built_in = [str(words.get(rule.rule_id, "")) for words in (TITLES, TEXTS, REASONS)]
    if [title, text] == built_in[:2]:
        own_reason = "" if reason == built_in[2] else reason
        return replace(rule, own_title="", own_text="", own_reason=own_reason)
    return replace(rule, own_title=title, own_text=text, own_reason=reason)


def _save_rules(
    by: Viewer, action: str, before: SiteRules, after: list[Rule], **detail: Any
) -> None:
    stored = {rule.rule_id: rule for rule in before.rules} if before.has_own_rules else {}
    changed = [_stored(rule) for rule in after if stored.get(rule.rule_id) != rule]
    gone = stored.keys() - {rule.rule_id for rule in after}
    change_site(by, action, *changed, *(Delete(keys.site_rule(one)) for one in gone), **detail)


def _stored(rule: Rule) -> Upsert:
    own = (
        (SiteRule.title, rule.own_title),
        (SiteRule.text, rule.own_text),
        (SiteRule.reason, rule.own_reason),
    )
    actions = [
        SiteRule.rule_id.set(rule.rule_id),
        SiteRule.severity.set(rule.severity),
        SiteRule.order.set(rule.order),
        *(attribute.set(value) if value else attribute.remove() for attribute, value in own),
    ]
    return put(SiteRule, keys.site_rule(rule.rule_id), actions)
