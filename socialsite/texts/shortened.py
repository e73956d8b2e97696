"""Shortens texts. Nothing that people see as one character is cut in two, and the direction marks of what is left act
on nothing that stands after it."""

from collections.abc import Iterator
from itertools import islice

import regex

from socialsite.texts.unseen import isolated

MORE = "…"

_character = regex.compile(r"\X")
_visible = regex.compile(r"(?![\p{C}\p{Z}])\X")


def shortened(text: str, most: int) -> str:
    """Returns at most `most` characters of a text, as people count them, the last an ellipsis if there are more."""
    characters = list(islice(_characters(text), most + 1))
    if len(characters) > most:
        text = "".join(characters[: most - 1]).rstrip() + MORE
    return isolated(text)


def shortened_to_bytes(text: str, most: int) -> str:
    """Returns the text itself if it has at most `most` bytes in UTF-8, else its beginning with an ellipsis."""
    if len(text.encode()) <= most:
        return text
    left = most - len(MORE.encode())
    kept = []
    for character in _characters(text):
        left -= len(character.encode())
        if left < 0:
            break
        kept.append(character)
    return isolated("".join(kept).rstrip()) + MORE


def initial(text: str) -> str:
    """Returns the first character that is seen, empty if there is none."""
    found = _visible.search(text)
    return found[0] if found else ""


def _characters(text: str) -> Iterator[str]:
    return (found[0] for found in _character.finditer(text))
