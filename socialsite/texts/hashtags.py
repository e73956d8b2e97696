"""Decides what in a text is a hashtag, and which hashtags are the same. `found.py` finds them among links and mentions.

Two tags are the same if they differ in case, width or signs that nobody sees. Accents stay: `año` is a year and `ano`
is not.
"""

import unicodedata
from urllib.parse import quote

import regex

from socialsite.texts.scripts import JOINED, JOINERS

MOST_TAGS = 10  # of a post that lists and searches know; what stands after them is a link alone
LONGEST = 100  # code points of a folded tag; folding makes some texts longer
SIGNS = "#\uff03"

# Raised and lowered digits are part of a name (CO₂), as are letters that stand for numbers (Ⅶ, 〇).
LETTER = r"[\p{L}\p{M}\p{Nd}\p{Nl}_²³¹⁰\u2074-\u2079₀-₉]"
# Between the letters of one word: joiners, maqaf, geresh, the dots and dashes of Catalan, Tibetan and Japanese.
INNER = rf"[{JOINERS}\ua67e\u05be\u05f3\u05f4\u301c\uff5e\u30a0\u30fb\uff65\u0f0b\u0f0c·\u3003\u309b\u309c]"
LAST = r"[\u05f3\u05f4\u0f0b\u0f0c\u3003\u309b\u309c]"  # of these, some also end a word
_word = regex.compile(rf"(?!\p{{M}}){LETTER}++(?:{INNER}{LETTER}++)*+{LAST}?+(?!://)")
# One spelling of signs that NFKC would make a space or an ASCII sign of.
_spelt = str.maketrans({"\uff5e": "\u301c", "\u309b": "\u3099", "\u309c": "\u309a"})
_unseen = regex.compile(
    rf"[\p{{Default_Ignorable_Code_Point}}--[{JOINERS}\u180b-\u180f]]"
    rf"|(?<![{JOINED}])[{JOINERS}]|[{JOINERS}](?![{JOINED}])|[\u0f0b\u0f0c]+$",
    regex.V1,
)


def fold_tag(word: str) -> str:
    """Returns the one spelling of a tag in keys and addresses, empty if the word cannot be a tag: it holds other signs
    than a word does, begins with a mark, has digits alone, or is too long."""
    folded = _fold(word)
    is_tag = _word.fullmatch(folded) and not folded.isdecimal() and len(folded) <= LONGEST
    return folded if is_tag else ""


def fold_beginning(text: str) -> str:
    """Returns how the tags begin in keys that a person looks for with this text, which may have a sign before it. Empty
    if no tag begins so."""
    folded = _fold(text.lstrip(SIGNS))
    return folded if _word.fullmatch(folded) and len(folded) <= LONGEST else ""


def end_of_tag(text: str, start: int) -> int:
    """Returns where the word of a tag ends whose sign stands at `start`, 0 if none follows it."""
    word = _word.match(text, start + 1)
    return word.end() if word else 0


def tag_url(tag: str) -> str:
    return f"/tags/{quote(tag)}"


def _fold(text: str) -> str:
    return _normal(_unseen.sub("", _normal(_normal(text).casefold())))


def _normal(text: str) -> str:
    return unicodedata.normalize("NFKC", text.translate(_spelt))
