"""The words of a search, folded as names in the directory are: case, width and accents do not matter."""

from collections.abc import Iterable

from relations.spelling import fold


def words_of(text: str) -> list[str]:
    """Returns the words as they are compared; a text of signs alone, such as an emoji, as it is."""
    return fold(text).split() or [text.casefold()]


def fit(words: Iterable[str], texts: Iterable[str]) -> bool:
    """Whether each of the words stands in one of the texts, also inside a longer word."""
    said = " ".join(f"{fold(text)} {text.casefold()}" for text in texts)
    return all(word in said for word in words)
