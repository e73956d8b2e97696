"""Changes how the site is set up: its rules and templates, each in one language at a time, and its settings. Each
change is one transaction with its audit log entry. It takes effect at once in this process, and in others after
`SITE_RULES_SECONDS`.

The forms check the fields, and the functions here how many of each there may be. Templates are messages that
moderators need often, saved under a title for one action. Slowing down, while a wave of new accounts comes, holds
newcomers' first posts for review and lets new accounts wait for approval; it ends by itself.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

from accounts.people.viewer import Viewer
from moderation.log.writes import record
from moderation.staff.writes import ThereAlready, TooMany
from socialsite.clock import utc_now
from socialsite.site_settings.models import SiteRule, SiteSettings, SiteText, TextPreset
from socialsite.site_settings.site_rules import forget_site_rules, read_site_rules
from socialsite.site_settings.site_setup import (
    NO_WORDS,
    Preset,
    Rule,
    SiteRules,
    TextKind,
    Words,
    built_in_words,
)
from socialsite.table import (
    IS_ABSENT,
    Delete,
    NotFound,
    TableError,
    Upsert,
    WriteAction,
    access_pattern,
    ids,
    keys,
)
from socialsite.table.actions import IS_PRESENT


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


class LastWords(TableError):
    """Without these words there would be none in any language."""


def changed_texts(
    kind: TextKind, subject_id: str, before: Mapping[str, Words], after: Mapping[str, Words]
) -> list[WriteAction]:
    """Returns what makes the words of `before` those of `after`: an action for each language that changes."""
    written = [
        _stored_words(kind, subject_id, language, words)
        for language, words in after.items()
        if before.get(language) != words
    ]
    gone = [Delete(keys.site_text(kind, subject_id, one)) for one in before if one not in after]
    return [*written, *gone]


def _stored_words(kind: TextKind, subject_id: str, language: str, words: Words) -> WriteAction:
    values = (
        (SiteText.subject_id, subject_id),
        (SiteText.title, words.title),
        (SiteText.text, words.text),
        (SiteText.reason, words.reason),
    )
    actions = [
        SiteText.kind.set(str(kind)),
        SiteText.language.set(language),
        *(attribute.set(value) if value else attribute.remove() for attribute, value in values),
    ]
    return put(SiteText, keys.site_text(kind, subject_id, language), actions)


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

    One consistent Query, then TransactWriteItems of what changes: the first change of the built-in rules stores all. In
    all 6 write units, 18 for such a first change, 2 more in another language than the site's own, and 2 read units.
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

    One consistent Query, then TransactWriteItems of the rule, its text and the audit entry. In all 8 write units and 2
    read units.
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

    One consistent Query, then TransactWriteItems of the rule, or of all others if the built-in rules were in use. In
    all 6 or 14 write units and 2 read units.
    """
    before = read_site_rules()
    title = before.rules[_place_of(rule_id, before)].title
    rules = [rule for rule in before.rules if rule.rule_id != rule_id]
    _save_rules(by, "remove rule", before, rules, rule=rule_id, title=title)


