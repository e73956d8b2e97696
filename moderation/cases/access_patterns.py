"""Reads of moderation: the queue, and a case with everything that belongs to it. Members' own views: `own_cases.py`,
other lists: `lists/`."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from itertools import islice

from accounts.cards import PersonCard
from accounts.handles.former import FormerHandle, former_handles
from accounts.models import UserSettings
from moderation.cases.cases import CaseId
from moderation.cases.context import read_contexts
from moderation.cases.evidence import evidence_cards
from moderation.cases.pages.action_cards import ActionCard, MessageCard
from moderation.cases.pages.cards import (
    CaseRow,
    Found,
    NoteCard,
    ReportCard,
    person_of,
)
from moderation.cases.pages.evidence_cards import EvidenceCard
from moderation.cases.pages.photo_cards import PhotoCard, cards_of_pictures
from moderation.cases.pages.profile_cards import ProfileCard
from moderation.models import (
    Case,
    CaseAction,
    CaseEvidence,
    CaseKind,
    CaseMessage,
    CaseNote,
    CaseOutcome,
    CasePhoto,
    CaseReport,
    ClosedCase,
    ProfileEvidence,
)
from socialsite.table import keys, reading
from socialsite.table.cursors import Place, read_cursor, write_cursor
from socialsite.table.item import escalated_index_name
from socialsite.table.keys import Key
from socialsite.table.meter import access_pattern
from socialsite.table.paging import PAGE_SIZE, Page
from socialsite.table.reading import RawItem, as_model, fetch, query, query_index
from socialsite.table.row import row
from socialsite.web.preferences import parse

MOST_REPORTS = 50  # that a case page shows
MOST_OF_A_CASE = 200  # the most actions, notes, messages, evidence and photos that it shows
MOST_STRIKES = 50


@access_pattern
def list_cases(
    partition: str, *, severity: int = 0, cursor: str | None = None, size: int = PAGE_SIZE
) -> Page[CaseRow]:
    """Returns the open cases of a queue (`keys.queue`), or those assigned to a moderator (`keys.desk`): the most urgent
    first, then the oldest. `severity` limits them by a range of the sort key.

    Query `escalatedIndex`, then one BatchGetItem of the people: 0.5 read units per 4 KB, and 0.5 a person.
    """
    scope = f"{partition} {severity}"
    low, high = keys.queue_bounds(severity)
    if cursor:
        low = read_cursor(scope, cursor).sk + " "  # the first place behind the last one shown
    rows = query_index(
        escalated_index_name, partition, between=(low, high), forward=True, limit=size + 1
    )
    more, rows = len(rows) > size, rows[:size]
    last = row(Case, rows[-1]).escalated_at if more else ""
    cards = rows_of(rows)
    return Page(cards, write_cursor(scope, Place("next", last)) if more else None)


@dataclass(frozen=True, slots=True)
class CaseFile:
    """Everything about a case. `history` holds earlier actions about the person, from any case. `asked` is their reason
    for joining, `language` the one they read, and `former_handles` those of the last 90 days."""

    case: CaseRow
    person: PersonCard | None
    asked: str
    language: str
    former_handles: list[FormerHandle]
    reports: list[ReportCard]
    evidence: list[EvidenceCard]
    profiles: list[ProfileCard]
    notes: list[NoteCard]
    messages: list[MessageCard]
    actions: list[ActionCard]
    history: list[ActionCard]

    @property
    def photos(self) -> list[PhotoCard]:
        """Returns the photos of all posts, and the pictures of the profile."""
        of_posts = [photo for post in self.evidence for photo in post.photos]
        return [*of_posts, *(picture for one in self.profiles for picture in one.pictures)]

    @property
    def hidden_posts(self) -> list[str]:
        """Returns the posts, reported or above a reported reply, whose texts show only once the moderator asks."""
        reported = {one.post_id for one in self.evidence if not one.is_shown}
        above = {
            post_id for one in self.evidence if one.context for post_id in one.context.hidden_posts
        }
        return sorted(reported | above)


@access_pattern
def get_case(case_id: CaseId, *, revealed: Collection[str] = ()) -> CaseFile:
    """Returns a case with its reports, evidence, notes, conversation and actions, and the person's history. Of posts
    that were not for everyone only those in `revealed` show. Raises `NotFound`.

    One GetItem, three Queries (the case's partition without its reports, the reports, the person's strikes), all
    consistent except the last, then one BatchGetItem of people and posts, and of the person's counts and settings. Two
    more of what reported replies answer (`context.py`).
    """
    case = reading.get(Case, case_id.key, consistent=True)
    partition = case_id.key.pk
    rest = first_rows(partition, keys.case_bounds(), MOST_OF_A_CASE)
    reports = first_rows(partition, keys.report_bounds(), MOST_REPORTS)
    strikes = list(
        islice(query(keys.strikes(case.person_id), forward=False, limit=MOST_STRIKES), MOST_STRIKES)
    )
    raw_case = case.serialize()
    evidence = [raw for raw in rest if _is(raw, CaseEvidence)]
    copies = [raw for raw in rest if _is(raw, CasePhoto)]
    profiles = [raw for raw in rest if _is(raw, ProfileEvidence)]
    pictures = cards_of_pictures(as_model(CasePhoto, raw) for raw in copies)
    held = [keys.post(case.person_id, case.subject_id)] if case_id.kind == CaseKind.POST else []
    about = [keys.user_count(case.person_id), keys.user_settings(case.person_id)]
    there = [*about, *held, *map(_post_key, evidence)]
    found = fetch([*people_of([raw_case, *rest, *reports]), *there])
    person = _with_counts(case.person_id, found)
    settings = row(UserSettings, found.get(keys.user_settings(case.person_id), {}))
    preferences = parse(settings.preferences)
    # A held post is its own evidence: nobody else has seen it.
    posts = [*evidence, *(found[key] for key in held if key in found)]
    contexts = read_contexts(posts, found, revealed=revealed)
    outcomes = (row(CaseOutcome, raw) for raw in rest if _is(raw, CaseOutcome))
    outcome = next((one for one in outcomes if one.round == case.round), row(CaseOutcome, {}))
    return CaseFile(
        case=replace(
            CaseRow.from_raw(raw_case, found),
            outcome=outcome.decision,
            is_undone=bool(outcome.undone_at),
        ),
        person=person,
        asked=settings.asked,
        language=preferences.language if preferences else "",
        former_handles=former_handles(settings),
        reports=[ReportCard.from_raw(raw, found, int(case.round)) for raw in reports],
        evidence=list(
            evidence_cards(posts, copies, found, person, contexts=contexts, revealed=revealed)
        ),
        profiles=[ProfileCard.from_raw(raw, found, pictures) for raw in profiles],
        notes=[NoteCard.from_raw(raw, found) for raw in rest if _is(raw, CaseNote)],
        messages=[MessageCard.from_raw(raw, found) for raw in rest if _is(raw, CaseMessage)],
        actions=[ActionCard.from_action(raw, found) for raw in rest if _is(raw, CaseAction)],
        history=[ActionCard.from_strike(raw) for raw in strikes],
    )


def rows_of(rows: Collection[RawItem]) -> list[CaseRow]:
    found = fetch(people_of(rows)) if rows else {}
    return [CaseRow.from_raw(raw, found) for raw in rows]


def _with_counts(user_id: str, found: Found) -> PersonCard | None:
    card, count = person_of(user_id, found), found.get(keys.user_count(user_id))
    return card.with_counts(count) if card and count else card


def people_of(rows: Iterable[RawItem]) -> list[Key]:
    of_case = (Case.person_id, Case.claimed_by, Case.assigned_to, ClosedCase.moderator_id)
    of_action = (CaseAction.moderator_id, CaseAction.undone_by)
    named = (*of_case, *of_action, CaseReport.reporter_id, CaseMessage.writer_id)
    ids = {reading.text(raw, attribute) for raw in rows for attribute in named}
    return [keys.user_info(user_id) for user_id in sorted(ids - {""})]


def first_rows(partition: str, between: tuple[str, str], most: int) -> list[RawItem]:
    return list(islice(query(partition, between=between, limit=most, consistent=True), most))


def _is(raw: RawItem, model: type) -> bool:
    return raw["type"]["S"] == model.__name__


def _post_key(raw: RawItem) -> Key:
    evidence = row(CaseEvidence, raw)
    return keys.post(evidence.author_id, evidence.post_id)
