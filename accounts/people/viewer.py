"""The person looking: `request.user`, our own small class (the site has no Django user model), with what waits for
them and their circles: their own names for groups of their friends.

`UserSettings.circles` holds the names by id, so that a new name touches neither members nor posts. The tags of a
friendship and `Post.circle` hold ids. A circle from before there were ids has its name as its id.
"""

import zlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, NamedTuple, Self

from django.conf import settings

from accounts.models import Bell, UserSettings
from accounts.people.cards import PersonCard
from accounts.people.restrictions import Frozen, Unconfirmed
from socialsite.clock import utc_now
from socialsite.table import Key, RawItem, ids, row
from socialsite.texts import isolated

MOST_CIRCLES = 50
LONGEST_CIRCLE = 30  # characters


class Circle(NamedTuple):
    circle_id: str
    name: str


def circles_of(settings: RawItem) -> tuple[Circle, ...]:
    """Returns the circles that a raw `UserSettings` names, in the order of their names."""
    names = row(UserSettings, settings).circles
    return in_order(names) if names else ()


def in_order(names: dict[str, str]) -> tuple[Circle, ...]:
    """Returns the circles of a map from id to name, in the order of their names."""
    circles = (Circle(circle_id, isolated(name)) for circle_id, name in names.items())
    return tuple(sorted(circles, key=lambda circle: (circle.name.casefold(), circle.circle_id)))


def home_lists_of(settings: RawItem) -> tuple[tuple[str, str], ...]:
    """Returns ids and names of the lists that stand beside Home's tabs, in the order of their names."""
    return tuple(in_order(row(UserSettings, settings).home_lists or {}))


def named(circles: Collection[Circle], wanted: Collection[str]) -> tuple[Circle, ...]:
    """Returns the circles with these ids, without those that were deleted."""
    names = dict(circles)
    return in_order({one: names.get(one, one) for one in wanted if one in names or not is_new(one)})


def find_circle(circles: Collection[Circle], name: str) -> str:
    """Returns the id of the circle with this name, whatever its case; empty if there is none."""
    folded = name.casefold()
    return next((circle.circle_id for circle in circles if circle.name.casefold() == folded), "")


def is_new(circle_id: str) -> bool:
    """Whether it is an id; else it is the name of a circle from before there were ids."""
    return ids.is_id(circle_id)


BY_PASSWORD = "password"  # noqa: S105 - the way someone proved their identity
BY_CODE = "code"
BY_PASSKEY = "passkey"  # on a device that verified its owner, or after the password


MOST_SHOWN = 99  # on a badge


@dataclass(frozen=True, slots=True)
class Waiting:
    """Notifications that the viewer has not seen, by group, and requests that they have not answered. `changes` is the
    number of the last change that this knows of. `chats` are the conversations with something unread, `chat_requests`
    those of people who ask to write, each by the other's id or the group's. `rang` is the last message that rang."""

    unseen: Mapping[str, str] = field(default_factory=dict)
    requests: int = 0
    changes: int = 0
    chats: tuple[str, ...] = ()
    chat_requests: tuple[str, ...] = ()
    rang: str = ""

    @classmethod
    def from_raw(cls, raw: RawItem) -> Self:
        """Builds it from a raw `Bell`, which may be missing (`{}`)."""
        bell = row(Bell, raw)
        unseen = raw.get("unseen", {}).get("M", {})
        return cls(
            {group: value["S"] for group, value in unseen.items()},
            len(bell.asking),
            int(bell.changes),
            tuple(bell.chats),
            tuple(bell.chat_requests),
            bell.rang or "",
        )

    @property
    def state(self) -> str:
        """Returns what the badges show, to be compared with later."""
        return f"{self.changes}.{len(self.unseen)}.{self.requests}.{self.chats_state}"

    @property
    def chats_state(self) -> str:
        """Returns which conversations the badge counts, and their last message, in short."""
        names = " ".join([*sorted(self.chats), "", *sorted(self.chat_requests), self.rang])
        return f"{zlib.crc32(names.encode()):x}"

    @property
    def all_text(self) -> str:
        """Returns what the title counts, empty for nothing."""
        count = self.notifications + self.messages
        return _short(count) if count else ""

    @property
    def notifications(self) -> int:
        return len(self.unseen)

    @property
    def notifications_text(self) -> str:
        return _short(self.notifications)

    @property
    def requests_text(self) -> str:
        return _short(self.requests)

    @property
    def messages(self) -> int:
        """How many conversations have something unread, requests included."""
        return len(self.chats) + len(self.chat_requests)

    @property
    def messages_text(self) -> str:
        return _short(self.messages)


def _short(count: int) -> str:
    return str(count) if count < MOST_SHOWN else f"{MOST_SHOWN}+"


