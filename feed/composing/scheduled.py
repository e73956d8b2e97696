"""Reads of scheduled posts. Only the person themselves asks, and the clock for them."""

from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from typing import Self

from pynamodb.expressions.condition import Condition

from accounts.viewer import Viewer
from feed.composing.composition import Composition, unseal
from feed.composing.moments import in_words, typed_time
from feed.models import Scheduled
from socialsite.table import ids, keys
from socialsite.table.actions import Delete
from socialsite.table.as_read import Moved
from socialsite.table.errors import NotFound
from socialsite.table.keys import Key
from socialsite.table.meter import access_pattern
from socialsite.table.paging import Page, Source, query_merged
from socialsite.table.reading import RawItem, fetch, key_of, query
from socialsite.table.row import row

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
