"""Lists of people for staff: everyone, also those whom nobody else sees. What is known of one person:
`person_file.py`."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Self

from accounts.access_patterns import find_user_by_handle
from accounts.cards import PersonCard
from accounts.permissions import list_staff
from accounts.standing import restrictions_of
from moderation.cases.pages.cards import CaseRow, person_of
from moderation.cases.pages.case_words import RESTRICTED, age_text
from moderation.models import Case, CaseKind, PersonEntry, Queue
from relations.directory import LETTERS, LONGEST, is_first_fit
from relations.models import DirectoryEntry
from relations.spelling import fold
from socialsite.clock import utc_now_iso
from socialsite.table import ids, keys
from socialsite.table.cursors import Place, read_cursor, write_cursor
from socialsite.table.errors import NotFound
from socialsite.table.item import escalated_index_name
from socialsite.table.keys import Key
from socialsite.table.meter import access_pattern
from socialsite.table.paging import PAGE_SIZE, Page, Source, query_merged
from socialsite.table.reading import RawItem, fetch, query_index
from socialsite.table.row import row

MOST_DESKS = 50
REPORTED = "reported"


def people_url(user_id: str) -> str:
    """Returns the address of the staff page of a person."""
    return f"/moderation/people/{user_id}"


@dataclass(frozen=True, slots=True)
class PersonRow:
    """A person in a list of staff. `restrictions` are in words, each with its end, `case` the open case about them.
    `shared` says what they share with the person whose other accounts are listed, last on the day `shared_on`."""

    person: PersonCard
    url: str
    age: str
    restrictions: tuple[tuple[str, str], ...]
    case: CaseRow | None = None
    shared: str = ""
    shared_on: date | None = None

    @classmethod
    def of(cls, person: PersonCard, case: CaseRow | None = None) -> Self:
        return cls(
            person=person,
            url=people_url(person.user_id),
            age=age_text(ids.time_of(person.user_id)),
            restrictions=restrictions_in_words(person),
            case=case,
        )


def restrictions_in_words(person: PersonCard) -> tuple[tuple[str, str], ...]:
    return tuple((str(RESTRICTED[one]), end) for one, end in restrictions_of(person))


@access_pattern
def list_new_people(month: str, *, cursor: str | None = None) -> Page[PersonRow]:
    """Returns the people who signed up in a month (`2026-11`), newest first.

    Query of four shards of `people#<month>`, then one BatchGetItem of their infos: 2 + 10 read units.
    """
    sources = [Source(keys.new_people(month, shard)) for shard in range(keys.PEOPLE_SHARDS)]
    page = query_merged(sources, scope=f"people {month}", cursor=cursor)
    return _with_people(page)


@access_pattern
def list_restricted(*, cursor: str | None = None) -> Page[PersonRow]:
    """Returns the people who are limited, frozen or suspended now. The restriction that ends next comes first, and
    those without an end come last. The stream worker may be a moment behind, so each is compared with what holds now.

    Query of four shards of `restricted`, from now on, then one BatchGetItem of their infos: 2 + 10 read units.
    """
    between = (utc_now_iso(), keys.bounds("9")[1])
    sources = [
        Source(keys.restricted_people(shard), between=between)
        for shard in range(keys.PEOPLE_SHARDS)
    ]
    page = _with_people(
        query_merged(sources, scope="restricted", cursor=cursor, newest_first=False)
    )
    return page.with_items([one for one in page.items if one.restrictions])


@access_pattern
def list_reported(*, cursor: str | None = None) -> Page[PersonRow]:
    """Returns the people about whom a case is open, in the queues or on a desk: the most urgent first, then the oldest.

    As `list_staff`, a Query of `escalatedIndex` for two queues and each of at most 50 desks, 0.5 read units per 4 KB
    each, then one BatchGetItem of the people, 10 read units.
    """
    low, high = keys.queue_bounds()
    if cursor:
        low = read_cursor(REPORTED, cursor).sk + " "  # the first place behind the last one shown
    desks = [keys.desk(person.user_id) for person in list_staff()[:MOST_DESKS]]
    found = [
        raw
        for partition in (keys.queue(Queue.REPORTS), keys.queue(Queue.APPEALS), *desks)
        for raw in query_index(
            escalated_index_name, partition, between=(low, high), forward=True, limit=PAGE_SIZE + 1
        )
        if row(Case, raw).kind == CaseKind.PERSON
    ]
    found.sort(key=lambda raw: row(Case, raw).escalated_at)
    shown = found[:PAGE_SIZE]
    people = fetch(keys.user_info(row(Case, raw).person_id) for raw in shown) if shown else {}
    rows = [
        PersonRow.of(case.person, case)
        for case in (CaseRow.from_raw(raw, people) for raw in shown)
        if case.person
    ]
    last = row(Case, shown[-1]).escalated_at if len(found) > PAGE_SIZE else ""
    return Page(rows, write_cursor(REPORTED, Place("next", last)) if last else None)


def list_staff_people() -> Page[PersonRow]:
    """Returns everyone who has a role, by name. Costs as `list_staff`."""
    return Page([PersonRow.of(person) for person in list_staff()])


@access_pattern
def find_people(text: str, *, cursor: str | None = None) -> Page[PersonRow]:
    """Returns the people whose handle, or a word of whose name, begins with the text, whatever is restricted and whom
    they block. The first page begins with the person who had this very handle in the last 90 days.

    GetItem `handle#<text>`, Query `find#<first 2 letters>`, one BatchGetItem of the infos: at most 0.5 + 0.5 + 10.5
    read units, however many people there are. A page may be short, as in `search_people`.
    """
    text = text.strip().removeprefix("@")
    prefix = fold(text)[:LONGEST].rstrip()
    page: Page[RawItem] = Page(())
    if prefix:
        partition = keys.directory(prefix[: max(LETTERS)])
        source = Source(partition, between=keys.bounds(prefix))
        scope = f"people {partition} {prefix}"
        page = query_merged([source], scope=scope, cursor=cursor, newest_first=False)
    former = "" if cursor else _holder_of(text)
    named = [row(DirectoryEntry, raw).user_id for raw in page.items]
    found = fetch(keys.user_info(user_id) for user_id in [former, *named] if user_id)
    people: dict[str, PersonCard] = {}
    if holder := person_of(former, found):
        people[former] = holder
    for user_id, raw in zip(named, page.items, strict=True):
        person = person_of(user_id, found)
        if person and is_first_fit(raw, person, prefix):
            people.setdefault(user_id, person)
    return page.with_items([PersonRow.of(person) for person in people.values()])


def _holder_of(handle: str) -> str:
    """Returns whose handle this is, or was in the last 90 days, empty if it is nobody's."""
    try:
        return find_user_by_handle(handle.lower(), or_former=True) if handle else ""
    except NotFound:
        return ""


def _with_people(page: Page[RawItem]) -> Page[PersonRow]:
    found = fetch(_infos(page.items)) if page.items else {}
    people = (person_of(row(PersonEntry, raw).user_id, found) for raw in page.items)
    return page.with_items([PersonRow.of(person) for person in people if person])


def _infos(rows: Iterable[RawItem]) -> list[Key]:
    return [keys.user_info(row(PersonEntry, raw).user_id) for raw in rows]
