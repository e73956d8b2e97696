"""How this site is set up: who may sign up, site rules, word filters, blocks, and moderators' templates.

Every request needs it, so each process keeps a copy, and reads it again when it is older than `SITE_RULES_SECONDS`.
Otherwise one item would limit the whole site. `site_setup.py` says what each value means, and
`moderation/rules/writes.py` changes them.
"""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from ipaddress import ip_network
from typing import Any

from django.conf import settings
from django.http import HttpRequest

from socialsite.engine.program import EngineError
from socialsite.process_state import KeptCopy
from socialsite.site_settings.help_lines import readable_lines
from socialsite.site_settings.levels import DEFAULT_LEVELS, Level, LevelSetup
from socialsite.site_settings.models import (
    AddressBlock,
    EmailDomainBlock,
    RefusedTopic,
    SiteHelp,
    SiteLevel,
    SiteMaintenance,
    SiteRule,
    SiteSettings,
    SiteText,
    SiteVoteNotice,
    TextPreset,
    WordRule,
)
from socialsite.site_settings.site_setup import (
    DEFAULT_RULES,
    BlockedNetwork,
    Maintenance,
    OpenVote,
    Preset,
    Rule,
    SignUp,
    SiteRules,
    TextKind,
    Words,
)
from socialsite.site_settings.word_filters import DAYS_LIMITED, Word
from socialsite.table import RawItem, TableError, access_pattern, keys, query, row

OWN_UNTIL_CHOSEN = ("junior_wave", "junior_days", "junior_level", "looks_before_pause")
LIMITS = ("links", "photos", "mentions")  # of a level, stored as `most_…`

Texts = dict[tuple[str, str], dict[str, Words]]  # by kind and id, then by language


def site_rules() -> SiteRules:
    """Returns this process's copy. At most once in `SITE_RULES_SECONDS` it costs as much as `read_site_rules`. If that
    read fails, the old copy stays in use. Raises `Unavailable` if there never was a copy."""
    return _kept.get()


def known_site_rules() -> SiteRules | None:
    """Returns this process's copy however old it is, None if it never read one. Costs nothing."""
    copy = _kept.copy
    return copy.value if copy else None


def rule_of(rule_id: str) -> Rule:
    return site_rules().rule_of(rule_id)


def forget_site_rules() -> None:
    """Drops the copy. Call it after a change, so that the next use in this process reads the rules again."""
    _kept.forget()


def in_templates(request: HttpRequest) -> dict[str, Any]:
    """The context processor for `site_banner` and the `open_votes`. Both are empty while the rules cannot be read, so
    no page fails because of them."""
    try:
        site = site_rules()
    except (TableError, EngineError):
        return {"site_banner": "", "open_votes": ()}
    return {
        "site_banner": site.shown_banner,
        "open_votes": [vote for vote in site.votes if vote.is_open],
    }


@access_pattern
def read_site_rules() -> SiteRules:
    """Reads the whole set-up as it is now. Each process asks once in 10 seconds, pages of staff each time. One
    consistent Query of `PK = site`, 1 read unit per 4 KB."""
    found: dict[str, list[RawItem]] = {}
    for raw in query(keys.site(), consistent=True):
        found.setdefault(raw["type"]["S"], []).append(raw)
    texts = _texts(found.get("SiteText", ()))
    rules = sorted(
        (_rule(raw, texts) for raw in found.get("SiteRule", ())),
        key=lambda one: (one.order, one.rule_id),
    )
    words = sorted(map(_word, found.get("WordRule", ())), key=lambda word: word.rule_id)
    domains = [row(EmailDomainBlock, raw).domain for raw in found.get("EmailDomainBlock", ())]
    return SiteRules(
        **_settings(found.get("SiteSettings", [{}])[0]),
        **_help(found.get("SiteHelp", ())),
        rules=tuple(rules) or DEFAULT_RULES,
        has_own_rules=bool(rules),
        words=tuple(words),
        domains=tuple(domains),
        refused_topics=frozenset(
            row(RefusedTopic, raw).tag for raw in found.get("RefusedTopic", ())
        ),
        networks=tuple(map(_network, found.get("AddressBlock", ()))),
        presets=tuple(_preset(raw, texts) for raw in found.get("TextPreset", ())),
        maintenance=_maintenance(found.get("SiteMaintenance", ())),
        levels=_levels(found.get("SiteLevel", ()), texts),
        votes=tuple(map(_vote, found.get("SiteVoteNotice", ()))),
        banners={code: words.text for code, words in texts.get((TextKind.BANNER, ""), {}).items()},
    )


