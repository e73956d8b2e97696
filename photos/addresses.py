"""The addresses of photos' files.

What everyone may see is at `/m/<secret>/<name>`. Anything else is at `/pm/<secret>/<name>?e=<hour>&s=<signature>`: made
for one viewer, who may see it at that moment, useless to everyone else, and dead within two hours, or with the sign-in.
The signature covers the secret, the hour, the viewer's id, which their cookie proves, and the owner's (`&o=`) where
that is someone else, so that a block acts at once. Copies that moderators
keep have addresses of their own, signed in the same way.
"""

import base64
import time

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac

HOUR = 3600  # seconds
SALT = "photos.addresses"
SHARE = "share.jpg"
WIDTHS = (480, 960, 1600)
SIGNATURE_LENGTH = 16  # of base 64, 96 bits


def picture_url(
    secret: str, width: int, *, viewer_id: str | None = None, owner_id: str = ""
) -> str:
    """Returns the address of a picture: for everyone (`public_secret`), or for one viewer (`secret`), until one of them
    and the owner blocks the other. Without `owner_id` it is the viewer's own, or for a moderator."""
    return _url(secret, f"{width}.webp", viewer_id, "" if owner_id == viewer_id else owner_id)


def share_url(public_secret: str) -> str:
    """Returns the address of the JPEG that other sites show beside a link."""
    return _url(public_secret, SHARE, None)


def signed_name(secret: str, owner_id: str) -> str:
    """Returns what the signature of a photo's address covers of the photo."""
    return f"{secret} {owner_id}" if owner_id else secret


def signed_for(viewer_id: str, name: str) -> str:
    """Returns the query of an address that works for one viewer, in this hour and the next."""
    hour = str(int(time.time()) // HOUR)
    return f"e={hour}&s={_signature(name, hour, viewer_id, settings.SECRET_KEY)}"


def is_signed(name: str, *, hour: str, signature: str, viewer_id: str) -> bool:
    """Whether the site made this address for this viewer in this hour or the one before."""
    now = int(time.time()) // HOUR
    if not viewer_id or hour not in (str(now), str(now - 1)):
        return False
    return any(
        constant_time_compare(_signature(name, hour, viewer_id, key), signature)
        for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    )


def seconds_left(hour: str) -> int:
    """Returns how long an address of this hour still works."""
    return max(0, (int(hour) + 2) * HOUR - int(time.time()))


def _url(secret: str, name: str, viewer_id: str | None, owner_id: str = "") -> str:
    if viewer_id is None:
        return f"/m/{secret}/{name}"
    query = signed_for(viewer_id, signed_name(secret, owner_id))
    return f"/pm/{secret}/{name}?{query}{f'&o={owner_id}' if owner_id else ''}"


def _signature(name: str, hour: str, viewer_id: str, key: str) -> str:
    made = salted_hmac(SALT, f"{name} {hour} {viewer_id}", secret=key, algorithm="sha256")
    return base64.urlsafe_b64encode(made.digest())[:SIGNATURE_LENGTH].decode()
