"""Whom a reported person may pretend to be: the accounts that reporters named, otherwise those that look alike.

Reporters name an account by its handle, and the report keeps its id: a new handle, or a block between the two, changes
nothing. Nobody but moderators sees what was named.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher

from accounts.people.cards import PersonCard
from accounts.people.viewer import VISITOR
from moderation.cases.cards import Found, ReportCard, person_of
from moderation.cases.words import age_text
from relations.directory import search_people
from socialsite.site_settings.site_setup import IMPERSONATION
from socialsite.table import access_pattern, fetch, ids, keys
from socialsite.texts import fold

MOST_NAMED = 5  # accounts that reporters named
MOST_ALIKE = 3  # accounts that look alike
LOOKED_AT = 20  # people for each way to look
ALIKE = 0.7  # how much of a name or handle is the same, of 1
SHORTEST = 3  # letters to look for
FOR_LETTERS = str.maketrans("01345", "oleas")  # digits that stand for letters


@dataclass(frozen=True, slots=True)
class Original:
    """An account that someone may pretend to be. `person` is None for one that was deleted."""

    person: PersonCard | None
    age: str = ""


@dataclass(frozen=True, slots=True)
class Originals:
    """The accounts that reporters named, or if they named none, those that look alike."""

    named: tuple[Original, ...] = ()
    alike: tuple[Original, ...] = ()

    @property
    def shown(self) -> tuple[Original, ...]:
        return self.named or self.alike


def is_about_pretending(reports: Iterable[ReportCard]) -> bool:
    """Whether a report of this round says that someone pretends to be another, or did before it said something else."""
    return any(
        said.rule_id == IMPERSONATION
        for report in reports
        if report.is_of_this_round
        for said in (*report.before, report)
    )


@access_pattern
def find_originals(person: PersonCard, reports: Iterable[ReportCard]) -> Originals:
    """Returns whom a person may pretend to be. Ask only if `is_about_pretending`.

    One BatchGetItem of at most 5 named people and their counts, 1 read unit each. If nobody named one, at most 3
    searches as `search_people`, of 20 people each, and one BatchGetItem of counts. In all at most 33 read units.
    """
    named = {one.original_id for one in reports if one.is_of_this_round and one.original_id}
    if named:
        wanted = sorted(named)[:MOST_NAMED]
        found = fetch(
            [key for one in wanted for key in (keys.user_info(one), keys.user_count(one))]
        )
        return Originals(named=tuple(_original(person_of(one, found), found) for one in wanted))
    people = {one.user_id: one for text in _looked_for(person) for one in _search(text)}
    people.pop(person.user_id, None)
    ranked = sorted(people.values(), key=lambda one: _alike(person, one), reverse=True)
    best = [one for one in ranked if _alike(person, one) >= ALIKE][:MOST_ALIKE]
    found = fetch([keys.user_count(one.user_id) for one in best])
    return Originals(alike=tuple(_original(one, found) for one in best))


def _original(person: PersonCard | None, found: Found) -> Original:
    if person is None:
        return Original(None)
    count = found.get(keys.user_count(person.user_id))
    card = person.with_counts(count) if count else person
    return Original(card, age_text(ids.time_of(person.user_id)))


def _search(text: str) -> Iterable[PersonCard]:
    return search_people(text, viewer=VISITOR, size=LOOKED_AT).items


def _looked_for(person: PersonCard) -> list[str]:
    """Returns what to look for: the name, and of the handle the first part and the longest, without digits behind, and
    with letters for digits."""
    parts = [one.rstrip("0123456789") for one in fold(person.handle).split("_")]
    letters = [one.translate(FOR_LETTERS) for one in parts if one]
    texts = [fold(person.name), *letters[:1], *sorted(letters, key=len, reverse=True)[:1]]
    return [one for one in dict.fromkeys(texts) if len(one) >= SHORTEST]


def _alike(one: PersonCard, other: PersonCard) -> float:
    names = _ratio(_plain(one.name), _plain(other.name))
    return max(names, _ratio(_plain(one.handle), _plain(other.handle)), _begins(one, other))


def _begins(one: PersonCard, other: PersonCard) -> float:
    """As alike as can be, if the handle is the other's with more behind or before it."""
    theirs = _plain(other.handle)
    return float(len(theirs) > SHORTEST and theirs in _plain(one.handle))


def _plain(text: str) -> str:
    return "".join(sign for sign in fold(text).translate(FOR_LETTERS) if sign.isalnum())


def _ratio(one: str, other: str) -> float:
    if not one or not other:
        return 0
    return SequenceMatcher(None, one, other).ratio()
