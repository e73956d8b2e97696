"""What people do in a conversation: send, read, accept or refuse, delete, keep, and choose how long messages live.

A message is one transaction of four items: the message, a check that its author's key is there, a check that neither
blocks the other, and the author's own entry; and of its photos. The others' entries and badges are the worker's
(`stream_handlers.py`).
"""

import hashlib
import json
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from pynamodb.expressions.condition import Condition
from pynamodb.expressions.update import Action

from accounts.credentials.reencrypt import key_to_seal
from accounts.encryption.person_keys import OpenKey, keys_to_open, open_found
from accounts.models import Bell, UserInfo
from accounts.people.viewer import Viewer, Waiting
from chats.models import CHOICES_OF_DAYS, Chat, ChatEntry, Line, Message, State
from chats.photos.cards import PHOTOS, as_said, enclosed_from
from chats.standing import Reception, Standing, standing_keys, standing_of
from feed.publishing.photos import told_which
from photos.models import Photo
from photos.writes import enclose
from relations.models import RelationType
from relations.relation import UNBLOCKED, Blocked
from socialsite.clock import utc_now
from socialsite.site_settings.site_rules import site_rules
from socialsite.table import (
    ALWAYS,
    Change,
    Check,
    Create,
    Key,
    Moved,
    NotFound,
    RawItem,
    TableError,
    Upsert,
    WriteAction,
    access_pattern,
    change,
    fetch,
    ids,
    keys,
    row,
    transact,
    write_optimistically,
)
from socialsite.web.limits import Limit, LimitReached, hit, next_window

BODY = "body"  # attributes that are sealed
DRAFT = "draft"
REQUESTS_A_DAY = Limit("message-requests", 20, 86_400)
REQUESTS_A_DAY_OF_NEW = Limit("message-requests-new", 5, 86_400)  # accounts under a week
NEW_FOR = timedelta(days=7)
BURST, BURST_SECONDS = 30, 60  # messages into one conversation
MOST_NONCES, ONCE = 8, 20  # forms that an entry knows, and characters by which it knows one
SHORTLY = timedelta(hours=1)  # within which the worker notes a message at the latest
OF_EARLIER = (
    *(ChatEntry.since, ChatEntry.changed, ChatEntry.came),
    *(ChatEntry.read, ChatEntry.seen, ChatEntry.muted_until),
)
REFUSED_FOR = timedelta(days=365)
CLOCKS_APART = timedelta(minutes=1)  # of processes that make ids, at most


class CannotWrite(TableError):
    """The message cannot be sent. `sentence` says why, beside the field of the form."""

    def __init__(self, sentence: str) -> None:
        super().__init__("the message is refused")
        self.sentence = sentence


class TooManyRequests(TableError):
    """The person has asked as many people as one can in a day."""


@dataclass(frozen=True, slots=True)
class Sent:
    """What became of a form: the new message, None if the same form was sent before."""

    message: Message | None
    is_request: bool = False
    ends_badge: bool = False  # it answers a request, or what was not read has ended


