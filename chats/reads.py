"""The list of conversations, one of them, and what is new in it."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import islice
from typing import Any

import regex
from django.utils.safestring import SafeString

from accounts.encryption.person_keys import OpenKey, keys_to_open, open_found
from accounts.people.cards import PersonCard
from accounts.people.viewer import Viewer
from chats.members import (
    Group,
    group_keys,
    group_of,
    keys_of_nameless,
    keys_of_row,
    known_group,
    name_of,
    shows_group,
    visible,
)
from chats.models import ChatEntry, Line, Message, State
from chats.photos.cards import photos_of, photos_shown
from chats.standing import Reception, Standing, muted_until, standing_keys, standing_of
from chats.writes import BODY, DRAFT
from feed.cards.post_card import ShownPhoto
from relations.models import RelationType
from relations.relation import blocks_either_way, is_in_force
from socialsite.clock import utc_now
from socialsite.table import (
    Key,
    NotFound,
    Page,
    RawItem,
    access_pattern,
    as_model,
    fetch,
    ids,
    keys,
    query,
    query_merged,
    read_cursor,
    row,
    write_cursor,
)
from socialsite.table.paging import Place, Source
from socialsite.texts import isolated
from socialsite.web.preferences import ago
from socialsite.web.rich_text import rich_text

MESSAGES_OF_A_PAGE = 50
CHATS_OF_A_PAGE = 10
MOST_ENTRIES = 200  # conversations that a list looks at
SHORTEST_KEPT = timedelta(days=1)
OVERLAP = timedelta(seconds=10)  # within which messages of two processes may come in another order
FEW_EMOJI = regex.compile(
    r"(?:(?=\X)[\p{Extended_Pictographic}\p{Regional_Indicator}]\X?(?<=\X)\s*){1,3}"
)
UNREADABLE = "…"


@dataclass(frozen=True, slots=True)
class MessageCard:
    """A message as the viewer reads it. `answered` is the one that it answers, None if that is gone."""

    message_id: str
    author_id: str
    is_mine: bool
    ends: datetime
    author: PersonCard | None = None  # None once the account is gone
    text: str = ""
    mentions: Mapping[str, str] | None = None
    body: str = ""  # all of it, as JSON
    answers: str = ""
    answered: "MessageCard | None" = None
    is_deleted: bool = False
    kept_by: Sequence[PersonCard] = ()
    is_kept: bool = False  # by the viewer
    line: str = ""
    value: str = ""
    about: PersonCard | None = None  # whom a line is about
    is_of_group: bool = False
    is_plain: bool = False  # of a request: nothing in it can be followed
    is_seen: bool = False
    url: str = ""
    photos: Sequence[ShownPhoto] = ()  # none of a request
    number_of_photos: int = 0

    @property
    def created(self) -> datetime:
        return ids.time_of(self.message_id)

    @property
    def seconds_left(self) -> int:
        return max(0, int((self.ends - utc_now()).total_seconds()))

    @property
    def is_large(self) -> bool:
        """Whether it is a few emoji and nothing else."""
        return bool(FEW_EMOJI.fullmatch(self.text.strip()))

    @property
    def html(self) -> SafeString | str:
        """Returns the text with its links; of a request the text alone."""
        return isolated(self.text) if self.is_plain else rich_text(self.text, self.mentions)


@dataclass(frozen=True, slots=True)
class ChatRow:
    """A conversation in the list, with its last message, None if that is gone or cannot be read."""

    chat_id: str
    url: str
    is_new: bool
    is_muted: bool
    other: PersonCard | None = None
    title: str = ""  # of a group
    inviter: PersonCard | None = None  # of one who invites the viewer into it
    last: MessageCard | None = None
    at: datetime | None = None

    @property
    def ago(self) -> str:
        return ago(self.at) if self.at else ""


@dataclass(frozen=True, slots=True)
class ChatPage:
    """What a page of a conversation shows: its messages, the oldest first, and what is between the people."""

    standing: Standing
    messages: Sequence[MessageCard]
    group: Group | None = None
    newest: str = ""  # in a group also one that a block hides: it has been looked at with the rest
    older_cursor: str = ""
    draft: str = ""

    @property
    def inviter(self) -> PersonCard | None:
        """Returns who invites the viewer into the group, None if that is nobody whom they may see."""
        founder = self.group.founder if self.group else None
        return founder.card if founder and not founder.is_hidden else None

    @property
    def recent(self) -> str:
        """Returns the first id that is so close to the newest message that others may still come before it."""
        return recent_of(self.newest)

    @property
    def mark(self) -> str:
        """Returns what changes when a message that is shown already looks different."""
        return mark_of(self.standing)


def mark_of(standing: Standing) -> str:
    changed = (standing.own.changed or "") if standing.own else ""
    takes = standing.theirs is not None and standing.theirs.state == State.IN
    return f"{changed}.{standing.seen}.{State.IN if takes else ''}"


def recent_of(message_id: str) -> str:
    """Returns the first id that is so close to a message that others may still come before it; empty for what is no id
    of a message, as an address may say."""
    if not ids.is_id(message_id):
        return ""
    try:
        return ids.first_id_at(ids.time_of(message_id) - OVERLAP)
    except (ValueError, OverflowError):  # before 1970, or behind the year 9999
        return ""


@access_pattern
def get_chat(
    viewer: Viewer, chat_id: str, *, cursor: str | None = None, consistent: bool = False
) -> ChatPage:
    """Returns the newest 50 messages of a conversation, or those before a cursor. What the viewer may not see, or what
    is past its `ttl`, is left out. Raises `BadCursor`.

    Query `PK = c#<chat>#message`, 0.5 read units per 4 KB, twice that if consistent; and one BatchGetItem of what is
    between the people, their keys and messages that are answered, 0.5 read units each. In all 2 calls and 3 + 5 read
    units. Of a group also its people, 1 read unit each; unless its Chat was read with the viewer, one call more.
    """
    source = Source(keys.messages(chat_id), consistent=consistent)
    page = query_merged([source], scope=source.partition, cursor=cursor, size=MESSAGES_OF_A_PAGE)
    return _conversation(viewer, chat_id, page)


@dataclass(frozen=True, slots=True)
class News:
    """The raw messages that came since a page was made, and the newest one that is there."""

    raws: Sequence[RawItem]
    newest: str

    def as_conversation(self, viewer: Viewer, chat_id: str, *, to_report: bool = False) -> ChatPage:
        """Returns them as a page shows them; `to_report` with those of people whom the viewer blocks. The BatchGetItem
        of `get_chat`."""
        page = Page(list(reversed(self.raws)))
        return _conversation(viewer, chat_id, page, to_report=to_report)


@access_pattern
def get_new_messages(chat_id: str, *, after: str, known: Sequence[str]) -> News:
    """Returns the messages behind the last one that a page shows. Those that are `known` are left out: two processes
    may write them in another order than that of their ids. The caller has checked that the viewer may read them.

    Query `PK = c#<chat>#message` behind the message, 0.5 read units.
    """
    shown = {after, *known}
    between = keys.messages_after(recent_of(after))
    found = query(keys.messages(chat_id), between=between, limit=MESSAGES_OF_A_PAGE)
    raws = list(islice(found, MESSAGES_OF_A_PAGE))
    newest = max([after, *(row(Message, raw).message_id for raw in raws[-1:])])
    return News([raw for raw in raws if row(Message, raw).message_id not in shown], newest)


@access_pattern
def get_message(viewer: Viewer, chat_id: str, message_id: str) -> tuple[Message, MessageCard]:
    """Returns one message as the viewer reads it, and its item. Raises `NotFound` if it is gone or not for them.

    One consistent BatchGetItem of the message, 1 read unit per 4 KB, and one of what is between the people, their infos
    and keys, 0.5 read units each.
    """
    raw, found = _one(viewer, chat_id, message_id)
    return as_model(Message, raw), found.messages[0]


@access_pattern
def get_photos_of_message(viewer: Viewer, chat_id: str, message_id: str) -> ChatPage:
    """Returns a conversation with one message alone, for a page of its photos. Raises `NotFound` if it is gone or not
    for the viewer. As `get_message`."""
    return _one(viewer, chat_id, message_id)[1]


def _one(viewer: Viewer, chat_id: str, message_id: str) -> tuple[RawItem, ChatPage]:
    raw = fetch([keys.message(chat_id, message_id)], consistent=True)
    found = _conversation(viewer, chat_id, Page(list(raw.values())))
    if not found.messages:
        raise NotFound("no such message")
    return next(iter(raw.values())), found


def _conversation(
    viewer: Viewer, chat_id: str, page: Page[RawItem], *, to_report: bool = False
) -> ChatPage:
    rows = [row(Message, raw) for raw in reversed(page.items)]
    people = {one.author_id for one in rows} | {who for one in rows for who in one.kept_by}
    people |= {one.value for one in rows if one.line == Line.REMOVED}
    on_page = {one.message_id for one in rows}
    answered = {one.answers for one in rows if one.answers} - on_page
    wanted = {
        *standing_keys(viewer.user_id, chat_id),
        *keys_to_open({*people, viewer.user_id}),
        *(keys.user_info(one) for one in people - {viewer.user_id}),
        *(keys.message(chat_id, one) for one in answered),
    }
    if group := None if keys.is_pair(chat_id) else known_group(viewer, chat_id):
        others = people - {viewer.user_id}
        wanted |= {keys.relation(viewer.user_id, RelationType.BLOCK, one) for one in others}
        wanted |= {*group_keys(viewer.user_id, group)}
    found = fetch(sorted(wanted))
    standing = standing_of(viewer, chat_id, found)
    reader = _Reader(viewer, standing, found, to_report=to_report)
    rows += [
        row(Message, raw) for one in answered if (raw := found.get(keys.message(chat_id, one)))
    ]
    cards = [card for card in reader.cards(rows) if card.message_id in on_page]
    is_looked_at = cards or (group and standing.is_member)
    newest = max(on_page, default="")
    return ChatPage(
        standing,
        cards,
        newest=newest if is_looked_at and newest > standing.since else "",
        group=group_of(viewer, standing.chat, found) if group and standing.chat else None,
        older_cursor=page.next_cursor or "",
        draft=reader.draft(),
    )


class _Reader:
    """Makes cards of the messages of one conversation, from what was read with them."""

    def __init__(
        self,
        viewer: Viewer,
        standing: Standing,
        found: Mapping[Key, RawItem],
        *,
        to_report: bool = False,
    ) -> None:
        self._viewer, self._standing, self._found = viewer, standing, found
        self._to_report = to_report

    def cards(self, rows: Iterable[Message]) -> list[MessageCard]:
        is_hidden = self._standing.is_blocked and not self._to_report
        if is_hidden or not self._standing.is_member:
            return []
        visible = [one for one in rows if self._sees(one)]
        opened = open_found({one.author_id for one in visible}, self._found)
        cards = {one.message_id: self._card(one, opened, self._standing.seen) for one in visible}
        return [
            replace(card, answered=cards.get(card.answers)) if card.answers else card
            for card in sorted(cards.values(), key=lambda card: card.message_id)
        ]

    def draft(self) -> str:
        own = self._standing.own
        key = open_found([self._viewer.user_id], self._found).get(self._viewer.user_id)
        if own is None or not own.draft or key is None:
            return ""
        place = keys.chat_entry(self._viewer.user_id, self._standing.chat_id)
        return key.text_of(own.draft, key=place, attribute=DRAFT)

    def _sees(self, one: Message) -> bool:
        """Whether the viewer may read it. In a group they see nothing of people who are not to be seen now."""
        if not self._standing.is_pair and self.person(one.author_id) is None:
            return False
        block = keys.relation(self._viewer.user_id, RelationType.BLOCK, one.author_id)
        raw = self._found.get(block)
        is_hidden = blocks_either_way(raw) and not (self._to_report and is_in_force(raw))
        return one.message_id > (self._standing.since or "") and not is_hidden

    def _card(self, one: Message, opened: Mapping[str, OpenKey], seen: str) -> MessageCard:
        me = self._viewer.user_id
        key, place = opened.get(one.author_id), keys.message(one.chat_id, one.message_id)
        body = key.text_of(one.body, key=place, attribute=BODY) if one.body and key else ""
        said: dict[str, Any] = json.loads(body) if body else {}
        enclosed = photos_of(body)
        is_plain = self._standing.is_request and one.author_id != me
        url = f"{self._standing.url}/{one.message_id}"
        assert one.ttl
        photos = photos_shown(
            enclosed, url=url, author_id=one.author_id, viewer_id=me, ends=one.ttl
        )
        kept_by = [card for who in one.kept_by if (card := self.person(who))]
        return MessageCard(
            one.message_id,
            one.author_id,
            is_mine=one.author_id == me,
            ends=one.ttl,
            author=self.person(one.author_id),
            text=said.get("text", "") if body else "" if one.deleted or one.line else UNREADABLE,
            mentions=said.get("mentions", {}),
            body=body,
            answers=one.answers,
            is_deleted=bool(one.deleted),
            kept_by=kept_by,
            is_kept=me in one.kept_by,
            line=one.line,
            value=one.value,
            about=self.person(one.value) if one.line == Line.REMOVED else None,
            is_of_group=not self._standing.is_pair,
            is_plain=is_plain,
            is_seen=bool(seen) and one.message_id <= seen,
            url=url,
            photos=() if is_plain else photos,
            number_of_photos=len(enclosed),
        )

    def person(self, user_id: str) -> PersonCard | None:
        """Returns someone's card, None if they are not to be seen now."""
        if user_id == self._viewer.user_id:
            return self._viewer.card
        return visible(self._found.get(keys.user_info(user_id)), self._viewer.user_id)


