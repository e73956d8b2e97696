"""What a muted word is, and whether a text meets it: one function for all pages.

Texts are folded as the search of people folds them: case, accents, width and signs do not matter, so "Élection" is
"election". A word is found as a whole word, a phrase as these words side by side. Between words of Chinese, Japanese,
Thai and other such scripts stand no spaces, and in Korean particles follow a word, so there it is found inside a
sentence. What begins with # is a tag, and found as a tag alone; a word is also found in a tag. What has no letters,
such as an emoji, or loses nearly all in folding, such as "C++", is found as it is written.
"""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple, Self

import regex

from socialsite.clock import utc_now
from socialsite.texts import GLUED, SIGNS, find, fold, fold_tag

MOST_WORDS = 100
LONGEST = 60  # characters

_unseen = regex.compile(r"[\p{Default_Ignorable_Code_Point}\u180e]")
_beside_glued = regex.compile(rf"(?<=[{GLUED}])(?=[^{GLUED} ])|(?<=[^{GLUED} ])(?=[{GLUED}])")
_glued = regex.compile(rf"[{GLUED}]")


class Where(StrEnum):
    """Where a word is muted. `EVERYWHERE` includes the others."""

    EVERYWHERE = "everywhere"
    HOME = "home"
    NOTIFICATIONS = "notifications"


class Needle(NamedTuple):
    """A muted word in the spelling in which it is compared. Two that are equal are the same word."""

    kind: str  # the form of a text that it is looked for in: `TAG`, `WORDS` or `SIGNS_TOO`
    text: str


TAG, WORDS, SIGNS_TOO = "tag", "words", "signs"


def needle_of(typed: str) -> Needle:
    """Returns how a muted word is compared. The text is empty if nothing of it can be found."""
    seen = _unseen.sub("", typed).strip()
    if seen[:1] and seen[0] in SIGNS and (tag := fold_tag(seen[1:])):
        return Needle(TAG, tag)
    words = _words(seen)
    as_written = _as_written(seen)
    if not words or (len(words) < min(2, len(as_written)) and not _glued.match(words)):
        return Needle(SIGNS_TOO, as_written)
    return Needle(WORDS, f"{_edge(words[0])}{words}{_edge(words[-1])}")


def _words(text: str) -> str:
    """Returns the words of a text with a space between them, also where one script ends and another begins."""
    folded = fold(_unseen.sub("", text))
    if folded.isascii():
        return folded
    return _beside_glued.sub(" ", unicodedata.normalize("NFC", folded))


def _as_written(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", _unseen.sub("", text)).casefold().split())


def _edge(sign: str) -> str:
    return "" if _glued.match(sign) else " "


class Said:
    """The texts of a post in the forms in which words are looked for, each made when it is first needed."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._text = "\n".join(filter(None, texts))

    def has(self, needle: Needle) -> bool:
        if not needle.text:
            return False
        if needle.kind == TAG:
            return needle.text in self._tags
        return needle.text in (self._folded if needle.kind == WORDS else self._written)

    @cached_property
    def _folded(self) -> str:
        return f" {_words(self._text)} "

    @cached_property
    def _written(self) -> str:
        return _as_written(self._text)

    @cached_property
    def _tags(self) -> frozenset[str]:
        return frozenset(found.tag for found in find(self._text) if found.tag)


FOLDED, HIDDEN = "f", "h"
WHERE = {where[0]: where for where in Where}


@dataclass(frozen=True, slots=True)
class MutedWord:
    """`word` is as its owner typed it. It ends at the second `until`, 0 for never."""

    word: str
    where: Where = Where.EVERYWHERE
    folds: bool = True  # else what meets it is left out
    until: int = 0  # of the epoch
    needle: Needle = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "needle", needle_of(self.word))

    @classmethod
    def from_code(cls, word: str, code: str) -> Self:
        """Reads a word of the item, where a letter each says where and how it is muted, and then, if it ends, when."""
        return cls(word, WHERE[code[0]], code[1] == FOLDED, int(code[2:] or 0))

    @property
    def code(self) -> str:
        """How it is muted, in short: a hundred of them share an item."""
        return f"{self.where[0]}{FOLDED if self.folds else HIDDEN}{self.until or ''}"

    def is_over(self, now: float) -> bool:
        return bool(self.until) and self.until <= now

    def acts_in(self, where: Where) -> bool:
        return self.where in (Where.EVERYWHERE, where)


@dataclass(frozen=True, slots=True)
class Mutes:
    """What someone mutes, ready to compare. `version` is that of the item."""

    version: str = ""
    words: Sequence[MutedWord] = ()

    @classmethod
    def from_map(cls, version: str, stored: Mapping[str, str]) -> Self:
        words = (MutedWord.from_code(word, code) for word, code in stored.items())
        return cls(version, tuple(sorted(words, key=lambda one: one.needle.text)))

    def met_by(self, said: Said, *, where: Where) -> MutedWord | None:
        """Returns the word that decides over a post in this place: one that hides before one that folds; None if it
        meets none. What is past its end is none."""
        met = [one for one in self.in_force() if one.acts_in(where) and said.has(one.needle)]
        return min(met, key=lambda one: one.folds, default=None)

    def in_force(self) -> Iterator[MutedWord]:
        now = utc_now().timestamp()
        return (one for one in self.words if not one.is_over(now))


NO_MUTES = Mutes()
