"""Changes the rules of the site, each in one language at a time."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from accounts.viewer import Viewer
from moderation.rules.services.site import ThereAlready, TooMany, change_site, id_from, put
from moderation.rules.services.site_texts import LastWords, changed_texts
from socialsite.models import SiteRule
from socialsite.site.site_rules import read_site_rules
from socialsite.site.site_setup import Rule, SiteRules
from socialsite.site.site_texts import NO_WORDS, TextKind, Words, built_in_words
from socialsite.table import ids, keys
from socialsite.table.actions import Delete, Upsert, WriteAction
from socialsite.table.errors import NotFound
from socialsite.table.meter import access_pattern

MOST_RULES = 30


@access_pattern
def save_rule(
    *,
    by: Viewer,
    title: str,
    text: str,
    severity: int,
    language: str,
    reason: str = "",
    rule_id: str = "",
) -> None:
    """Adds a site rule with its words in this language, or changes the rule with this id and leaves its words in the
    others. Raises `NotFound`, `ThereAlready` if another rule has the title, `TooMany`. Open cases keep the severity
    that they were reported with.

    One consistent Query, then TransactWriteItems of what changes: the first change of the built-in rules stores all.
    """
    before = read_site_rules()
    rules = list(before.rules)
    if any(one.words_in(language).title == title and one.rule_id != rule_id for one in rules):
        raise ThereAlready(title)
    words = Words(title, text, reason)
    if rule_id:
        at = _place_of(rule_id, before)
        changed = replace(rules[at], severity=severity)
        rules[at] = changed.with_words(language, _own_words(changed, language, words))
        detail = {"rule": rule_id, "title": title, "language": language}
        _save_rules(by, "edit rule", before, rules, **detail)
        return
    if len(rules) >= MOST_RULES:
        raise TooMany(MOST_RULES)
    new_id = id_from(title)
    if any(one.rule_id == new_id for one in rules):
        new_id = ids.new_id()
    last = max((one.order for one in rules), default=0)
    rules.append(Rule(new_id, severity, last + 1).with_words(language, words))
    _save_rules(by, "add rule", before, rules, rule=new_id, title=title)


@access_pattern
def remove_rule_words(*, by: Viewer, rule_id: str, language: str) -> None:
    """Removes the words of a rule in one language. A built-in rule has its built-in words again, any other those of
    another language. Raises `NotFound` if there are none, `LastWords` for the last ones of a rule that is not built in.

    One consistent Query, then TransactWriteItems of the rule, its text and the audit entry.
    """
    before = read_site_rules()
    rules = list(before.rules)
    at = _place_of(rule_id, before)
    if language not in rules[at].written:
        raise NotFound("no words in this language")
    if not rules[at].is_built_in and len(rules[at].written) == 1:
        raise LastWords(rule_id)
    rules[at] = rules[at].with_words(language, NO_WORDS)
    _save_rules(by, "remove words of rule", before, rules, rule=rule_id, language=language)


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


def _place_of(rule_id: str, site: SiteRules) -> int:
    places = [at for at, rule in enumerate(site.rules) if rule.rule_id == rule_id]
    if not places:
        raise NotFound(rule_id)
    return places[0]


def _own_words(rule: Rule, language: str, words: Words) -> Words:
    """Returns the words without those that are built in, which need not be stored."""
    if not rule.is_built_in:
        return words
    built_in = built_in_words(rule.rule_id, language)
    if (words.title, words.text) != (built_in.title, built_in.text):
        return words
    return Words(reason="" if words.reason == built_in.reason else words.reason)


def _save_rules(
    by: Viewer, action: str, before: SiteRules, after: list[Rule], **detail: Any
) -> None:
    stored = {rule.rule_id: rule for rule in before.rules} if before.has_own_rules else {}
    kept = {rule.rule_id for rule in after}
    actions: list[WriteAction] = []
    for rule in after:
        was = stored.get(rule.rule_id)
        if was != rule:
            actions += [_stored(rule), *_texts(rule.rule_id, was, rule)]
    for rule_id, rule in stored.items():
        if rule_id not in kept:
            actions += [Delete(keys.site_rule(rule_id)), *_texts(rule_id, rule, None)]
    change_site(by, action, *actions, **detail)


def _texts(rule_id: str, was: Rule | None, is_now: Rule | None) -> Sequence[WriteAction]:
    before, after = was.texts if was else {}, is_now.texts if is_now else {}
    return changed_texts(TextKind.RULE, rule_id, before, after)


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
