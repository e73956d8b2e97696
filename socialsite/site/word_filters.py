"""Finds the word filters that a text meets. Pure functions; the filters come from `site_rules.py`.

Texts are compared in one spelling: letters of any width and case are equal, and invisible characters are dropped.
Letters that only look alike (a Cyrillic о) stay different, unless the filter's options say otherwise (`stand_ins.py`).
Links are found by their hosts, as a browser would read them.
"""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from urllib.parse import unquote

import regex

from socialsite.hosts import is_within, normal_host
from socialsite.site.readings import Reading, Sought, is_joined
from socialsite.texts.found import linked_hosts
from socialsite.texts.scripts import GLUED

INVISIBLE = regex.compile(r"[\p{Default_Ignorable_Code_Point}\u180e]")
SPACES = regex.compile(r"\s+")
DOTTED = regex.compile(r"(?<![\w\p{So}-])[\w\p{So}-]++(?:\.[\w\p{So}-]++)++")
# Characters right before or after a host that may not belong to it, although some hosts contain them.
BESIDE = regex.compile(rf"[{GLUED}]|\p{{So}}")
STAR, WILD = "*", "wild"
DAYS_LIMITED = 7  # unless the filter says otherwise
IDEOGRAPHIC_DOTS = str.maketrans("。｡", "..")  # browsers read them as dots, NFKC does not


class WordKind(StrEnum):
    WORD = "word"  # or several words
    LINK = "link"  # to a host or one below it


class Effect(StrEnum):
    """What happens to a post, from the mildest to the strongest."""

    FLAG = "flag"  # it is published, and reported to the moderators
    HOLD = "hold"  # it waits for a moderator
    LIMIT = "limit"  # published and reported, and its author is limited for some days
    REFUSE = "refuse"  # it is not published


@dataclass(frozen=True, slots=True)
class Word:
    """A word filter, ready to compare. `folded` is its pattern in the one spelling, and tells filters apart.

    `options` are its `Option`s, and `WILD` if a star at an end of the pattern stands for the rest of a word. Filters
    made before stars had a meaning compare them as they are.
    """

    rule_id: str
    kind: str
    pattern: str
    effect: str
    site_rule: str = ""
    created: str = ""
    options: frozenset[str] = frozenset()
    days: int = DAYS_LIMITED  # how long a limit lasts
    folded: str = field(init=False)
    sought: Sought = field(init=False)

    def __post_init__(self) -> None:
        fold = normal_host if self.kind == WordKind.LINK else fold_text
        object.__setattr__(self, "folded", fold(self.pattern))
        object.__setattr__(self, "sought", _sought(self.folded, self.options))


def matches(text: str, rules: Iterable[Word]) -> list[Word]:
    """Returns the filters that the text meets, in their order."""
    reading = Reading(fold_text(text))
    hosts = _hosts_of(text)
    return [rule for rule in rules if rule.sought.words and _meets(rule, reading, hosts)]


def is_star_idle(word: Word) -> bool:
    """Whether a star of a filter changes nothing, because what stands beside it is found inside other text anyway: a
    sign, an emoji, or a script without spaces."""
    sought = word.sought
    return (sought.is_open_before and not is_joined("a", sought.words[0])) or (
        sought.is_open_after and not is_joined(sought.words[-1], "a")
    )


def _sought(folded: str, options: frozenset[str]) -> Sought:
    if WILD not in options:
        return Sought(folded, options)
    begins, ends = folded.startswith(STAR), folded.endswith(STAR)
    return Sought(folded.strip(STAR), options, is_open_before=begins, is_open_after=ends)


def _hosts_of(text: str) -> set[str]:
    """Returns the hosts that a text links, and those that it may name, both as written and with percent signs decoded.
    Finds names right beside an emoji or words without spaces too."""
    hosts = set(linked_hosts(text))
    for spelling in {text, unquote(text)}:
        visible = INVISIBLE.sub("", unicodedata.normalize("NFKC", spelling))
        for name in DOTTED.findall(visible.translate(IDEOGRAPHIC_DOTS)):
            hosts |= {normal_host(part) for part in (name, *BESIDE.split(name))}
    return hosts


def fold_text(text: str) -> str:
    """Returns the text in NFKC and case-folded, without invisible characters, with single spaces."""
    visible = INVISIBLE.sub("", unicodedata.normalize("NFKC", text)).casefold()
    return SPACES.sub(" ", INVISIBLE.sub("", unicodedata.normalize("NFKC", visible))).strip()


def _meets(rule: Word, reading: Reading, hosts: set[str]) -> bool:
    if rule.kind == WordKind.LINK:
        return any(is_within(host, rule.folded) for host in hosts)
    return reading.holds(rule.sought)