# The list


@access_pattern
def list_chats(
    viewer: Viewer, *, requests: bool = False, cursor: str | None = None
) -> Page[ChatRow]:
    """Returns the conversations, the one with the newest message first; or the requests. Those with people whom the
    viewer may not see are left out. Raises `BadCursor`.

    Query `PK = u#<id>#chat`, 0.5 read units per 4 KB, at most 200; and for the 10 of a page one BatchGetItem of people,
    blocks, last messages and their authors' keys, 0.5 read units each. In all 2 calls and 2.5 + 20 read units.
    """
    scope = f"{keys.chat_entries(viewer.user_id)} {'requests' if requests else ''}"
    entries = _entries(viewer, State.ASKED if requests else State.IN)
    if cursor:
        before = read_cursor(scope, cursor).sk
        entries = [one for one in entries if one.last < before]
    shown, more = entries[:CHATS_OF_A_PAGE], entries[CHATS_OF_A_PAGE:]
    found = fetch(sorted({key for one in shown for key in _keys_of_row(viewer, one)}))
    found |= fetch(keys_of_nameless(viewer.user_id, shown, found))
    rows = [card for one in shown if (card := _row(viewer, one, found))]
    further = write_cursor(scope, Place("next", shown[-1].last)) if more else None
    return Page(rows, further)


