"""The items of private messages. Shape and keys only."""

from collections.abc import Collection
from datetime import datetime
from enum import StrEnum
from typing import Self

from pynamodb.attributes import (
    BooleanAttribute,
    NumberAttribute,
    UnicodeAttribute,
    UnicodeSetAttribute,
)

from accounts.models import SealedAttribute
from socialsite.table import Item, keys

KEEP_DAYS = 7  # unless the people of a conversation chose otherwise
CHOICES_OF_DAYS = (1, 7, 30, 365)


class Chat(Item, discriminator="Chat"):
    """What holds for a whole conversation. One of two people has none as long as nothing in it is out of the ordinary.

    `members` are its people: of a group all of them, of two those who agreed to be written to by the other. `invited`
    were asked into a group and have not answered. `keep_days` is how long messages from now on live. `title` is the
    name of a group, sealed with the key of the `founder_id`.
    """

    family = "messages"
    page = "/messages"

    chat_id = UnicodeAttribute()
    members = UnicodeSetAttribute(null=True)
    invited = UnicodeSetAttribute(null=True)
    founder_id = UnicodeAttribute(null=True)
    keep_days = NumberAttribute(null=True)
    title = SealedAttribute(attr_name="sealed_title", null=True)


class Line(StrEnum):
    """What a line of the system says, in the place of a message."""

    KEEP = "keep"  # someone chose how long messages live: `value` has the days
    BEGUN = "begun"  # someone founded the group
    JOINED = "joined"
    NAMED = "named"  # someone gave the group another name
    REMOVED = "removed"  # the founder removed the person `value`


class Message(Item, discriminator="Message"):
    """A private message. `body` is its text, the people that it mentions and its photos, sealed with the author's key.

    `answers` is the message that it answers. `photo_ids` name the author's photos in it, so that the worker can delete
    them with it. A message that its author deleted has no body any more, and stays as `deleted` until its `ttl`. A line
    of the system has a `line` and a `value` in the place of a body. `likeness` of a first message to a stranger is the
    same for all that say the same, and tells nothing of what that is.
    """

    family = "messages"
    page = "/messages"
    most_bytes = 28_672  # 2,000 characters of any script, and four photos with their descriptions

    chat_id = UnicodeAttribute()
    message_id = UnicodeAttribute()
    author_id = UnicodeAttribute()
    body = SealedAttribute(null=True)
    answers = UnicodeAttribute(attr_name="answer_to", null=True)
    photo_ids = UnicodeSetAttribute(null=True)
    kept_by = UnicodeSetAttribute(null=True)
    deleted = BooleanAttribute(attr_name="is_deleted", null=True)
    line = UnicodeAttribute(null=True)
    value = UnicodeAttribute(attr_name="line_value", null=True)
    likeness = UnicodeAttribute(null=True)

    @classmethod
    def new(
        cls,
        *,
        chat_id: str,
        message_id: str,
        author_id: str,
        ttl: datetime,
        body: bytes | None = None,
        answers: str = "",
        photo_ids: Collection[str] = (),
        line: str = "",
        value: str = "",
        likeness: str = "",
    ) -> Self:
        return cls(
            *keys.message(chat_id, message_id),
            chat_id=chat_id,
            message_id=message_id,
            author_id=author_id,
            ttl=ttl,
            body=body,
            answers=answers or None,
            photo_ids=set(photo_ids) or None,
            line=line or None,
            value=value or None,
            likeness=likeness or None,
        )


class State(StrEnum):
    """How a person stands to a conversation."""

    IN = "in"
    ASKED = "asked"  # someone asks to write to them, or invited them into a group
    REFUSED = "refused"  # they refused that: further messages do not reach them


class ChatEntry(Item, discriminator="ChatEntry"):
    """A person's own entry of a conversation, for their list. It goes with the last message, that of a group with their
    place in it.

    `other_id` is the other one of two, `inviter_id` the founder of a group, who invites. `last` is the newest message
    and `last_by` its author, `came` the newest of someone else, as the worker notes them; at first all are the moment
    of an invitation. `read` is the newest that they have read, `seen` the same if they let others know. Up to `since`
    they see nothing: they came later, or cleared their list. `joined` is the line that says that they came into the
    group. `changed` marks the last change of a message that was there already. `muted_until` is until when it rings no
    bell. `nonces` are those of the last forms that were sent, so that none is sent twice, and `burst` counts messages
    since `burst_from`, in seconds. `draft` is what was written and not sent, sealed with their key.
    """

    family = "messages"
    page = "/messages"
    most_bytes = 12_288  # a draft of 2,000 characters of any script

    user_id = UnicodeAttribute()
    chat_id = UnicodeAttribute()
    state = UnicodeAttribute()
    other_id = UnicodeAttribute(null=True)
    inviter_id = UnicodeAttribute(null=True)
    last = UnicodeAttribute(null=True)
    last_by = UnicodeAttribute(null=True)
    came = UnicodeAttribute(null=True)
    read = UnicodeAttribute(null=True)
    seen = UnicodeAttribute(attr_name="seen_up_to", null=True)
    since = UnicodeAttribute(attr_name="since_message", null=True)
    joined = UnicodeAttribute(attr_name="joined_at_message", null=True)
    changed = UnicodeAttribute(attr_name="change_mark", null=True)
    muted_until = UnicodeAttribute(null=True)
    nonces = UnicodeSetAttribute(null=True)
    burst = NumberAttribute(null=True)
    burst_from = NumberAttribute(null=True)
    draft = SealedAttribute(null=True)

    @classmethod
    def new(
        cls,
        *,
        user_id: str,
        chat_id: str,
        state: str,
        ttl: datetime | None = None,
        other_id: str = "",
        inviter_id: str = "",
        since: str = "",
        last: str = "",
        last_by: str = "",
        joined: str = "",
    ) -> Self:
        return cls(
            *keys.chat_entry(user_id, chat_id),
            user_id=user_id,
            chat_id=chat_id,
            state=state,
            ttl=ttl,
            other_id=other_id or None,
            inviter_id=inviter_id or None,
            since=since or None,
            last=last or None,
            last_by=last_by or None,
            came=(last or None) if last_by != user_id else None,
            read=joined or None,
            joined=joined or None,
        )


class KeptMessage(Item, discriminator="KeptMessage"):
    """A message that a person keeps for good, as they read it. The others see in the conversation that they keep it.
    It is sealed with its author's key, as the message was: once the author's account is erased, nobody reads it."""

    family = "messages"
    page = "/messages/kept"
    most_bytes = 24_576  # as a message

    user_id = UnicodeAttribute()
    message_id = UnicodeAttribute()
    chat_id = UnicodeAttribute()
    author_id = UnicodeAttribute()
    kept_at = UnicodeAttribute()
    body = SealedAttribute()

    @classmethod
    def new(
        cls,
        *,
        user_id: str,
        message_id: str,
        chat_id: str,
        author_id: str,
        kept_at: datetime,
        body: bytes,
    ) -> Self:
        return cls(
            *keys.kept_message(user_id, message_id),
            user_id=user_id,
            message_id=message_id,
            chat_id=chat_id,
            author_id=author_id,
            kept_at=kept_at.isoformat(timespec="seconds"),
            body=body,
        )
