"""Folds texts so that different spellings match in a search. The directory and the lists compare folded texts."""

import unicodedata

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


def _is_accent(sign: str) -> bool:
    # Combining classes: 10 to 35 are Hebrew and Arabic points, from 200 on accents above and below.
    points = unicodedata.combining(sign)
    return 10 <= points <= 35 or points >= 200
