"""Private messages of the demo: the first two people talk, with the marks that a conversation can have, and a stranger
asks each of them. Their group stands in `groups/seed.py`."""

import random
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta

from django.utils.translation import gettext as _

from accounts.encryption.person_keys import OpenKey
from accounts.models import Bell
from chats.models import KEEP_DAYS, Chat, ChatEntry, KeptMessage, Message, State
from chats.writes import in_bell, seal_body
from socialsite.table import Item, ids, keys

ALICE, BOB = 0, 1  # as whom visitors of the demo sign in
KEEP = timedelta(days=KEEP_DAYS)
ASKED = timedelta(hours=5)  # before now

Number = int  # of a person


def choose_askers(people: int, follows: Collection[tuple[Number, Number]]) -> dict[Number, Number]:
    """Returns who asks the first person and who the second: the last people whom these do not follow, if there are
    any."""
    known, askers = set(follows), dict[Number, Number]()
    for asked in (ALICE, BOB):
        rest = (one for one in range(people - 1, BOB, -1) if one not in askers.values())
        strangers = (one for one in rest if (asked, one) not in known)
        if (asker := next(strangers, None)) is not None:
            askers[asked] = asker
    return askers


def demo_chats(
    seed: int,
    user_ids: Sequence[str],
    askers: Mapping[Number, Number],
    now: datetime,
    own_keys: Mapping[Number, OpenKey],
) -> Iterator[Item]:
    """Yields the items of all conversations. The same seed gives the same ones."""
    rng = random.Random(f"{seed} chats")
    writer = _Writer(rng, user_ids, own_keys)
    yield from _talk(writer, now)
    words = {
        ALICE: _(
            "Hello! I’m new here, and I liked your post about sourdough. May I ask you things?"
        ),
        BOB: _("Hi, are you the Bob who mends bicycles at the repair café?"),
    }
    for asked, asker in askers.items():
        yield from _request(writer, asker, asked, words[asked], now - ASKED * (asked + 1))


def _talk(writer: "_Writer", now: datetime) -> Iterator[Item]:
    """Yields a conversation of some days: an answer, a few emoji, what alice keeps, and what she has not read."""
    hours = timedelta(hours=1)

    def say(by: Number, before: timedelta, text: str, *, answers: str = "") -> Message:
        return writer.message(by, BOB + ALICE - by, now - before, text, answers=answers)

    asked = say(
        ALICE, 98 * hours, _("Do you have any of your starter left? Mine died in the heat.")
    )
    recipe = _("Every evening: 50 g of flour, 50 g of water. Never sugar. And talk to it.")
    said = [
        asked,
        say(
            BOB,
            97 * hours,
            _("Plenty. It’s called Boris, and it bubbles."),
            answers=asked.message_id,
        ),
        say(ALICE, 96.8 * hours, "😄"),
        say(BOB, 52 * hours, _("Saturday at ten the big oven is free. Shall I bring Boris?")),
        say(ALICE, 51 * hours, _("Yes, please! I’ll bring jam.")),
        kept := say(BOB, 27 * hours, recipe),
        seen := say(ALICE, 26.5 * hours, _("I’m keeping that one.")),
        read := say(BOB, 26.4 * hours, "🥖🥖🥖"),
        last := say(BOB, hours / 3, _("Bring a large jar, he grows.")),
    ]
    kept.kept_by = {writer.user_ids[ALICE]}
    yield from said
    yield writer.kept(ALICE, kept, recipe, now - 26.6 * hours)
    alice, bob = writer.user_ids[ALICE], writer.user_ids[BOB]
    yield Chat(*keys.chat(last.chat_id), chat_id=last.chat_id, members={alice, bob})
    yield writer.entry(ALICE, BOB, State.IN, last, read=read.message_id, seen=read.message_id)
    yield writer.entry(BOB, ALICE, State.IN, last, read=last.message_id, seen=seen.message_id)


def _request(
    writer: "_Writer", asker: Number, asked: Number, text: str, moment: datetime
) -> Iterator[Item]:
    """Yields someone's first message to a person who does not know them, and has not looked."""
    message = writer.message(asker, asked, moment, text)
    yield message
    yield writer.entry(asker, asked, State.IN, message, read=message.message_id)
    yield writer.entry(asked, asker, State.ASKED, message)


class _Writer:
    """Makes the items of conversations of two."""

    def __init__(
        self, rng: random.Random, user_ids: Sequence[str], own_keys: Mapping[Number, OpenKey]
    ) -> None:
        self._rng, self.user_ids, self._keys = rng, user_ids, own_keys

    def message(
        self, by: Number, to: Number, moment: datetime, text: str, *, answers: str = ""
    ) -> Message:
        author_id, chat_id = self.user_ids[by], keys.pair(self.user_ids[by], self.user_ids[to])
        message_id = ids.id_at(moment, self._rng.randbytes(10))
        return Message.new(
            chat_id=chat_id,
            message_id=message_id,
            author_id=author_id,
            ttl=moment + KEEP,
            body=seal_body(self._keys[by], keys.message(chat_id, message_id), text=text),
            answers=answers,
        )

    def kept(self, by: Number, message: Message, text: str, moment: datetime) -> KeptMessage:
        """Returns what someone keeps, sealed with its author's key (`keep_message`)."""
        author = self.user_ids.index(message.author_id)
        place = keys.kept_message(self.user_ids[by], message.message_id)
        return KeptMessage.new(
            user_id=self.user_ids[by],
            message_id=message.message_id,
            chat_id=message.chat_id,
            author_id=message.author_id,
            kept_at=moment,
            body=seal_body(self._keys[author], place, text=text),
        )

    def entry(
        self,
        of: Number,
        other: Number,
        state: State,
        last: Message,
        *,
        read: str = "",
        seen: str = "",
    ) -> ChatEntry:
        assert last.ttl
        entry = ChatEntry.new(
            user_id=self.user_ids[of],
            chat_id=last.chat_id,
            state=state,
            ttl=last.ttl,
            other_id=self.user_ids[other],
        )
        entry.last, entry.last_by = last.message_id, last.author_id
        entry.read, entry.seen = read or None, seen or None
        entry.came = read or None if last.author_id == self.user_ids[of] else last.message_id
        return entry


def with_badges(items: Iterable[Item]) -> Iterator[Item]:
    """Returns the items, with the conversations that are unread in the bells, which come behind the entries."""
    unread: dict[str, list[ChatEntry]] = defaultdict(list)
    for item in items:
        if isinstance(item, ChatEntry) and (item.read or "") < (item.came or ""):
            unread[item.user_id].append(item)
        if isinstance(item, Bell):
            _ring(item, unread.pop(item.user_id, ()))
        yield item
    for user_id, entries in unread.items():
        bell = Bell.new(user_id=user_id, unseen={}, asking=(), changes=0)
        _ring(bell, entries)
        yield bell


def _ring(bell: Bell, entries: Iterable[ChatEntry]) -> None:
    for one in entries:
        name = in_bell(one.user_id, one.chat_id)
        if one.state == State.ASKED:
            bell.chat_requests = {*(bell.chat_requests or ()), name}
        else:
            bell.chats = {*(bell.chats or ()), name}