def _entries(viewer: Viewer, state: State) -> list[ChatEntry]:
    raws = query(keys.chat_entries(viewer.user_id), limit=MOST_ENTRIES)
    found = [row(ChatEntry, raw) for raw in islice(raws, MOST_ENTRIES)]
    kept = [one for one in found if one.state == state and one.last > one.since]
    return sorted(kept, key=lambda one: one.last, reverse=True)


def _keys_of_row(viewer: Viewer, entry: ChatEntry) -> list[Key]:
    me = viewer.user_id
    wanted = [keys.message(entry.chat_id, entry.last), *keys_to_open([entry.last_by])]
    if entry.other_id:
        block = keys.relation(me, RelationType.BLOCK, entry.other_id)
        return [*wanted, keys.user_info(entry.other_id), block]
    return [*wanted, *keys_of_row(me, entry)]


def _row(viewer: Viewer, entry: ChatEntry, found: Mapping[Key, RawItem]) -> ChatRow | None:
    standing = standing_of(viewer, entry.chat_id, found)
    if standing.reception in (Reception.AWAY, Reception.BLOCKED):
        return None
    raw = found.get(keys.message(entry.chat_id, entry.last))
    standing = replace(standing, own=entry)
    if raw is None and standing.is_pair and ids.time_of(entry.last) < utc_now() - SHORTEST_KEPT:
        return None  # the last message has ended, and the entry says only that it is muted
    if not standing.is_pair and not shows_group(standing, found):
        return None
    reader = _Reader(viewer, standing, found)
    cards = reader.cards([row(Message, raw)] if raw else [])
    return ChatRow(
        entry.chat_id,
        url=f"/messages/@{standing.other.handle}"
        if standing.other
        else f"/messages/groups/{entry.chat_id}",
        is_new=entry.came > entry.read,
        is_muted=muted_until(entry) is not None,
        other=standing.other,
        title=name_of(standing, found),
        inviter=reader.person(entry.inviter_id) if standing.is_invited else None,
        last=cards[0] if cards else None,
        at=ids.time_of(entry.last),
    )
