"""Reads of drafts. Only the person themselves asks."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from accounts.viewer import Viewer
from feed.composing.composition import Composition, unseal
from feed.composing.moments import NoSuchTime, in_words, moment_of
from feed.composing.refusing import Reason
from feed.models import Draft
from socialsite.table import keys
from socialsite.table.errors import NotFound
from socialsite.table.meter import access_pattern
from socialsite.table.paging import Page, Source, query_merged
from socialsite.table.reading import RawItem, fetch, key_of
from socialsite.table.row import row
from socialsite.web.time_zones import full_date

DRAFT_DAYS = 90  # after it was last saved
MOST_DRAFTS = 100


@dataclass(frozen=True, slots=True)
class DraftCard:
    """A draft as its author sees it. `reason` says why a scheduled post is a draft now."""

    draft_id: str
    version: int
    saved_at: datetime
    composition: Composition
    reason: Reason | None = None
    planned_for: str = ""

    @classmethod
    def from_raw(cls, raw: RawItem) -> "DraftCard":
        draft = row(Draft, raw)
        return cls(
            draft_id=draft.draft_id,
            version=int(draft.version),
            saved_at=datetime.fromisoformat(draft.saved_at),
            composition=unseal(draft.composition, user_id=draft.user_id, place=key_of(raw)),
            reason=Reason.of(draft.reason or ""),
            planned_for=draft.planned_for or "",
        )

    @property
    def saved_text(self) -> str:
        return full_date(self.saved_at)

    @property
    def planned_text(self) -> str:
        return full_date(datetime.fromisoformat(self.planned_for)) if self.planned_for else ""

    @property
    def time_text(self) -> str:
        """Returns the time that its author has chosen, though it is not scheduled yet. Empty if there is none."""
        composed = self.composition
        if not composed.planned_time:
            return ""
        with suppress(NoSuchTime, OverflowError):  # continuing the draft says why
            local = datetime.fromisoformat(composed.planned_time)
            return in_words(moment_of(local, composed.planned_zone), composed.planned_zone)
        return ""

    @property
    def url(self) -> str:
        """Returns the address at which it is continued."""
        return f"/posts/new?draft={self.draft_id}"

    @property
    def delete_url(self) -> str:
        return f"/drafts/{self.draft_id}/delete"


@access_pattern
def list_drafts(viewer: Viewer, *, cursor: str | None = None) -> Page[DraftCard]:
    """Returns the viewer's drafts, the newest first.

    Query `PK = u#<id>#shelf`, `SK` beginning with `DRAFT#`, consistent: 1 read unit per 4 KB; and as `open_person_key`.
    Raises `BadCursor`.
    """
    source = Source(keys.shelf(viewer.user_id), between=keys.draft_bounds(), consistent=True)
    page = query_merged([source], scope=f"{source.partition} drafts", cursor=cursor)
    return page.with_items([DraftCard.from_raw(raw) for raw in page.items])


@access_pattern
def find_draft(draft_id: str, *, viewer: Viewer) -> DraftCard | None:
    """Returns one of the viewer's drafts, None if there is none. One consistent BatchGetItem, 1 read unit per 4 KB, and
    as `open_person_key`."""
    found = fetch([keys.draft(viewer.user_id, draft_id)], consistent=True)
    return next((DraftCard.from_raw(raw) for raw in found.values()), None)


def get_draft(draft_id: str, *, viewer: Viewer) -> DraftCard:
    """Like `find_draft`. Raises `NotFound`."""
    draft = find_draft(draft_id, viewer=viewer)
    if draft is None:
        raise NotFound("no such draft")
    return draft
