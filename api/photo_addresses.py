"""The addresses of photos that are not for everyone, as apps get them.

A browser proves with its cookie that an address of `/pm/` was made for it. An app shows pictures by an `<img>`, which
brings neither cookie nor token. So the address itself names the reader and the token of the app that asked, and is
signed for both: a capability. It tells no secret, as the hash of a token opens nothing. With it one sees this one
picture, for at most two hours, while the token lasts and the reader may see the post (`photo` in `api/media.py`).

It stands apart from `/pm/` by its salt, so that neither can be read as the other.
"""

import base64
import re
from binascii import Error
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Self

from accounts.access.reads import Secret
from accounts.people.viewer import Viewer
from photos.reads import is_signed, seconds_left, signed_for
from socialsite.table import NotFound

SALT = "api.photo_addresses"
OWN = "own"  # in place of a post: a photo of the reader's, which nothing shows yet
READER = re.compile(r"([0-9A-Z]{26})\.([A-Za-z0-9_-]{43})")


@dataclass(frozen=True, slots=True)
class PhotoAddress:
    """What an address names: a photo, by its id and the secret of its files, in a post, or `OWN`; and its reader."""

    post: str
    photo_id: str
    secret: str
    reader: Secret
    seconds_left: int = 0  # for which it still works, where it was asked for

    @classmethod
    def of(cls, post: str, photo_id: str, secret: str, viewer: Viewer) -> Self:
        return cls(post, photo_id, secret, Secret(viewer.user_id, viewer.token_hash))

    @classmethod
    def asked(cls, post: str, photo_id: str, secret: str, query: Mapping[str, str]) -> Self:
        """Returns what is asked for. Raises `NotFound` unless the site made the address, not long ago. No call."""
        found = READER.fullmatch(query.get("r", ""))
        if found is None:
            raise NotFound("for nobody")
        try:
            hashed = base64.urlsafe_b64decode(f"{found[2]}=").hex()
        except (Error, ValueError) as error:
            raise NotFound("of no token") from error
        asked = cls(post, photo_id, secret, Secret(found[1], hashed))
        hour, signature = query.get("e", ""), query.get("s", "")
        reader = asked.reader.user_id
        if not is_signed(asked._name, hour=hour, signature=signature, viewer_id=reader, salt=SALT):
            raise NotFound("not signed")
        return replace(asked, seconds_left=seconds_left(hour))

    def url(self, width: int) -> str:
        """Returns the address of the photo's file of this width, from the root of the site."""
        hashed = base64.urlsafe_b64encode(bytes.fromhex(self.reader.secret_hash)).decode()
        signed = signed_for(self.reader.user_id, self._name, salt=SALT)
        place = f"/api/photos/{self.post}/{self.photo_id}/{self.secret}/{width}.webp"
        return f"{place}?{signed}&r={self.reader.user_id}.{hashed.rstrip('=')}"

    @property
    def _name(self) -> str:
        return f"{self.post} {self.photo_id} {self.secret} {self.reader.secret_hash}"
