"""Everything that an author composed, before it is a post: what drafts and scheduled posts keep, and publishing takes.
It is sealed with its author's key, because nobody else ever reads it, and nothing searches or sorts it. What the site's
rules say of all of it, and what publishing or scheduling takes from the shelf, in its own transaction: the draft that
the composer continued.

A day on which clocks change has times of day that do not exist, and times that come twice. The first are refused, and
of the second the earlier is taken.
"""

import json
import logging
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Self
from zoneinfo import ZoneInfo

from cryptography.exceptions import InvalidTag
from django.utils.formats import date_format

from accounts.encryption.person_keys import NoPersonKey, OpenKey, open_person_key
from accounts.models import Sealed
from accounts.people.viewer import Viewer
from feed.composing.models import Draft
from feed.polls.models import PollWish
from feed.posts.content_checks import Verdict, judge_post
from feed.posts.models import Audience
from feed.publishing.models import Submission
from feed.publishing.writes import Part, judge_story
from photos.models import Photo
from socialsite.clock import utc_now
from socialsite.table import (
    Delete,
    Key,
    Moved,
    Put,
    RawItem,
    WriteAction,
    access_pattern,
    fetch,
    keys,
    row,
)
from socialsite.web.preferences import known_zones

MINUTE = timedelta(minutes=1)
LONGEST_JUMP = timedelta(days=2)  # longer than clocks were ever moved


class NoSuchTime(ValueError):
    """The clocks skip this time. `following` is the next moment that there is."""

    def __init__(self, following: datetime) -> None:
        super().__init__(following)
        self.following = following


def moment_of(local: datetime, zone: str) -> datetime:
    """Returns the moment, in UTC, at which clocks in the zone show this time. Raises `NoSuchTime`, and `OverflowError`
    at the ends of the calendar."""
    place = ZoneInfo(zone)
    moment = local.replace(tzinfo=place, fold=0).astimezone(UTC)
    shown = moment.astimezone(place).replace(tzinfo=None)
    if shown != local:
        raise NoSuchTime(_first_after(local, place))
    return moment


def _first_after(local: datetime, place: ZoneInfo) -> datetime:
    """Returns the first moment at which clocks show a later time: that of the change, to the second."""
    low = int((local.replace(tzinfo=place).astimezone(UTC) - LONGEST_JUMP).timestamp())
    high = int((local.replace(tzinfo=place).astimezone(UTC) + LONGEST_JUMP).timestamp())
    while low < high:
        middle = (low + high) // 2
        if datetime.fromtimestamp(middle, place).replace(tzinfo=None) < local:
            low = middle + 1
        else:
            high = middle
    return datetime.fromtimestamp(low, UTC)


def in_words(moment: datetime, zone: str) -> str:
    """Returns the moment as clocks in the zone show it: "Sunday, Oct. 25, 2026, 2:30 a.m. CEST"."""
    shown = moment.astimezone(ZoneInfo(zone))
    name = shown.tzname() or ""
    day, time = date_format(shown, "l"), date_format(shown.replace(tzinfo=None), "DATETIME_FORMAT")
    return f"{day}, {time} {f'UTC{name}' if name[:1] in '+-' else name}"


def typed_time(moment: datetime, zone: str) -> str:
    """Returns the moment as a browser's field for a time takes it."""
    return moment.astimezone(ZoneInfo(zone)).strftime("%Y-%m-%dT%H:%M")


def is_zone(name: str) -> bool:
    return name in known_zones()


COMPOSITION = "composition"  # the attribute
MOST_BYTES = 40_000  # of a composition as text: a story of ten long posts

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Composition:
    """What an author composed. A new part of the composer is a field here, with what it is when there is none of it."""

    content: str = ""
    warning: str = ""
    lang: str = ""
    audience: str = ""
    circle: str = ""  # the id, if the audience is a circle
    replies: str = ""
    poll: PollWish | None = None  # in a draft it may have a single answer
    expires_in: str = ""
    planned_time: str = ""  # of a draft: the chosen time, as clocks in its zone show it
    planned_zone: str = ""
    photos: tuple[str, ...] = ()  # their ids; what is said of each is kept with it
    parts: tuple[Part, ...] = ()  # the further posts of a story

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Self:
        """Takes what it knows of the values of a form, or of a text that was kept, and leaves the rest."""
        known = {name: values[name] for name in _names() if values.get(name)}
        if isinstance(poll := known.get("poll"), Mapping):
            known["poll"] = PollWish(**{**poll, "options": tuple(poll["options"])})
        known["photos"] = tuple(known.get("photos", ()))
        parts = known.pop("parts", ())
        return cls(**known, parts=tuple(map(_part_of, parts)))

    @property
    def is_empty(self) -> bool:
        """Whether nothing is there to be kept: audience and language alone are no draft."""
        return not (self.content or self.warning or self.poll or self.parts or self.photos)

    @property
    def all_photos(self) -> tuple[str, ...]:
        """Returns the ids of the photos of all its posts."""
        return (*self.photos, *(one for part in self.parts for one in part.photos))

    def without(self, photo_ids: Collection[str]) -> Self:
        """Returns it without photos that are gone."""

        def left(photos: Iterable[str]) -> tuple[str, ...]:
            return tuple(one for one in photos if one not in photo_ids)

        parts = tuple(replace(part, photos=left(part.photos)) for part in self.parts)
        return replace(self, photos=left(self.photos), parts=parts)

    def for_service(self) -> dict[str, Any]:
        """Returns it as keywords of `publish_post`, which publishes at once."""
        names = (name for name in _names() if not name.startswith("planned_"))
        return {name: getattr(self, name) for name in names}

    def as_typed(self) -> dict[str, Any]:
        """Returns it as the fields of the composer."""
        audience = f"circle:{self.circle}" if self.audience == Audience.CIRCLE else self.audience
        typed = {**self.for_service(), "audience": audience, "language": self.lang}
        if self.planned_time:
            typed |= {"publish_at": self.planned_time, "zone": self.planned_zone}
        if poll := self.poll:
            typed |= {"poll_options": list(poll.options), "poll_ends": poll.length}
            typed |= {
                f"poll_{wish}": getattr(poll, wish) for wish in ("several", "change", "early")
            }
        return typed

    @property
    def is_too_long(self) -> bool:
        """Whether it is more than the shelf keeps."""
        return len(self.to_text().encode()) > MOST_BYTES

    def to_text(self) -> str:
        """Returns it as text, without what is empty. `of` reads it, and so do later versions that know more."""
        kept = {name: value for name, value in asdict(self).items() if value}
        return json.dumps(kept, ensure_ascii=False, separators=(",", ":"))


