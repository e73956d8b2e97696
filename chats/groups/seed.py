"""The group of the demo: three people plan an evening, a fourth is invited, and something in it is unread."""

import random
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta

from django.utils.translation import gettext as _

from accounts.encryption.person_keys import OpenKey
from chats.members import TITLE
from chats.models import KEEP_DAYS, Chat, ChatEntry, Line, Message, State
from chats.writes import seal_body
from socialsite.table import Item, ids, keys

KEEP = timedelta(days=KEEP_DAYS)
HOUR = timedelta(hours=1)
LATER = timedelta(minutes=7)  # after a group is founded its people come in, one after another
IN_GROUP = range(3)  # the first people of the demo
UNREAD_BY = 1  # of them
PEOPLE = 4  # with one who is asked, and has not answered

Number = int  # of a person


def demo_group(
    seed: int,
    user_ids: Sequence[str],
    now: datetime,
    own_keys: Mapping[Number, OpenKey],
) -> Iterator[Item]:
    """Yields the items of a group of the first three people, to which the fourth is invited. `own_keys` are those of
    the three. The same seed gives the same ones."""
    if len(user_ids) < PEOPLE:
        return
    rng = random.Random(f"{seed} group")
    founder, *others, invited = user_ids[:PEOPLE]
    begun = now - 30 * HOUR
    chat_id = _id(rng, begun)
    place = keys.chat(chat_id)
    yield Chat(
        *place,
        chat_id=chat_id,
        members={founder, *others},
        invited={invited},
        founder_id=founder,
        title=own_keys[0].seal(_("Bread on Saturday"), key=place, attribute=TITLE),
    )

    def say(by: Number, before: timedelta, text: str) -> Message:
        message_id = _id(rng, now - before)
        body = seal_body(own_keys[by], keys.message(chat_id, message_id), text=text)
        return _message(chat_id, message_id, user_ids[by], body=body)

    came = [founder, *others]
    lines = [
        _message(
            chat_id,
            _id(rng, begun + number * LATER),
            one,
            line=Line.JOINED if number else Line.BEGUN,
        )
        for number, one in enumerate(came)
    ]
    said = [
        say(0, 28 * HOUR, _("Who brings what? I have flour for twenty loaves.")),
        say(1, 27 * HOUR, _("Boris, and a jar for everyone.")),
        say(2, 3 * HOUR, _("Butter and salt. And I’ll be half an hour late.")),
    ]
    yield from lines
    yield from said
    last, last_by = said[-1], len(came) - 1
    for number, line in enumerate(lines):
        entry = ChatEntry.new(
            user_id=user_ids[number],
            chat_id=chat_id,
            state=State.IN,
            inviter_id=founder,
            last=last.message_id,
            last_by=last.author_id,
            since=ids.last_id_before(ids.time_of(line.message_id)),
            joined=line.message_id,
        )
        entry.came = said[1].message_id if number == last_by else last.message_id
        entry.read = said[1].message_id if number == UNREAD_BY else last.message_id
        yield entry
    yield ChatEntry.new(
        user_id=invited,
        chat_id=chat_id,
        state=State.ASKED,
        inviter_id=founder,
        last=_id(rng, now - 26 * HOUR),
        last_by=founder,
    )


def _id(rng: random.Random, moment: datetime) -> str:
    return ids.id_at(moment, rng.randbytes(10))


def _message(
    chat_id: str, message_id: str, author_id: str, *, body: bytes | None = None, line: str = ""
) -> Message:
    return Message.new(
        chat_id=chat_id,
        message_id=message_id,
        author_id=author_id,
        ttl=ids.time_of(message_id) + KEEP,
        body=body,
        line=line,
    )
