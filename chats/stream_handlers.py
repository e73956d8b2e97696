"""What the worker does when someone writes: it notes the message in the others' entries, and rings their bells. And
when a conversation has ended unread, or a block hides it, it takes that out of the bell, which nobody else could clear.

Entry and bell are one transaction on the condition that the entry knows no later message and its person has not read
this one. So a record that comes twice changes nothing, and no badge comes back that was read away.
"""

from contextlib import suppress
from datetime import datetime

from pynamodb.expressions.condition import size
from pynamodb.expressions.update import Action

from accounts.models import Bell
from chats.models import Chat, ChatEntry, Message, State
from chats.standing import muted_until
from chats.writes import in_bell
from relations.models import Relation, RelationType
from relations.relation import blocks_either_way, is_in_force
from socialsite.keys.key import Key
from socialsite.streams.change import Change as StreamChange
from socialsite.streams.dispatch import on
from socialsite.streams.ledger import Ledger
from socialsite.table import (
    Change,
    Check,
    Moved,
    NotFound,
    RawItem,
    TableError,
    Upsert,
    access_pattern,
    change,
    fetch,
    ids,
    keys,
    row,
    transact,
)

MOST_IN_BELL = 40  # conversations, so that a bell stays a small item


class BellFull(TableError):
    """As many conversations ring as a bell can name."""


@on(Message, "INSERT")
@access_pattern
def deliver(stream_change: StreamChange, ledger: Ledger) -> None:
    """Notes a new message in the entries of the others, and in their bells unless they muted the conversation or its
    author. Twice is safe.

    One consistent BatchGetItem of entry, block and mute of each of the others, 1 read unit a key, in a group after one
    of the Chat; for each one TransactWriteItems of entry and bell, 4 write units, or one UpdateItem.
    """
    message = stream_change.item
    assert isinstance(message, Message)
    note_for_others(message)


def note_for_others(message: Message) -> None:
    """As `deliver`, of a message that stands in the table."""
    others = [one for one in members_of(message.chat_id) if one != message.author_id]
    found = fetch((key for one in others for key in _keys(one, message)), consistent=True)
    for user_id in others:
        if raw := found.get(keys.chat_entry(user_id, message.chat_id)):
            _note(user_id, message, raw, found)


@on(Message, "MODIFY")
@access_pattern
def tell_of_change(stream_change: StreamChange, ledger: Ledger) -> None:
    """Lets open pages know that a message which they show was deleted, or is kept by someone. Twice is safe: they look
    once more. One UpdateItem for each of the people, 1 write unit."""
    message = stream_change.item
    assert isinstance(message, Message)
    for user_id in members_of(message.chat_id):
        with suppress(NotFound):
            key = keys.chat_entry(user_id, message.chat_id)
            change(ChatEntry, key, [ChatEntry.changed.set(ids.new_id())])


@on(Chat, "INSERT", "MODIFY")
@access_pattern
def ring_for_invitations(stream_change: StreamChange, ledger: Ledger) -> None:
    """Rings for those who were just invited into a group, unless they mute its founder. Twice is safe: what was read or
    answered rings no more.

    One consistent BatchGetItem of their mutes, 1 read unit each, and for each one TransactWriteItems of the bell and a
    check of the entry, 4 write units.
    """
    chat, old = stream_change.item, stream_change.old
    assert isinstance(chat, Chat)
    before = old.invited if isinstance(old, Chat) else None
    invited = sorted((chat.invited or set()) - (before or set()))
    mutes = {one: keys.relation(one, RelationType.MUTE, chat.founder_id) for one in invited}
    found = fetch(mutes.values(), consistent=True) if mutes else {}
    unread = (ChatEntry.state == State.ASKED) & ChatEntry.read.does_not_exist()
    for user_id in (one for one in invited if not is_in_force(found.get(mutes[one]))):
        entry = keys.chat_entry(user_id, chat.chat_id)
        with suppress(Moved, BellFull):
            transact(Check(entry, unread, Moved), _ring(user_id, chat.chat_id, State.ASKED))


