"""Muting a conversation for a time, clearing it, and keeping what is not sent yet, all in one's own entry: nobody else
learns of it. The worker looks there before it rings (`../stream_handlers.py`), and reads leave out what lies before
`ChatEntry.since`."""

from contextlib import suppress
from datetime import UTC, datetime, timedelta

from accounts.credentials.reencrypt import key_to_seal
from accounts.people.viewer import Viewer, Waiting
from chats.models import ChatEntry
from chats.writes import DRAFT, read_messages
from socialsite.clock import utc_now
from socialsite.table import Moved, NotFound, access_pattern, change, get, ids, keys

FOR_EVER = datetime(9999, 12, 31, tzinfo=UTC)
LONGEST_KEPT = timedelta(days=365)  # for which the mute of a conversation of two is remembered
LENGTHS = {"8 hours": timedelta(hours=8), "1 week": timedelta(weeks=1), "always": None}


@access_pattern
def mute_chat(*, by: Viewer, chat_id: str, length: str) -> None:
    """Lets a conversation ring no bell of the viewer's for a time (one of `LENGTHS`), or again if it is empty. Safe to
    repeat. Raises `NotFound` where they have no such conversation.

    One consistent GetItem of the own entry, 1 read unit, and one UpdateItem of it, 1 write unit. An entry of two that
    would end with its last message stays as long as the mute.
    """
    key = keys.chat_entry(by.user_id, chat_id)
    if not length:
        change(ChatEntry, key, [ChatEntry.muted_until.remove()])
        return
    entry = get(ChatEntry, key, consistent=True)
    span = LENGTHS[length]
    until = utc_now() + span if span else FOR_EVER
    actions = [ChatEntry.muted_until.set(until.isoformat(timespec="seconds"))]
    if entry.ttl:
        ends = min(until, utc_now() + LONGEST_KEPT)
        actions.append(ChatEntry.ttl.set(max(entry.ttl, ends)))
    change(ChatEntry, key, actions)


@access_pattern
def clear_chat(*, by: Viewer, chat_id: str, up_to: str) -> Waiting:
    """Takes a conversation out of the viewer's list, and all messages up to the one that their page shows last, until
    something new comes. The others keep theirs. Safe to repeat. Returns what still waits. Raises `NotFound` where they
    have no such conversation.

    One GetItem of the own entry, 0.5 read units, one UpdateItem of it, 1 write unit, and as `read_messages`.
    """
    up_to = min(up_to, ids.new_id())
    further = ChatEntry.since.does_not_exist() | (ChatEntry.since < up_to)
    key = keys.chat_entry(by.user_id, chat_id)
    get(ChatEntry, key)
    with suppress(Moved):
        change(ChatEntry, key, [ChatEntry.since.set(up_to)], condition=further, otherwise=Moved)
    return read_messages(by=by, chat_id=chat_id, up_to=up_to)


@access_pattern
def save_chat_draft(*, by: Viewer, chat_id: str, text: str) -> None:
    """Keeps what was written and not sent, in the viewer's own entry; an empty text takes it away. Safe to repeat.

    One UpdateItem, 1 write unit per KB, and the key's 0.5 read units. To someone to whom nothing was ever written the
    draft stays in the browser alone: there is no entry yet.
    """
    entry = keys.chat_entry(by.user_id, chat_id)
    if text:
        sealed = key_to_seal(by.user_id).seal(text, key=entry, attribute=DRAFT)
        kept = [ChatEntry.draft.set(sealed)]
    else:
        kept = [ChatEntry.draft.remove()]
    try:
        change(ChatEntry, entry, kept)
    except NotFound:
        return
