"""What must hold for private messages: badges lead to something unread, entries to their people, every message ends.
And what repairs it: a message whose stream record was lost is noted for the others, and a badge that leads nowhere
goes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from pynamodb.expressions.condition import Condition

from accounts.models import Bell, UserInfo
from chats.badges import clear_badge, note_for_others
from chats.members import MOST_MEMBERS
from chats.models import CHOICES_OF_DAYS, Chat, ChatEntry, Message, State
from socialsite.clock import utc_now
from socialsite.invariants import must_hold
from socialsite.table import (
    Check,
    Item,
    Moved,
    RawItem,
    as_model,
    fetch,
    ids,
    is_expired,
    keys,
    row,
)

MOST_DAYS = timedelta(days=max(CHOICES_OF_DAYS), hours=1)

Named = tuple[str, str, bool]  # whose bell, what it names, and whether as a request


@must_hold
@dataclass
class MessageInvariants:
    """Give it every item with `add`, then ask for `results`. What has expired is as good as gone, and left out."""

    people: set[str] = field(default_factory=set)
    named: list[Named] = field(default_factory=list)
    entries: dict[tuple[str, str], ChatEntry] = field(default_factory=dict)
    chats: dict[str, Chat] = field(default_factory=dict)
    pairs: set[str] = field(default_factory=set)  # with a message
    endless: list[str] = field(default_factory=list)
    readable: list[str] = field(default_factory=list)

    def add(self, item: Item) -> None:
        match item:
            case UserInfo():
                self.people.add(item.user_id)
            case Bell():
                self.named += [(item.user_id, one, False) for one in item.chats or ()]
                self.named += [(item.user_id, one, True) for one in item.chat_requests or ()]
            case ChatEntry():
                self.entries[item.user_id, item.chat_id] = item
            case Chat():
                self.chats[item.chat_id] = item
            case Message():
                self._add_message(item)

    def _add_message(self, item: Message) -> None:
        place = f"{item.chat_id} {item.message_id}"
        begun = ids.time_of(item.message_id)
        if item.ttl is None or item.ttl > begun + MOST_DAYS:
            self.endless.append(place)
        if item.body is not None and not isinstance(item.body, bytes):
            self.readable.append(place)
        if item.deleted and item.body is not None:
            self.readable.append(f"{place} is deleted")
        if keys.is_pair(item.chat_id) and item.ttl and item.ttl > utc_now():
            self.pairs.add(item.chat_id)

    def results(self) -> dict[str, list[str]]:
        """Returns the violations of each invariant."""
        return {
            "a badge leads to conversations with something unread": [
                f"{user_id} {name}"
                for user_id, name, is_request in self.named
                if not any(
                    _rings(entry, is_request=is_request) for entry in self._of(user_id, name)
                )
            ],
            "an entry of a conversation of two is of one of them, and names the other": [
                f"{user_id} {chat_id}"
                for (user_id, chat_id), entry in self.entries.items()
                if keys.is_pair(chat_id) and not _is_of_its_pair(entry)
            ],
            "a conversation has at most ten people, one of two none but its own": [
                chat_id for chat_id, chat in self.chats.items() if not _has_its_people(chat)
            ],
            "no message is left between two people who are gone": sorted(
                pair for pair in self.pairs if not {*pair.split(keys.PAIR)} & self.people
            ),
            "every message ends": self.endless,
            "messages are sealed, and deleted ones empty": self.readable,
        }

    def _of(self, user_id: str, name: str) -> list[ChatEntry]:
        """Returns the entries that a bell may mean by a name: that of a person or a group."""
        places = (keys.pair(user_id, name), name)
        return [self.entries[user_id, one] for one in places if (user_id, one) in self.entries]


def _rings(entry: ChatEntry, *, is_request: bool) -> bool:
    """Whether a badge may lead to the conversation. Someone who answers without looking has a badge until they look,
    and one of a request that was just accepted may come before that."""
    states = {State.ASKED, State.IN} if is_request else {State.IN}
    is_read = (entry.read or "") >= (entry.came or "")
    return entry.state in states and not is_read


def _is_of_its_pair(entry: ChatEntry) -> bool:
    people = entry.chat_id.split(keys.PAIR)
    return entry.user_id in people and entry.other_id == keys.other_of_pair(
        entry.chat_id, entry.user_id
    )


def _has_its_people(chat: Chat) -> bool:
    people = {*(chat.members or ()), *(chat.invited or ())}
    if keys.is_pair(chat.chat_id):
        return people <= {*chat.chat_id.split(keys.PAIR)}
    return len(people) <= MOST_MEMBERS


# Repairs


def mend_badges(bells: Iterable[RawItem]) -> None:
    """Takes out of bells what leads to nothing unread. Safe to repeat: it looks again, and what comes meanwhile stays.
    One consistent BatchGetItem of two entries for each name, 2 read units, and what `clear_badge` costs."""
    for bell in (row(Bell, raw) for raw in bells):
        for name in (*bell.chats, *bell.chat_requests):
            _mend_badge(bell.user_id, name, is_request=name in bell.chat_requests)


def _mend_badge(user_id: str, name: str, *, is_request: bool) -> None:
    pair = keys.pair(user_id, name)
    places = [keys.chat_entry(user_id, one) for one in (pair, name)]
    found = fetch(places, consistent=True)
    entries = {key: as_model(ChatEntry, raw) for key, raw in found.items()}
    if not any(_rings(entry, is_request=is_request) for entry in entries.values()):
        unchanged = [Check(key, _as_read(entries.get(key)), otherwise=Moved) for key in places]
        clear_badge(user_id, pair, *unchanged)


def _as_read(entry: ChatEntry | None) -> Condition:
    if entry is None or not entry.came:
        return ChatEntry.came.does_not_exist() | (ChatEntry.ttl <= utc_now())
    return (ChatEntry.came == entry.came) & (ChatEntry.state == entry.state)


def note_lost(messages: Sequence[RawItem]) -> None:
    """Notes the newest of these messages of each author in a conversation for the others, unless they know of it: its
    record may have been lost. Safe to repeat. Costs as `deliver`."""
    newest: dict[tuple[str, str], Message] = {}
    for raw in messages:
        if not is_expired(raw):
            message = as_model(Message, raw)
            place = message.chat_id, message.author_id
            known = newest.get(place)
            if known is None or known.message_id < message.message_id:
                newest[place] = message
    for message in newest.values():
        note_for_others(message)
