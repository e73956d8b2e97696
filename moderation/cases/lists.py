"""Reads of moderation: the queue, whole or in some languages, the cases on desks, the closed ones, the case that comes
next, and a case with everything that belongs to it."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from heapq import merge
from itertools import islice

from accounts.models import UserSettings
from accounts.people.cards import PersonCard
from accounts.people.reads import FormerHandle, former_handles
from accounts.people.viewer import Viewer
from accounts.permissions import list_staff
from moderation.cases.action_cards import ActionCard, MessageCard
from moderation.cases.cards import (
    CaseRow,
    Found,
    NoteCard,
    PackCard,
    ProfileCard,
    ReportCard,
    person_of,
)
from moderation.cases.chat_evidence import Conversation, conversations_of
from moderation.cases.evidence_cards import EvidenceCard, evidence_cards, read_contexts
from moderation.cases.photo_cards import PhotoCard, cards_of_copies, cards_of_pictures
from moderation.cases.pressing import list_pressing
from moderation.cases.reads import CaseId, id_of, is_for, is_looked_at_by_another, is_open
from moderation.cases.rounds import others_answer
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
    MessageEvidence,
    PackEvidence,
    ProfileEvidence,
)
from socialsite.table import (
    PAGE_SIZE,
    Key,
    Page,
    Place,
    RawItem,
    access_pattern,
    as_model,
    escalated_index_name,
    fetch,
    keys,
    query,
    query_index,
    query_page,
    read_cursor,
    reading,
    row,
    write_cursor,
)
from socialsite.web.preferences import ago, parse

MOST_REPORTS = 50  # that a case page shows
MOST_OF_A_CASE = 200  # the most actions, notes, messages, evidence and photos that it shows
MOST_SAID = 400  # reported private messages
MOST_STRIKES = 50


@access_pattern
def list_cases(
    partition: str, *, severity: int = 0, cursor: str | None = None, size: int = PAGE_SIZE
) -> Page[CaseRow]:
    """Returns the open cases of a queue (`keys.queue`), or those assigned to a moderator (`keys.desk`): the most urgent
    first, then the oldest. `severity` limits them by a range of the sort key.

    Query `escalatedIndex`, then one BatchGetItem of the people: 0.5 read units per 4 KB, and 0.5 a person. In all 1 +
    10 read units.
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
    packs: list[PackCard]
    conversations: list[Conversation]
    notes: list[NoteCard]
    messages: list[MessageCard]
    actions: list[ActionCard]
    history: list[ActionCard]
    loose: tuple[PhotoCard, ...] = ()  # photos that the site found, in no reported post or message

    @property
    def photos(self) -> list[PhotoCard]:
        """Returns the photos of all posts and private messages, and the pictures of the profile."""
        of_posts = [photo for post in self.evidence for photo in post.photos]
        said = [message for one in self.conversations for message in one.messages]
        of_messages = [photo for message in said for photo in message.photos]
        of_messages += self.loose
        pictures = [picture for one in self.profiles for picture in one.pictures]
        return [*of_posts, *of_messages, *pictures]

    @property
    def hidden_posts(self) -> list[str]:
        """Returns the posts, reported or above a reported reply, whose texts show only once the moderator asks."""
        reported = {one.post_id for one in self.evidence if not one.is_shown}
        above = {
            post_id for one in self.evidence if one.context for post_id in one.context.hidden_posts
        }
        return sorted(reported | above)


