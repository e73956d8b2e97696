"""The audit log for staff, every entry in words. The public log is in `public_log.py`."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import islice
from typing import Any

from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from accounts.cards import PersonCard, end_text, moment_text
from moderation.audit.chain import list_chain, months_between, read_head
from moderation.audit.words import DETAILS, sentence_of
from moderation.cases.cases import CaseId
from moderation.cases.pages.cards import Found, person_of
from moderation.cases.pages.profile_cards import PARTS
from moderation.cases.services.report import THE_SITE
from moderation.models import AuditEntry, CaseKind
from socialsite.clock import utc_now_iso
from socialsite.site.site_rules import rule_of
from socialsite.table import keys
from socialsite.table.cursors import Place, read_cursor, write_cursor
from socialsite.table.keys import Key
from socialsite.table.meter import access_pattern
from socialsite.table.paging import PAGE_SIZE, Page, query_page
from socialsite.table.reading import RawItem, fetch, query
from socialsite.table.row import row
from socialsite.web.ago import ago

MOST_LOOKED_AT = 400  # entries read to find one page of fitting ones
A_CALL = 100
EXPORT = "export case"  # its sentence has no room for the number of posts
NOT_SHOWN = {"posts", "text", "until", "rules", "named", "to"}  # shown in other ways


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

    Query (at most 4), 0.5 read units per 4 KB; BatchGetItem of the people, 0.5 each. Raises `BadCursor`.
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
            if name not in NOT_SHOWN or (action == EXPORT and name == "posts")
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
    if name == "banner_until":
        values = [moment_text(one) for one in values]
    if name == "parts":
        values = [PARTS.get(one, one) for one in values]
    between = " → " if action == "change settings" else ", "  # of a setting: its old and new value
    return between.join(str(one) for one in values)


def _case_url(case: str) -> str:
    kind = next((kind for kind in CaseKind if case.startswith(f"{kind}-")), None)
    return CaseId(kind, case.removeprefix(f"{kind}-")).url if kind else ""


def _name(user_id: str, found: Found) -> SafeString:
    if user_id == THE_SITE:
        return conditional_escape(gettext("The site"))
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
