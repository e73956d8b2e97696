"""What must hold between messages and their photos, and what puts it right after stream records were lost."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from chats.models import Message
from photos.models import Photo
from socialsite.clock import utc_now
from socialsite.invariants import must_hold
from socialsite.table import Item, RawItem, keys, query, row, write_batch


@must_hold
@dataclass
class MessagePhotoInvariants:
    """Give it every item with `add`, then ask for `results`. What is past its end may be there or not: DynamoDB takes
    days."""

    naming: dict[str, str] = field(default_factory=dict)  # photo: the message that names it
    shown: dict[str, Photo] = field(default_factory=dict)
    ends: dict[str, datetime] = field(default_factory=dict)  # of messages

    def add(self, item: Item) -> None:
        match item:
            case Message(ttl=ttl) if ttl and ttl > utc_now():
                self.naming |= dict.fromkeys(item.photo_ids or (), item.message_id)
                self.ends[item.message_id] = ttl
            case Photo(message_id=message_id, ttl=ttl) if message_id and not (
                ttl and ttl <= utc_now()
            ):
                self.shown[item.photo_id] = item

    def results(self) -> dict[str, list[str]]:
        """Returns the violations of each invariant."""
        return {
            "a photo that a message names is there, and is that message's": sorted(
                photo_id
                for photo_id, message_id in self.naming.items()
                if not self._is_of(photo_id, message_id)
            ),
            "a photo of a message goes when the message does": sorted(
                photo_id
                for photo_id, photo in self.shown.items()
                if self.naming.get(photo_id) != photo.message_id
                or self.ends[photo.message_id] != photo.ttl
            ),
        }

    def _is_of(self, photo_id: str, message_id: str) -> bool:
        photo = self.shown.get(photo_id)
        return photo is not None and photo.message_id == message_id


def clear_photos_of_gone_messages(photos: Iterable[RawItem]) -> None:
    """Deletes those of the raw photos whose message is gone, or does not name them any more. Safe to repeat.

    One consistent Query for each that is in a message, 1 read unit per 4 KB: the worker may list messages, and open
    none of them by its key.
    """
    shown = (row(Photo, raw) for raw in photos if "message_id" in raw)
    write_batch(
        deletes=[keys.photo(one.user_id, one.photo_id) for one in shown if not _is_named(one)]
    )


def _is_named(photo: Photo) -> bool:
    place = keys.message(photo.chat_id or "", photo.message_id or "")
    found = query(place.pk, between=(place.sk, place.sk), consistent=True)
    return any(photo.photo_id in (row(Message, raw).photo_ids or ()) for raw in found)
