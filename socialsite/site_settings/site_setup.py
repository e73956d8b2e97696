"""What a site can be set up to be: settings, rules and their texts, and what stands where staff wrote nothing."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from ipaddress import IPv4Network, IPv6Network, ip_address
from typing import TypeVar

from django.conf import settings
from django.utils.translation import get_language, gettext, override
from django.utils.translation import gettext_lazy as _

from socialsite.clock import utc_now, utc_now_iso
from socialsite.hosts import is_within, normal_host
from socialsite.site_settings.help_lines import BUILT_IN, HelpLine, country_of_zone, read_lines
from socialsite.site_settings.levels import DEFAULT_LEVELS, Level, LevelSetup
from socialsite.site_settings.word_filters import Effect, Word, matches

URGENT, SERIOUS, MINOR = 1, 2, 3
OTHER = "other"  # as a reason that no rule names
DANGER = (
    "danger"  # as the reason that someone needs help: no rule is broken, and nothing is more urgent
)
CHILD = "child"  # as the reason, and the rule, that no site can do without; it is urgent whoever says so
ALWAYS_URGENT = {DANGER, CHILD}

SEVERITIES = {
    "violence": URGENT,
    "illegal": URGENT,
    "harassment": SERIOUS,
    "sexual": SERIOUS,
    "impersonation": SERIOUS,
    "spam": MINOR,
}
TITLES = {
    "violence": _("No violence or threats"),
    "illegal": _("Nothing illegal"),
    "harassment": _("No harassment or hate"),
    "sexual": _("No sexual content without a warning"),
    "impersonation": _("Don’t pretend to be someone else"),
    "spam": _("No spam"),
    DANGER: _("Someone is in danger"),
    CHILD: _("No sexual pictures of children"),
    OTHER: _("Something else"),
}
REASONS = {
    "violence": _("Violence or threats"),
    "illegal": _("Something illegal"),
    "harassment": _("Harassment or hate"),
    "sexual": _("Sexual content without a warning"),
    "impersonation": _("Pretending to be someone else"),
    "spam": _("Spam"),
    DANGER: _("Someone is in danger"),
    CHILD: _("Sexual picture of a child"),
    OTHER: _("Something else"),
}
TEXTS = {
    "violence": _("Don’t threaten anyone, and don’t call for violence or praise it."),
    "illegal": _("Don’t post or offer anything that’s against the law."),
    "harassment": _(
        "Don’t harass people, and don’t put anyone down for where they come from, what "
        "they believe, who they love or who they are."
    ),
    "sexual": _("Nobody should see nudity or sex unless they’ve chosen to look."),
    "impersonation": _("Don’t pose as another person, a company or the staff of this site."),
    "spam": _("Don’t advertise over and over, scam people or post the same thing everywhere."),
    CHILD: _("Nobody may upload, post or send a sexual picture of a child."),
}  # fmt: skip

T = TypeVar("T")


# What staff wrote in the languages of the site: the words of rules and templates, and the banner.
#
# The words in `LANGUAGE_CODE` stand in the item of the rule, the template or the settings itself. Those in each
# other language are a `SiteText`. `site_setup.py` says what a reader gets where a language has no words.


class TextKind(StrEnum):
    RULE = "rule"
    PRESET = "preset"
    BANNER = "banner"
    LEVEL = "level"


@dataclass(frozen=True, slots=True)
class Words:
    """What was written in one language. A rule's `title` and `text` are empty where only its reason was changed."""

    title: str = ""
    text: str = ""
    reason: str = ""


NO_WORDS = Words()


def site_languages() -> list[str]:
    """Returns the codes of the languages of the site, its own first."""
    others = [code for code, _ in settings.LANGUAGES if code != settings.LANGUAGE_CODE]
    return [settings.LANGUAGE_CODE, *others]


def readers_language() -> str:
    return get_language() or settings.LANGUAGE_CODE


def in_language(written: Mapping[str, T], language: str) -> T | None:
    """Returns what was written in this language, otherwise in the site's own, otherwise in the first that has it."""
    order = (language, *site_languages())
    return next((written[code] for code in order if code in written), None)


def with_words(
    own: Words, texts: Mapping[str, Words], language: str, words: Words
) -> tuple[Words, dict[str, Words]]:
    """Returns the words in the site's own language and in the others after a change in one. Empty words are left
    out."""
    if language == settings.LANGUAGE_CODE:
        return words, dict(texts)
    return own, {**_without(texts, language), **({language: words} if words != NO_WORDS else {})}


def written_in(own: Words, texts: Mapping[str, Words]) -> dict[str, Words]:
    """Returns the words in every language that has some."""
    return {**({settings.LANGUAGE_CODE: own} if own != NO_WORDS else {}), **texts}


def is_built_in(rule_id: str) -> bool:
    return rule_id in TITLES


def built_in_words(rule_id: str, language: str) -> Words:
    """Returns the words of a built-in rule in a language, those of "something else" for any other rule."""
    with override(language):
        return Words(
            title=str(TITLES.get(rule_id, TITLES[OTHER])),
            text=str(TEXTS.get(rule_id, "")),
            reason=str(REASONS.get(rule_id, REASONS[OTHER])),
        )


