"""What of private messages goes with an account. The person's key is gone before this begins, so nothing that they
wrote can be read any more, wherever a copy of it lies; here the items follow.

A conversation of two goes as a whole, with what the other one wrote: nobody is left to whom it was said. A group goes
on without them, and without their messages. Messages that others keep are sealed with their author's key, and the
search deletes them. So does it with a conversation to which no entry leads any more, as the key names both people.
"""

from collections.abc import Collection, Iterable, Sequence

from accounts.erasing import Handled, Leaver, erases, first_of
from accounts.people.viewer import Viewer
from chats.groups.writes import leave_group
from chats.models import Chat, ChatEntry, Message
from socialsite.table import Erase, Key, RawItem, change, fetch, key_of, keys, row, transact

CHATS_AT_ONCE = 10
MESSAGES_AT_ONCE = 25
LOOKED_AT_ONCE = 100  # messages of a group, of which perhaps none is theirs


@erases("messages")
def erase_chats(leaver: Leaver) -> Handled:
    """Deletes the next messages of the person's next conversations, and each whose messages are gone.

    One Query of entries and one of each conversation; 2 write units for a message and KB, 8 for the end of a
    conversation. The messages go in transactions: in batches the worker may not write them.
    """
    handled = Handled()
    for raw in first_of(keys.chat_entries(leaver.user_id), CHATS_AT_ONCE):
        entry = row(ChatEntry, raw)
        others = _others_of_whole(entry.chat_id, leaver.user_id)
        if others is None:
            handled += _leave_group(entry)
        else:
            handled += _erase_whole(entry, others)
    return handled


def _others_of_whole(chat_id: str, user_id: str) -> Collection[str] | None:
    """Returns whose entries go with the conversation, None for a group in which someone is left."""
    if keys.is_pair(chat_id):
        return {keys.other_of_pair(chat_id, user_id)}
    found = fetch([keys.chat(chat_id)], consistent=True)
    chat = row(Chat, found.get(keys.chat(chat_id), {}))
    return None if {*chat.members} - {user_id} else {*chat.invited} - {user_id}


def _erase_whole(entry: ChatEntry, others: Iterable[str]) -> Handled:
    """Deletes the next messages, and behind the last one what there is of the conversation, with the entries that lead
    here. What follows from each entry takes the conversation out of a badge (`stream_handlers.py`)."""
    found = first_of(keys.messages(entry.chat_id), MESSAGES_AT_ONCE)
    _erase([key_of(raw) for raw in found])
    if len(found) == MESSAGES_AT_ONCE:
        return Handled(messages=len(found))
    gone = [keys.chat_entry(one, entry.chat_id) for one in (*others, entry.user_id)]
    transact(Erase(keys.chat(entry.chat_id)), *map(Erase, gone))
    return Handled(messages=len(found), chats=1)


def _leave_group(entry: ChatEntry) -> Handled:
    """Deletes the person's own among the next messages, and behind the last one their place in the group. The own
    entry's `since` says how far that is."""
    after = keys.messages_after(entry.since)
    found = first_of(keys.messages(entry.chat_id), LOOKED_AT_ONCE, between=after)
    own = _own(found, entry.user_id)
    _erase(own)
    key = keys.chat_entry(entry.user_id, entry.chat_id)
    if len(found) == LOOKED_AT_ONCE:
        last = row(Message, found[-1]).message_id
        change(ChatEntry, key, [ChatEntry.since.set(last)])
        return Handled(messages=len(own), looked=len(found))
    leave_group(by=Viewer(entry.user_id), chat_id=entry.chat_id, is_erased=True)
    transact(Erase(key))
    return Handled(messages=len(own), chats=1)


def _own(raws: Iterable[RawItem], user_id: str) -> Sequence[Key]:
    return [key_of(raw) for raw in raws if row(Message, raw).author_id == user_id]


def _erase(places: Sequence[Key]) -> None:
    if places:
        transact(*map(Erase, places))
