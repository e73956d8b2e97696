"""The look at the list on every upload: photos of posts, drafts and private messages, and pictures of profiles.

People who send a blocked picture are told that it cannot be used, and no more, so that nobody learns what is on the
list by trying. Nothing of the file is kept. That it was tried is told to staff by the clock
(`moderation/pictures/stream.py`), without the file and without its hash.
"""

import hashlib
from dataclasses import dataclass
from typing import IO

from socialsite.blocked_pictures.reads import Hashes, is_blocked
from socialsite.clock import utc_now
from socialsite.due.work import plan
from socialsite.pictures.decoding import BLOCKED, PictureRefused, Pictures, make_pictures
from socialsite.table import access_pattern, transact

TRIED = "blocked-picture-tried"  # the kind of the due item
PIECE = 1 << 20


@dataclass(frozen=True, slots=True)
class Allowed:
    """The pictures that were made of an upload that nobody blocked, and what it is known by."""

    pictures: Pictures
    hashes: Hashes


@access_pattern
def make_allowed_pictures(upload: IO[bytes], recipe: str, *, user_id: str) -> Allowed:
    """Returns the pictures of a recipe, unless the upload is on the list. `user_id` is the person who sends it.

    A child process, then as `is_blocked`, 9 read units, 17 for a picture of a profile. If it is on the list, one
    TransactWriteItems of the plan that staff are told, 2 write units. Raises what `make_pictures` raises, and
    `PictureRefused` with `BLOCKED`.
    """
    pictures = make_pictures(upload, recipe)
    hashes = Hashes(*_exact(upload), pictures.pdq)
    if is_blocked(hashes):
        transact(plan(TRIED, moment=utc_now(), subject=user_id))
        raise PictureRefused(BLOCKED)
    return Allowed(pictures, hashes)


def _exact(upload: IO[bytes]) -> tuple[str, str]:
    """Returns the SHA-256 and the MD5 of a file. Lists of others have either; nothing trusts an MD5 here."""
    sha256, md5 = hashlib.sha256(), hashlib.md5(usedforsecurity=False)
    upload.seek(0)
    while piece := upload.read(PIECE):
        sha256.update(piece)
        md5.update(piece)
    return sha256.hexdigest(), md5.hexdigest()
