"""Messages that a person keeps for good. What they keep are the words: photos go with the message, as their author was
promised. A copy of the files would be the keeper's, and outlive what the author can delete.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.safestring import SafeString

from accounts.encryption.person_keys import OpenKey, keys_to_open, open_found, open_person_key
from accounts.people.cards import PersonCard
from accounts.people.viewer import Viewer
from chats.members import visible
from chats.models import KeptMessage, Message
from chats.photos.cards import NUMBER_OF_PHOTOS, without_photos
from chats.reads import UNREADABLE
from chats.writes import BODY
from socialsite.clock import utc_now
from socialsite.table import (
    Change,
    Erase,
    Key,
    Page,
    Put,
    RawItem,
    access_pattern,
    fetch,
    ids,
    keys,
    query_page,
    row,
    transact,
)
from socialsite.web.rich_text import rich_text


@dataclass(frozen=True, slots=True)
class KeptCard:
    """A message on the viewer's shelf, as they read it when they kept it."""

    message_id: str
    author: PersonCard | None
    text: str
    mentions: Mapping[str, str]
    kept_at: datetime
    number_of_photos: int = 0  # that went with the message

    @property
    def created(self) -> datetime:
        return ids.time_of(self.message_id)

    @property
    def html(self) -> SafeString:
        return rich_text(self.text, self.mentions)


@access_pattern
def list_kept(viewer: Viewer, *, cursor: str | None = None) -> Page[KeptCard]:
    """Returns the messages that the viewer keeps, the newest first, without those of people who are gone. Raises
    `BadCursor`.

    Query `PK = u#<id>#kept`, 0.5 read units per 4 KB, and one BatchGetItem of their authors and the authors' keys, 0.5
    read units each.
    """
    page = query_page(keys.kept_messages(viewer.user_id), cursor=cursor)
    rows = [row(KeptMessage, raw) for raw in page.items]
    authors = sorted({one.author_id for one in rows})
    found = fetch([*map(keys.user_info, authors), *keys_to_open(authors)])
    opened = open_found(authors, found)
    return page.with_items(
        [_kept(one, viewer, key, found) for one in rows if (key := opened.get(one.author_id))]
    )


def _kept(one: KeptMessage, viewer: Viewer, key: OpenKey, found: Mapping[Key, RawItem]) -> KeptCard:
    place = keys.kept_message(viewer.user_id, one.message_id)
    body = key.text_of(one.body, key=place, attribute=BODY)
    said: dict[str, Any] = json.loads(body) if body else {}
    return KeptCard(
        one.message_id,
        visible(found.get(keys.user_info(one.author_id)), viewer.user_id),
        said.get("text", UNREADABLE),
        said.get("mentions", {}),
        datetime.fromisoformat(one.kept_at),
        said.get(NUMBER_OF_PHOTOS, 0),
    )


@access_pattern
def keep_message(*, by: Viewer, message: Message, body: str) -> None:
    """Keeps the words of a message for good, as the viewer reads them (`body`, as JSON), sealed with its author's key.
    The others see that. Safe to repeat. Raises `NotFound` if it is gone.

    One TransactWriteItems of KeptMessage, the message and a check of the key, 6 write units and more per KB.
    """
    key, place = (
        open_person_key(message.author_id),
        keys.kept_message(by.user_id, message.message_id),
    )
    kept = KeptMessage.new(
        user_id=by.user_id,
        message_id=message.message_id,
        chat_id=message.chat_id,
        author_id=message.author_id,
        kept_at=utc_now(),
        body=key.seal(without_photos(body), key=place, attribute=BODY),
    )
    is_whole = Message.body.exists()
    known = [Message.kept_by.add({by.user_id})]
    transact(
        Put(kept),
        Change(Message, keys.message(message.chat_id, message.message_id), known, is_whole),
        key.check(),
    )


@access_pattern
def forget_kept_message(*, by: Viewer, message_id: str) -> None:
    """Takes a message from those that one keeps. Safe to repeat. One TransactWriteItems, 2 write units."""
    transact(Erase(keys.kept_message(by.user_id, message_id)))
