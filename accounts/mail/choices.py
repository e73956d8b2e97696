"""Letters that come regularly, to those who asked for them: which there are, what a person chose of them, and when the
next one of each is due. Everyone else's settings hold nothing of it, so it costs them nothing.

The choice stands in `UserSettings.letters`, and each letter has one `Due` (`regular.py`). Each choice has a stamp,
which its due items carry: those of an earlier choice do nothing any more, so nobody has to find them.
"""

import zlib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, time, timedelta
from enum import StrEnum
from typing import Any, Self
from zoneinfo import ZoneInfo

from django.conf import settings

from accounts.models import UserSettings
from accounts.people.viewer import Viewer
from socialsite.clock import utc_now
from socialsite.due.work import plan
from socialsite.table import (
    Change,
    Key,
    Moved,
    NotFound,
    Put,
    access_pattern,
    fetch,
    ids,
    keys,
    row,
    transact,
    write_optimistically,
)
from socialsite.web.preferences import Preferences, known_zones, parse


class Regular(StrEnum):
    """A letter that comes regularly; the kind of its due work."""

    DIGEST = "digest"  # what one missed
    UNREAD = "unread"  # messages and answers that nobody read for a day
    STAFF = "staff-week"  # what waits, and what broke


DAILY, WEEKLY = "daily", "weekly"
MONDAY = 0
DAY, WEEK = timedelta(days=1), timedelta(weeks=1)
LOOKED_AHEAD = 16  # days: two weeks, and a day that a zone left out


@dataclass(frozen=True, slots=True)
class LetterChoice:
    """What a person asked for. `hour` and `weekday` (0 is Monday) are of their `zone`. That and the `language` are
    those of the browser where they chose: what they set in their preferences comes before it."""

    digest: str = ""
    unread: bool = False
    staff: bool = False
    hour: int = 8
    weekday: int = MONDAY
    zone: str = ""
    language: str = ""
    stamp: str = ""

    @classmethod
    def from_kept(cls, kept: Mapping[str, Any] | None) -> Self:
        """Returns the choice that the settings hold. Whatever this code would not have written is left out."""
        kept = kept or {}
        hour, weekday = kept.get("hour", 8), kept.get("weekday", MONDAY)
        zone, language = kept.get("zone", ""), kept.get("language", "")
        return cls(
            digest=kept["digest"] if kept.get("digest") in (DAILY, WEEKLY) else "",
            unread=kept.get("unread") is True,
            staff=kept.get("staff") is True,
            hour=hour if hour in range(24) else 8,
            weekday=weekday if weekday in range(7) else MONDAY,
            zone=zone if zone in known_zones() else "",
            language=language if language in dict(settings.LANGUAGES) else "",
            stamp=str(kept.get("stamp", "")),
        )

    def as_kept(self) -> dict[str, Any] | None:
        """Returns what the settings hold, nothing for someone who wants no letters."""
        return asdict(self) if any(map(self.wants, Regular)) else None

    def in_words(self) -> dict[str, str]:
        """Returns what was chosen as a person may read it, nothing for someone who wants no letters."""
        kept = self.as_kept() or {}
        return {name: str(value) for name, value in kept.items() if name != "stamp"}

    def wants(self, letter: Regular) -> bool:
        return bool({"digest": self.digest, "unread": self.unread}.get(letter, self.staff))

    def without(self, letter: Regular) -> Self:
        """Returns the choice without this letter. The others go on as they were planned."""
        match letter:
            case Regular.DIGEST:
                return replace(self, digest="")
            case Regular.UNREAD:
                return replace(self, unread=False)
        return replace(self, staff=False)


def next_moment(
    letter: Regular, choice: LetterChoice, *, zone: str, after: datetime, user_id: str
) -> datetime:
    """Returns when the next letter is due. People's letters of one hour are spread over it, so that other work of the
    clock need not wait."""
    if letter == Regular.UNREAD:
        return after + DAY
    minute = zlib.crc32(user_id.encode()) % 60
    is_daily = letter == Regular.DIGEST and choice.digest == DAILY
    weekday = None if is_daily else choice.weekday if letter == Regular.DIGEST else MONDAY
    at = time(choice.hour, minute)
    return next(one for one in _moments(at, weekday, ZoneInfo(zone), after) if one > after)


def _moments(at: time, weekday: int | None, zone: ZoneInfo, after: datetime) -> Iterator[datetime]:
    """Yields the moments at which a clock of the zone shows this time, once for each day: where an hour comes twice the
    first time, and where it is left out as much later."""
    first = after.astimezone(zone).date()
    for number in range(LOOKED_AHEAD):
        day = first + timedelta(days=number)
        if weekday in (None, day.weekday()):
            yield datetime.combine(day, at, tzinfo=zone).astimezone(UTC)


@access_pattern
def choose_letters(*, by: Viewer, choice: LetterChoice, zone: str) -> None:
    """Keeps which letters someone wants, and plans the first of each: of what is new from now on. Safe to repeat.

    One TransactWriteItems of `u#<id>` `settings` and an item for each letter, 2 to 8 write units.
    """
    stamped = replace(choice, stamp=ids.new_id())
    kept, now = stamped.as_kept(), utc_now()
    letters = UserSettings.letters
    action = letters.set(kept) if kept else letters.remove()
    transact(
        Change(UserSettings, keys.user_settings(by.user_id), [action]),
        *(
            planned(
                letter,
                user_id=by.user_id,
                moment=next_moment(letter, stamped, zone=zone, after=now, user_id=by.user_id),
                stamp=stamped.stamp,
                told=str(by.waiting.changes),
                chats=by.waiting.chats_state,
            )
            for letter in Regular
            if stamped.wants(letter)
        ),
    )


def planned(letter: Regular, *, user_id: str, moment: datetime, **facts: str) -> Put:
    """Returns the action that plans a person's next letter. It takes the place of one of the same moment."""
    due = plan(letter, moment=moment, subject=user_id, planned=moment.isoformat(), **facts)
    return Put(due.item)


def keys_of_planned(own: Any) -> list[Key]:
    """Returns the keys of the letters that are planned for someone who leaves, as far as their moment can be told. What
    is left finds within a day that nobody is there."""
    choice, now = LetterChoice.from_kept(own.letters), utc_now()
    user_id, zone = str(own.user_id), zone_of(parse(str(own.preferences)), choice)
    return [
        keys.due(
            next_moment(letter, choice, zone=zone, after=now, user_id=user_id), letter, user_id
        )
        for letter in (Regular.DIGEST, Regular.STAFF)
        if choice.wants(letter)
    ]


def zone_of(chosen: Preferences | None, choice: LetterChoice) -> str:
    """Returns the zone of someone's letters."""
    return (chosen.time_zone if chosen else "") or choice.zone or "UTC"


@access_pattern
def end_letter(letter: Regular, *, user_id: str) -> bool:
    """Ends one of someone's letters. Returns whether the person is still there. Safe to repeat: what is planned finds
    that nobody wants it.

    One consistent BatchGetItem of the settings, 1 read unit, and one UpdateItem, 1 write unit, if they had it.
    """
    key = keys.user_settings(user_id)

    def attempt() -> bool:
        raw = fetch([key], consistent=True).get(key)
        if raw is None:
            return False
        was = row(UserSettings, raw).letters
        kept = LetterChoice.from_kept(was).without(letter).as_kept()
        if was and kept != was:
            letters = UserSettings.letters
            action = letters.set(kept) if kept else letters.remove()
            transact(Change(UserSettings, key, [action], letters == was, otherwise=Moved))
        return True

    try:
        return write_optimistically(attempt)
    except NotFound:
        return False