@access_pattern
def send_message(
    *,
    by: Viewer,
    chat_id: str,
    text: str,
    nonce: str,
    mentions: Mapping[str, str] | None = None,
    answers: str = "",
    photos: Sequence[Photo] = (),
    descriptions: Mapping[str, str] | None = None,
    known: Mapping[Key, RawItem | None] | None = None,
) -> Sent:
    """Sends a message. Sending the same form (`nonce`, text and photos) again does nothing. `photos` are the viewer's,
    with `descriptions` by their ids. `known` are the items of `sending_keys` as they were read with the viewer; without
    them they are read first, 0.5 read units each.

    One TransactWriteItems of the message, two checks and the own entry, 8 write units, and 2 more for each photo and
    each further KB of the message. The first one to a person also writes their entry, and a request counts against the
    limit of a day: 10 and 12 write units. Answering a request accepts it: 2 more, and 4 for the badge, as where the own
    entry has ended; where that of the other ends soon 2 more. Raises `CannotWrite`, `CannotAttach`, `LimitReached`,
    `Frozen`, `Unconfirmed`, `Blocked`, `NoPersonKey`, `NotFound`, `Conflict`.
    """
    by.must_be_free_to_write()
    said, photo_ids = descriptions or {}, [one.photo_id for one in photos]
    words = "\n".join(filter(None, (text, *said.values())))
    form = (nonce, text, *(one.sha256 for one in photos))  # files that came again have another id
    once = hashlib.sha256("\n".join(form).encode()).hexdigest()[:ONCE]
    first = [known]

    def attempt() -> Sent:
        wanted, found = sending_keys(by.user_id, chat_id), first.pop() if first else None
        if found is None or not found.keys() >= set(wanted):
            found = {**dict.fromkeys(wanted), **fetch(wanted, consistent=True)}
        standing = standing_of(by, chat_id, found)
        sent_before = (standing.own.nonces or ()) if standing.own else ()
        if any(one.endswith(once) for one in sent_before):
            return Sent(None)
        must_receive(standing, words)
        key = open_found([by.user_id], found).get(by.user_id) or key_to_seal(by.user_id)
        message_id = next_message_id(standing)
        place = keys.message(chat_id, message_id)
        until = utc_now() + timedelta(days=standing.keep_days)
        more = {PHOTOS: as_said(enclosed_from(photos, said))}
        message = Message.new(
            likeness=standing.likeness(words),
            chat_id=chat_id,
            message_id=message_id,
            author_id=by.user_id,
            ttl=until,
            body=seal_body(key, place, text=text, mentions=mentions, **more),
            answers=answers,
            photo_ids=photo_ids,
        )
        enclosed = [
            enclose(by=by, photo_id=one, chat_id=chat_id, message_id=message_id, until=until)
            for one in photo_ids
        ]
        with told_which(photo_ids):
            transact(
                Create(message, otherwise=Moved),
                key.check(),
                *must_not_be_blocked(standing),
                _note_own(standing, message, once),
                *_first_contact(standing, message),
                *enclosed,
            )
        ends_badge = standing.is_request or (standing.own is None and standing.is_in_bell)
        return Sent(message, standing.reception == Reception.REQUEST, ends_badge)

    try:
        sent = write_optimistically(attempt)
    except TooManyRequests as error:
        seconds = (next_window(REQUESTS_A_DAY) - utc_now()).total_seconds()
        raise LimitReached(max(1, int(seconds)), REQUESTS_A_DAY.kind) from error
    if sent.message and sent.ends_badge:
        take_from_bell(by, chat_id, up_to=sent.message.message_id)
    return sent


def sending_keys(me: str, chat_id: str) -> list[Key]:
    """Returns the keys of what `send_message` has to know: at most 8."""
    return [*standing_keys(me, chat_id), *keys_to_open([me])]


def seal_body(
    key: OpenKey, place: Key, *, text: str, mentions: Mapping[str, str] | None = None, **more: Any
) -> bytes:
    """Seals what a message says, as JSON."""
    said = {"text": text, "mentions": mentions} | more
    body = json.dumps({name: one for name, one in said.items() if one}, ensure_ascii=False)
    return key.seal(body, key=place, attribute=BODY)


def must_receive(standing: Standing, text: str) -> None:
    """Raises `CannotWrite` unless a message of this text can be sent, `LimitReached` after too many at once, and
    `NotFound` in a group of which the viewer is no member. Word filters hold for the first words to a stranger."""
    if not standing.is_member:
        raise NotFound("no member")
    if why_not := standing.why_not:
        raise CannotWrite(why_not)
    if standing.reception == Reception.REQUEST and (
        sentence := site_rules().refusal_in_private(text)
    ):
        raise CannotWrite(sentence)
    if standing.own and _burst(standing)[0] > BURST:
        until = int(standing.own.burst_from or 0) + BURST_SECONDS
        raise LimitReached(max(1, until - int(time.time())), "messages")


def must_not_be_blocked(standing: Standing) -> list[WriteAction]:
    """Returns the check that neither of two people blocks the other. A group has none: there each sees for themselves
    whom they read."""
    if not standing.is_pair:
        me = standing.me.user_id
        return [Check(keys.chat(standing.chat_id), _has_member(me), otherwise=NotFound)]
    block = keys.relation(standing.me.user_id, RelationType.BLOCK, standing.other_id)
    return [Check(block, UNBLOCKED, Blocked)]


