"""The public log: what was done, under which rule and on which day. It never names the person concerned."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import get_language

from accounts.cards import end_text
from moderation.audit.entries import detail_of, fitting_page, reasons_of
from moderation.audit.words import PUBLIC, public_sentence_of
from moderation.cases.pages.cards import Found, person_of
from moderation.models import AuditEntry
from socialsite.clock import utc_now
from socialsite.table import keys
from socialsite.table.meter import access_pattern
from socialsite.table.paging import Page
from socialsite.table.reading import RawItem, fetch
from socialsite.table.row import row
from socialsite.web.ago import short_date

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
    BatchGetItem of the moderators, 0.5 each. Raises `BadCursor`."""
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
