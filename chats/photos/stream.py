"""Photos go with the message that shows them: when its author deletes it for everyone, or its time is over."""

from chats.models import Message
from socialsite.streams.change import Change
from socialsite.streams.dispatch import on
from socialsite.streams.ledger import Ledger
from socialsite.table import access_pattern, keys, write_batch


@on(Message, "MODIFY", "REMOVE")
@access_pattern
def delete_photos_of_message(change: Change, ledger: Ledger) -> None:
    """Deletes the photos that a message named and names no more. What follows from each photo deletes its files
    (`photos/stream_handlers.py`). Safe to run twice: it deletes by key, and a photo is never in a second message.

    One BatchWriteItem of at most 4 photos, 1 write unit each.
    """
    old, new = change.old, change.new
    assert isinstance(old, Message)
    assert isinstance(new, Message | None)
    gone = set(old.photo_ids or ()) - set((new and new.photo_ids) or ())
    if gone:
        write_batch(deletes=[keys.photo(old.author_id, one) for one in sorted(gone)])
        ledger.note_effect()
