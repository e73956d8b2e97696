"""What a word filter finds, also behind letters that look alike, and what it does."""

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from itertools import accumulate, pairwise
from pathlib import Path
from urllib.parse import unquote

import regex

from socialsite.hosts import is_within, normal_host
from socialsite.texts import GLUED, UNSPACED, linked_hosts, without_links

# Characters that stand for a letter: because they look like it, or because people write them for it
# (leetspeak).
#
# The look-alikes are Unicode's, pinned in `confusables.txt`, which `tools/confusables.py` makes. Characters
# stand here as `fold_text` leaves them.

TABLE = Path(__file__).with_name("confusables.txt")
# Signs and digits, each with the letters that people write it for.
LEET = {
    **{"0": "o", "1": "il", "2": "z", "3": "e", "4": "a", "5": "s", "6": "g", "7": "t", "8": "b"},
    **{"9": "g", "@": "a", "$": "s", "!": "il", "|": "il", "+": "t", "€": "e"},
}


class Option(StrEnum):
    """What a word filter reads besides the words themselves."""

    ALIKE = "alike"  # letters that look alike
    LEET = "leet"  # digits and signs for letters
    SPACED = "spaced"  # letters with spaces or signs between them


READ_AS_LETTERS = frozenset({Option.ALIKE, Option.LEET})

StandIns = Mapping[str, str]


@cache
def stand_ins(options: frozenset[str]) -> StandIns:
    """Returns the letters that each character may stand for, with these options."""
    found: dict[str, str] = defaultdict(str)
    if Option.ALIKE in options:
        for letter, characters in _look_alikes():
            for character in characters:
                found[character] += letter
    if Option.LEET in options:
        for character, letters in LEET.items():
            found[character] += letters
    return dict(found)


@cache
def one_key(options: frozenset[str]) -> Mapping[int, str]:
    """Returns a translation that gives the same key to all characters which may stand for each other. Texts with equal
    keys may still differ: i and l have one key, because 1 stands for both. `stands_for` tells."""
    keys: dict[str, str] = {}
    for letters in stand_ins(options).values():
        joined = {keys.get(letter, letter) for letter in letters}
        key = min(joined)
        keys |= dict.fromkeys(letters, key)
        keys |= {letter: key for letter, old in keys.items() if old in joined}
    keys |= {one: keys[letters[0]] for one, letters in stand_ins(options).items()}
    return str.maketrans(keys)


def stands_for(found: str, word: str, options: frozenset[str]) -> bool:
    """Whether each character of a text is the one of the word, or may stand for it.

    One at least must be a letter of the word itself: 455 is a number, and рот, in Cyrillic letters alone, is Russian.
    """
    letters = stand_ins(options)
    is_itself = False
    for have, want in zip(found, word, strict=True):
        if have == want:
            is_itself = is_itself or have.isalpha()
        elif not set(letters.get(have, have)) & set(letters.get(want, want)):
            return False
    return is_itself


def _look_alikes() -> list[tuple[str, list[str]]]:
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    rows = (line.split() for line in lines if not line.startswith("#"))
    return [(letter, [chr(int(point, 16)) for point in points]) for letter, *points in rows]


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


# Finds the word filters that a text meets. Pure functions; the filters come from `site_rules.py`.
#
# Texts are compared in one spelling: letters of any width and case are equal, and invisible characters are
# dropped. Letters that only look alike (a Cyrillic о) stay different, unless the filter's options say otherwise
# (`stand_ins`). Links are found by their hosts, as a browser would read them.

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


SHORTEST = 20  # bytes, so that few write the same by chance: 20 Latin letters, 7 Chinese ones
# Copies of a text differ in addresses, in whom they mention, and in numbers and signs.
VARIES = regex.compile(r"[^\p{L}\p{M}]+")


def shape_of(text: str) -> str:
    """Returns what copies of a text have in common, empty for short texts."""
    shape = VARIES.sub(" ", fold_text(without_links(text))).strip()
    return shape if len(shape.encode()) >= SHORTEST else ""


def _meets(rule: Word, reading: Reading, hosts: set[str]) -> bool:
    if rule.kind == WordKind.LINK:
        return any(is_within(host, rule.folded) for host in hosts)
    return reading.holds(rule.sought)
