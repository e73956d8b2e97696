"""The photo of a demo post, as uploading and publishing would have left it."""

import base64
import hashlib
from pathlib import Path

from photos.files import PRIVATE, PUBLIC, save_files
from photos.models import READY, Photo
from photos.publishing import private_place, public_place
from socialsite.pictures.decoding import make_pictures
from socialsite.table import ids


def shown_photo(*, user_id: str, photo_id: str, post_id: str, file: Path, alt: str) -> Photo:
    """Writes the files of a picture that everyone may see, decoded as any other, and returns their item. Repeated, it
    writes the same, so its secrets are none: all demo photos are public."""
    with file.open("rb") as upload:
        made = make_pictures(upload, "photo")
    photo = Photo.new(
        user_id=user_id,
        photo_id=photo_id,
        secret=_name(photo_id, PRIVATE),
        width=made.width,
        height=made.height,
        thumbhash=made.thumbhash,
        size=sum(map(len, made.files.values())),
        sha256=hashlib.sha256(file.read_bytes()).hexdigest(),
        alt=alt,
        until=ids.time_of(post_id),
    )
    photo.state, photo.ttl = READY, None
    photo.post_id, photo.public_secret = post_id, _name(photo_id, PUBLIC)
    for place in (private_place(photo), public_place(photo)):
        if place:
            save_files(place, made.files)
    return photo


def _name(photo_id: str, folder: str) -> str:
    digest = hashlib.sha256(f"{folder}{photo_id}".encode()).digest()
    return base64.urlsafe_b64encode(digest[:16]).decode().rstrip("=")
