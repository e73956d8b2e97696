"""Since when a conversation has been unread, for the letter about it (`notifications/digest/`): of each the moment of
the first message that its person has not read. What it says is not looked at."""

from collections.abc import Iterator
from itertools import islice

from accounts.people.viewer import Viewer
from chats.models import ChatEntry, Message
from notifications.digest.reads import UnreadChat, finds_unread_chats
from socialsite.table import access_pattern, fetch, ids, keys, query, row

MOST = 5


@finds_unread_chats
@access_pattern
def list_unread(viewer: Viewer) -> list[UnreadChat]:
    """Returns the first 5 conversations with unread messages that ring the viewer's bell, without those of people who
    only ask to write.

    A BatchGetItem of the entries, 0.5 read units each, and a Query of one message of each, 0.5 read units per 4 KB.
    """
    names = list(islice(sorted(viewer.waiting.chats), MOST))
    # The bell names the other one of two, or a group.
    entries = {
        keys.chat_entry(viewer.user_id, chat_id): (chat_id, name)
        for name in names
        for chat_id in (keys.pair(viewer.user_id, name), name)
    }
    found = fetch(entries)
    return [
        unread
        for key, raw in found.items()
        for unread in _unread(row(ChatEntry, raw), *entries[key], viewer)
    ]


def _unread(entry: ChatEntry, chat_id: str, name: str, viewer: Viewer) -> Iterator[UnreadChat]:
    after = max(entry.read, entry.since)
    rows = query(keys.messages(chat_id), between=keys.messages_after(after), limit=MOST)
    for raw in islice(rows, MOST):
        message = row(Message, raw)
        if message.author_id != viewer.user_id and not message.deleted:
            is_pair = keys.is_pair(chat_id)
            yield UnreadChat(ids.time_of(message.message_id), name if is_pair else "")
            return
