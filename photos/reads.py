"""Reads of photos: each person's own only, and who may open a file. What a post shows of them stands in the post.

What everyone may see is at `/m/<secret>/<name>`. Anything else is at `/pm/<secret>/<name>?e=<hour>&s=<signature>`: made
for one viewer, who may see it at that moment, useless to everyone else, and dead within two hours, or with the sign-in.
The signature covers the secret, the hour, the viewer's id, which their cookie proves, and the owner's (`&o=`) where
that is someone else, so that a block acts at once. The address of a photo in a private message also says, signed, when
the message ends (`&u=`), and is dead at that second. Copies that moderators keep have addresses of their own, signed
in the same way.
"""

import base64
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac

from accounts.people.cards import moment_text
from accounts.people.viewer import Viewer
from accounts.sessions import read_signed_in
from photos.models import READY, Photo
from relations.models import RelationType
from relations.relation import blocks_either_way
from socialsite.table import Page, Source, access_pattern, as_model, fetch, keys, query_merged

HOUR = 3600  # seconds
SALT = "photos.reads"
SHARE = "share.jpg"
WIDTHS = (480, 960, 1600)
SIGNATURE_LENGTH = 16  # of base 64, 96 bits


def picture_url(
    secret: str, width: int, *, viewer_id: str | None = None, owner_id: str = "", until: int = 0
) -> str:
    """Returns the address of a picture: for everyone (`public_secret`), or for one viewer (`secret`), until one of them
    and the owner blocks the other, and not longer than `until`, in seconds of the epoch, if that is given. Without
    `owner_id` it is the viewer's own, or for a moderator."""
    owner_id = "" if owner_id == viewer_id else owner_id
    return _url(secret, f"{width}.webp", viewer_id, owner_id, str(until or ""))


def share_url(public_secret: str) -> str:
    """Returns the address of the JPEG that other sites show beside a link."""
    return _url(public_secret, SHARE, None)


def signed_name(secret: str, owner_id: str, until: str = "") -> str:
    """Returns what the signature of a photo's address covers of the photo."""
    name = f"{secret} {owner_id}" if owner_id else secret
    return (
        f"{until}:{name}" if until else name
    )  # no secret has a colon: none can be read as another


def signed_for(viewer_id: str, name: str, *, salt: str = SALT) -> str:
    """Returns the query of an address that works for one viewer, in this hour and the next. Another kind of address has
    a `salt` of its own, so that none can be read as another."""
    hour = str(int(time.time()) // HOUR)
    return f"e={hour}&s={_signature(name, hour, viewer_id, settings.SECRET_KEY, salt)}"


def is_signed(name: str, *, hour: str, signature: str, viewer_id: str, salt: str = SALT) -> bool:
    """Whether the site made this address for this viewer in this hour or the one before."""
    now = int(time.time()) // HOUR
    if not viewer_id or hour not in (str(now), str(now - 1)):
        return False
    return any(
        constant_time_compare(_signature(name, hour, viewer_id, key, salt), signature)
        for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    )


def seconds_left(hour: str, until: str = "") -> int:
    """Returns how long an address of this hour, and with this end, if any, still works."""
    ends = (int(hour) + 2) * HOUR
    return max(0, min(ends, int(until) if until else ends) - int(time.time()))


def _url(secret: str, name: str, viewer_id: str | None, owner_id: str = "", until: str = "") -> str:
    if viewer_id is None:
        return f"/m/{secret}/{name}"
    query = signed_for(viewer_id, signed_name(secret, owner_id, until))
    more = (f"&o={owner_id}" if owner_id else "") + (f"&u={until}" if until else "")
    return f"/pm/{secret}/{name}?{query}{more}"


def _signature(name: str, hour: str, viewer_id: str, key: str, salt: str) -> str:
    made = salted_hmac(salt, f"{name} {hour} {viewer_id}", secret=key, algorithm="sha256")
    return base64.urlsafe_b64encode(made.digest())[:SIGNATURE_LENGTH].decode()


@dataclass(frozen=True, slots=True)
class PhotoCard:
    """One of the viewer's own photos. `until` says until when it is kept, empty once a post or a draft uses it."""

    photo_id: str
    width: int
    height: int
    thumbhash: str
    alt: str
    url: str
    large_url: str
    post_url: str
    until: str
    is_in_message: bool = False

    @classmethod
    def of(cls, photo: Any, viewer: Viewer) -> "PhotoCard":
        """Builds the card of a `Photo`, with addresses that only the viewer can use."""
        return cls(
            photo_id=photo.photo_id,
            width=int(photo.width),
            height=int(photo.height),
            thumbhash=photo.thumbhash,
            alt=photo.alt or "",
            url=picture_url(photo.secret, 480, viewer_id=viewer.user_id),
            large_url=picture_url(photo.secret, 1600, viewer_id=viewer.user_id),
            post_url=f"/@{viewer.handle}/posts/{photo.post_id}" if photo.post_id else "",
            until=moment_text(photo.ttl.isoformat()) if photo.ttl else "",
            is_in_message=bool(photo.message_id),
        )

    @property
    def describe_url(self) -> str:
        return f"/photos/{self.photo_id}/description"

    @property
    def delete_url(self) -> str:
        return f"/photos/{self.photo_id}/delete"


@access_pattern
def get_photos(by: Viewer, photo_ids: Sequence[str]) -> list[Photo]:
    """Returns those of the signed-in person's own photos that are there and ready, in the order of the ids.

    One consistent BatchGetItem `PK = u#<id>#photo`, `SK = ph#<photo>`: 1 read unit a photo. None for no ids.
    """
    if not photo_ids:
        return []
    found = fetch([keys.photo(by.user_id, one) for one in photo_ids], consistent=True)
    photos = [as_model(Photo, raw) for raw in found.values()]
    return [photo for photo in photos if photo.state == READY]


@access_pattern
def list_album(viewer: Viewer, *, cursor: str | None = None) -> Page[Photo]:
    """Returns a page of the viewer's own photos, the newest first.

    One Query `PK = u#<id>#photo`, 0.5 read units per 4 KB. Raises `BadCursor`.
    """
    partition = keys.photos(viewer.user_id)
    source = Source(partition, wanted=lambda raw: raw["state"]["S"] == READY)
    page = query_merged([source], scope=partition, cursor=cursor)
    return page.with_items([as_model(Photo, raw) for raw in page.items])


@access_pattern
def may_open(viewer_id: str, secret_hash: str, *, owner_id: str) -> bool:
    """Whether the sign-in of a viewer, for whom an address was signed, still holds, and neither they nor the owner of
    the photo has blocked the other since. Without `owner_id` the photo is theirs, or shown to a moderator.

    As `read_signed_in`, with the block in the same BatchGetItem: 2 read units, 1.5 without an owner.
    """
    block = [keys.relation(viewer_id, RelationType.BLOCK, owner_id)] if owner_id else []
    found = read_signed_in(viewer_id, secret_hash, beside=block)
    return found is not None and not any(map(blocks_either_way, found.values()))
