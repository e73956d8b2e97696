"""A text in the spellings in which word filters read it. Each is made once, when a filter first needs it."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate, pairwise

import regex

from socialsite.site.stand_ins import READ_AS_LETTERS, Option, one_key, stand_ins, stands_for
from socialsite.texts.scripts import UNSPACED

LETTER = regex.compile(r"\w")
_unspaced = regex.compile(f"[{UNSPACED}]")  # there a word is found inside a sentence
WIDEST_GAP = 3  # spaces and signs between two letters of one word


@dataclass(frozen=True, slots=True)
class Sought:
    """The words of a filter, folded. `is_open_before` and `is_open_after` say that the word may go on there."""

    words: str
    options: frozenset[str] = frozenset()
    is_open_before: bool = False
    is_open_after: bool = False


@dataclass(frozen=True, slots=True)
class Letters:
    """A text without its spaces and signs, and its `keyed` form. `places` says where each letter stood.

    `tight`, `blank` and `wide` count the gaps before each letter: those without anything in them, with a space in them,
    and those too wide for one word.
    """

    text: str
    keyed: str
    places: list[int]
    tight: list[int]
    blank: list[int]
    wide: list[int]

    @classmethod
    def of(cls, text: str, options: frozenset[str], besides: frozenset[str]) -> "Letters":
        """Finds the letters of a folded text, and the signs that stand for letters (`besides`)."""
        places = [at for at, one in enumerate(text) if one in besides or _is_letter(one)]
        gaps = [text[left + 1 : right] for left, right in pairwise(places)]
        letters = "".join(text[at] for at in places)
        return cls(
            text=letters,
            keyed=letters.translate(one_key(options)),
            places=places,
            tight=list(accumulate((not gap for gap in gaps), initial=0)),
            blank=list(accumulate((" " in gap for gap in gaps), initial=0)),
            wide=list(accumulate((len(gap) > WIDEST_GAP for gap in gaps), initial=0)),
        )

    def is_one_word(self, begin: int, end: int) -> bool:
        """Whether these letters can be one word: each stands apart from the next ("s p a m"), or no space divides them
        ("sp.am"). So "spa mile" never holds "spam"."""
        wide, tight, blank = (
            gaps[end - 1] - gaps[begin] for gaps in (self.wide, self.tight, self.blank)
        )
        return not wide and not (tight and blank)


@dataclass(frozen=True, slots=True)
class Reading:
    """A folded text, and what was made of it."""

    text: str
    _keyed: dict[frozenset[str], str] = field(default_factory=dict)
    _letters: dict[tuple[frozenset[str], bool], Letters] = field(default_factory=dict)

    def holds(self, sought: Sought) -> bool:
        """Whether the text has these words, as their options read it."""
        if any(
            self._is_whole(sought, at, at + len(sought.words)) for at in self._as_written(sought)
        ):
            return True
        if any(self._is_whole(sought, *found) for found in self._in_other_letters(sought)):
            return True
        return any(self._is_whole(sought, *found) for found in self._spaced(sought))

    def _as_written(self, sought: Sought) -> Iterator[int]:
        return _places(self.text, sought.words)

    def _in_other_letters(self, sought: Sought) -> Iterator[tuple[int, int]]:
        options = sought.options & READ_AS_LETTERS
        if not options:
            return
        if options not in self._keyed:
            self._keyed[options] = self.text.translate(one_key(options))
        for at in _places(self._keyed[options], sought.words.translate(one_key(options))):
            end = at + len(sought.words)
            if stands_for(self.text[at:end], sought.words, options):
                yield at, end

    def _spaced(self, sought: Sought) -> Iterator[tuple[int, int]]:
        if Option.SPACED not in sought.options:
            return
        options = sought.options & READ_AS_LETTERS
        signs = frozenset(stand_ins(options))
        word = "".join(one for one in sought.words if one in signs or _is_letter(one))
        key = word.translate(one_key(options))
        for besides in {frozenset[str](), signs} if len(word) > 1 else ():
            letters = self._letters_with(options, besides)
            for at in _places(letters.keyed, key):
                end = at + len(word)
                found = letters.text[at:end]
                is_it = found == word or stands_for(found, word, options)
                if is_it and letters.is_one_word(at, end):
                    yield letters.places[at], letters.places[end - 1] + 1

    def _letters_with(self, options: frozenset[str], besides: frozenset[str]) -> Letters:
        kind = options, bool(besides)
        if kind not in self._letters:
            self._letters[kind] = Letters.of(self.text, options, besides)
        return self._letters[kind]

    def _is_whole(self, sought: Sought, begin: int, end: int) -> bool:
        """Whether the match is a whole word, which does not go on at either end, unless it may."""
        before, after = self.text[begin - 1 : begin] if begin else "", self.text[end : end + 1]
        goes_on_before = not sought.is_open_before and is_joined(before, sought.words[0])
        goes_on_after = not sought.is_open_after and is_joined(sought.words[-1], after)
        return not (goes_on_before or goes_on_after)


def is_joined(left: str, right: str) -> bool:
    """Whether two characters side by side belong to one word."""
    return all(LETTER.match(one) and not _unspaced.match(one) for one in (left, right))


def _is_letter(character: str) -> bool:
    return character.isalnum() or (character != "_" and bool(LETTER.match(character)))


def _places(text: str, part: str) -> Iterator[int]:
    at = text.find(part)
    while at >= 0:
        yield at
        at = text.find(part, at + 1)