@on(ChatEntry, "REMOVE")
@access_pattern
def leave_bell(stream_change: StreamChange, ledger: Ledger) -> None:
    """Takes a conversation out of the badge when its entry is gone: its last message has ended, or an account has been
    erased. Twice is safe, and one that has begun anew stays. As `clear_badge`."""
    entry = stream_change.item
    assert isinstance(entry, ChatEntry)
    absent = Check(entry.key, ChatEntry.pk.does_not_exist(), otherwise=Moved)
    clear_badge(entry.user_id, entry.chat_id, absent)


@on(Relation, "INSERT", "MODIFY")
@access_pattern
def hide_from_bell(stream_change: StreamChange, ledger: Ledger) -> None:
    """Takes a conversation out of the badges of both when one begins to block the other: each has an item of it. Twice
    is safe. As `clear_badge`."""
    relation = stream_change.item
    assert isinstance(relation, Relation)
    if relation.relation_type != RelationType.BLOCK:
        return
    if blocks_either_way(relation.serialize()):
        clear_badge(relation.user_id, keys.pair(relation.user_id, relation.other_id))


def clear_badge(user_id: str, chat_id: str, *checks: Check) -> bool:
    """Takes a conversation out of a person's bell, if these checks hold. Returns whether it did. One consistent
    BatchGetItem of the bell, 1 read unit, and if that names it one TransactWriteItems, 4 write units."""
    key, name = keys.bell(user_id), in_bell(user_id, chat_id)
    bell = row(Bell, fetch([key], consistent=True).get(key, {}))
    if name not in (*bell.chats, *bell.chat_requests):
        return False
    taken = [Bell.chats.delete({name}), Bell.chat_requests.delete({name})]
    try:
        transact(*checks, Change(Bell, key, taken))
    except (Moved, NotFound):
        return False
    return True


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
    entry = row(ChatEntry, raw)
    if entry.state == State.REFUSED:
        return
    if blocks_either_way(found.get(_keys(user_id, message)[1])):
        return  # in a group they see nothing of each other
    assert message.ttl
    is_new = ChatEntry.last.does_not_exist() | (ChatEntry.last < message.message_id)
    is_new &= ChatEntry.read.does_not_exist() | (ChatEntry.read < message.message_id)
    noted = Change(
        ChatEntry,
        keys.chat_entry(user_id, message.chat_id),
        [
            ChatEntry.last.set(message.message_id),
            ChatEntry.last_by.set(message.author_id),
            *_longer(entry, message.ttl),
        ],
        condition=is_new,
        otherwise=Moved,
    )
    with suppress(Moved, NotFound):  # noted before, or read already
        if _is_quiet(user_id, message, entry, found):
            transact(noted)
            return
        try:
            transact(noted, _ring(user_id, message.chat_id, entry.state))
        except BellFull:
            transact(noted)


def _longer(entry: ChatEntry, until: datetime) -> list[Action]:
    """An entry of two people lives as long as its last message, one of a group as long as its person is in it."""
    if not keys.is_pair(entry.chat_id):
        return []
    return [ChatEntry.ttl.set(max(until, entry.ttl) if entry.ttl else until)]


def _is_quiet(user_id: str, message: Message, entry: ChatEntry, found: dict[Key, RawItem]) -> bool:
    """Whether the message rings no bell."""
    mute = found.get(_keys(user_id, message)[2])
    return bool(muted_until(entry) or message.line) or is_in_force(mute)


def _ring(user_id: str, chat_id: str, state: str) -> Upsert:
    """Returns the action that names the conversation in the bell. Naming it twice changes nothing."""
    named = Bell.chat_requests if state == State.ASKED else Bell.chats
    actions = [
        Bell.user_id.set(user_id),
        Bell.unseen.set(Bell.unseen | {}),
        Bell.changes.set(Bell.changes | 0),
        named.add({in_bell(user_id, chat_id)}),
    ]
    has_room = Bell.pk.does_not_exist() | named.does_not_exist() | (size(named) < MOST_IN_BELL)
    return Upsert(Bell, keys.bell(user_id), actions, condition=has_room, otherwise=BellFull)
