"""The audit log for staff, every entry in words, and the public log: what was done, under which rule and on which day.
The public log never names the person concerned."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import islice
from typing import Any

from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext

from accounts.people.cards import PersonCard, end_text, moment_text
from moderation.audit_log.words import (
    DETAILS,
    PUBLIC,
    public_sentence_of,
    sentence_of,
)
from moderation.cases.cards import Found, parts_text, person_of
from moderation.cases.reads import THE_SITE, CaseId
from moderation.log.chain import list_chain, months_between, read_head
from moderation.log.writes import OPERATOR
from moderation.models import AuditEntry, CaseKind
from socialsite.clock import utc_now, utc_now_iso
from socialsite.site_settings.site_rules import rule_of
from socialsite.table import (
    PAGE_SIZE,
    Key,
    Page,
    Place,
    RawItem,
    access_pattern,
    fetch,
    keys,
    query,
    query_page,
    read_cursor,
    row,
    write_cursor,
)
from socialsite.web.preferences import ago, short_date

MOST_LOOKED_AT = 400  # entries read to find one page of fitting ones
A_CALL = 100
UNCOUNTED = {"export case", "take in"}  # their sentences have no room for the number of posts
NOT_SHOWN = {"posts", "packs", "text", "until", "rules", "named", "to"}  # shown in other ways


@dataclass(frozen=True, slots=True)
class EntryCard:
    """One entry for staff. `sentence` is HTML that includes the names, and `details` holds the entry's other values."""

    number: int
    iso: str
    when: str
    ago: str
    sentence: SafeString
    case_url: str
    until: str
    text: str
    rules: tuple[str, ...]
    details: tuple[tuple[str, str], ...]


@access_pattern
def list_audit_entries(
    month: str, *, cursor: str | None = None, moderator_id: str = "", person_id: str = ""
) -> Page[EntryCard]:
    """Returns a month of the log, newest first. Filters by moderator and by person if given. A filtered page may be
    short or even empty and still have a next one, because it reads at most 400 entries.

    Query (at most 4), 0.5 read units per 4 KB; BatchGetItem of the people, 0.5 each. In all 1 read unit, 21 at most.
    Raises `BadCursor`.
    """
    if moderator_id or person_id:
        fits = _fitting(moderator_id, person_id)
        page = fitting_page(keys.audit_entries(month), cursor, fits)
    else:
        page = query_page(keys.audit_entries(month), cursor=cursor)
    found = _people(page.items)
    return page.with_items([_card(raw, found) for raw in page.items])


def list_months() -> list[str]:
    """Returns the months that the log covers, newest first, or this month if the log is empty. Costs as `read_head`."""
    head, now = read_head(), utc_now_iso()[:7]
    # If the very first act failed, it leaves a head without a month.
    first, last = (head.first_month or now, head.month or now) if head else (now, now)
    return list(months_between(first, last))[::-1]


def read_month(month: str) -> Iterator[str]:
    """Yields a line for each entry of a month, oldest first, for the command line. Names people by their handles if
    they still have an account."""
    rows = list_chain(month)
    while some := list(islice(rows, A_CALL)):
        found = _people(some)
        for raw in some:
            yield _line(raw, found)


def first_day(month: str) -> date:
    return date(int(month[:4]), int(month[5:]), 1)


def _fitting(moderator_id: str, person_id: str) -> Callable[[RawItem], bool]:
    def fits(raw: RawItem) -> bool:
        entry = row(AuditEntry, raw)
        return moderator_id in ("", entry.moderator_id) and person_id in ("", entry.person_id)

    return fits


def fitting_page(
    partition: str, cursor: str | None, fits: Callable[[RawItem], bool]
) -> Page[RawItem]:
    """Returns a page of fitting entries. The next page continues after the last entry that was read."""
    after = Key(partition, read_cursor(partition, cursor).sk) if cursor else None
    rows = query(partition, after=after, forward=False, limit=A_CALL)
    taken: list[RawItem] = []
    last = ""
    for raw in islice(rows, MOST_LOOKED_AT):
        if len(taken) == PAGE_SIZE and fits(raw):
            break
        last = raw["SK"]["S"]
        taken += [raw] if fits(raw) else []
    else:
        if next(rows, None) is None:
            return Page(taken)
    return Page(taken, write_cursor(partition, Place("next", last)))


def _people(rows: Sequence[RawItem]) -> Found:
    entries = (row(AuditEntry, raw) for raw in rows)
    people = {one for entry in entries for one in (entry.moderator_id, entry.person_id)}
    people |= {str(detail_of(raw).get("to", "")) for raw in rows}
    return fetch(keys.user_info(user_id) for user_id in sorted(people - {""})) if rows else {}


def _card(raw: RawItem, found: Found) -> EntryCard:
    entry = row(AuditEntry, raw)
    action, at = entry.action, entry.at
    detail = detail_of(raw)
    names = {
        "by": _name(entry.moderator_id, found),
        "person": _handle(entry.person_id, found),
        "to": _name(str(detail.get("to", "")), found),
        "posts": len(detail.get("posts", ())),
        "action": conditional_escape(action),
    }
    return EntryCard(
        number=int(entry.number),
        iso=at,
        when=moment_text(at),
        ago=ago(datetime.fromisoformat(at)),
        sentence=SafeString(sentence_of(action, names)),
        case_url=_case_url(entry.case),
        until=end_text(str(detail.get("until", ""))),
        text=str(detail.get("text", "")),
        rules=reasons_of(detail),
        details=tuple(
            (str(DETAILS.get(name, name)), _in_words(name, value, action))
            for name, value in detail.items()
            if name not in NOT_SHOWN or (action in UNCOUNTED and name == "posts")
        ),
    )


