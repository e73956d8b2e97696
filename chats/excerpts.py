"""A part of a conversation as its reader has it, to choose from what they report: the messages of a page, with those
right before and after it."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from accounts.people.viewer import Viewer
from chats.models import Message
from chats.reads import MESSAGES_OF_A_PAGE, MessageCard, News
from chats.standing import Standing
from socialsite.table import RawItem, access_pattern, keys, query, row

BESIDE = 5  # messages before and after one, that say what it is about
FROM = 25  # of a page around one message, from that on


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Messages with words, the oldest first. `offered` are those of the page that others wrote. `before` is where the
    next older page ends, empty for none."""

    standing: Standing
    messages: Sequence[MessageCard]
    offered: Sequence[MessageCard]
    before: str = ""

    def beside(self, chosen: Sequence[MessageCard], most: int) -> Sequence[MessageCard]:
        """Returns the chosen messages with up to 5 before and after each, the oldest first. Of more than so many those
        that are further away are left out."""
        places = {one.message_id: place for place, one in enumerate(self.messages)}
        wanted = dict.fromkeys(places[one.message_id] for one in chosen)
        for distance in range(1, BESIDE + 1):
            for place in list(wanted)[: len(chosen)]:
                for near in (place - distance, place + distance):
                    if 0 <= near < len(self.messages) and len(wanted) < most:
                        wanted.setdefault(near)
        return [self.messages[place] for place in sorted(wanted)]

    def previous(self, message: MessageCard) -> str:
        """Returns the message right before it, empty for none."""
        place = self.messages.index(message)
        return self.messages[place - 1].message_id if place else ""


@access_pattern
def get_excerpt(viewer: Viewer, chat_id: str, *, before: str = "", around: str = "") -> Excerpt:
    """Returns the newest 50 messages of a conversation, those `before` one, or those `around` one, for a report. People
    whom the viewer blocks are in it: they may have been blocked for what they wrote.

    One or two consistent Queries `PK = c#<chat>#message`, 1 read unit per 4 KB, and the BatchGetItem of `get_chat`. In
    all 3 calls and 16 read units.
    """
    anchor = keys.message(chat_id, before or around) if before or around else None
    older = _messages(chat_id, after=anchor, forward=False, limit=MESSAGES_OF_A_PAGE + BESIDE)
    of_page = FROM if around else 0
    newer: list[RawItem] = []
    if anchor:
        between = (anchor.sk, keys.messages_after("")[1])
        newer = _messages(chat_id, between=between, limit=of_page + BESIDE)
    here = {_id(raw) for raw in (*older[:MESSAGES_OF_A_PAGE], *newer[:of_page])}
    found = News([*reversed(older), *newer], "").as_conversation(viewer, chat_id, to_report=True)
    cards = [one for one in found.messages if one.body]
    return Excerpt(
        found.standing,
        cards,
        offered=[one for one in cards if one.message_id in here and not one.is_mine],
        before=_id(older[MESSAGES_OF_A_PAGE - 1]) if len(older) > MESSAGES_OF_A_PAGE else "",
    )


def _messages(chat_id: str, *, limit: int, **where: Any) -> list[RawItem]:
    rows = query(keys.messages(chat_id), limit=limit, consistent=True, **where)
    return list(islice(rows, limit))


def _id(raw: RawItem) -> str:
    return row(Message, raw).message_id
