"""Texts that people read are plain English: the worst habits stay out of them."""

import re

import pytest

from socialsite.web import djangos_words
from tests.web.catalogs import ROOT, messages, read_catalog, sources

HABITS = {
    "one, whoever": r"\bone[’']s\b|\boneself\b|\b[Ww]hoever\b|\bif one\b|\b[Oo]ne (may|can|has|is)\b",
    "a bare who": r"(^|[.!] )Who (?!can )[^?]*\.",
    "of whom, of which": r"\bof (whom|which)\b",
    "is to be, has not to": r"\b(is|are) to be\b|\bhas not to\b",
    "somebody": r"\b([Ss]ome|[Ee]very|[Aa]ny)body\b",
    "e-mail": r"\b[Ee]-mail\b",
    "a straight apostrophe": r"\w'\w",
}
STIFF = [
    "Whoever joins keeps to",
    "Who looks finds it.",
    "The person of whom",
    "It is to be done.",
    "Never shown to anybody.",
    "Your e-mail",
    "It's",
]


def of_django() -> str:
    assert djangos_words.__file__
    return (ROOT / djangos_words.__file__).read_text()


@pytest.mark.parametrize(("habit", "text"), zip(HABITS, STIFF, strict=True))
def test_each_habit_is_recognised(habit, text):
    assert re.search(HABITS[habit], text)


@pytest.mark.parametrize("habit", HABITS)
def test_no_text_of_the_site_has(habit):
    texts = {text for message in messages(read_catalog("de")) for text in sources(message)}
    own = {text for text in texts if text not in of_django()}
    assert sorted(text for text in own if re.search(HABITS[habit], text)) == []
