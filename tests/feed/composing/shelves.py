"""Drafts and scheduled posts, for tests."""

import secrets
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.test import Client

from accounts.people.viewer import Viewer
from feed.composing.composition import Composition, Seen
from feed.composing.reads import (
    DraftCard,
    ScheduledCard,
    list_drafts,
    list_scheduled,
    plan_publishing,
)
from feed.composing.writes import schedule_post
from socialsite.clock import utc_now
from socialsite.keys.key import Key
from socialsite.table import fetch, ids, keys, query
from tests.web.html import Html

AUTOSAVE = {"autosave": "1"}


def fields(content: str, **others: Any) -> dict[str, Any]:
    """The fields of a composer that was just shown, with this text."""
    return {"content": content, "nonce": secrets.token_urlsafe(16), "draft": ids.new_id()} | others


def autosave(browser: Client, form: dict[str, Any]) -> dict[str, Any]:
    """Saves as the script does; the answer, with its status."""
    answer = browser.post("/drafts", {"version": "0", "writer": "page1"} | form | AUTOSAVE)
    return {"status": answer.status_code} | answer.json()


def drafts_of(viewer: Viewer) -> list[DraftCard]:
    return list(list_drafts(viewer).items)


def texts_of(viewer: Viewer) -> list[str]:
    """What the drafts say, the newest first."""
    return [draft.composition.content for draft in drafts_of(viewer)]


def chosen(page: Html, name: str = "audience") -> str:
    """Which option of a select of the composer is chosen: the first one if none says so."""
    at = page.elements.index(page.one("select", name=name))
    options = [one for one in page.elements[at:] if one.tag == "option"]
    marked = [one for one in options if "selected" in one.attributes]
    return (marked or options)[0]["value"]


BEGIN = utc_now().replace(
    second=0, microsecond=0
)  # of the run, whose next minute may begin within a test
BERLIN = ZoneInfo("Europe/Berlin")


def in_hours(hours: int) -> datetime:
    """A full minute so many hours from the run's begin, as clocks in Berlin show it: always the same."""
    return (BEGIN + timedelta(hours=hours)).astimezone(BERLIN)


def schedule(by: Viewer, *, hours: int = 1, content: str = "Later", **others: Any) -> ScheduledCard:
    """Schedules a post for so many hours from now."""
    scheduled_id = schedule_post(
        by=by,
        composition=Composition(content=content, **others),
        publish_at=in_hours(hours).astimezone(UTC),
        zone="Europe/Berlin",
        nonce=ids.new_id(),
        seen=Seen(),
    )
    return next(one for one in all_scheduled(by) if one.slot.scheduled_id == scheduled_id)


def all_scheduled(viewer: Viewer) -> list[ScheduledCard]:
    """All of them, the next one first."""
    found = query(keys.shelf(viewer.user_id), between=keys.scheduled_bounds(), consistent=True)
    return [ScheduledCard.from_raw(raw) for raw in found]


def scheduled_of(viewer: Viewer) -> list[ScheduledCard]:
    return list(list_scheduled(viewer).items)


def due_of(card: ScheduledCard) -> list[Key]:
    """The due item of a scheduled post at its moment, if it is there."""
    return list(fetch([plan_publishing(card.user_id, card.slot).item.key], consistent=True))
