"""What is between the viewer and a conversation as it was read, and whether they may write into it.

A conversation of two is named by both people (`keys.pair`), so everything that decides lies at known keys: the
viewer's BatchGetItem brings it along, and sending costs no further read.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from django.utils.translation import gettext as _

from accounts.encryption.site_keys import keyed_hashes
from accounts.people.cards import PersonCard
from accounts.people.viewer import Viewer
from chats.models import KEEP_DAYS, Chat, ChatEntry, State
from relations.models import RelationType
from relations.relation import blocks_either_way, is_in_force
from socialsite.clock import utc_now
from socialsite.site_settings.word_filters import shape_of
from socialsite.table import Key, RawItem, keys, row


class Writers(StrEnum):
    """The people who may begin to write to someone. The empty string is everyone: friends and people whom they follow
    at once, others with one message that they accept first."""

    EVERYONE = ""
    FOLLOWING = "following"
    FRIENDS = "friends"
    NOBODY = "nobody"


class Reception(StrEnum):
    """What becomes of the next message to the other person."""

    DIRECT = "direct"  # it arrives
    REQUEST = "request"  # it arrives as a request
    WAITS = "waits"  # nothing can be sent until they accept the request
    CLOSED = "closed"  # they do not want to be written to by this person
    BLOCKED = "blocked"  # one of the two blocks the other
    AWAY = "away"  # they are not to be seen now


@dataclass(frozen=True, slots=True)
class Standing:
    """What is between the viewer and a conversation. Items that are not there are None."""

    me: Viewer
    chat_id: str
    chat: Chat | None
    own: ChatEntry | None
    other: PersonCard | None = None  # of two people
    theirs: ChatEntry | None = None
    blocks: bool = False
    is_blocked: bool = False  # in either direction
    is_followed: bool = False  # by the other
    is_friend: bool = False

    @property
    def is_pair(self) -> bool:
        return keys.is_pair(self.chat_id)

    @property
    def other_id(self) -> str:
        return keys.other_of_pair(self.chat_id, self.me.user_id) if self.is_pair else ""

    @property
    def keep_days(self) -> int:
        return int(self.chat.keep_days or 0) or KEEP_DAYS if self.chat else KEEP_DAYS

    @property
    def members(self) -> list[str]:
        """Returns the ids of all its people, the viewer included."""
        if self.is_pair:
            return [self.me.user_id, self.other_id]
        return list(self.chat.members) if self.chat else []

    @property
    def is_member(self) -> bool:
        return self.is_pair or self.me.user_id in self.members

    @property
    def is_invited(self) -> bool:
        """Whether the viewer is asked into a group. They read nothing before they accept."""
        if self.chat is None or not self.is_request:
            return False
        return self.me.user_id in self.chat.invited

    @property
    def is_founder(self) -> bool:
        """Whether the viewer founded the group, or leads it since its founder left."""
        return self.chat is not None and self.me.user_id == self.chat.founder_id

    @property
    def may_choose_days(self) -> bool:
        return self.is_pair or self.is_founder

    @property
    def muted_until(self) -> datetime | None:
        """Returns until when the conversation rings no bell of the viewer's, None if it does."""
        return muted_until(self.own) if self.own else None

    @property
    def is_in_bell(self) -> bool:
        """Whether the viewer's badge counts the conversation, as it was read with them."""
        waiting = self.me.waiting
        return (self.other_id or self.chat_id) in (*waiting.chats, *waiting.chat_requests)

    @property
    def state(self) -> str:
        return self.own.state if self.own else ""

    @property
    def is_request(self) -> bool:
        """Whether the viewer is asked, and has not answered."""
        return self.state == State.ASKED

    @property
    def since(self) -> str:
        """Returns the message up to which the viewer sees nothing, empty for none."""
        return self.own.since if self.own else ""

    @property
    def seen(self) -> str:
        """Returns the newest message that the other has read, empty unless both let that be known: the other's entry
        says it only then."""
        if self.theirs is None or self.me.card is None or self.me.card.hides_seen:
            return ""
        return self.theirs.seen or ""

    @property
    def url(self) -> str:
        """Returns the address of the conversation."""
        if not self.is_pair:
            return f"/messages/groups/{self.chat_id}"
        return f"/messages/@{self.other.handle}" if self.other else "/messages"

    @property
    def reception(self) -> Reception:
        """Returns what becomes of a message that the viewer sends now. Someone who once agreed stays so, and
        someone who writes first thereby agrees to hear from the other."""
        if not self.is_pair:
            return Reception.DIRECT
        if self.is_blocked:
            return Reception.BLOCKED
        if self.other is None or self.other.is_locked_out:
            return Reception.AWAY
        writers = self.other.writers
        if self._has_agreed or (self.is_friend and writers != Writers.NOBODY):
            return Reception.DIRECT
        if self.theirs and self.theirs.state in (State.ASKED, State.REFUSED):
            return Reception.WAITS
        if writers in (Writers.NOBODY, Writers.FRIENDS):
            return Reception.CLOSED
        if self.is_followed:
            return Reception.DIRECT
        return Reception.CLOSED if writers == Writers.FOLLOWING else Reception.REQUEST

    def likeness(self, text: str) -> str:
        """Returns by what a request is told to say the same as others, of which the worker makes a hint: a keyed hash,
        empty for short texts and for all that is no request."""
        shape = shape_of(text) if self.reception == Reception.REQUEST else ""
        return keyed_hashes(shape, purpose="message request")[0] if shape else ""

    @property
    def _has_agreed(self) -> bool:
        agreed = self.chat.members if self.chat else ()
        return self.other_id in agreed or bool(self.theirs and self.theirs.state == State.IN)

    @property
    def why_not(self) -> str:
        """Returns in a sentence why nothing can be sent, empty if it can."""
        name = f"@{self.other.handle}" if self.other else ""
        match self.reception:
            case Reception.WAITS:
                return waits_text(self.other.handle if self.other else "")
            case Reception.CLOSED:
                return _("%(name)s doesn’t take messages from people they don’t know here.") % {
                    "name": name
                }
            case Reception.BLOCKED:
                return _("You can’t write to each other, because one of you blocks the other.")
            case Reception.AWAY:
                return _("This person isn’t here at the moment.")
        return ""


