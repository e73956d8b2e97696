"""Lists of people for staff (everyone, also those whom nobody else sees), what is known of one person, whether or not
anyone reported them, and which accounts share the domain of an email address, a network or a browser.

Staff look for one person behind several accounts. None of that is proof: families, schools and mobile providers share
networks. So a network or browser of very many accounts names nobody.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from itertools import islice
from typing import Self

from django.utils.translation import get_language_info, gettext

from accounts.encryption.emails import domain_hmacs
from accounts.models import DomainEntry, Origin, OriginTrace, UserInfo, UserSettings
from accounts.people.cards import PersonCard, restrictions_of
from accounts.people.reads import FormerHandle, find_user_by_handle, former_handles
from accounts.people.restrictions import FOR_EVER, UNTIL
from accounts.permissions import list_staff
from accounts.sign_in.browsers import OriginKind, origin_hmacs
from moderation.cases.action_cards import ActionCard
from moderation.cases.cards import CaseRow, Found, NoteCard, person_of
from moderation.cases.reads import FIRST_QUEUES, CaseId
from moderation.cases.words import RESTRICTED, SUBJECTS, age_text, done_word, strikes_text
from moderation.models import Case, CaseKind, PersonEntry, PersonNote, Queue
from relations.directory import LETTERS, LONGEST, is_first_fit
from relations.models import DirectoryEntry
from socialsite.clock import utc_now_iso
from socialsite.table import (
    PAGE_SIZE,
    Key,
    NotFound,
    Page,
    Place,
    RawItem,
    Source,
    access_pattern,
    escalated_index_name,
    fetch,
    ids,
    keys,
    query,
    query_index,
    query_merged,
    read_cursor,
    row,
    write_cursor,
)
from socialsite.texts import fold
from socialsite.web.preferences import ago, parse


def entries_of(info: UserInfo) -> list[PersonEntry]:
    """Returns the entries of a person: among those who signed up in a month and, with a restriction, among the
    restricted, under its latest end."""
    user_id = info.user_id
    month = f"{ids.time_of(user_id):%Y-%m}"
    entries = [PersonEntry(*keys.new_person(month, user_id), user_id=user_id)]
    ends = [getattr(info, until.attr_name) for until in UNTIL.values()]
    if until := max(end or "" for end in ends):
        entry = PersonEntry(*keys.restricted_person(user_id, until), user_id=user_id)
        if until < FOR_EVER:
            entry.ttl = datetime.fromisoformat(until)
        entries.append(entry)
    return entries


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
    """Returns the people who are restricted now: limited, frozen, suspended or without messages. The restriction that
    ends next comes first, and those without an end come last. The stream worker may be a moment behind, so each is
    compared with what holds now.

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


QUEUES_OF_PEOPLE = (Queue.REPORTS, Queue.APPEALS, Queue.SENIORS)


@access_pattern
def list_reported(*, cursor: str | None = None) -> Page[PersonRow]:
    """Returns the people about whom a case is open, in the queues or on a desk: the most urgent first, then the oldest.

    As `list_staff`, a Query of `escalatedIndex` for three queues and each of at most 50 desks, 0.5 read units per 4 KB
    each, then one BatchGetItem of the people, 10 read units. In all 2 + 10 read units, and 1 for each of the staff.
    """
    low, high = keys.queue_bounds()
    if cursor:
        low = read_cursor(REPORTED, cursor).sk + " "  # the first place behind the last one shown
    desks = [keys.desk(person.user_id) for person in list_staff()[:MOST_DESKS]]
    found = [
        raw
        for partition in (*map(keys.queue, QUEUES_OF_PEOPLE), *desks)
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
    read units, however many people there are. In all 1 + 10.5 read units. A page may be short, as in `search_people`.
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


MOST_OF_EACH = 50  # strikes, and notes
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
    cases name, 0.5 each. In all 7 read units, and 0.5 a moderator.
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
        islice(query(partition, forward=False, limit=MOST_OF_EACH, consistent=True), MOST_OF_EACH)
    )


def _note(raw: RawItem, people: Found) -> NoteCard:
    note = row(PersonNote, raw)
    at = ids.time_of(note.note_id)
    return NoteCard(person_of(note.moderator_id, people), note.text, at.isoformat(), ago(at))


MOST_SHOWN = 100
MOST_TRACES = 500  # read of one person and kind
MOST_FOLLOWED = {OriginKind.BROWSER: 10, OriginKind.NETWORK: 20}  # of these, the latest
CROWD = 50  # accounts; more than that on one network or browser say nothing about each other


@dataclass(frozen=True, slots=True)
class Accounts:
    """Accounts that share something, those that share most or are newest first. `is_cut` says that there are more,
    `crowded` how many networks and browsers were left out."""

    rows: list[PersonRow]
    is_cut: bool = False
    crowded: int = 0


