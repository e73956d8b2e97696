"""The photos of a message: as they stand in its sealed body, and as one reader sees them.

The body alone names the files, so nobody without the author's key can make an address. An address works for one reader,
until the message ends (`picture_url` in `photos/reads.py`).
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Self

from feed.cards.post_card import ALONE, BESIDE_OTHERS, ShownPhoto
from photos.models import Photo

PHOTOS = "photos"  # in the body of a message
NUMBER_OF_PHOTOS = "photos_left_out"  # in that of a kept one


@dataclass(frozen=True, slots=True)
class EnclosedPhoto:
    """A photo as the body of a message holds it."""

    photo_id: str
    secret: str
    width: int
    height: int
    thumbhash: str
    alt: str = ""

    @classmethod
    def of(cls, photo: Photo, alt: str) -> Self:
        return cls(
            photo.photo_id,
            photo.secret,
            int(photo.width),
            int(photo.height),
            photo.thumbhash,
            alt,
        )


def enclosed_from(photos: Iterable[Photo], descriptions: Mapping[str, str]) -> list[EnclosedPhoto]:
    """Returns photos as a message holds them, with the descriptions, by their ids."""
    return [EnclosedPhoto.of(one, descriptions.get(one.photo_id, "")) for one in photos]


def as_said(enclosed: Iterable[EnclosedPhoto]) -> list[dict[str, Any]]:
    """Returns what the body of a message holds of them."""
    return [asdict(one) for one in enclosed]


def photos_of(body: str) -> list[EnclosedPhoto]:
    """Returns the photos of a message from its unsealed body, in their order. None for an empty one."""
    return photos_in(json.loads(body)) if body else []


def photos_in(said: Mapping[str, Any]) -> list[EnclosedPhoto]:
    """Returns the photos of a message of which the body was read."""
    return [EnclosedPhoto(**one) for one in said.get(PHOTOS, ())]


def photos_shown(
    enclosed: Sequence[EnclosedPhoto], *, url: str, author_id: str, viewer_id: str, ends: datetime
) -> tuple[ShownPhoto, ...]:
    """Returns the photos with addresses for one reader, who may see the message at this moment. `url` is the message's,
    under which each has a page."""
    return tuple(
        ShownPhoto(
            number=number,
            photo_id=one.photo_id,
            url=f"{url}/photos/{number}",
            secret=one.secret,
            width=one.width,
            height=one.height,
            thumbhash=one.thumbhash,
            alt=one.alt,
            sizes=ALONE if len(enclosed) == 1 else BESIDE_OTHERS,
            reader=viewer_id,
            owner_id=author_id,
            until=int(ends.timestamp()),
        )
        for number, one in enumerate(enclosed, 1)
    )


def without_photos(body: str) -> str:
    """Returns the body as someone keeps it: the words, and how many photos there were. Their files go with the message,
    as its author was promised, so a kept message names none."""
    said: dict[str, Any] = json.loads(body)
    if photos := said.pop(PHOTOS, ()):
        said[NUMBER_OF_PHOTOS] = len(photos)
    return json.dumps(said, ensure_ascii=False)
