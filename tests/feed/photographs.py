"""Photos as uploads leave them, without the decoder: the item, and a few bytes in each file."""

from collections.abc import Mapping

from accounts.people.viewer import Viewer
from feed.publishing.writes import publish_post
from photos.files import NAMES, new_secret, save_files
from photos.models import READY, Photo
from photos.writes import KEPT_UNUSED, private_place
from socialsite.clock import utc_now
from socialsite.table import create, ids
from tests.accounts.pictures import encode, halves

HASH = "1QcSHQRnh493V4dIh4eXh1h4kJUI"  # of 28 characters, as every thumbhash in base 64


FAKE = {name: b"RIFF " + name.encode() for name in NAMES}


def real_files(width: int, height: int) -> dict[str, bytes]:
    """Files that a browser can show, all of one size."""
    image = halves((width, height))
    return {name: encode(image, "JPEG" if name.endswith("jpg") else "WEBP") for name in NAMES}


def photo(
    by: Viewer,
    description: str = "",
    *,
    width: int = 1600,
    height: int = 1200,
    files: Mapping[str, bytes] = FAKE,
) -> str:
    """One of the person's own photos, which no post shows yet."""
    one = Photo.new(
        user_id=by.user_id,
        photo_id=ids.new_id(),
        secret=new_secret(),
        width=width,
        height=height,
        thumbhash=HASH,
        size=1000,
        sha256="0" * 64,
        alt=description,
        until=utc_now() + KEPT_UNUSED,
    )
    one.state = READY
    create(one)
    save_files(private_place(one), files)
    return one.photo_id


def post_photos(by: Viewer, *photo_ids: str, content: str = "Look", **how: str) -> str:
    """Publishes a post with photos, new ones if none are named."""
    chosen = photo_ids or (photo(by),)
    return publish_post(by=by, content=content, nonce=ids.new_id(), photos=chosen, **how)