@access_pattern
def get_case(
    case_id: CaseId, *, revealed: Collection[str] = (), shows_messages: bool = False
) -> CaseFile:
    """Returns a case with its reports, evidence, notes, conversation and actions, and the person's history. Of posts
    that were not for everyone only those in `revealed` show, and words of private messages if `shows_messages`. Raises
    `NotFound`.

    One GetItem, three Queries (the case's partition without its reports, the reports, the person's strikes), all
    consistent except the last, then one BatchGetItem of people, posts and packs, of the reporters' records, and of the
    person's counts and settings. In all 1 + 3 + 0.5 + 12 read units for 20 reports, and 0.5 for each record. Two more
    of what reported replies answer (`evidence_cards.py`), and a Query of reported private messages where there are any,
    at most 400.
    """
    case = reading.get(Case, case_id.key, consistent=True)
    partition = case_id.key.pk
    rest = first_rows(partition, keys.case_bounds(), MOST_OF_A_CASE)
    reports = first_rows(partition, keys.report_bounds(), MOST_REPORTS)
    strikes = list(
        islice(query(keys.strikes(case.person_id), forward=False, limit=MOST_STRIKES), MOST_STRIKES)
    )
    said = first_rows(partition, keys.said_bounds(), MOST_SAID) if case.holds_messages else []
    raw_case = case.serialize()
    evidence = [raw for raw in rest if _is(raw, CaseEvidence)]
    copies = [as_model(CasePhoto, raw) for raw in rest if _is(raw, CasePhoto)]
    profiles = [raw for raw in rest if _is(raw, ProfileEvidence)]
    packs = [raw for raw in rest if _is(raw, PackEvidence)]
    photos, pictures = cards_of_copies(copies), cards_of_pictures(copies)
    held = [keys.post(case.person_id, case.subject_id)] if case_id.kind == CaseKind.POST else []
    about = [keys.user_count(case.person_id), keys.user_settings(case.person_id)]
    records = [keys.reporter_record(row(CaseReport, raw).reporter_id) for raw in reports]
    there = [*about, *records, *held, *map(_post_key, evidence), *map(_pack_key, packs)]
    found = fetch([*people_of([raw_case, *rest, *reports, *said]), *there])
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
            evidence_cards(posts, photos, found, person, contexts=contexts, revealed=revealed)
        ),
        profiles=[ProfileCard.from_raw(raw, found, pictures) for raw in profiles],
        packs=[PackCard.from_raw(raw, found, person) for raw in packs],
        conversations=conversations_of(said, photos, found, is_shown=shows_messages),
        notes=[NoteCard.from_raw(raw, found) for raw in rest if _is(raw, CaseNote)],
        messages=[MessageCard.from_raw(raw, found) for raw in rest if _is(raw, CaseMessage)],
        actions=[ActionCard.from_action(raw, found) for raw in rest if _is(raw, CaseAction)],
        history=[ActionCard.from_strike(raw) for raw in strikes],
        loose=tuple(one.in_private(is_shown=False) for one in photos.get("", ())),
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
    of_words = (CaseReport.reporter_id, CaseMessage.writer_id, MessageEvidence.author_id)
    named = (*of_case, *of_action, *of_words)
    ids = {reading.text(raw, attribute) for raw in rows for attribute in named}
    return [keys.user_info(user_id) for user_id in sorted(ids - {""})]


def first_rows(partition: str, between: tuple[str, str], most: int) -> list[RawItem]:
    return list(islice(query(partition, between=between, limit=most, consistent=True), most))


def _is(raw: RawItem, model: type) -> bool:
    return raw["type"]["S"] == model.__name__


def _post_key(raw: RawItem) -> Key:
    evidence = row(CaseEvidence, raw)
    return keys.post(evidence.author_id, evidence.post_id)


def _pack_key(raw: RawItem) -> Key:
    evidence = row(PackEvidence, raw)
    return keys.person_list(evidence.person_id, evidence.list_id)


MOST_LOOKED_AT = 200  # cases, for one page of fitting ones
A_CALL = 50


def fitting(languages: Collection[str], reason: str) -> Callable[[Case], bool] | None:
    """Returns whether a case is for people who read these languages and was reported for this reason (empty: any), None
    where every case is."""
    if not languages and not reason:
        return None
    return lambda case: is_for(case, languages) and (not reason or reason in (case.rules or ()))


