"""Which words of rules and templates there are in each language of the site, and which are missing."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.conf import settings

from socialsite.site.site_setup import Preset, Rule
from socialsite.site.site_texts import in_language, site_languages


class State(StrEnum):
    WRITTEN = "written"
    BUILT_IN = "built in"
    STANDARD = "standard"  # built in, while staff wrote words of their own in another language
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class InLanguage:
    """One text in one language, as the pages of staff show it."""

    code: str
    name: str
    state: State

    @property
    def lacks(self) -> bool:
        return self.state in (State.STANDARD, State.MISSING)


def languages_of(one: Rule | Preset) -> list[InLanguage]:
    """Returns each language of the site, with how it stands there."""
    names = dict(settings.LANGUAGES)
    return [InLanguage(code, names[code], _state(one, code)) for code in site_languages()]


def list_gaps(texts: Sequence[Rule | Preset]) -> list[tuple[str, int]]:
    """Returns the name of each language that lacks words, with in how many of these texts."""
    rows = [languages_of(one) for one in texts]
    counts = [
        (column[0].name, sum(cell.lacks for cell in column)) for column in zip(*rows, strict=True)
    ]
    return [(name, count) for name, count in counts if count]


def shown_language(one: Rule | Preset, language: str) -> str:
    """Returns the language of the words that readers of this one see."""
    if language in one.written or _is_built_in(one):
        return language
    return in_language({code: code for code in one.written}, language) or language


def _state(one: Rule | Preset, language: str) -> State:
    if language in one.written:
        return State.WRITTEN
    if not _is_built_in(one):
        return State.MISSING
    return State.STANDARD if any(words.title for words in one.written.values()) else State.BUILT_IN


def _is_built_in(one: Rule | Preset) -> bool:
    return isinstance(one, Rule) and one.is_built_in
