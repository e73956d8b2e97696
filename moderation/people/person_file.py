"""What staff know of one person, whether or not anyone reported them."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from itertools import islice

from django.utils.translation import get_language_info

from accounts.cards import PersonCard
from accounts.handles.former import FormerHandle, former_handles
from accounts.models import UserSettings
from moderation.cases.cases import FIRST_QUEUES, CaseId
from moderation.cases.pages.action_cards import ActionCard
from moderation.cases.pages.cards import CaseRow, Found, NoteCard, person_of
from moderation.cases.pages.case_words import SUBJECTS, age_text, strikes_text
from moderation.models import Case, CaseKind, PersonNote
from moderation.people.access_patterns import people_url, restrictions_in_words
from moderation.rules.preset_texts import done_word
from socialsite.table import ids, keys
from socialsite.table.errors import NotFound
from socialsite.table.meter import access_pattern
from socialsite.table.reading import RawItem, fetch, query
from socialsite.table.row import row
from socialsite.web.ago import ago
from socialsite.web.preferences import parse

MOST_SHOWN = 50  # strikes, and notes
OF_PEOPLE = (CaseKind.PERSON, CaseKind.SIGN_UP)


@dataclass(frozen=True, slots=True)
class PersonFile:
    """`asked` is their reason for joining, `language` the name of the one they read, `seen` the last day they used the
    site."""

    person: PersonCard
    seen: date
    asked: str
    language: str
    is_confirmed: bool
    former_handles: list[FormerHandle]
    cases: list[CaseRow]
    strikes: list[ActionCard]
    notes: list[NoteCard]

    @property
    def url(self) -> str:
        return people_url(self.person.user_id)

    @property
    def joined(self) -> datetime:
        return ids.time_of(self.person.user_id)

    @property
    def age(self) -> str:
        return age_text(self.joined)

    @property
    def restrictions(self) -> tuple[tuple[str, str], ...]:
        return restrictions_in_words(self.person)

    @property
    def strikes_text(self) -> str:
        return strikes_text(len(self.strikes))

    @property
    def cases_by_title(self) -> Iterator[tuple[CaseRow, str]]:
        return ((case, str(SUBJECTS[FIRST_QUEUES[case.case_id.kind]])) for case in self.cases)

    @property
    def decisions(self) -> Iterator[tuple[ActionCard, str]]:
        """Yields the strikes, newest first, with what was done in a word."""
        return ((strike, done_word(strike.kind)) for strike in self.strikes)


@access_pattern
def get_person_file(user_id: str) -> PersonFile:
    """Returns what staff know of a person, even if nobody else sees them. Raises `NotFound`.

    Two Queries, `u#<id>#strike` and `u#<id>#note`, at most 50 items of each, 0.5 read units per 4 KB; one BatchGetItem
    of info, counts, settings and the two cases about a person, 2.5 read units; one of the moderators whom notes and
    cases name, 0.5 each.
    """
    info, count, kept = (
        keys.user_info(user_id),
        keys.user_count(user_id),
        keys.user_settings(user_id),
    )
    cases = [CaseId(kind, user_id).key for kind in OF_PEOPLE]
    found = fetch([info, count, kept, *cases], consistent=True)
    if info not in found or count not in found:
        raise NotFound("no such person")
    settings = row(UserSettings, found.get(kept, {}))
    preferences = parse(settings.preferences)
    strikes, notes = _newest(keys.strikes(user_id)), _newest(keys.person_notes(user_id))
    rows = [found[key] for key in cases if key in found]
    named = {row(PersonNote, raw).moderator_id for raw in notes}
    for case in (row(Case, raw) for raw in rows):
        named |= {case.claimed_by, case.assigned_to}
    people = found | fetch(keys.user_info(one) for one in sorted(named - {""}))
    return PersonFile(
        person=PersonCard.from_raw(found[info]).with_counts(found[count]),
        seen=date.fromisoformat(settings.seen),
        asked=settings.asked,
        language=_language_in_words(preferences.language) if preferences else "",
        is_confirmed=not settings.unconfirmed,
        former_handles=former_handles(settings),
        cases=[CaseRow.from_raw(raw, people) for raw in rows],
        strikes=[ActionCard.from_strike(raw) for raw in strikes],
        notes=[_note(raw, people) for raw in notes],
    )


def _language_in_words(code: str) -> str:
    return str(get_language_info(code)["name_translated"])


def _newest(partition: str) -> list[RawItem]:
    return list(
        islice(query(partition, forward=False, limit=MOST_SHOWN, consistent=True), MOST_SHOWN)
    )


def _note(raw: RawItem, people: Found) -> NoteCard:
    note = row(PersonNote, raw)
    at = ids.time_of(note.note_id)
    return NoteCard(person_of(note.moderator_id, people), note.text, at.isoformat(), ago(at))
