"""What a push says: one line for all that waits, with names and numbers, and never a word of a message or of a post."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.utils.translation import gettext, ngettext, override

from accounts.people.cards import PersonCard
from notifications.cards import NotificationCard
from notifications.models import PushWork
from notifications.push.choices import MESSAGES, wanted
from notifications.push.reads import Addressee
from notifications.push.writes import TEST
from notifications.reads import list_waiting_lines
from relations.models import RelationType
from relations.relation import blocks_either_way, is_in_force
from socialsite.table import access_pattern, fetch, ids, keys

LOOKED_AT = 5  # of the newest lines
MOST_CHATS = 20
NEWS = "news"


@dataclass(frozen=True, slots=True)
class Said:
    """What is told, in no language yet: the newest line or conversations, and how much there is beside that."""

    about: str
    badge: int
    line: NotificationCard | None = None
    writer: PersonCard | None = None
    chats: int = 0
    asks: bool = False
    others: int = 0
    with_names: bool = True

    @property
    def topic(self) -> str:
        """Returns what a later push of the same kind replaces, before and after it has come."""
        return self.about.replace(" ", "-") if self.with_names else NEWS

    def in_language(self, language: str) -> dict[str, str | int]:
        """Returns the words in a language, the site's own for an empty or unknown one."""
        known = language if language in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
        with override(known):
            words: dict[str, str | int] = {"title": self._title(), "tag": self.topic}
            if self.others and self.with_names:
                text = ngettext("And %(n)d more", "And %(n)d more", self.others)
                words["body"] = text % {"n": self.others}
        return words | {"url": self._url, "badge": self.badge}

    @property
    def _url(self) -> str:
        if self.about == TEST:
            return "/settings/notifications"
        return "/messages" if self.about == MESSAGES else "/notifications"

    def _title(self) -> str:
        if self.about == TEST:
            return gettext("Push works on this device.")
        if not self.with_names:
            return gettext("Something new")
        if self.about == MESSAGES:
            return self._title_of_messages()
        assert self.line
        return self.line.outside

    def _title_of_messages(self) -> str:
        if self.chats > 1:
            text = ngettext(
                "New messages in %(n)d conversation",
                "New messages in %(n)d conversations",
                self.chats,
            )
            return text % {"n": self.chats}
        if self.writer is None:
            return gettext("New messages in a group")
        if self.asks:
            return gettext("{name} asks to write to you").format(name=self.writer.name)
        return gettext("{name} wrote to you").format(name=self.writer.name)


@dataclass(frozen=True, slots=True)
class _Conversations:
    """Those with something unread, without people whom one of the two blocks, or the person mutes."""

    writers: Sequence[PersonCard]
    groups: int
    asking: Sequence[PersonCard]

    @property
    def count(self) -> int:
        return len(self.writers) + self.groups + len(self.asking)

    @property
    def only_writer(self) -> PersonCard | None:
        people = [*self.writers, *self.asking]
        return people[0] if self.count == 1 and people else None


def what_waits(to: Addressee, work: PushWork) -> Said | None:
    """Returns what the work is to say by now, None if nothing is new any more. Reads what `list_waiting_lines` reads of
    at most 5 lines and who is blocked or muted, and of messages the same of who wrote them."""
    waiting = to.waiting
    badge = waiting.notifications + waiting.messages
    if work.about == TEST:
        return Said(TEST, badge)
    groups = wanted(waiting.unseen, to.choices)
    wants_messages = to.choices.wants(MESSAGES)
    conversations = _conversations(to) if wants_messages else _Conversations((), 0, ())
    since = datetime.fromisoformat(work.news_since)
    line = None
    if work.about != MESSAGES or not conversations.count:
        line = newest_line(to, groups, since=since)
    if line:
        others = len(groups) - 1 + conversations.count
        return Said(line.kind.name, badge, line=line, others=others, with_names=to.choices.names)
    # A line that is gone by now may have been put over a message.
    has_new = bool(waiting.rang) and ids.time_of(waiting.rang) >= since
    if not conversations.count or not (work.about == MESSAGES or has_new):
        return None
    return Said(
        MESSAGES,
        badge,
        writer=conversations.only_writer,
        chats=conversations.count,
        asks=bool(conversations.asking),
        others=len(groups),
        with_names=to.choices.names,
    )


def newest_line(
    to: Addressee,
    groups: Sequence[str],
    *,
    since: datetime,
    may_tell: Callable[[NotificationCard], bool] = lambda _: True,
) -> NotificationCard | None:
    """Returns the newest line of those that are new since then and may be told, as far as the person would see it and
    wants it now."""
    unseen = to.waiting.unseen
    new = [group for group in groups if _opened(unseen[group]) >= since]
    for line in list_waiting_lines(to.viewer, new, most=LOOKED_AT, consistent=True):
        is_muted = line.post is not None and bool(line.post.muted_by)
        is_quiet = is_muted or any(person.is_locked_out for person in line.named)
        if line.kind.is_wanted(to.viewer.opted_out) and not is_quiet and may_tell(line):
            return line
    return None


def _opened(value: str) -> datetime:
    return ids.time_of(f"{value[: keys.TIME]}{'0' * 16}")


@access_pattern
def _conversations(to: Addressee) -> _Conversations:
    """Returns the conversations of a bell, which names the other's id, or a group's. One consistent BatchGetItem, 3
    read units for each of at most 20."""
    chats, asking = to.waiting.chats, to.waiting.chat_requests
    some = [*chats, *asking][:MOST_CHATS]
    if not some:
        return _Conversations((), 0, ())
    found = fetch(map(keys.user_info, some), consistent=True)
    people = {
        one: PersonCard.from_raw(raw) for one in some if (raw := found.get(keys.user_info(one)))
    }
    heard = _heard_from(to.viewer.user_id, people)
    return _Conversations(
        [heard[one] for one in chats if one in heard],
        sum(one not in people for one in some),
        [heard[one] for one in asking if one in heard],
    )


def _heard_from(user_id: str, people: dict[str, PersonCard]) -> dict[str, PersonCard]:
    """Returns those whom neither blocks and the person does not mute: a line may be from before that."""
    between = {
        one: (
            keys.relation(user_id, RelationType.BLOCK, one),
            keys.relation(user_id, RelationType.MUTE, one),
        )
        for one in people
        if one != user_id
    }
    found = fetch((key for pair in between.values() for key in pair), consistent=True)
    silent = {
        one
        for one, (block, mute) in between.items()
        if blocks_either_way(found.get(block)) or is_in_force(found.get(mute))
    }
    return {
        one: person
        for one, person in people.items()
        if one not in silent and not person.is_locked_out
    }
