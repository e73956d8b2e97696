"""What the worker writes into the entries and bells of the people of a conversation, for those of them who did not act.

Entry and bell are one transaction on the condition that the entry is as it was read: it knows no later message of
someone else; what its person has read already rings no bell. So doing it twice changes nothing, and no badge comes back
that was read away.
"""

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any

from pynamodb.expressions.condition import Condition, size
from pynamodb.expressions.update import Action

from accounts.models import Bell
from chats.models import Chat, ChatEntry, Message, State
from chats.standing import muted_until
from chats.writes import in_bell, out_of_bell
from relations.models import RelationType
from relations.relation import blocks_either_way, is_in_force
from socialsite.news import News, tell_pages
from socialsite.table import (
    Change,
    Check,
    Key,
    Moved,
    NotFound,
    RawItem,
    TableError,
    Upsert,
    fetch,
    keys,
    row,
    transact,
    write_optimistically,
)

MOST_IN_BELL = 40  # conversations, so that a bell stays a small item


class BellFull(TableError):
    """As many conversations ring as a bell can name."""


def note_for_others(message: Message) -> None:
    """Notes a message in the entries of the others, and in their bells unless they muted the conversation or its
    author. Safe to repeat.

    One consistent BatchGetItem of entry, block and mute of each of the others, 1 read unit a key, in a group after one
    of the Chat; for each one TransactWriteItems of entry and bell, 4 write units, or one UpdateItem.
    """
    members = members_of(message.chat_id)
    others = [one for one in members if one != message.author_id]
    found = fetch((key for one in others for key in _keys(one, message)), consistent=True)
    for user_id in others:
        if raw := found.get(keys.chat_entry(user_id, message.chat_id)):
            _note(user_id, message, raw, found)
    tell_pages(News.CHAT, map(keys.user, members))  # of the author the pages elsewhere


def members_of(chat_id: str) -> list[str]:
    """Returns the people of a conversation. Of a group one consistent BatchGetItem of the Chat, 1 read unit."""
    if keys.is_pair(chat_id):
        return chat_id.split(keys.PAIR)
    found = fetch([keys.chat(chat_id)], consistent=True).get(keys.chat(chat_id))
    return list(row(Chat, found).members) if found else []


def _keys(user_id: str, message: Message) -> list[Key]:
    return [
        keys.chat_entry(user_id, message.chat_id),
        keys.relation(user_id, RelationType.BLOCK, message.author_id),
        keys.relation(user_id, RelationType.MUTE, message.author_id),
    ]


def _note(user_id: str, message: Message, raw: RawItem, found: dict[Key, RawItem]) -> None:
    key, known = keys.chat_entry(user_id, message.chat_id), [raw]

    def attempt() -> None:
        at = known.pop() if known else fetch([key], consistent=True).get(key)
        entry = row(ChatEntry, at or {})
        is_known = message.message_id <= entry.came
        if at is None or is_known or entry.state == State.REFUSED:
            return
        if blocks_either_way(found.get(_keys(user_id, message)[1])):
            return  # in a group they see nothing of each other
        noted = _noted(key, entry, message)
        if _is_quiet(user_id, message, entry, found):
            transact(noted)
            return
        try:
            transact(noted, _ring(user_id, message.chat_id, entry.state, message.message_id))
        except BellFull:
            transact(noted)

    with suppress(NotFound):  # the entry went meanwhile
        write_optimistically(attempt)


def _noted(key: Key, entry: ChatEntry, message: Message) -> Change:
    """Returns the change of an entry as it was read. What its person wrote themselves meanwhile may be newer, so the
    message is not always the last one, but it has come, and waits to be read."""
    assert message.ttl
    actions: list[Action] = [
        ChatEntry.came.set(message.message_id),
        *_longer(entry, message.ttl),
    ]
    if message.message_id > entry.last:
        actions.append(ChatEntry.last.set(message.message_id))
        actions.append(ChatEntry.last_by.set(message.author_id))
    as_read = _is(ChatEntry.came, entry.came) & _is(ChatEntry.last, entry.last)
    as_read &= _is(ChatEntry.read, entry.read) & (ChatEntry.state == entry.state)
    return Change(ChatEntry, key, actions, condition=as_read, otherwise=Moved)


def _is(attribute: Any, value: str) -> Condition:
    return attribute == value if value else attribute.does_not_exist()


def _longer(entry: ChatEntry, until: datetime) -> list[Action]:
    """An entry of two people lives as long as its last message, one of a group as long as its person is in it."""
    if not keys.is_pair(entry.chat_id):
        return []
    return [ChatEntry.ttl.set(max(until, entry.ttl) if entry.ttl else until)]


def _is_quiet(user_id: str, message: Message, entry: ChatEntry, found: dict[Key, RawItem]) -> bool:
    """Whether the message rings no bell. People who look at the conversation may have read it before it is noted."""
    mute, is_read = found.get(_keys(user_id, message)[2]), message.message_id <= entry.read
    return is_read or bool(muted_until(entry) or message.line) or is_in_force(mute)


def ring_for_invited(chat_id: str, user_ids: Sequence[str], *, inviter_id: str) -> None:
    """Rings for people who were invited into a group and have not looked, unless they mute who invites. Safe to repeat.

    One consistent BatchGetItem of the mutes, 1 read unit each, and for each person one TransactWriteItems of the bell
    and a check of the entry, 4 write units.
    """
    mutes = {one: keys.relation(one, RelationType.MUTE, inviter_id) for one in user_ids}
    found = fetch(mutes.values(), consistent=True)
    unread = (ChatEntry.state == State.ASKED) & ChatEntry.read.does_not_exist()
    for user_id in (one for one in user_ids if not is_in_force(found.get(mutes[one]))):
        entry = keys.chat_entry(user_id, chat_id)
        with suppress(Moved, BellFull):
            transact(Check(entry, unread, Moved), _ring(user_id, chat_id, State.ASKED))


def _ring(user_id: str, chat_id: str, state: str, message_id: str = "") -> Upsert:
    """Returns the action that names the conversation in the bell, as a request or not. Naming it twice changes
    nothing."""
    named, other = Bell.chats, Bell.chat_requests
    if state == State.ASKED:
        named, other = other, named
    actions = [
        Bell.user_id.set(user_id),
        Bell.unseen.set(Bell.unseen | {}),
        Bell.changes.set(Bell.changes | 0),
        named.add({in_bell(user_id, chat_id)}),
        other.delete({in_bell(user_id, chat_id)}),
    ]
    if message_id:
        actions.append(Bell.rang.set(message_id))
    has_room = Bell.pk.does_not_exist() | named.does_not_exist() | (size(named) < MOST_IN_BELL)
    return Upsert(Bell, keys.bell(user_id), actions, condition=has_room, otherwise=BellFull)


def clear_badge(user_id: str, chat_id: str, *checks: Check) -> bool:
    """Takes a conversation out of a person's bell, if these checks hold. Returns whether it did. One consistent
    BatchGetItem of the bell, 1 read unit, and if that names it one TransactWriteItems, 4 write units."""
    key, name = keys.bell(user_id), in_bell(user_id, chat_id)
    bell = row(Bell, fetch([key], consistent=True).get(key, {}))
    if name not in (*bell.chats, *bell.chat_requests):
        return False
    try:
        transact(*checks, Change(Bell, key, out_of_bell(name)))
    except (Moved, NotFound):
        return False
    return True