def _without(texts: Mapping[str, Words], language: str) -> dict[str, Words]:
    return {code: words for code, words in texts.items() if code != language}


class SignUp(StrEnum):
    OPEN = "open"
    INVITE = "invite"  # only with an invitation
    APPROVAL = "approval"  # everyone waits until a moderator approves
    CLOSED = "closed"


class AddressEffect(StrEnum):
    BLOCK = "block"
    APPROVAL = "approval"


@dataclass(frozen=True, slots=True)
class Rule:
    """A site rule. `own_…` are its words in the site's own language, `texts` those in others. A built-in rule is shown
    in its built-in words in each language in which it has none of its own."""

    rule_id: str
    severity: int
    order: int = 0
    own_title: str = ""
    own_text: str = ""
    own_reason: str = ""
    texts: Mapping[str, Words] = field(default_factory=dict)

    @property
    def title(self) -> str:
        return self.words_in(readers_language()).title

    @property
    def reason(self) -> str:
        """Returns what breaks the rule, as reports and cases name it: "Spam" for "No spam"."""
        words = self.words_in(readers_language())
        return words.reason or gettext("Breaks “%(rule)s”") % {"rule": words.title}

    @property
    def text(self) -> str:
        return self.words_in(readers_language()).text

    @property
    def written(self) -> dict[str, Words]:
        return written_in(Words(self.own_title, self.own_text, self.own_reason), self.texts)

    @property
    def is_built_in(self) -> bool:
        return is_built_in(self.rule_id)

    def words_in(self, language: str) -> Words:
        """Returns the words that readers of this language see. Without a reason the rule itself is named."""
        written = self.written
        own = written.get(language) if self.is_built_in else in_language(written, language)
        if own is None:
            return built_in_words(self.rule_id, language)
        if not own.title:
            return replace(built_in_words(self.rule_id, language), reason=own.reason)
        return own

    def with_words(self, language: str, words: Words) -> "Rule":
        own = Words(self.own_title, self.own_text, self.own_reason)
        own, texts = with_words(own, self.texts, language, words)
        return replace(
            self, own_title=own.title, own_text=own.text, own_reason=own.reason, texts=texts
        )


@dataclass(frozen=True, slots=True)
class Preset:
    """A template. `own` are its words in the site's own language, `texts` those in others. `rule_id` is the rule that
    it is for, empty for all."""

    preset_id: str
    action: str
    own: Words = NO_WORDS
    texts: Mapping[str, Words] = field(default_factory=dict)
    rule_id: str = ""

    @property
    def title(self) -> str:
        return self.words_in(readers_language()).title

    @property
    def text(self) -> str:
        return self.words_in(readers_language()).text

    @property
    def written(self) -> dict[str, Words]:
        return written_in(self.own, self.texts)

    def words_in(self, language: str) -> Words:
        """Returns the words that people who read this language get."""
        return in_language(self.written, language) or NO_WORDS

    def with_words(self, language: str, words: Words) -> "Preset":
        own, texts = with_words(self.own, self.texts, language, words)
        return replace(self, own=own, texts=texts)


@dataclass(frozen=True, slots=True)
class BlockedNetwork:
    network: IPv4Network | IPv6Network
    effect: str
    comment: str = ""


DEFAULT_RULES = tuple(
    Rule(rule_id, severity, order) for order, (rule_id, severity) in enumerate(SEVERITIES.items())
)
IMPERSONATION = "impersonation"  # the built-in rule, whose reports can name the original
SOMETHING_ELSE = Rule(OTHER, MINOR)
IN_DANGER = Rule(DANGER, URGENT)
CHILD_RULE = Rule(CHILD, URGENT)
SLOW_FIRST_POSTS = 3  # of each newcomer wait for review while the site is slowed down


@dataclass(frozen=True, slots=True)
class OpenVote:
    """A question that is put to the vote, for the links on every page."""

    vote_id: str
    question: str
    ends: datetime

    @property
    def is_open(self) -> bool:
        return utc_now() < self.ends


@dataclass(frozen=True, slots=True)
class Maintenance:
    """The time in which the site is only read. `told_end` is empty if people are told no end."""

    begins: str
    ends: str
    told_end: str
    message: str

    @property
    def is_on(self) -> bool:
        return self.begins <= utc_now_iso() < self.ends

    @property
    def is_ahead(self) -> bool:
        return utc_now_iso() < self.begins