@access_pattern
def move_rule(*, by: Viewer, rule_id: str, up: bool) -> None:
    """Moves a rule one place up or down. A rule at the end stays there. Raises `NotFound`.

    One consistent Query, then TransactWriteItems of the rules whose place changes. In all 8 or 16 write units and 2
    read units.
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
            actions += [_stored_rule(rule), *_texts_of_rule(rule.rule_id, was, rule)]
    for rule_id, rule in stored.items():
        if rule_id not in kept:
            actions += [Delete(keys.site_rule(rule_id)), *_texts_of_rule(rule_id, rule, None)]
    change_site(by, action, *actions, **detail)


def _texts_of_rule(rule_id: str, was: Rule | None, is_now: Rule | None) -> Sequence[WriteAction]:
    before, after = was.texts if was else {}, is_now.texts if is_now else {}
    return changed_texts(TextKind.RULE, rule_id, before, after)


def _stored_rule(rule: Rule) -> Upsert:
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


MOST_PRESETS = 50


@access_pattern
def save_preset(
    *,
    by: Viewer,
    action: str,
    title: str,
    text: str,
    language: str,
    preset_id: str = "",
    rule: str = "",
) -> None:
    """Adds a template with its words in this language, or changes the template with this id and leaves its words in the
    others. `rule` is the one that it is for, empty for all. Raises `NotFound`, `ThereAlready` if another template of
    the same action has the title, `TooMany`.

    One consistent Query, then TransactWriteItems of TextPreset, of its SiteText in another language than the site's
    own, and the audit entry. In all 6 or 8 write units and 2 read units.
    """
    presets = read_site_rules().presets
    before = _found_preset(preset_id, presets) if preset_id else Preset("", action)
    others = [one for one in presets if one is not before and one.action == action]
    if any(one.words_in(language).title == title for one in others):
        raise ThereAlready(title)
    if not preset_id and len(presets) >= MOST_PRESETS:
        raise TooMany(MOST_PRESETS)
    after = replace(
        before.with_words(language, Words(title, text)),
        preset_id=preset_id or id_from(action, title),
        action=action,
        rule_id=rule,
    )
    detail = {"title": title, "language": language}
    change_site(by, "save preset", *_stored_preset(before, after), **detail)


@access_pattern
def remove_preset_words(*, by: Viewer, preset_id: str, language: str) -> None:
    """Removes the words of a template in one language. Raises `NotFound` if there are none, `LastWords` for its last
    ones. One consistent Query, then TransactWriteItems of TextPreset, its text and the audit entry. In all 8 write
    units and 2 read units."""
    before = _found_preset(preset_id, read_site_rules().presets)
    if language not in before.written:
        raise NotFound("no words in this language")
    if len(before.written) == 1:
        raise LastWords(preset_id)
    after = before.with_words(language, NO_WORDS)
    detail = {"title": before.title, "language": language}
    change_site(by, "remove words of preset", *_stored_preset(before, after), **detail)


@access_pattern
def remove_preset(*, by: Viewer, preset_id: str) -> None:
    """Removes a template in all languages. Raises `NotFound`. One consistent Query, TransactWriteItems with the audit
    entry. In all 6 write units and 2 read units."""
    found = _found_preset(preset_id, read_site_rules().presets)
    texts = changed_texts(TextKind.PRESET, preset_id, found.texts, {})
    gone = Delete(keys.text_preset(preset_id))
    change_site(by, "remove preset", gone, *texts, title=found.title)


def _found_preset(preset_id: str, presets: Sequence[Preset]) -> Preset:
    for preset in presets:
        if preset.preset_id == preset_id:
            return preset
    raise NotFound("no such text")


def _stored_preset(before: Preset, after: Preset) -> list[WriteAction]:
    own = ((TextPreset.title, after.own.title), (TextPreset.text, after.own.text))
    actions = [
        TextPreset.preset_id.set(after.preset_id),
        TextPreset.action.set(after.action),
        TextPreset.rule_id.set(after.rule_id) if after.rule_id else TextPreset.rule_id.remove(),
        *(attribute.set(value) if value else attribute.remove() for attribute, value in own),
    ]
    texts = changed_texts(TextKind.PRESET, after.preset_id, before.texts, after.texts)
    return [put(TextPreset, keys.text_preset(after.preset_id), actions), *texts]


@access_pattern
def save_settings(
    *, by: Viewer, values: dict[str, Any], banners: Mapping[str, str] | None = None
) -> None:
    """Sets who may sign up, what waits for a moderator, the banner and the log. `banners` is the banner in languages
    other than the site's own: all that there are, None to leave them. Only values that change are logged.

    One consistent Query of the site's rules, then TransactWriteItems of SiteSettings, a SiteText for each banner that
    changes, and the audit entry. In all 6 write units and 2 read units.
    """
    before = read_site_rules()
    changed = {name: value for name, value in values.items() if getattr(before, name) != value}
    old, new = before.banners, before.banners if banners is None else banners
    texts = changed_texts(TextKind.BANNER, "", _as_words(old), _as_words(new))
    if not changed and not texts:
        return
    actions = []
    for name, value in changed.items():
        attribute = getattr(SiteSettings, name)
        actions.append(attribute.remove() if value == "" else attribute.set(value))
    detail = {name: [getattr(before, name), value] for name, value in changed.items()}
    for one in sorted({*old, *new}):
        if old.get(one, "") != new.get(one, ""):
            detail[f"banner {one}"] = [old.get(one, ""), new.get(one, "")]
    stored = [put(SiteSettings, keys.site_settings(), actions)] if actions else []
    change_site(by, "change settings", *stored, *texts, **detail)


def _as_words(banners: Mapping[str, str]) -> dict[str, Words]:
    return {language: Words(text=text) for language, text in banners.items() if text}


@access_pattern
def slow_down(*, by: Viewer, hours: int) -> None:
    """Slows the site down for so many hours from now. Pressed again, it counts from then. One TransactWriteItems of
    SiteSettings and the audit entry, 6 write units and 1 read unit."""
    until = (utc_now() + timedelta(hours=hours)).isoformat(timespec="seconds")
    slow = put(SiteSettings, keys.site_settings(), [SiteSettings.slow_until.set(until)])
    change_site(by, "slow down", slow, until=until)


@access_pattern
def speed_up(*, by: Viewer) -> None:
    """Ends the slowdown of the site at once. What waits goes on waiting. As `slow_down`, 6 write units and 1 read
    unit."""
    as_before = put(SiteSettings, keys.site_settings(), [SiteSettings.slow_until.remove()])
    change_site(by, "speed up", as_before)