@dataclass(slots=True)
class _Shared:
    """What another account shares with a person, and the last day on which it did."""

    browsers: int = 0
    networks: int = 0
    seen: str = ""
    kinds: set[OriginKind] = field(default_factory=set)

    def add(self, kind: OriginKind, seen: str) -> None:
        self.browsers += kind == OriginKind.BROWSER
        self.networks += kind == OriginKind.NETWORK
        self.seen = max(self.seen, seen)
        self.kinds.add(kind)

    @property
    def in_words(self) -> str:
        if len(self.kinds) == len(OriginKind):
            return gettext("Same browser and network")
        return gettext("Same browser") if self.browsers else gettext("Same network")


@access_pattern
def list_of_domain(domain: str) -> Accounts:
    """Returns the people whose confirmed email address is of this very domain, the newest accounts first.

    A Query of `maildomain#<hmac>` for each key of the settings and one BatchGetItem of at most 100 infos: 1.5 + 50 read
    units.
    """
    partitions = [keys.domain_entries(hmac) for hmac in domain_hmacs(domain)]
    return _accounts(_newest_people(DomainEntry, partitions))


@access_pattern
def list_of_network(network: str) -> Accounts:
    """Returns the people who signed in from this network in the last 90 days, the newest accounts first.

    A Query of `origin#net#<hmac>` for each key of the settings and one BatchGetItem of at most 100 infos: 2.5 + 50 read
    units.
    """
    kind = OriginKind.NETWORK
    partitions = [keys.origins(kind, hmac) for hmac in origin_hmacs(kind, network)]
    return _accounts(_newest_people(Origin, partitions))


@access_pattern
def list_other_accounts(user_id: str) -> Accounts:
    """Returns the accounts that signed in from the same browser or network as a person in the last 90 days: those of
    the same browser first, then those that share more networks, then the latest.

    Two Queries of `u#<id>#origin`, at most 500 items of each kind, 12.5 read units each; a Query of each of the latest
    10 browsers and 20 networks, at most 51 items and 1 read unit each; one BatchGetItem of at most 100 infos, 50 read
    units.
    """
    shared: dict[str, _Shared] = {}
    crowded = 0
    for kind, hmac in _latest_origins(user_id):
        here = [row(Origin, raw) for raw in _first(keys.origins(kind, hmac), CROWD + 1)]
        if len(here) > CROWD:
            crowded += 1
            continue
        for origin in here:
            shared.setdefault(origin.user_id, _Shared()).add(kind, origin.seen)
    shared.pop(user_id, None)
    order = sorted(
        shared,
        key=lambda one: (bool(shared[one].browsers), shared[one].networks, shared[one].seen),
        reverse=True,
    )
    accounts = _accounts(order)
    rows = [
        replace(one, shared=what.in_words, shared_on=date.fromisoformat(what.seen))
        for one in accounts.rows
        if (what := shared[one.person.user_id])
    ]
    return replace(accounts, rows=rows, crowded=crowded)


def _latest_origins(user_id: str) -> list[tuple[OriginKind, str]]:
    return [
        (kind, trace.hmac)
        for kind, most in MOST_FOLLOWED.items()
        for trace in _latest(user_id, kind)[:most]
    ]


def _latest(user_id: str, kind: OriginKind) -> list[OriginTrace]:
    # They lie by hash. With many networks, a shared browser would not be among the first of all.
    between = keys.origin_trace_bounds(kind)
    rows = query(keys.origin_traces(user_id), between=between, limit=MOST_TRACES)
    traces = [row(OriginTrace, raw) for raw in islice(rows, MOST_TRACES)]
    return sorted(traces, key=lambda trace: trace.seen, reverse=True)


def _newest_people(model: type[DomainEntry | Origin], partitions: Iterable[str]) -> list[str]:
    """Returns whom these partitions list, the newest accounts first. Their ids sort by time, and so do the entries."""
    found = [raw for partition in partitions for raw in _first(partition, MOST_SHOWN + 1)]
    return sorted({row(model, raw).user_id for raw in found}, reverse=True)


def _first(partition: str, count: int) -> list[RawItem]:
    return list(islice(query(partition, forward=False, limit=count), count))


def _accounts(user_ids: Iterable[str]) -> Accounts:
    order = list(dict.fromkeys(user_ids))
    shown = order[:MOST_SHOWN]
    found = fetch(keys.user_info(user_id) for user_id in shown) if shown else {}
    people = [person for user_id in shown if (person := person_of(user_id, found))]
    return Accounts([PersonRow.of(person) for person in people], is_cut=len(order) > MOST_SHOWN)
