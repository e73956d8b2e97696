"""Which posts are folded in lists: those above about 12 lines, so that one post never fills screens.

How long a line is depends on the screen, which the server does not know: it counts for a phone and for a wide window,
and the style sheet folds by what it is told.
"""

import unicodedata
from enum import StrEnum

MOST_LINES = 12
NARROW, WIDE = 36, 64  # columns of a line; a Chinese sign takes two
SHORT = MOST_LINES * NARROW // 2  # signs that cannot take more lines without new ones


class Fold(StrEnum):
    NEVER = ""
    NARROW = "narrow"  # on phones
    ALWAYS = "always"


def fold_of(text: str) -> Fold:
    """Returns on which screens a post of this text is folded."""
    if len(text) <= SHORT and text.count("\n") < MOST_LINES // 2:
        return Fold.NEVER
    widths = [_columns(line) for line in text.split("\n")]
    if _lines(widths, WIDE) > MOST_LINES:
        return Fold.ALWAYS
    return Fold.NARROW if _lines(widths, NARROW) > MOST_LINES else Fold.NEVER


def _lines(widths: list[int], columns: int) -> int:
    return sum(max(1, -(-width // columns)) for width in widths)


def _columns(line: str) -> int:
    return sum(1 + (unicodedata.east_asian_width(sign) in "WF") for sign in line)
