"""What is exported of private messages: conversations, the messages in them that the pages show and all of the person's
own, and those that they keep. They are sealed with their authors' keys, and only the clock can open them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext_lazy as _

from chats.export import TakenChat, TakenMessage, take_kept
from chats.models import KeptMessage, State
from privacy.export.kinds import (
    FLAG,
    MOMENT,
    PERSON,
    TEXT,
    TEXT_BY_KEY,
    Field,
    Handles,
    Kind,
    Owner,
    Record,
    many,
    name_people,
    one_of,
    structure,
)
from privacy.export.post_records import moment_of
from socialsite.table import RawItem

CONVERSATIONS = Kind(
    "conversations",
    _("Conversations"),
    {
        "id": Field(TEXT, "The id of the conversation."),
        "with": Field(many(PERSON), "The other people in it."),
        "is_group": Field(FLAG, "Whether it is a group."),
        "state": Field(
            one_of(*State), "`in`, `asked` while you have not answered a request, or `refused`."
        ),
        "muted_until": Field(MOMENT, "Until when you hear nothing of it, empty if you do."),
        "draft": Field(TEXT, "What you wrote there and did not send."),
    },
    ((_("Person"), "with"), (_("Text"), "draft")),
)
MESSAGE = {
    "id": Field(TEXT, "The id of the message. Ids sort by time."),
    "conversation": Field(TEXT, "The id of its conversation."),
    "author": Field(PERSON, "Who wrote it: you or someone else."),
    "sent_at": Field(MOMENT, "When it was sent, in UTC."),
    "text": Field(TEXT, "What it says."),
    "mentions": Field(TEXT_BY_KEY, "The people it mentions: their ids, by the handle as written."),
}
ENCLOSED = structure(id=TEXT, description=TEXT)
MESSAGES = Kind(
    "messages",
    _("Private messages"),
    {
        **MESSAGE,
        "with": Field(many(PERSON), "The other people in the conversation."),
        "answers": Field(TEXT, "The id of the message that it answers, empty for none."),
        "photos": Field(
            many(ENCLOSED), "Its photos. The files of your own are among the photos of this export."
        ),
        "disappears_at": Field(MOMENT, "When it is deleted by itself, in UTC."),
    },
    ((_("When"), "sent_at"), (_("People"), "with"), (_("Person"), "author"), (_("Text"), "text")),
)
KEPT_MESSAGES = Kind(
    "kept-messages",
    _("Messages you keep"),
    {**MESSAGE, "kept_at": Field(MOMENT, "When you kept it, in UTC.")},
    ((_("When"), "sent_at"), (_("Person"), "author"), (_("Text"), "text")),
)

Lines = Iterator[tuple[str, Record]]


def chat_lines(owner: Owner, taken: TakenChat, *, is_first: bool) -> Lines:
    """Yields the next messages of a conversation, and with the first ones the conversation."""
    entry, others = taken.entry, taken.others
    handles = name_people({*others, *(one.author_id for one in taken.messages)})
    people = [owner.person(one, handles) for one in others]
    if is_first:
        yield (
            CONVERSATIONS.name,
            {
                "id": entry.chat_id,
                "with": people,
                "is_group": not taken.standing.is_pair,
                "state": entry.state,
                "muted_until": entry.muted_until,
                "draft": taken.draft,
            },
        )
    for one in taken.messages:
        yield (
            MESSAGES.name,
            {
                **_message(owner, one, entry.chat_id, one.said, handles),
                "with": people,
                "answers": one.answers,
                "photos": [
                    {"id": photo.photo_id, "description": photo.alt} for photo in one.photos
                ],
                "disappears_at": one.ends.isoformat() if one.ends else "",
            },
        )


def kept_lines(owner: Owner, raws: Sequence[RawItem]) -> Lines:
    taken = take_kept(raws)
    handles = name_people({one.author_id for one, _said in taken})
    for one, said in taken:
        record = _message(owner, one, one.chat_id, said, handles)
        yield KEPT_MESSAGES.name, {**record, "kept_at": one.kept_at}


def _message(
    owner: Owner,
    one: TakenMessage | KeptMessage,
    chat_id: str,
    said: Mapping[str, Any],
    handles: Handles,
) -> Record:
    return {
        "id": one.message_id,
        "conversation": chat_id,
        "author": owner.person(one.author_id, handles),
        "sent_at": moment_of(one.message_id),
        "text": said.get("text", ""),
        "mentions": said.get("mentions", {}),
    }