def next_message_id(standing: Standing) -> str:
    """Returns an id behind the last message that the viewer's entry knows, also where a clock is behind another."""
    new, last = ids.new_id(), (standing.own.last or "") if standing.own else ""
    if new > last:
        return new
    return ids.first_id_at(ids.time_of(last) + timedelta(milliseconds=1))[:10] + new[10:]


def _has_member(user_id: str) -> Condition:
    return Chat.members.contains(user_id)


def _burst(standing: Standing) -> tuple[int, int]:
    """Returns how many messages this is since which second, with the one that is to be sent."""
    now, own = int(time.time()), standing.own
    if own is None or now - int(own.burst_from or 0) >= BURST_SECONDS:
        return 1, now
    return int(own.burst or 0) + 1, int(own.burst_from or 0)


def _note_own(standing: Standing, message: Message, once: str) -> Upsert:
    """Notes in the author's own entry that they wrote. The nonces are as they were read, or another window has sent in
    between; with the time of sending before them, the oldest goes first. What came meanwhile stays the last."""
    own, me = standing.own, standing.me.user_id
    nonces = sorted(own.nonces or ()) if own else []
    once = f"{message.message_id[:10]}{once}"
    burst, since = _burst(standing)
    actions: list[Action] = [
        ChatEntry.user_id.set(me),
        ChatEntry.chat_id.set(standing.chat_id),
        ChatEntry.state.set(State.IN),
        ChatEntry.last.set(message.message_id),
        ChatEntry.last_by.set(me),
        ChatEntry.nonces.set({*nonces[-MOST_NONCES + 1 :], once}),
        ChatEntry.burst.set(burst),
        ChatEntry.burst_from.set(since),
        ChatEntry.draft.remove(),
    ]
    if standing.is_pair:
        actions.append(ChatEntry.other_id.set(standing.other_id))
        ends = max(message.ttl, own.ttl) if own and own.ttl else message.ttl
        actions.append(ChatEntry.ttl.set(ends))
    if own is None:  # one that has expired may be there still, and says nothing any more
        actions += [one.remove() for one in OF_EARLIER]
        as_read = ChatEntry.pk.does_not_exist() | (ChatEntry.ttl <= utc_now())
    elif nonces:
        as_read = ChatEntry.nonces == set(nonces)
    else:
        as_read = ChatEntry.pk.exists() & ChatEntry.nonces.does_not_exist()
    if own is not None:
        as_read &= ChatEntry.last.does_not_exist() | (ChatEntry.last < message.message_id)
    key = keys.chat_entry(me, standing.chat_id)
    return Upsert(ChatEntry, key, actions, condition=as_read, otherwise=Moved)


def _first_contact(standing: Standing, message: Message) -> list[WriteAction]:
    """Returns what a message writes beside: to someone who has no entry theirs, with what becomes of it, or that
    it stays if it ends before the worker may note the message; and from someone who was asked, that they agree."""
    if not standing.is_pair:
        return []
    agreed: list[WriteAction] = [agree(standing)] if standing.is_request else []
    if standing.theirs:
        return [*agreed, *_stays(standing.theirs, message)]
    me, is_request = standing.me.user_id, standing.reception == Reception.REQUEST
    entry = ChatEntry.new(
        user_id=standing.other_id,
        chat_id=standing.chat_id,
        state=State.ASKED if is_request else State.IN,
        ttl=message.ttl,
        other_id=me,
    )
    asking = [count_requests(me)] if is_request else []
    return [Create(entry, otherwise=Moved, over_expired=True), *agreed, *asking]


def _stays(theirs: ChatEntry, message: Message) -> list[WriteAction]:
    if theirs.ttl is None or theirs.ttl > utc_now() + SHORTLY:
        return []
    key, stays = keys.chat_entry(theirs.user_id, theirs.chat_id), [ChatEntry.ttl.set(message.ttl)]
    return [Change(ChatEntry, key, stays, ChatEntry.ttl == theirs.ttl, otherwise=Moved)]


