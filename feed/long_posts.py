"""Decides which posts are folded in lists: posts above about 12 lines, so that one post never fills a screen.

The length of a line depends on the screen, which the server does not know. So it counts for a phone and for a wide
window, and the style sheet picks one.
"""

import unicodedata
from enum import StrEnum

MOST_LINES = 12
NARROW, WIDE = 36, 64  # columns of a line; a Chinese character takes two
SHORT = MOST_LINES * NARROW // 2  # so few characters always fit, unless there are line breaks


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
