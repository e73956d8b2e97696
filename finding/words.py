"""Which words of a text the index has, and how a search compares them.

Case, accents and width do not matter, as in the search of people. Between words of Chinese, Japanese, Thai and similar
scripts stand no blanks, and Korean glues its particles to words: of these each two neighbouring signs are a word of the
index, and a search for more of them asks for each pair, then for all of them together in the text itself.

Words that nearly every text of a language has find nothing, and the index does without them (`STOP_WORDS`). One list
serves all languages, as neither a search nor most posts say in which they are. So a word that means something in
another language (the English "die" and "war") is in no list. What else is too common on a site shows there: the worker
notes it (`WordUse` in `models.py`).
"""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import regex

from socialsite.texts import GLUED, fold, without_links

ENGLISH = (
    "a about after all also am an and any are as at be because been before being but by can could did do does for from "
    "get go got had has have he her here him his how i if in into is it its just like me more my no not now of on one "
    "only or other our out over she so some than that the their them then there these they this to too up us very was "
    "we were what when where which who why will with would you your"
)
GERMAN = (
    "aber als am an auch auf aus bei bin bis bist da das dass dem den der des doch du durch ein eine einem "
    "einen einer eines er es euch für hab habe haben hat hatte ich ihm ihn ihr im in ist ja kann kein keine "
    "mal mein meine mich mir mit nach nicht noch nun nur ob oder schon sein sich sie sind so über um und uns "
    "vom von vor wann warum weil wenn werden wie wieder will wir wird wo wurde zu zum zur"
)
FRENCH = (
    "au aux avec ce ces cette dans de des du elle en est et il ils je la le les leur lui mais ne nous où par pas pour "
    "qu que qui sa se ses son sont sur tu un une vous"
)
SPANISH = (
    "al como con de del el ella en es esta este está ha la las le lo los más me mi muy no nos para pero por que se si "
    "sin su sus también te tu un una y ya yo"
)

STOP_WORDS = frozenset(fold(" ".join((ENGLISH, GERMAN, FRENCH, SPANISH))).split())

LONGEST_WORD = 40
LONGEST_SIGN = 4  # characters: marks can be stacked on one, and a word is part of a key
SHORTEST_WORD = 2
MOST_WORDS = 60  # of a post that the index has: each is an item

_runs = regex.compile(rf"(?P<glued>[{GLUED}][{GLUED}\p{{M}}]*)|[^{GLUED}]+", regex.V1)
_sign = regex.compile(r"\X")
_glued = regex.compile(rf"[{GLUED}\p{{M}}]", regex.V1)


def folded(text: str) -> str:
    """Returns the words of a text as they are compared, with one blank between them."""
    return unicodedata.normalize("NFC", fold(text))


def words_in(text: str) -> list[str]:
    """Returns the words by which a text is found, each once, in their order, without those that nearly every text has.
    Addresses and mentions are no words; those of tags are."""
    said = folded(without_links(text))
    return list(dict.fromkeys(word for run in said.split() for word in words_of_run(run)))


def words_of_run(run: str) -> Iterator[str]:
    """Yields the words of the index that stand in a folded text without blanks."""
    for match in _runs.finditer(run):
        part = match[0]
        if match["glued"] is None:
            word = part[:LONGEST_WORD]
            if len(word) >= SHORTEST_WORD and word not in STOP_WORDS:
                yield word
            continue
        signs = [sign[:LONGEST_SIGN] for sign in _sign.findall(part)]
        if len(signs) == 1:
            yield signs[0]
        yield from (one + other for one, other in pairwise(signs))


@dataclass(frozen=True, slots=True)
class Term:
    """A word or phrase that is looked for: folded, the words of the index that stand in it, and as it is marked."""

    text: str
    words: tuple[str, ...]
    marked: str

    @property
    def is_exact(self) -> bool:
        """Whether a text that has its words in the index has the term too."""
        return self.words == (self.text,)

    @classmethod
    def of(cls, typed: str) -> "Term":
        text = folded(typed)
        words = dict.fromkeys(word for run in text.split() for word in words_of_run(run))
        return cls(text, tuple(words), fold(typed))

    def stands_in(self, said: str) -> bool:
        """Whether a folded text has the term, between blanks where its script has blanks."""
        at = said.find(self.text)
        while at >= 0:
            if is_whole(said, at, at + len(self.text)):
                return True
            at = said.find(self.text, at + 1)
        return False


def is_whole(text: str, start: int, end: int) -> bool:
    """Whether a part of a text is no part of a longer word."""
    return _ends(text[start - 1 : start], text[start : start + 1]) and _ends(
        text[end : end + 1], text[end - 1 : end]
    )


def _ends(outside: str, inside: str) -> bool:
    is_word = outside == "_" or outside.isalnum()
    return not is_word or bool(_glued.match(inside) or _glued.match(outside))


def said_in(texts: Sequence[str]) -> str:
    """Returns what a search compares of the texts of a post."""
    return folded(without_links("\n".join(texts)))
