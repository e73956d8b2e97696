"""What the worker does when someone writes: it notes the message in the others' entries, and rings their bells. And
when a conversation has ended unread, or a block hides it, it takes that out of the bell, which nobody else could clear.
How, `badges.py` says. Photos go with the message that shows them.
"""

from contextlib import suppress

from chats.badges import clear_badge, members_of, note_for_others, ring_for_invited
from chats.models import Chat, ChatEntry, Message
from relations.models import Relation, RelationType
from relations.relation import blocks_either_way
from socialsite.news import News, tell_pages
from socialsite.streams import Change as StreamChange
from socialsite.streams import Ledger, on
from socialsite.table import Check, Moved, NotFound, access_pattern, change, ids, keys, write_batch


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


@on(Message, "MODIFY")
@access_pattern
def tell_of_change(stream_change: StreamChange, ledger: Ledger) -> None:
    """Lets open pages know that a message which they show was deleted, or is kept by someone. Twice is safe: they look
    once more. One UpdateItem for each of the people, 1 write unit."""
    message = stream_change.item
    assert isinstance(message, Message)
    members = members_of(message.chat_id)
    for user_id in members:
        with suppress(NotFound):
            key = keys.chat_entry(user_id, message.chat_id)
            change(ChatEntry, key, [ChatEntry.changed.set(ids.new_id())])
    tell_pages(News.CHAT, map(keys.user, members))


@on(Message, "MODIFY", "REMOVE")
@access_pattern
def delete_photos_of_message(stream_change: StreamChange, ledger: Ledger) -> None:
    """Deletes the photos that a message named and names no more. What follows from each photo deletes its files
    (`photos/stream_handlers.py`). Safe to run twice: it deletes by key, and a photo is never in a second message.

    One BatchWriteItem of at most 4 photos, 1 write unit each.
    """
    old, new = stream_change.old, stream_change.new
    assert isinstance(old, Message)
    assert isinstance(new, Message | None)
    gone = set(old.photo_ids or ()) - set((new and new.photo_ids) or ())
    if gone:
        write_batch(deletes=[keys.photo(old.author_id, one) for one in sorted(gone)])
        ledger.note_effect()


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
    if new := (chat.invited or set()) - (before or set()):
        ring_for_invited(chat.chat_id, sorted(new), inviter_id=chat.founder_id)


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
