"""What staff wrote in the languages of the site: the words of rules and templates, and the banner.

The words in `LANGUAGE_CODE` stand in the item of the rule, the template or the settings itself. Those in each other
language are a `SiteText`. `site_setup.py` says what a reader gets where a language has no words.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from django.conf import settings
from django.utils.translation import get_language, override

from socialsite.site.default_rules import OTHER, REASONS, TEXTS, TITLES

T = TypeVar("T")


class TextKind(StrEnum):
    RULE = "rule"
    PRESET = "preset"
    BANNER = "banner"


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
