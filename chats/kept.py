"""Messages that a person keeps for good. What they keep are the words: photos go with the message, as their author was
promised. A copy of the files would be the keeper's, and outlive what the author can delete.
"""

from accounts.encryption.person_keys import open_person_key
from accounts.people.viewer import Viewer
from chats.models import KeptMessage, Message
from chats.photos.cards import without_photos
from chats.writes import BODY
from socialsite.clock import utc_now
from socialsite.table import Change, Erase, Put, access_pattern, keys, transact


@access_pattern
def keep_message(*, by: Viewer, message: Message, body: str) -> None:
    """Keeps the words of a message for good, as the viewer reads them (`body`, as JSON), sealed with its author's key.
    The others see that. Safe to repeat. Raises `NotFound` if it is gone.

    One TransactWriteItems of KeptMessage, the message and a check of the key, 6 write units and more per KB.
    """
    key, place = (
        open_person_key(message.author_id),
        keys.kept_message(by.user_id, message.message_id),
    )
    kept = KeptMessage.new(
        user_id=by.user_id,
        message_id=message.message_id,
        chat_id=message.chat_id,
        author_id=message.author_id,
        kept_at=utc_now(),
        body=key.seal(without_photos(body), key=place, attribute=BODY),
    )
    is_whole = Message.body.exists()
    known = [Message.kept_by.add({by.user_id})]
    transact(
        Put(kept),
        Change(Message, keys.message(message.chat_id, message.message_id), known, is_whole),
        key.check(),
    )


@access_pattern
def forget_kept_message(*, by: Viewer, message_id: str) -> None:
    """Takes a message from those that one keeps. Safe to repeat. One TransactWriteItems, 2 write units."""
    transact(Erase(keys.kept_message(by.user_id, message_id)))