def count_requests(user_id: str, times: int = 1) -> Upsert:
    """Returns the action that counts requests to strangers. It raises `TooManyRequests`."""
    is_new = ids.time_of(user_id) > utc_now() - NEW_FOR
    limit = REQUESTS_A_DAY_OF_NEW if is_new else REQUESTS_A_DAY
    return hit(limit, user_id, otherwise=TooManyRequests, times=times)


def agree(standing: Standing) -> Upsert:
    """Returns the action after which the viewer takes messages from the other for good. 2 write units."""
    key = keys.chat(standing.chat_id)
    actions = [Chat.chat_id.set(standing.chat_id), Chat.members.add({standing.me.user_id})]
    return Upsert(Chat, key, actions, condition=ALWAYS, otherwise=Moved)


# What waits for an answer


@access_pattern
def accept_chat(*, by: Viewer, chat_id: str) -> None:
    """Takes messages from the other one of two from now on. Safe to repeat. Raises `NotFound` if nobody asks.

    One consistent BatchGetItem, and one TransactWriteItems of the own entry and the Chat, 4 write units.
    """
    standing = read_standing(by, chat_id)
    if standing.state == State.IN:
        return
    if standing.own is None:
        raise NotFound("no request")
    accepted = [ChatEntry.state.set(State.IN)]
    transact(Change(ChatEntry, keys.chat_entry(by.user_id, chat_id), accepted), agree(standing))
    take_from_bell(by, chat_id, up_to="~")


@access_pattern
def refuse_chat(*, by: Viewer, chat_id: str) -> None:
    """Takes no messages from the other one of two, who is not told and cannot ask again for a year. Safe to repeat.
    Raises `NotFound` if nobody asks. One UpdateItem, 1 write unit, and one of the bell."""
    refused = [
        ChatEntry.state.set(State.REFUSED),
        ChatEntry.ttl.set(utc_now() + REFUSED_FOR),
    ]
    is_asked = ChatEntry.state.is_in(State.ASKED, State.REFUSED)
    is_asked &= ChatEntry.ttl.does_not_exist() | (ChatEntry.ttl > utc_now())
    change(ChatEntry, keys.chat_entry(by.user_id, chat_id), refused, condition=is_asked)
    take_from_bell(by, chat_id, up_to="~")


# Reading


@access_pattern
def read_messages(*, by: Viewer, chat_id: str, up_to: str) -> Waiting:
    """Marks everything up to a message as read. Safe to repeat. Returns what still waits.

    One UpdateItem, 1 write unit; and if the badge counts the conversation, and nothing has come since, one
    TransactWriteItems that takes it out, 4 write units. The badge is that which was read with the viewer. If it does
    not name the conversation and the mark is new, the bell is read again, 1 read unit, as it may have rung since.
    """
    up_to = min(up_to, ids.first_id_at(utc_now() + CLOCKS_APART))  # not what is written later
    further = ChatEntry.read.does_not_exist() | (ChatEntry.read < up_to)
    key = keys.chat_entry(by.user_id, chat_id)
    marked = [ChatEntry.read.set(up_to)]
    if by.card is not None and not by.card.hides_seen:
        marked.append(ChatEntry.seen.set(up_to))
    name, waiting = in_bell(by.user_id, chat_id), by.waiting
    is_named = name in (*waiting.chats, *waiting.chat_requests)
    with suppress(Moved):
        change(ChatEntry, key, marked, condition=further, otherwise=Moved)
        is_named = is_named or _is_named_now(by.user_id, name)
    if not is_named:
        return waiting
    if not take_from_bell(by, chat_id, up_to=up_to):
        return waiting
    return replace(
        waiting,
        chats=tuple(one for one in waiting.chats if one != name),
        chat_requests=tuple(one for one in waiting.chat_requests if one != name),
    )


def _is_named_now(user_id: str, name: str) -> bool:
    key = keys.bell(user_id)
    bell = row(Bell, fetch([key], consistent=True).get(key, {}))
    return name in (*bell.chats, *bell.chat_requests)


def in_bell(user_id: str, chat_id: str) -> str:
    """Returns by what a person's bell names a conversation: the other's id, or the group's."""
    return keys.other_of_pair(chat_id, user_id) if keys.is_pair(chat_id) else chat_id


