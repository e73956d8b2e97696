"""Reads of drafts and scheduled posts, and why one of those could not be published. Only the person themselves asks,
and the clock for them: it publishes as the author, without a request. The due item of a scheduled post lies at its
moment, and brings the clock."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from itertools import islice
from typing import Self

from django.utils.translation import gettext
from pynamodb.expressions.condition import Condition

from accounts.people.viewer import Viewer
from feed.composing.composition import (
    Composition,
    NoSuchTime,
    in_words,
    moment_of,
    typed_time,
    unseal,
)
from feed.composing.models import Draft, Scheduled
from socialsite.due.models import Due
from socialsite.due.work import cancel, plan
from socialsite.table import (
    Create,
    Delete,
    Erase,
    Key,
    Moved,
    NotFound,
    Page,
    RawItem,
    Source,
    access_pattern,
    fetch,
    ids,
    key_of,
    keys,
    query,
    query_merged,
    row,
)
from socialsite.web.preferences import full_date


class Reason(StrEnum):
    """A format, once data exists, is never changed."""

    RULES = "rules"  # a word filter refuses it
    LARGE = "large"  # it does not fit into one item
    CIRCLE = "circle"  # its circle was deleted
    FROZEN = "frozen"
    AWAY = "away"  # paused, suspended, closing, or waiting for approval
    UNCONFIRMED = "unconfirmed"  # this site asks for a confirmed address
    ENDING = "ending"  # too many of its author's posts end by themselves
    PHOTOS = "photos"  # one of its photos was deleted, or is in another post

    @classmethod
    def of(cls, value: str) -> Self | None:
        return cls(value) if value in set(cls) else None

    @property
    def sentence(self) -> str:
        """Returns why it was not published, in the language at hand."""
        match self:
            case Reason.RULES:
                return gettext(
                    "It wasn’t published, because the rules of this site don’t allow it."
                )
            case Reason.LARGE:
                return gettext("It wasn’t published, because it is too long with everything in it.")
            case Reason.CIRCLE:
                return gettext("It wasn’t published, because you’ve deleted its circle.")
            case Reason.FROZEN:
                return gettext("It wasn’t published, because you couldn’t post at that time.")
            case Reason.AWAY:
                return gettext(
                    "It wasn’t published, because your account wasn’t open at that time."
                )
            case Reason.UNCONFIRMED:
                return gettext(
                    "It wasn’t published, because your email address isn’t confirmed yet."
                )
            case Reason.ENDING:
                return gettext(
                    "It wasn’t published, because too many of your posts disappear by themselves."
                )
            case Reason.PHOTOS:
                return gettext("It wasn’t published, because one of its photos is gone.")
        return ""


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


MOST_SCHEDULED = 100


@dataclass(frozen=True, slots=True)
class Slot:
    """Where a scheduled post is: its moment and its id. Addresses and forms name it as `1803600000-01ARZ…`."""

    publish_at: datetime
    scheduled_id: str

    @classmethod
    def of(cls, text: str) -> Self | None:
        """Returns the slot that an address or a form names, None for anything else."""
        seconds, _, scheduled_id = text.partition("-")
        if not (seconds.isascii() and seconds.isdigit() and len(seconds) <= 11):
            return None
        if not ids.is_id(scheduled_id):
            return None
        return cls(datetime.fromtimestamp(int(seconds), UTC), scheduled_id)

    def __str__(self) -> str:
        return f"{int(self.publish_at.timestamp())}-{self.scheduled_id}"

    def key(self, user_id: str) -> Key:
        return keys.scheduled(user_id, self.publish_at, self.scheduled_id)


@dataclass(frozen=True, slots=True)
class ScheduledCard:
    """A scheduled post as its author sees it."""

    user_id: str
    slot: Slot
    version: int
    zone: str
    composition: Composition

    @classmethod
    def from_raw(cls, raw: RawItem) -> Self:
        scheduled = row(Scheduled, raw)
        return cls(
            user_id=scheduled.user_id,
            slot=Slot(datetime.fromisoformat(scheduled.publish_at), scheduled.scheduled_id),
            version=int(scheduled.version),
            zone=scheduled.zone,
            composition=unseal(scheduled.composition, user_id=scheduled.user_id, place=key_of(raw)),
        )

    @property
    def when_text(self) -> str:
        """Returns when it will be published, in the zone in which its author chose that."""
        return in_words(self.slot.publish_at, self.zone)

    @property
    def typed_time(self) -> str:
        return typed_time(self.slot.publish_at, self.zone)

    @property
    def edit_url(self) -> str:
        return f"/posts/new?scheduled={self.slot}"

    @property
    def publish_url(self) -> str:
        return f"/scheduled/{self.slot}/publish"

    @property
    def delete_url(self) -> str:
        return f"/scheduled/{self.slot}/delete"

    def taken(self) -> Delete:
        """Returns the action that takes it from the shelf as it was read. It raises `Moved` if it was changed or
        published since. 2 write units."""
        return Delete(self.slot.key(self.user_id), self.as_read(), otherwise=Moved)

    def as_read(self) -> Condition:
        return Scheduled.version == self.version


@access_pattern
def list_scheduled(viewer: Viewer, *, cursor: str | None = None) -> Page[ScheduledCard]:
    """Returns the viewer's scheduled posts, the next one first.

    Query `PK = u#<id>#shelf`, `SK` beginning with `SCHEDULED#`, consistent: 1 read unit per 4 KB; and as
    `open_person_key`. Raises `BadCursor`.
    """
    source = Source(keys.shelf(viewer.user_id), between=keys.scheduled_bounds(), consistent=True)
    scope = f"{source.partition} scheduled"
    page = query_merged([source], scope=scope, cursor=cursor, newest_first=False)
    return page.with_items([ScheduledCard.from_raw(raw) for raw in page.items])


@access_pattern
def find_scheduled(slot: Slot, *, user_id: str) -> ScheduledCard | None:
    """Returns one of a person's scheduled posts, None if it is not there, or not for this moment any more. One
    consistent BatchGetItem, 1 read unit per 4 KB, and as `open_person_key`."""
    found = fetch([slot.key(user_id)], consistent=True)
    return next((ScheduledCard.from_raw(raw) for raw in found.values()), None)


@access_pattern
def count_scheduled(user_id: str) -> int:
    """Returns how many scheduled posts a person has, as far as 100. One consistent Query, 1 read unit for 4 KB of
    them. Two forms that are sent at once may make one more."""
    bounds = keys.scheduled_bounds()
    found = query(keys.shelf(user_id), between=bounds, limit=MOST_SCHEDULED, consistent=True)
    return sum(1 for _ in islice(found, MOST_SCHEDULED))


def get_scheduled(text: str, *, viewer: Viewer) -> ScheduledCard:
    """Returns the viewer's scheduled post that an address names, as `find_scheduled`. Raises `NotFound`."""
    slot = Slot.of(text)
    card = find_scheduled(slot, user_id=viewer.user_id) if slot else None
    if card is None:
        raise NotFound("no such scheduled post")
    return card


PUBLISH = "publish"  # the kind of the due item


def plan_publishing(user_id: str, slot: Slot) -> Create:
    """Returns the action that plans the publishing of a scheduled post. 2 write units."""
    return plan(
        PUBLISH,
        moment=slot.publish_at,
        subject=_subject(user_id, slot),
        publish_at=slot.publish_at.isoformat(),
    )


def cancel_publishing(user_id: str, slot: Slot) -> Erase:
    """Returns the action that takes the plan back. If the clock is at it already, it finds nothing to publish. 2 write
    units."""
    return cancel(PUBLISH, moment=slot.publish_at, subject=_subject(user_id, slot))


def planned_in(due: Due) -> tuple[str, Slot]:
    """Returns whose post a due item publishes, and which. Trying again later moves the item, and not the post."""
    user_id, _, scheduled_id = due.subject.partition("-")
    return user_id, Slot(datetime.fromisoformat(due.facts["publish_at"]), scheduled_id)


def _subject(user_id: str, slot: Slot) -> str:
    return f"{user_id}-{slot.scheduled_id}"
