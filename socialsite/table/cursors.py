"""Signed places in a list.

A cursor is a direction and a sort key, signed for one partition: it cannot be altered, does not fit another list, and
never goes stale. "The page before X" is a link for ever, even if X itself is deleted.
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from typing import Literal

from django.core.signing import BadSignature, Signer

from socialsite.table.errors import BadCursor

MAX_LENGTH = 400


@dataclass(frozen=True, slots=True)
class Place:
    """`next` continues behind the sort key in the list's order, `previous` ends just before it."""

    direction: Literal["next", "previous"]
    sk: str


def write_cursor(partition: str, place: Place) -> str:
    payload = urlsafe_b64encode(f"{place.direction[0]}{place.sk}".encode()).decode().rstrip("=")
    return _signer(partition).sign(payload)


def read_cursor(partition: str, cursor: str) -> Place:
    """Raises `BadCursor` for anything that `write_cursor` did not make for this partition."""
    if not cursor or len(cursor) > MAX_LENGTH:
        raise BadCursor("too short or too long")
    try:
        payload = _signer(partition).unsign(cursor)
    except BadSignature as error:
        raise BadCursor(str(error)) from error
    text = urlsafe_b64decode(payload + "=" * (-len(payload) % 4)).decode()
    return Place("next" if text[0] == "n" else "previous", text[1:])


def _signer(partition: str) -> Signer:
    return Signer(salt=f"cursor {partition}", sep=".")
