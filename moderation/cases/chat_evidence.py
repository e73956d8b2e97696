"""Private messages that someone reported, which their case keeps whatever becomes of them, and what staff see of them.

The request of the reporter unseals them, because it alone may: whoever opens the case reads these copies, and there is
no page and no service that opens a conversation. Words show once the log has noted that the moderator looks, and for
this time only, and photos one by one. Nothing that is shown leads anywhere.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any

from pynamodb.expressions.update import Action

from accounts.people.cards import PersonCard
from chats.excerpts import Excerpt
from chats.photos.cards import EnclosedPhoto, photos_of
from chats.reads import MessageCard
from moderation.cases.cards import Found, person_of
from moderation.cases.photo_cards import PhotoCard
from moderation.cases.photos import kept_photo, photo_key, plan_sweep
from moderation.cases.reads import CaseMoved
from moderation.models import CaseKind, MessageEvidence
from socialsite.table import (
    ALWAYS,
    Key,
    NotFound,
    RawItem,
    Upsert,
    WriteAction,
    access_pattern,
    change,
    fetch,
    ids,
    key_of,
    keys,
    row,
)
from socialsite.table.writing import TRANSACTION_LIMIT
from socialsite.texts import isolated

MOST_CHOSEN = 20  # messages in one report
MOST_KEPT = 80  # with those beside them
MOST_WRITTEN = TRANSACTION_LIMIT - 4  # beside case, report, trace and the plan of a sweep
REPORTED = "yes"


@dataclass(frozen=True, slots=True)
class Chosen:
    """The messages of one person that someone reports, in the part of the conversation that they see."""

    excerpt: Excerpt
    messages: Sequence[MessageCard]

    @property
    def person_id(self) -> str:
        return self.messages[0].author_id

    @property
    def keys(self) -> list[Key]:
        return [self._key(one) for one in self.messages]

    @property
    def photos(self) -> list[tuple[MessageCard, int, EnclosedPhoto]]:
        """Returns their photos, each with its message and its place in it: as many as fit into one transaction, which
        are all of 19 messages."""
        found = [
            (one, number, photo)
            for one in self.messages
            for number, photo in enumerate(photos_of(one.body), 1)
        ]
        return found[: MOST_WRITTEN - len(self.messages)]

    def is_kept(self) -> bool:
        """Whether the case has all of them as reported, with their photos. One consistent BatchGetItem, 1 read unit
        each."""
        photos = [photo_key(self.person_id, one, one.alt) for _, _, one in self.photos]
        found = fetch([*self.keys, *photos], consistent=True)
        kept = [row(MessageEvidence, found.get(key, {})) for key in self.keys]
        return all(one.reported for one in kept) and found.keys() >= set(photos)

    def evidence(self, *, now: str) -> Iterator[WriteAction]:
        """Yields what keeps them with their photos, and the words of up to 5 messages before and after each, by
        whomever: an item each, once for all who report it. Photos leave less room for those beside, so that a report
        is one transaction. 2 write units each, more per KB, and 2 for the plan of a sweep where there are photos."""
        reported, photos = {one.message_id for one in self.messages}, self.photos
        for one in self.excerpt.beside(self.messages, min(MOST_KEPT, MOST_WRITTEN - len(photos))):
            is_reported = one.message_id in reported
            actions = _first(one, self._conversation, self.excerpt.previous(one), now)
            if is_reported:
                actions.append(MessageEvidence.reported.set(REPORTED))
            yield Upsert(MessageEvidence, self._key(one), actions, ALWAYS, CaseMoved)
        for one, number, photo in photos:
            of_message = {"person_id": self.person_id, "message_id": one.message_id}
            yield kept_photo(photo, photo.alt, number=number, **of_message)
        if photos:
            yield plan_sweep(self.person_id)

    @property
    def _conversation(self) -> str:
        return conversation_of(self.excerpt.standing.chat_id)

    def _key(self, one: MessageCard) -> Key:
        return keys.case_said(CaseKind.PERSON, self.person_id, self._conversation, one.message_id)


def conversation_of(chat_id: str) -> str:
    """Returns what tells a conversation from others in a case. That of two people is named by both, and would name the
    reporter for as long as the case is kept."""
    return hashlib.sha256(chat_id.encode()).hexdigest()[:12]


def chosen_by_author(excerpt: Excerpt, message_ids: Sequence[str]) -> list[Chosen]:
    """Returns the chosen messages by their authors, each of whom has a case of their own."""
    wanted = [one for one in excerpt.offered if one.message_id in message_ids][:MOST_CHOSEN]
    by_author = sorted(wanted, key=lambda one: (one.author_id, one.message_id))
    grouped = groupby(by_author, key=lambda one: one.author_id)
    return [Chosen(excerpt, list(messages)) for _, messages in grouped]


def _first(one: MessageCard, conversation: str, previous: str, now: str) -> list[Action]:
    """Returns the changes that write an item where there is none, and change none that is there."""
    kept: list[tuple[Any, str | int]] = [
        (MessageEvidence.conversation, conversation),
        (MessageEvidence.message_id, one.message_id),
        (MessageEvidence.author_id, one.author_id),
        (MessageEvidence.content, one.text),
        (MessageEvidence.previous, previous),
        (MessageEvidence.answers, one.answers),
        (MessageEvidence.number_of_photos, one.number_of_photos),
        (MessageEvidence.kept_at, now),
    ]
    return [attribute.set(attribute | value) for attribute, value in kept if value]


@dataclass(frozen=True, slots=True)
class SaidCard:
    """A message as staff see it. `is_shown` is set once they asked for the words. `is_behind_gap` says that others
    before it are not part of the case, and `photos_left_out` how many of its photos are not."""

    message_id: str
    author: PersonCard | None  # None for deleted accounts
    text: str
    is_reported: bool
    is_shown: bool
    is_behind_gap: bool
    answered: str  # what it answers, where that is part of the case
    photos: tuple[PhotoCard, ...]
    photos_left_out: int

    @property
    def created(self) -> datetime:
        return ids.time_of(self.message_id)


@dataclass(frozen=True, slots=True)
class Conversation:
    """What a case keeps of one conversation, the oldest first."""

    messages: tuple[SaidCard, ...]


def conversations_of(
    raws: Sequence[RawItem],
    photos: Mapping[str, tuple[PhotoCard, ...]],
    found: Found,
    *,
    is_shown: bool,
) -> list[Conversation]:
    """Returns the reported messages, raw `MessageEvidence`, by conversation, with their `photos` by their ids."""
    kept = [row(MessageEvidence, raw) for raw in raws]
    return [
        Conversation(tuple(_cards(list(said), photos, found, is_shown=is_shown)))
        for _, said in groupby(kept, key=lambda one: one.conversation)
    ]


def _cards(
    said: Sequence[MessageEvidence],
    photos: Mapping[str, tuple[PhotoCard, ...]],
    found: Found,
    *,
    is_shown: bool,
) -> Iterator[SaidCard]:
    texts = {one.message_id: isolated(one.content) for one in said} if is_shown else {}
    last = ""
    for one in said:
        of_message = photos.get(one.message_id, ()) if one.reported else ()
        yield SaidCard(
            one.message_id,
            person_of(one.author_id, found),
            text=texts.get(one.message_id, ""),
            is_reported=bool(one.reported),
            is_shown=is_shown,
            is_behind_gap=one.previous != last,
            answered=texts.get(one.answers, ""),
            photos=tuple(photo.in_private(is_shown=is_shown) for photo in of_message),
            photos_left_out=max(0, int(one.number_of_photos or 0) - len(of_message)),
        )
        last = one.message_id


@access_pattern
def forget_author(raw: RawItem, *, nobody: str) -> bool:
    """Takes the name of someone who was erased off their message in the case of another person. In their own it stays,
    until the case ends. Safe to repeat. Returns whether it did. One UpdateItem, 1 write unit."""
    key, author_id = key_of(raw), row(MessageEvidence, raw).author_id
    if key.pk == keys.case_partition(CaseKind.PERSON, author_id):
        return False
    unnamed = [MessageEvidence.author_id.set(nobody)]
    with suppress(NotFound):
        change(MessageEvidence, key, unnamed)
    return True
