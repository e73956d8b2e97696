"""Everything that an author composed, before it is a post: what drafts and scheduled posts keep, and publishing takes.

It is sealed with its author's key, because nobody else ever reads it, and nothing searches or sorts it.
"""

import json
import logging
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Self

from cryptography.exceptions import InvalidTag

from accounts.encryption.person_keys import NoPersonKey, OpenKey, open_person_key
from accounts.encryption.sealed_attribute import Sealed
from feed.models import Audience
from feed.polls.wish import PollWish
from feed.services.story import Part
from socialsite.table.keys import Key

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