def _line(raw: RawItem, found: Found) -> str:
    entry = row(AuditEntry, raw)
    parts = [
        str(entry.number),
        entry.at[:19],
        _plain_handle(entry.moderator_id, found),
        entry.action,
        _plain_handle(entry.person_id, found),
        entry.case,
        json.dumps(detail_of(raw), ensure_ascii=False) if detail_of(raw) else "",
    ]
    return "  ".join(filter(None, parts))


def detail_of(raw: RawItem) -> dict[str, Any]:
    return row(AuditEntry, raw).detail or {}


def reasons_of(detail: dict[str, Any]) -> tuple[str, ...]:
    """Returns the rule that the moderator named, or of a dismissal those of the reports, in words. Earlier versions
    entered those of the reports with every decision."""
    named = [detail["named"]] if "named" in detail else detail.get("rules", ())
    return tuple(rule_of(rule_id).reason for rule_id in named)


def _in_words(name: str, value: Any, action: str) -> str:
    values = value if isinstance(value, list) else [value]
    if name in ("posts", "opened"):
        values = [len(values)]
    if name == "notes":
        values = [gettext("yes")]
    if name in ("banner_until", "begins"):
        values = [moment_text(one) for one in values]
    if name == "parts":
        values = [parts_text(values)]
    is_change = action in ("change settings", "change level")  # of a setting: its old and new value
    between = " → " if is_change else ", "
    return between.join(str(one) for one in values)


def _case_url(case: str) -> str:
    kind = next((kind for kind in CaseKind if case.startswith(f"{kind}-")), None)
    return CaseId(kind, case.removeprefix(f"{kind}-")).url if kind else ""


def _name(user_id: str, found: Found) -> SafeString:
    if user_id == THE_SITE:
        return conditional_escape(gettext("The site"))
    if user_id == OPERATOR:
        return conditional_escape(gettext("The operator"))
    person = person_of(user_id, found)
    return _link(person, person.name) if person else format_html("<code>{}</code>", user_id)


def _handle(user_id: str, found: Found) -> SafeString:
    person = person_of(user_id, found)
    if person is None:
        return format_html("<code>{}</code>", user_id)
    return _link(person, f"@{person.handle}")


def _link(person: PersonCard, text: str) -> SafeString:
    return format_html('<a href="{}"><bdi>{}</bdi></a>', person.url, text)


def _plain_handle(user_id: str, found: Found) -> str:
    person = person_of(user_id, found)
    return f"@{person.handle}" if person else user_id


WAVES = {"start wave", "undo wave"}


@dataclass(frozen=True, slots=True)
class PublicCard:
    """One entry for everyone. It names the moderator only if the site shows that, and never the person concerned."""

    iso: str
    day: str
    sentence: str
    until: str
    rules: tuple[str, ...]
    moderator: str


@access_pattern
def list_public_entries(
    month: str, *, cursor: str | None = None, with_names: bool = False
) -> Page[PublicCard]:
    """Returns a month of the public log, newest first. Query (at most 4), 0.5 read units per 4 KB; with names a
    BatchGetItem of the moderators, 0.5 each. In all 4.5 read units, 21 at most. Raises `BadCursor`."""
    page = fitting_page(keys.audit_entries(month), cursor, _is_public)
    found = _moderators(page.items) if with_names else {}
    return page.with_items([_public_card(raw, found) for raw in page.items])


def _moderators(rows: Sequence[RawItem]) -> Found:
    ids = {row(AuditEntry, raw).moderator_id for raw in rows}
    return fetch(keys.user_info(user_id) for user_id in sorted(ids))


def _is_public(raw: RawItem) -> bool:
    """Whether everyone may read the entry: a wave's only if its action would be there too."""
    action = row(AuditEntry, raw).action
    return action in PUBLIC and (action not in WAVES or detail_of(raw).get("action") in PUBLIC)


def _public_card(raw: RawItem, found: Found) -> PublicCard:
    entry = row(AuditEntry, raw)
    at, detail = datetime.fromisoformat(entry.at), detail_of(raw)
    moderator = person_of(entry.moderator_id, found)
    return PublicCard(
        iso=at.date().isoformat(),  # the hour might reveal the person concerned
        day=_day_text(at),
        sentence=public_sentence_of(entry.action, _values(detail)),
        until=_end_day(str(detail.get("until", ""))),
        rules=reasons_of(detail),
        moderator=moderator.name if moderator else "",
    )


def _values(detail: Mapping[str, Any]) -> dict[str, int]:
    return {"posts": len(detail.get("posts", ())), "cases": int(detail.get("cases", 0))}


def _day_text(moment: datetime) -> str:
    # Every reader gets the UTC day: days in a zone of their choice would reveal the hour.
    return short_date(moment.date(), get_language(), with_year=moment.year != utc_now().year)


def _end_day(until: str) -> str:
    return _day_text(datetime.fromisoformat(until)) if end_text(until) else ""
