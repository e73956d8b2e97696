"""Folds texts so that different spellings match in a search. The directory and the lists compare folded texts."""

import re
import unicodedata
from collections.abc import Collection
from functools import lru_cache

import regex

# Letters with a stroke or a ligature do not decompose.
PLAIN = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ŧ": "t", "ı": "i"})
PLAIN |= str.maketrans({"æ": "ae", "œ": "oe", "þ": "th"})

_words = regex.compile(r"[\p{L}\p{M}\p{N}_]+")


def fold(text: str) -> str:
    """Returns the words of a text without what people leave out in searches: case, accents, width, Hebrew and Arabic
    points. Vowel signs and tone marks that are part of a word (Thai, Hindi) stay, as do Chinese and Japanese signs;
    Korean syllables become their letters, so that a half-typed one finds, too."""
    apart = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    plain = "".join(sign for sign in apart if not _is_accent(sign)).translate(PLAIN)
    return " ".join(_words.findall(plain))


def find_folded(text: str, words: Collection[str]) -> list[tuple[int, int]]:
    """Returns where folded words stand in a text as it is written: their beginnings and ends, in order. Of two that
    overlap, the first one."""
    signs = [_fold_sign(sign) for sign in text]
    places = [place for place, folded in enumerate(signs) for _ in folded]
    longest_first = sorted(words, key=len, reverse=True)
    found = re.finditer("|".join(map(re.escape, longest_first)), "".join(signs))
    spans: list[tuple[int, int]] = []
    for match in found:
        start, last = places[match.start()], places[match.end() - 1]
        following = places[match.end()] if match.end() < len(places) else len(text)
        if not spans or start >= spans[-1][1]:
            spans.append((start, max(last + 1, following)))  # with the accents that follow
    return spans


@lru_cache(4096)
def _fold_sign(sign: str) -> str:
    """Returns a sign as `fold` does, and what is no part of a word as it is."""
    return fold(sign) or ("" if _is_accent(sign) else sign.casefold())


def _is_accent(sign: str) -> bool:
    # Combining classes: 10 to 35 are Hebrew and Arabic points, from 200 on accents above and below.
    points = unicodedata.combining(sign)
    return 10 <= points <= 35 or points >= 200
