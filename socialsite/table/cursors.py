"""Encrypted places in a list.

A cursor is a direction and a sort key, encrypted for one partition. It reveals no id of an item that the reader may not
see, cannot be altered, does not fit another list, and never goes stale. "The page before X" stays a valid link even if
X itself is deleted.
"""

import hashlib
import hmac
from base64 import b64decode, urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotBase64
from dataclasses import dataclass
from functools import cache
from typing import Literal

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV
from django.conf import settings
from django.core.signing import BadSignature, Signer

from socialsite.table.errors import BadCursor

MAX_LENGTH = 1_500  # a sort key has at most 1,024 bytes, its cursor 1,388 characters
CARRIED = "\0"  # what follows is no part of the sort key


@dataclass(frozen=True, slots=True)
class Place:
    """`next` continues behind the sort key in the list's order, `previous` ends just before it. `carried` is what the
    list takes along from page to page."""

    direction: Literal["next", "previous"]
    sk: str
    carried: str = ""


def write_cursor(partition: str, place: Place) -> str:
    """Returns the cursor of a place. The same place always gets the same one."""
    text = f"{place.direction[0]}{place.sk}"
    if place.carried:
        text += f"{CARRIED}{place.carried}"
    encrypted = _cipher(settings.SECRET_KEY).encrypt(text.encode(), [partition.encode()])
    return urlsafe_b64encode(encrypted).decode().rstrip("=")


def read_cursor(partition: str, cursor: str) -> Place:
    """Returns the place. Raises `BadCursor` for anything that `write_cursor` did not make for this partition."""
    if not cursor or len(cursor) > MAX_LENGTH:
        raise BadCursor("too short or too long")
    text = _verify(partition, cursor) if "." in cursor else _decrypt(partition, cursor)
    sk, _, carried = text[1:].partition(CARRIED)
    return Place("next" if text[0] == "n" else "previous", sk, carried)


def _decrypt(partition: str, cursor: str) -> str:
    try:
        encrypted = b64decode(_padded(cursor), altchars=b"-_", validate=True)
    except (NotBase64, ValueError) as error:
        raise BadCursor(str(error)) from error
    for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS):
        try:
            return _cipher(secret).decrypt(encrypted, [partition.encode()]).decode()
        except InvalidTag:
            continue
    raise BadCursor("altered, or of another list")


def _verify(partition: str, cursor: str) -> str:
    """Reads a cursor in the signed, readable form of earlier versions, which open pages and bookmarks still have."""
    try:
        payload = Signer(salt=f"cursor {partition}", sep=".").unsign(cursor)
    except BadSignature as error:
        raise BadCursor(str(error)) from error
    return urlsafe_b64decode(_padded(payload)).decode()


def _padded(text: str) -> str:
    return text + "=" * (-len(text) % 4)


@cache
def _cipher(secret: str) -> AESSIV:
    # SIV needs no random nonce, so a page always has the same address.
    return AESSIV(hmac.new(secret.encode(), b"cursor encryption", hashlib.sha512).digest())