@dataclass(frozen=True)
class SiteRules:
    """Everything in partition `site`. The defaults apply if nothing is stored."""

    sign_up: str = SignUp.OPEN
    sign_ups_a_day: int = 0  # 0: no limit
    hold_first_posts: int = 0  # how many first posts of a newcomer wait for review
    banner: str = ""  # in the site's own language
    banners: Mapping[str, str] = field(default_factory=dict)  # in the others
    banner_until: str = ""  # ISO, empty: no end
    public_log: bool = False
    log_shows_names: bool = False
    slow_until: str = ""  # ISO, empty: the site is not slowed down
    topics_shown: bool = False  # what many talk about now, on Explore
    junior_wave: int = 10  # cases in a wave of a junior moderator
    junior_days: int = 7  # the longest restriction or suspension by one; 0: none at all
    junior_level: str = Level.REGULAR  # of the most trusted people whom one may act against
    looks_before_pause: int = 20  # reported pictures on one day; 0: never
    refused_topics: frozenset[str] = frozenset()  # tags that are never among them
    rules: tuple[Rule, ...] = DEFAULT_RULES
    has_own_rules: bool = False
    words: tuple[Word, ...] = ()
    domains: tuple[str, ...] = ()
    networks: tuple[BlockedNetwork, ...] = ()
    presets: tuple[Preset, ...] = ()
    translate_url: str = ""  # of a translation service, with {text}; empty: no links to one
    votes: tuple[OpenVote, ...] = ()
    levels: tuple[LevelSetup, ...] = DEFAULT_LEVELS
    maintenance: Maintenance | None = None
    help_lines: tuple[HelpLine, ...] = read_lines(BUILT_IN)
    danger_role: str = (
        ""  # who is told at once that someone is in danger; empty: all who decide cases
    )

    @property
    def is_slow(self) -> bool:
        """Whether staff have slowed the site down, which ends by itself."""
        return utc_now_iso() < self.slow_until

    @property
    def sign_up_now(self) -> str:
        """Returns who can sign up at this moment: while the site is slow, nobody without a moderator or an
        invitation."""
        return SignUp.APPROVAL if self.is_slow and self.sign_up == SignUp.OPEN else self.sign_up

    @property
    def held_first_posts_now(self) -> int:
        """Returns how many first posts wait for review at this moment."""
        return max(self.hold_first_posts, SLOW_FIRST_POSTS if self.is_slow else 0)

    @property
    def shown_banner(self) -> str:
        """Returns the banner in the reader's language, otherwise in the site's own or the first that has one."""
        if self.banner_until and utc_now_iso() >= self.banner_until:
            return ""
        written = {**({settings.LANGUAGE_CODE: self.banner} if self.banner else {}), **self.banners}
        return in_language(written, readers_language()) or ""

    def rule_of(self, rule_id: str) -> Rule:
        """Returns the rule with this id, "something else" for an empty id or a rule that is gone. Danger counts as one
        here, though nobody breaks it, and so does what every site forbids."""
        if rule_id in ALWAYS_URGENT:
            return IN_DANGER if rule_id == DANGER else CHILD_RULE
        return next((rule for rule in self.rules if rule.rule_id == rule_id), SOMETHING_ELSE)

    def level_of(self, stored: str | None) -> LevelSetup:
        """Returns the level that `UserInfo.level` names."""
        level = Level.of(stored)
        return next(one for one in self.levels if one.level == level)

    def word_of(self, rule_id: str) -> Word | None:
        """Returns the word filter with this id, None if it is gone."""
        return next((word for word in self.words if word.rule_id == rule_id), None)

    def words_met(self, flagged: str) -> list[Word]:
        """Returns the word filters that `Post.flagged` names, if they still exist."""
        ids = flagged.split()
        return [word for word in self.words if word.rule_id in ids]

    def refusal_in_private(self, text: str) -> str:
        """As `refusal`, for private words. No moderator reads them, so a filter that holds a post, or limits its
        author, refuses them too; one that only reports posts lets them through."""
        return self.refusal(text, effects=(Effect.HOLD, Effect.LIMIT, Effect.REFUSE))

    def refusal(self, text: str, *, effects: Collection[Effect] = (Effect.REFUSE,)) -> str:
        """Returns the sentence that says why the word filters refuse a text, empty if they do not."""
        refusing = (word for word in self.words if word.effect in effects)
        broken = next(iter(matches(text, refusing)), None)
        if broken is None:
            return ""
        if not broken.site_rule:
            return gettext(
                "This has words or a link that aren’t allowed here. Change it and try again."
            )
        rule = self.rule_of(broken.site_rule)
        return gettext("This breaks one of our rules. %(title)s: %(text)s") % {
            "title": rule.title,
            "text": rule.text,
        }

    def help_for(self, zone: str) -> tuple[list[HelpLine], list[HelpLine]]:
        """Returns who helps in the country of a time zone, and who helps elsewhere."""
        country = country_of_zone(zone)
        here = [one for one in self.help_lines if one.country == country]
        return here, [one for one in self.help_lines if one.country != country]

    def presets_for(self, action: str) -> list[Preset]:
        return [preset for preset in self.presets if preset.action == action]

    def blocks_email(self, address: str) -> bool:
        """Whether the domain of an email address, or one above it, is blocked."""
        host = normal_host(address.rpartition("@")[2])
        return any(is_within(host, domain) for domain in self.domains)

    def effect_on(self, address: str) -> str:
        """Returns the strictest `AddressBlock` effect on this address, empty if there is none."""
        try:
            ip = ip_address(address)
        except ValueError:
            return ""
        effects = {blocked.effect for blocked in self.networks if ip in blocked.network}
        order = (AddressEffect.BLOCK, AddressEffect.APPROVAL)
        return next((effect for effect in order if effect in effects), "")
