"""Which of the site's word rules a text meets. A pure function of both; the rules come from `site_rules.py`.

A text is compared in one spelling: letters of any width and case alike, without characters that show nothing. Letters
that only look alike (a Cyrillic о) stay different. Links are found by their hosts, as a browser would read them.
"""

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from urllib.parse import unquote

import regex

from socialsite.hosts import is_within, normal_host

INVISIBLE = regex.compile(r"[\p{Default_Ignorable_Code_Point}\u180e]")
SPACES = regex.compile(r"\s+")
LETTER = regex.compile(r"\w")
# Scripts that write words without spaces between them: there, a word is found inside a sentence.
UNSPACED = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]")
DOTTED = regex.compile(r"(?<![\w\p{So}-])[\w\p{So}-]++(?:\.[\w\p{So}-]++)++")
# What may stand right before or behind a host and not belong to it; hosts of such signs are there as well.
BESIDE = regex.compile(rf"{UNSPACED.pattern}|\p{{So}}")
IDEOGRAPHIC_DOTS = str.maketrans("。｡", "..")  # browsers take them for dots, NFKC does not


class WordKind(StrEnum):
    WORD = "word"  # or several words
    LINK = "link"  # to a host or one below it


class Effect(StrEnum):
    """What becomes of a post, from the mildest to the strongest."""

    FLAG = "flag"  # it is published, and reported to the moderators
    HOLD = "hold"  # it waits for a moderator
    LIMIT = "limit"  # published and reported, and its author is limited
    REFUSE = "refuse"  # it is not published


@dataclass(frozen=True, slots=True)
class Word:
    """A word rule as it is compared: `folded` is its pattern in the one spelling."""

    rule_id: str
    kind: str
    pattern: str
    effect: str
    site_rule: str = ""
    created: str = ""
    folded: str = field(init=False)

    def __post_init__(self) -> None:
        fold = normal_host if self.kind == WordKind.LINK else fold_text
        object.__setattr__(self, "folded", fold(self.pattern))


def matches(text: str, rules: Iterable[Word]) -> list[Word]:
    """The rules that the text meets, in their order."""
    folded = fold_text(text)
    hosts = _hosts_of(text)
    return [rule for rule in rules if rule.folded and _meets(rule, folded, hosts)]


def _hosts_of(text: str) -> set[str]:
    """The hosts that a text may name, as it stands and with percent signs decoded; also a name right beside an emoji or
    words of scripts without spaces."""
    hosts = set[str]()
    for spelling in {text, unquote(text)}:
        visible = INVISIBLE.sub("", unicodedata.normalize("NFKC", spelling))
        for name in DOTTED.findall(visible.translate(IDEOGRAPHIC_DOTS)):
            hosts |= {normal_host(part) for part in (name, *BESIDE.split(name))}
    return hosts


def fold_text(text: str) -> str:
    """NFKC and case-folded, without invisible characters, with single spaces."""
    visible = INVISIBLE.sub("", unicodedata.normalize("NFKC", text)).casefold()
    return SPACES.sub(" ", INVISIBLE.sub("", unicodedata.normalize("NFKC", visible))).strip()


def _meets(rule: Word, folded: str, hosts: set[str]) -> bool:
    if rule.kind == WordKind.LINK:
        return any(is_within(host, rule.folded) for host in hosts)
    return any(_is_whole(folded, rule.folded, at) for at in _places(folded, rule.folded))


def _places(text: str, part: str) -> Iterator[int]:
    at = text.find(part)
    while at >= 0:
        yield at
        at = text.find(part, at + 1)


def _is_whole(text: str, part: str, at: int) -> bool:
    """Whether no word goes on beyond either end."""
    end = at + len(part)
    before, after = text[at - 1 : at] if at else "", text[end : end + 1]
    return not (_is_joined(before, part[0]) or _is_joined(part[-1], after))


def _is_joined(left: str, right: str) -> bool:
    return all(LETTER.match(one) and not UNSPACED.match(one) for one in (left, right))