@dataclass(frozen=True, slots=True)
class Viewer:
    """A signed-in person, or a visitor (`user_id` empty). Services take it as the actor."""

    user_id: str = ""
    secret_hash: str = ""
    card: PersonCard | None = None
    pulled: tuple[str, ...] = ()  # authors whose posts are merged into the timeline at reading
    merged: str = ""  # up to which of their posts (`feed/timelines/big_authors.py`)
    hidden: tuple[str, ...] = ()  # their posts may still be in the timeline, and are left out

    locked_out: PersonCard | None = None  # signed in, but locked out: treated as a visitor
    has_notice: bool = False  # an unread notice from moderators
    proved_at: str = ""  # when they last confirmed their identity in this browser
    proved_with: str = ""
    circles: tuple[Circle, ...] = ()
    folder_names: tuple[tuple[str, str], ...] = ()  # of saved posts, with ids (feed/saved/reads.py)
    waiting: Waiting = field(default_factory=Waiting)
    opted_out: tuple[str, ...] = ()  # what they do not want to be notified of
    without_reposts: tuple[str, ...] = ()  # people whose reposts their timeline leaves out
    muted_version: str = ""  # of their muted words, empty if they have none
    not_home: frozenset[str] = frozenset()  # people of lists that are not in Home
    home_lists: tuple[tuple[str, str], ...] = ()  # ids and names of the lists beside Home's tabs
    is_confirmed: bool = True  # whether their email address is
    letters_come_back: bool = False  # so that it no longer is
    letters: Mapping[str, Any] = field(default_factory=dict)  # that they asked for, as kept
    token_hash: str = ""  # of the app that acts for them, in place of a sign-in
    # What a page asked to be read with them (`People.read_beside`), None for what is not there.
    beside: Mapping[Key, RawItem | None] = field(default_factory=dict)

    @property
    def is_authenticated(self) -> bool:
        return bool(self.user_id)

    @property
    def account_id(self) -> str:
        """The id of the signed-in account. People who are locked out have it too, for the pages they can still use."""
        return self.locked_out.user_id if self.locked_out else self.user_id

    @property
    def handle(self) -> str:
        return self.card.handle if self.card else ""

    @property
    def name(self) -> str:
        return self.card.name if self.card else ""

    def circle_name(self, circle_id: str) -> str:
        """Returns what the person calls one of their circles, empty if it was deleted."""
        found = named(self.circles, [circle_id])
        return found[0].name if found else ""

    @property
    def is_widely_followed(self) -> bool:
        return self.card is not None and self.card.is_widely_followed

    def must_have_voice(self) -> None:
        """Every service that shows something to others calls this first. Raises `Frozen`, and `Unconfirmed`
        on sites that ask for a confirmed address (`CONFIRMED_EMAIL`)."""
        if self.card is not None and (self.card.is_frozen or self.card.is_locked_out):
            raise Frozen(self.card.frozen_text)
        if self.must_confirm:
            raise Unconfirmed

    def must_be_free_to_write(self) -> None:
        """Every service that sends a message calls this first. Raises what `must_have_voice` raises, and `Frozen` for
        people who may write no messages for now."""
        self.must_have_voice()
        if self.why_no_messages:
            raise Frozen(self.why_no_messages)

    @property
    def why_no_messages(self) -> str:
        """Returns in a sentence why they may write no messages now, and until when, empty if they may."""
        if self.card is None:
            return ""
        if self.card.is_frozen:
            return self.card.frozen_text
        return self.card.no_messages_text if self.card.no_messages_until else ""

    @property
    def must_confirm(self) -> bool:
        """Whether this site asks them to confirm their email address before they post, like or follow."""
        return settings.CONFIRMED_EMAIL and not self.is_confirmed

    @property
    def is_staff(self) -> bool:
        """Whether they have any role. `../permissions.py` says what the role lets them do."""
        return self.card is not None and bool(self.card.role)

    @property
    def has_proved_by_code(self) -> bool:
        """Whether this sign-in ever gave a two-step verification code, or a passkey, which proves no less."""
        return bool(self.proved_at) and self.proved_with in (BY_CODE, BY_PASSKEY)

    @property
    def has_proved_by_passkey(self) -> bool:
        """Whether the last proof of this sign-in was a passkey."""
        return bool(self.proved_at) and self.proved_with == BY_PASSKEY

    def has_proved_within(self, length: timedelta, *, by_code: bool = False) -> bool:
        """Whether they confirmed their identity in this browser within this time."""
        if not self.proved_at or (by_code and not self.has_proved_by_code):
            return False
        return datetime.fromisoformat(self.proved_at) > utc_now() - length


VISITOR = Viewer()
