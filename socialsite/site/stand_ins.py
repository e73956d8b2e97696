"""Characters that stand for a letter: because they look like it, or because people write them for it (leetspeak).

The look-alikes are Unicode's, pinned in `confusables.txt`, which `tools/confusables.py` makes. Characters stand here
as `fold_text` leaves them.
"""

from collections import defaultdict
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from pathlib import Path

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