def out_of_bell(name: str) -> list[Action]:
    """Returns the changes after which a bell names a conversation no more."""
    return [Bell.chats.delete({name}), Bell.chat_requests.delete({name})]


def take_from_bell(by: Viewer, chat_id: str, *, up_to: str) -> bool:
    """Takes the conversation out of the badge, unless something came behind `up_to`: the worker notes that in the entry
    with the badge, so a later message is never taken out. Returns whether it did."""
    nothing_new = ChatEntry.pk.does_not_exist() | ChatEntry.came.does_not_exist()
    nothing_new |= ChatEntry.came <= up_to
    taken = out_of_bell(in_bell(by.user_id, chat_id))
    try:
        transact(
            Check(keys.chat_entry(by.user_id, chat_id), nothing_new, otherwise=Moved),
            Change(Bell, keys.bell(by.user_id), taken),
        )
    except (Moved, NotFound):
        return False
    return True


# One's own messages


@access_pattern
def delete_message(*, by: Viewer, chat_id: str, message_id: str) -> None:
    """Deletes one of the viewer's own messages for everyone: its place stays, its words are gone. Safe to repeat.
    Raises `NotFound` for anybody else's. One UpdateItem, 1 write unit per KB."""
    emptied = [
        Message.deleted.set(True),
        Message.body.remove(),
        Message.answers.remove(),
        Message.photo_ids.remove(),
        Message.likeness.remove(),
    ]
    own = (Message.author_id == by.user_id) & Message.line.does_not_exist()
    change(Message, keys.message(chat_id, message_id), emptied, condition=own)


@access_pattern
def choose_days(*, by: Viewer, chat_id: str, days: int) -> None:
    """Chooses how long messages live from now on. A line in the conversation says who did. Raises `NotFound` unless the
    viewer is one of two, or the founder of the group, `CannotWrite` for strangers.

    One consistent BatchGetItem, and one TransactWriteItems of Chat, line, own entry and check, 8 write units.
    """
    if days not in CHOICES_OF_DAYS:
        raise NotFound("no such choice")
    by.must_be_free_to_write()

    def attempt() -> None:
        standing = read_standing(by, chat_id)
        if standing.keep_days == days:
            return
        is_asked = standing.is_request  # who answers by this would accept without having said so
        if standing.is_pair and (is_asked or standing.reception != Reception.DIRECT):
            raise CannotWrite(standing.why_not)
        if not standing.may_choose_days:
            raise NotFound("only the founder chooses")
        chosen = [Chat.chat_id.set(chat_id), Chat.keep_days.set(days)]
        may = ALWAYS if standing.is_pair else Chat.founder_id == by.user_id
        transact(
            Upsert(Chat, keys.chat(chat_id), chosen, condition=may, otherwise=Moved),
            *say(standing, Line.KEEP, str(days), keep_days=days),
            *(must_not_be_blocked(standing) if standing.is_pair else ()),
        )

    write_optimistically(attempt)


def say(
    standing: Standing, line: Line, value: str = "", *, keep_days: int = 0
) -> list[WriteAction]:
    """Returns the actions that put a line of the system into the conversation, in the viewer's name. 4 write units."""
    said = Message.new(
        chat_id=standing.chat_id,
        message_id=next_message_id(standing),
        author_id=standing.me.user_id,
        ttl=utc_now() + timedelta(days=keep_days or standing.keep_days),
        line=line,
        value=value,
    )
    return [
        Create(said, otherwise=Moved),
        _note_own(standing, said, line),
    ]


def read_standing(by: Viewer, chat_id: str) -> Standing:
    return standing_of(by, chat_id, fetch(standing_keys(by.user_id, chat_id), consistent=True))


# How one wants to be written to


@access_pattern
def choose_who_writes(*, by: Viewer, writers: str, hides_seen: bool) -> None:
    """Chooses who may begin to write to the viewer, and whether people learn what they have read. It holds at the next
    request. Safe to repeat. One UpdateItem of `u#<id>` `info`, 1 write unit."""
    chosen = [
        UserInfo.writers.set(writers) if writers else UserInfo.writers.remove(),
        UserInfo.hides_seen.set("yes") if hides_seen else UserInfo.hides_seen.remove(),
    ]
    change(UserInfo, keys.user_info(by.user_id), chosen)