@access_pattern
def list_cases_in(
    partition: str,
    *,
    fits: Callable[[Case], bool],
    severity: int = 0,
    cursor: str | None = None,
    size: int = PAGE_SIZE,
) -> Page[CaseRow]:
    """Returns the open cases of a queue that fit, as `list_cases` does. A page may be short
    or even empty and still have a next one, because it looks at no more than 200 cases.

    At most 4 Queries of `escalatedIndex`, then one BatchGetItem of the people: 0.5 read units per 4 KB, and 0.5 a
    person. In all at most 13 + 10 read units.
    """
    scope = f"{partition} {severity}"
    low, high = keys.queue_bounds(severity)
    if cursor:
        low = read_cursor(scope, cursor).sk + " "
    taken: list[RawItem] = []
    last = ""
    for _ in range(MOST_LOOKED_AT // A_CALL):
        found = query_index(
            escalated_index_name, partition, between=(low, high), forward=True, limit=A_CALL
        )
        for raw in found:
            if len(taken) == size:
                return Page(rows_of(taken), write_cursor(scope, Place("next", last)))
            case = row(Case, raw)
            last = case.escalated_at
            taken += [raw] if fits(case) else []
        if len(found) < A_CALL:
            return Page(rows_of(taken), None)
        low = last + " "
    return Page(rows_of(taken), write_cursor(scope, Place("next", last)))


@access_pattern
def list_closed(month: str, *, cursor: str | None = None) -> Page[CaseRow]:
    """Returns the cases closed in a month (`2026-11`), newest first, with how and by whom they were closed. Leaves out
    cases that were opened again.

    Query `closed#<month>`, then two BatchGetItems of cases and people: 0.5 + 10 + at most 20 read units.
    """
    page = query_page(keys.closed_cases(month), cursor=cursor)
    found = fetch(map(_case_key, page.items))
    closings = [
        raw
        for raw in page.items
        if row(Case, found.get(_case_key(raw), {})).closed_at == row(ClosedCase, raw).closed_at
    ]
    cases = [found[_case_key(raw)] for raw in closings]
    people = fetch(people_of([*cases, *closings])) if cases else {}
    rows = [CaseRow.from_raw(raw, people) for raw in cases]
    return page.with_items(
        [
            replace(
                case,
                outcome=closing.decision,
                is_undone=bool(closing.undone_at),
                closed_by=person_of(closing.moderator_id, people),
                closed_ago=ago(datetime.fromisoformat(closing.closed_at)),
            )
            for case, closing in zip(rows, (row(ClosedCase, raw) for raw in closings), strict=True)
        ]
    )


def _case_key(raw: RawItem) -> Key:
    case = row(ClosedCase, raw)
    return keys.case(case.kind, case.subject_id)


MOST_DESKS = 50
LOOKED_AT = 50  # cases of each desk, for one page of those in some languages


@access_pattern
def list_desks(
    *,
    severity: int = 0,
    fits: Callable[[Case], bool] | None = None,
    cursor: str | None = None,
) -> Page[CaseRow]:
    """Returns the open cases that are assigned to anyone: the most urgent first, then the oldest. `severity` limits
    them, and so does what `fits`: then a page may be short and still have a next one.

    As `list_staff`, a Query of `escalatedIndex` for each of at most 50 members of staff, 0.5 read units per 4 KB, then
    one BatchGetItem of the people, 0.5 each. In all 1 + 10 read units, and 0.5 for each of the staff.
    """
    scope = f"desks {severity}"
    low, high = keys.queue_bounds(severity)
    if cursor:
        low = read_cursor(scope, cursor).sk + " "  # the first place behind the last one shown
    most = LOOKED_AT if fits else PAGE_SIZE + 1
    desks = [
        query_index(
            escalated_index_name,
            keys.desk(person.user_id),
            between=(low, high),
            forward=True,
            limit=most,
        )
        for person in list_staff()[:MOST_DESKS]
    ]
    # Beyond the last one read of a full desk, that desk may hold more.
    reach = min((_place_of(desk[-1]) for desk in desks if len(desk) == most), default="")
    shown: list[RawItem] = []
    last = ""
    for raw in merge(*desks, key=_place_of):
        is_beyond = bool(reach) and _place_of(raw) > reach
        if is_beyond or len(shown) == PAGE_SIZE:
            break
        last = _place_of(raw)
        shown += [raw] if not fits or fits(row(Case, raw)) else []
    else:
        if not reach:
            return Page(rows_of(shown))
    return Page(rows_of(shown), write_cursor(scope, Place("next", last)))


def _place_of(raw: RawItem) -> str:
    return row(Case, raw).escalated_at


@access_pattern
def get_next_case(
    partition: str,
    *,
    by: Viewer,
    besides: CaseId,
    severity: int = 0,
    kinds: Collection[CaseKind] = frozenset(CaseKind),
    languages: Collection[str] = (),
    reason: str = "",
    pressing: bool = False,
) -> CaseId | None:
    """Returns the case to open next: the first open one of these kinds (of `severity`, in `languages`, for `reason`, if
    given), or with `pressing` the first by `list_pressing`, that nobody else reviews and that is not about the viewer.
    An appeal against their own decision is left to others, if anyone else may answer it. The index may lag, so the
    cases are read again themselves.

    Query `escalatedIndex` and one consistent BatchGetItem: 0.5 and at most 10 read units, 50 with `languages` or
    `reason`; with `pressing` 10.5 more. A BatchGetItem of the decisions that are appealed, 0.5 each. If any of them is
    the viewer's, `list_staff` once and what `others_answer` reads for each.
    """
    between, fits = keys.queue_bounds(severity), fitting(languages, reason)
    most = 50 if languages or reason else 10
    if pressing:
        rows = list_pressing(partition, severity=severity, size=most).items
    else:
        rows = query_index(
            escalated_index_name, partition, between=between, forward=True, limit=most
        )
    found = fetch([reading.key_of(raw) for raw in rows], consistent=True)
    cases = [as_model(Case, raw) for raw in found.values()]
    decisions = fetch(_decision(case) for case in cases if case.appealed)
    staff: list[PersonCard] | None = None
    for case in cases:
        is_free = is_open(case) and not is_looked_at_by_another(case, by.user_id)
        is_for_them = case.person_id != by.user_id and CaseKind(case.kind) in kinds
        is_for_them &= fits is None or fits(case)
        is_for_them &= id_of(case) != besides
        if not is_free or not is_for_them:
            continue
        decision = row(CaseAction, decisions.get(_decision(case), {}))
        is_own = bool(case.appealed) and decision.moderator_id == by.user_id
        if is_own and staff is None:
            staff = list_staff()
        if not is_own or not others_answer(
            by, id_of(case), case.person_id, decision.kind, staff=staff
        ):
            return id_of(case)
    return None


def _decision(case: Case) -> Key:
    return keys.case_action(case.kind, case.subject_id, str(case.appealed))
