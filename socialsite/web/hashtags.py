"""Decides what in a text is a hashtag, and which hashtags are the same. `rich_text.py` finds them among links and
mentions.

Two tags are the same if they differ in case or width alone. Accents stay: `año` is a year and `ano` is not.
"""

import unicodedata
from urllib.parse import quote

import regex

MOST_TAGS = 10  # of a post that lists and searches know; what stands after them is a link alone
LONGEST = 100  # code points of a folded tag; folding makes some texts longer
SIGNS = "#\uff03"

_word = regex.compile(r"[\p{L}\p{M}\p{Nd}_]+")
# A sign behind one of these is inside a word, an address or an HTML entity. Words of some languages know no spaces.
_inside = regex.compile(r"[\p{L}\p{M}\p{Nd}_&/=#\uff03--[\u3040-\u30ff\u3400-\u9fff]]", regex.V1)


def fold_tag(word: str) -> str:
    """Returns the one spelling of a tag in keys and addresses, empty if the word cannot be a tag: it holds other signs
    than letters, marks, digits and `_`, has digits alone, or is too long."""
    folded = _normal(_normal(word).casefold())
    is_tag = _word.fullmatch(folded) and not folded.isdecimal() and len(folded) <= LONGEST
    return folded if is_tag else ""


def fold_beginning(text: str) -> str:
    """Returns how the tags begin in keys that a person looks for with this text, which may have a sign before it. Empty
    if no tag begins so."""
    folded = _normal(_normal(text.lstrip(SIGNS)).casefold())
    return folded if _word.fullmatch(folded) and len(folded) <= LONGEST else ""


def end_of_tag(text: str, start: int) -> int:
    """Returns where the word of a tag ends whose sign stands at `start`, 0 if no tag can begin there."""
    if start and _inside.match(text, start - 1):
        return 0
    word = _word.match(text, start + 1)
    return word.end() if word else 0


def tag_url(tag: str) -> str:
    return f"/tags/{quote(tag)}"


def _normal(text: str) -> str:
    return unicodedata.normalize("NFKC", text)