def waits_text(handle: str) -> str:
    """Returns what someone reads who has asked, until the other has accepted."""
    text = _("%(name)s hasn’t answered your request yet. You can write again once they accept it.")
    return text % {"name": f"@{handle}"}


def muted_until(entry: ChatEntry) -> datetime | None:
    until = datetime.fromisoformat(entry.muted_until) if entry.muted_until else None
    return until if until and until > utc_now() else None


def standing_keys(me: str, chat_id: str) -> list[Key]:
    """Returns the keys that `standing_of` needs: at most 7, 0.5 read units each."""
    own = [keys.chat(chat_id), keys.chat_entry(me, chat_id)]
    if not keys.is_pair(chat_id):
        return own
    other = keys.other_of_pair(chat_id, me)
    return [
        *own,
        keys.chat_entry(other, chat_id),
        keys.user_info(other),
        keys.relation(me, RelationType.BLOCK, other),
        keys.relation(me, RelationType.FRIEND, other),
        keys.following(other, me),
    ]


def standing_of(me: Viewer, chat_id: str, found: Mapping[Key, RawItem | None]) -> Standing:
    """Builds it from raw items, of which some may be missing."""
    raw_chat = found.get(keys.chat(chat_id))
    raw_own = found.get(keys.chat_entry(me.user_id, chat_id))
    chat = row(Chat, raw_chat) if raw_chat else None
    own = row(ChatEntry, raw_own) if raw_own else None
    if not keys.is_pair(chat_id):
        return Standing(me, chat_id, chat, own)
    other = keys.other_of_pair(chat_id, me.user_id)
    info, theirs = found.get(keys.user_info(other)), found.get(keys.chat_entry(other, chat_id))
    block = found.get(keys.relation(me.user_id, RelationType.BLOCK, other))
    return Standing(
        me,
        chat_id,
        chat,
        own,
        other=PersonCard.from_raw(info, viewer_id=me.user_id) if info else None,
        theirs=row(ChatEntry, theirs) if theirs else None,
        blocks=is_in_force(block),
        is_blocked=blocks_either_way(block),
        is_followed=bool(found.get(keys.following(other, me.user_id))),
        is_friend=is_in_force(found.get(keys.relation(me.user_id, RelationType.FRIEND, other))),
    )