_kept = KeptCopy(
    lambda: read_site_rules(),
    seconds=lambda: settings.SITE_RULES_SECONDS,
    despite=(TableError, EngineError),
)


def _settings(raw: RawItem) -> dict[str, Any]:
    setup = row(SiteSettings, raw)
    return {
        "sign_up": setup.sign_up or SignUp.OPEN,
        "sign_ups_a_day": setup.sign_ups_a_day,
        "hold_first_posts": setup.hold_first_posts,
        "banner": setup.banner,
        "banner_until": setup.banner_until,
        "public_log": setup.public_log,
        "log_shows_names": setup.log_shows_names,
        "slow_until": setup.slow_until,
        "translate_url": setup.translate_url or "",
        "topics_shown": setup.topics_shown,
        **_chosen(raw),
    }


def _chosen(raw: RawItem) -> dict[str, Any]:
    """Returns what staff chose of that which has a value of its own until they do: 0 is a choice."""
    setup = row(SiteSettings, raw)
    found = {name: getattr(setup, name) for name in OWN_UNTIL_CHOSEN if name in raw}
    return {name: one if isinstance(one, str) else int(one) for name, one in found.items()}


def _help(raws: Iterable[RawItem]) -> dict[str, Any]:
    for raw in raws:
        kept = row(SiteHelp, raw)
        return {"help_lines": readable_lines(kept.lines), "danger_role": kept.danger_role}
    return {}


def _maintenance(raws: Iterable[RawItem]) -> Maintenance | None:
    for raw in raws:
        kept = row(SiteMaintenance, raw)
        told_end = "" if kept.open_ended else kept.ends
        return Maintenance(kept.begins, kept.ends, told_end, kept.message or "")
    return None


def _texts(raws: Iterable[RawItem]) -> Texts:
    """Returns the words by what they belong to and by language. A language that the site no longer has is left out."""
    found: Texts = {}
    for raw in raws:
        text = row(SiteText, raw)
        if text.language in dict(settings.LANGUAGES):
            words = Words(text.title, text.text, text.reason)
            found.setdefault((text.kind, text.subject_id), {})[text.language] = words
    return found


def _rule(raw: RawItem, texts: Texts) -> Rule:
    rule = row(SiteRule, raw)
    return Rule(
        rule_id=rule.rule_id,
        severity=int(rule.severity),
        order=int(rule.order),
        own_title=rule.title,
        own_text=rule.text,
        own_reason=rule.reason,
        texts=texts.get((TextKind.RULE, rule.rule_id), {}),
    )


def _word(raw: RawItem) -> Word:
    rule = row(WordRule, raw)
    return Word(
        rule_id=rule.rule_id,
        kind=rule.kind,
        pattern=rule.pattern,
        effect=rule.effect,
        site_rule=rule.site_rule,
        created=rule.created,
        options=frozenset(rule.options),
        days=int(rule.days or DAYS_LIMITED),
    )


def _network(raw: RawItem) -> BlockedNetwork:
    block = row(AddressBlock, raw)
    return BlockedNetwork(ip_network(block.network), block.effect, block.comment)


def _preset(raw: RawItem, texts: Texts) -> Preset:
    preset = row(TextPreset, raw)
    return Preset(
        preset.preset_id,
        preset.action,
        Words(preset.title, preset.text),
        texts.get((TextKind.PRESET, preset.preset_id), {}),
        preset.rule_id or "",
    )


def _levels(raws: Iterable[RawItem], texts: Texts) -> tuple[LevelSetup, ...]:
    """Returns all levels in their order, those that staff never changed as they are built in."""
    stored = {row(SiteLevel, raw).level: raw for raw in raws}
    return tuple(_level(one, stored.get(one.level), texts) for one in DEFAULT_LEVELS)


def _level(built_in: LevelSetup, stored: RawItem | None, texts: Texts) -> LevelSetup:
    words = texts.get((TextKind.LEVEL, built_in.level), {})
    names = {code: one.title for code, one in words.items()}
    if stored is None:
        return replace(built_in, names=names)
    asked = row(SiteLevel, stored)
    return LevelSetup(
        Level(built_in.level),
        days=int(asked.days),
        posts=int(asked.posts),
        names=names,
        **{name: int(stored[f"most_{name}"]["N"]) for name in LIMITS if f"most_{name}" in stored},
    )


def _vote(raw: RawItem) -> OpenVote:
    notice = row(SiteVoteNotice, raw)
    return OpenVote(notice.vote_id, notice.question, datetime.fromisoformat(notice.ends))
