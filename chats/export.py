"""The private messages that people take with them: all that they wrote themselves, and of what others wrote to them as
much as the pages show. Like those, it leaves out what is past its `ttl`, and reads nothing that a block hides.

Conversations of two lie in partitions whose keys name both people, so that they can be read with credentials for one of
them. The key of a group names nobody: there it is `Chat.members` that decides, as on a page.
"""

import json
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any

from accounts.encryption.person_keys import OpenKey, keys_to_open, open_found
from accounts.people.viewer import Viewer
from chats.models import ChatEntry, KeptMessage, Message, State
from chats.photos.cards import PHOTOS, EnclosedPhoto
from chats.reads import News
from chats.standing import Standing
from chats.writes import BODY
from socialsite.table import (
    Key,
    RawItem,
    access_pattern,
    as_person,
    fetch,
    key_of,
    keys,
    query,
    row,
)

MESSAGES_AT_ONCE = 200


@dataclass(frozen=True, slots=True)
class TakenMessage:
    """A message as it is taken along."""

    message_id: str
    author_id: str
    said: Mapping[str, Any]  # what was sealed
    answers: str = ""
    ends: datetime | None = None

    @property
    def photos(self) -> list[EnclosedPhoto]:
        return [EnclosedPhoto(**one) for one in self.said.get(PHOTOS, ())]


@dataclass(frozen=True, slots=True)
class TakenChat:
    """A conversation with its next messages. `following` is the message behind which further ones lie, if any do."""

    entry: ChatEntry
    standing: Standing
    draft: str
    messages: Sequence[TakenMessage]
    following: str = ""

    @property
    def others(self) -> list[str]:
        """Returns the ids of the other people."""
        return [one for one in self.standing.members if one != self.entry.user_id]


@access_pattern
def next_entry(user_id: str, after: str) -> ChatEntry | None:
    """Returns the person's entry of the conversation behind another in the order of their ids, None behind the last.
    One Query `PK = u#<id>#chat` of one item, 0.5 read units."""
    start = keys.chat_entry(user_id, after) if after else None
    with as_person(user_id):
        found = query(keys.chat_entries(user_id), after=start, limit=1)
        raw = next(found, None)
    return row(ChatEntry, raw) if raw else None


@access_pattern
def get_entry(user_id: str, chat_id: str) -> ChatEntry | None:
    """Returns the person's entry of a conversation, None if it is gone. One BatchGetItem, 0.5 read units."""
    key = keys.chat_entry(user_id, chat_id)
    with as_person(user_id):
        raw = fetch([key]).get(key)
    return row(ChatEntry, raw) if raw else None


@access_pattern
def take_chat(viewer: Viewer, entry: ChatEntry, *, after: str = "") -> TakenChat:
    """Returns a conversation with its first 200 messages, or those behind one. Of what the person refused there are
    their own alone.

    Query `PK = c#<chat>#message`, 0.5 read units per 4 KB; one BatchGetItem of what is between the people and their
    keys, 0.5 read units each, and one of the own key.
    """
    raws = _messages(viewer.user_id, entry.chat_id, after)
    shown = News(raws, "").as_conversation(viewer, entry.chat_id)
    received = [] if entry.state == State.REFUSED or _is_hidden(shown.standing) else shown.messages
    taken = [
        TakenMessage(one.message_id, one.author_id, json.loads(one.body), one.answers, one.ends)
        for one in received
        if one.body and not one.is_mine
    ]
    if shown.standing.is_member:
        taken += _own(raws, viewer.user_id)
    return TakenChat(
        entry,
        shown.standing,
        shown.draft,
        sorted(taken, key=lambda one: one.message_id),
        row(Message, raws[-1]).message_id if len(raws) == MESSAGES_AT_ONCE else "",
    )


def _messages(user_id: str, chat_id: str, after: str) -> list[RawItem]:
    between = keys.messages_after(after)
    with as_person(user_id) if keys.is_pair(chat_id) else nullcontext():
        found = query(keys.messages(chat_id), between=between, limit=MESSAGES_AT_ONCE)
        return list(islice(found, MESSAGES_AT_ONCE))


def _is_hidden(standing: Standing) -> bool:
    """Whether the page of the conversation is not to be seen, as the other one is gone or locked out."""
    return standing.is_pair and (standing.other is None or standing.other.is_locked_out)


def _own(raws: Sequence[RawItem], user_id: str) -> list[TakenMessage]:
    rows = [one for one in (row(Message, raw) for raw in raws) if one.author_id == user_id]
    key = _open([user_id]).get(user_id)
    return [
        TakenMessage(one.message_id, user_id, said, one.answers, one.ttl)
        for one in rows
        if (said := _said(one.body, key, keys.message(one.chat_id, one.message_id)))
    ]


@access_pattern
def take_kept(raws: Sequence[RawItem]) -> list[tuple[KeptMessage, Mapping[str, Any]]]:
    """Returns messages that a person keeps, with what they say. Those of people who are gone cannot be read. One
    BatchGetItem of the authors' keys, 0.5 read units each."""
    rows = [(row(KeptMessage, raw), key_of(raw)) for raw in raws]
    opened = _open({one.author_id for one, _ in rows})
    return [
        (one, said)
        for one, key in rows
        if (said := _said(one.body, opened.get(one.author_id), key))
    ]


def _open(people: Sequence[str] | set[str]) -> dict[str, OpenKey]:
    return open_found(people, fetch(keys_to_open(people)))


def _said(body: Any, key: OpenKey | None, place: Key) -> Mapping[str, Any]:
    text = key.text_of(body, key=place, attribute=BODY) if body and key else ""
    said: dict[str, Any] = json.loads(text) if text else {}
    return said
