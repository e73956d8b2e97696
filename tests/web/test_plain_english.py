"""Texts that people read are plain English: the worst habits stay out of them."""

import re

import pytest

from socialsite.web import djangos_words
from tests.web.catalogs import ROOT, messages, read_catalog, sources

HABITS = {
    "whoever": r"\b[Ww]hoever\b|\boneself\b|\bone[’']s\b",
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


DOCUMENTS = [
    *("README.md", "ARCHITECTURE.md", "STYLE.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"),
    *(
        f"docs/{name}.md"
        for name in (
            "access-patterns",
            "archive",
            "audit-log",
            "deploy",
            "performance",
            "reliability",
            "runbook",
            "security",
            "settings",
        )
    ),
    *(str(path.relative_to(ROOT)) for path in sorted((ROOT / "docs/adr").glob("*.md"))),
    "docs/concepts/README.md",
]
OF_TEXTS_ALONE = {"a straight apostrophe"}


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


@pytest.mark.parametrize("habit", sorted(HABITS.keys() - OF_TEXTS_ALONE))
def test_no_document_has(habit):
    found = [
        f"{document}: {line}"
        for document in DOCUMENTS
        for line in (ROOT / document).read_text().splitlines()
        if re.search(HABITS[habit], line)
    ]
    assert found == []
