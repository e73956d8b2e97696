"""Finds the word filters that a text meets. Pure functions; the filters come from `site_rules.py`.

Texts are compared in one spelling: letters of any width and case are equal, and invisible characters are dropped.
Letters that only look alike (a Cyrillic о) stay different. Links are found by their hosts, as a browser would read
them.
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
# In scripts without spaces between words, a word is found inside a sentence.
UNSPACED = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]")
DOTTED = regex.compile(r"(?<![\w\p{So}-])[\w\p{So}-]++(?:\.[\w\p{So}-]++)++")
# Characters right before or after a host that may not belong to it, although some hosts contain them.
BESIDE = regex.compile(rf"{UNSPACED.pattern}|\p{{So}}")
IDEOGRAPHIC_DOTS = str.maketrans("。｡", "..")  # browsers read them as dots, NFKC does not


class WordKind(StrEnum):
    WORD = "word"  # or several words
    LINK = "link"  # to a host or one below it


class Effect(StrEnum):
    """What happens to a post, from the mildest to the strongest."""

    FLAG = "flag"  # it is published, and reported to the moderators
    HOLD = "hold"  # it waits for a moderator
    LIMIT = "limit"  # published and reported, and its author is limited
    REFUSE = "refuse"  # it is not published


@dataclass(frozen=True, slots=True)
class Word:
    """A word filter, ready to compare. `folded` is its pattern in the one spelling."""

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
    """Returns the filters that the text meets, in their order."""
    folded = fold_text(text)
    hosts = _hosts_of(text)
    return [rule for rule in rules if rule.folded and _meets(rule, folded, hosts)]


def _hosts_of(text: str) -> set[str]:
    """Returns the hosts that a text may name, both as written and with percent signs decoded. Finds names right beside
    an emoji or words without spaces too."""
    hosts = set[str]()
    for spelling in {text, unquote(text)}:
        visible = INVISIBLE.sub("", unicodedata.normalize("NFKC", spelling))
        for name in DOTTED.findall(visible.translate(IDEOGRAPHIC_DOTS)):
            hosts |= {normal_host(part) for part in (name, *BESIDE.split(name))}
    return hosts


def fold_text(text: str) -> str:
    """Returns the text in NFKC and case-folded, without invisible characters, with single spaces."""
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
    """Whether the match is a whole word, which does not go on at either end."""
    end = at + len(part)
    before, after = text[at - 1 : at] if at else "", text[end : end + 1]
    return not (_is_joined(before, part[0]) or _is_joined(part[-1], after))


def _is_joined(left: str, right: str) -> bool:
    return all(LETTER.match(one) and not UNSPACED.match(one) for one in (left, right))