def _part_of(kept: Part | Mapping[str, Any]) -> Part:
    if isinstance(kept, Part):
        return kept
    return Part(**{**kept, "photos": tuple(kept.get("photos", ()))})


def _names() -> list[str]:
    return [field.name for field in fields(Composition)]


def seal(composition: Composition, *, key: OpenKey, place: Key) -> bytes:
    """Seals it for the item at `place`. The transaction that writes it includes `key.check()`."""
    return key.seal(composition.to_text(), key=place, attribute=COMPOSITION)


def unseal(sealed: Sealed, *, user_id: str, place: Key) -> Composition:
    """Returns what is sealed in someone's item at `place`; an empty composition if it cannot be read.

    0.5 read units, as `open_person_key`.
    """
    assert isinstance(sealed, bytes)
    try:
        text = open_person_key(user_id).unseal(sealed, key=place, attribute=COMPOSITION)
    except (InvalidTag, NoPersonKey):
        log.exception("what is kept at %s cannot be read", place)
        return Composition()
    return Composition.of(json.loads(text))


def judge_composition(
    *, by: Viewer, composition: Composition, photos: Sequence[Photo] = ()
) -> Verdict:
    """Returns the verdict on the first post, with `photos`, those of all its posts. As `judge_post`, with the answers
    of a poll and what is said of the photos, and `judge_story`. Raises what they raise."""
    poll = composition.poll
    descriptions = {photo.photo_id: photo.alt or "" for photo in photos}
    said = [descriptions.get(one, "") for one in composition.photos]
    first = judge_post(
        by=by,
        content=composition.content,
        warning=composition.warning,
        audience=composition.audience,
        others=[*(poll.options if poll else ()), *said],
    )
    return judge_story(
        by=by,
        first=first,
        parts=composition.parts,
        audience=composition.audience,
        descriptions=descriptions,
    )[0]


MARK_DAYS = 1  # longer than a saving can be on its way


@dataclass(frozen=True, slots=True)
class Seen:
    """A draft as a page knows it. `version` is None before the page began to save, 0 while its first saving is on its
    way. `writer` names what saves it: the tabs of a browser that show one text are one writer, and so are the pages
    that it opens one after the other. `turn` counts the writer's savings."""

    draft_id: str = ""
    version: int | None = None
    writer: str = ""
    turn: int = 0

    def is_latest(self, raw: RawItem) -> bool:
        """Whether the page knows what this raw `Draft` says: it has seen it, or its own browser has saved it last, and
        only the answer was lost."""
        draft = row(Draft, raw)
        return int(draft.version) == (self.version or 0) or self._wrote(draft)

    def is_late(self, raw: RawItem) -> bool:
        """Whether a later saving of the same writer came first."""
        draft = row(Draft, raw)
        return self._wrote(draft) and 0 < self.turn <= int(draft.turn or 0)

    def _wrote(self, draft: Draft) -> bool:
        return self.writer != "" and self.writer == draft.writer


@dataclass(frozen=True, slots=True)
class Taken:
    """The actions that take the draft. `stays` says that another page has changed it since, so that it is kept."""

    actions: Sequence[WriteAction] = ()
    stays: bool = False


@access_pattern
def take_draft(*, by: Viewer, seen: Seen) -> Taken:
    """Returns the actions that delete the draft that a page has `seen`, for the transaction that publishes or schedules
    it. They raise `Moved` if it is saved meanwhile.

    Nothing if the page never began to save. Else one consistent BatchGetItem, 1 read unit for 4 KB; 2 write units. If
    the first saving may still be on its way, a mark keeps it out, 2 more.
    """
    if not seen.draft_id or seen.version is None:
        return Taken()
    place = keys.draft(by.user_id, seen.draft_id)
    raw = fetch([place], consistent=True).get(place)
    if raw and not seen.is_latest(raw):
        return Taken(stays=True)
    actions: list[WriteAction] = []
    if raw:
        same = Draft.version == int(row(Draft, raw).version)
        actions.append(Delete(place, same, otherwise=Moved))
    if not seen.version:
        actions.append(Put(_mark(by.user_id, seen.draft_id)))
    return Taken(actions)


def mark_of(user_id: str, draft_id: str) -> Key:
    """Returns the key that says that what a page was about to save was published."""
    return keys.submission(user_id, f"draft-{draft_id}")


def _mark(user_id: str, draft_id: str) -> Submission:
    end = utc_now() + timedelta(days=MARK_DAYS)
    return Submission.new(user_id=user_id, nonce=f"draft-{draft_id}", post_id=draft_id, ttl=end)
