"""Uploading a photo."""

import hashlib
from datetime import timedelta

from django.core.files.uploadedfile import UploadedFile

from accounts.viewer import Viewer
from photos.files import delete_files, new_secret, save_files
from photos.limits import KEPT_UNUSED
from photos.models import READY, Photo
from photos.publishing import private_place
from photos.sweeping import plan_sweep
from socialsite.clock import utc_now
from socialsite.pictures.decoding import PictureRefused, make_pictures
from socialsite.pictures.limits import MOST_BYTES
from socialsite.table import ids, keys
from socialsite.table.actions import Create
from socialsite.table.errors import AlreadyExists, Conflict, NotFound
from socialsite.table.meter import access_pattern
from socialsite.table.reading import get
from socialsite.table.writing import change, transact

CLOCKS_DIFFER = timedelta(days=1)  # the clocks of browsers, from ours


@access_pattern
def upload_photo(
    *, by: Viewer, upload: UploadedFile, photo_id: str = "", description: str = ""
) -> Photo:
    """Stores a photo of the signed-in person, private and for a day, and returns it.

    `photo_id` comes from the browser, so that a second sending finds the first. A consistent GetItem if there is one, a
    child process, then TransactWriteItems of the photo and the plan of a sweep, the files, UpdateItem: 5 write units, 7
    to 11 with a long description, and 1 read unit. The item is there before the files, and names them. So its removal
    takes them along, however far this got.

    Raises `PictureRefused`, `PicturesBusy`, `Frozen`, and `Conflict` if a different file has the id.
    """
    by.must_have_voice()
    photo_id = photo_id if _is_plausible(photo_id) else ""
    earlier = _find(by, photo_id) if photo_id else None
    if earlier is not None and earlier.state == READY:
        return earlier
    if (upload.size or 0) > MOST_BYTES:
        raise PictureRefused("bytes")
    made = make_pictures(upload, "photo")
    upload.seek(0)
    photo = Photo.new(
        user_id=by.user_id,
        photo_id=photo_id or ids.new_id(),
        secret=new_secret(),
        width=made.width,
        height=made.height,
        thumbhash=made.thumbhash,
        size=sum(map(len, made.files.values())),
        sha256=hashlib.file_digest(upload, "sha256").hexdigest(),
        alt=description,
        until=utc_now() + KEPT_UNUSED,
    )
    try:
        transact(Create(photo), plan_sweep(by.user_id))
    except AlreadyExists:
        # An earlier sending was interrupted, or goes on. Both write the same files under the secret that is there.
        earlier = get(Photo, photo.key, consistent=True)
        if earlier.sha256 != photo.sha256:
            raise Conflict("another file has this id") from None
        if earlier.state == READY:
            return earlier
        photo = earlier
    save_files(private_place(photo), made.files)
    try:
        change(Photo, photo.key, [Photo.state.set(READY)])
    except NotFound:  # deleted meanwhile, perhaps before its files were there
        delete_files(private_place(photo))
        raise
    photo.state = READY
    return photo


def _is_plausible(photo_id: str) -> bool:
    """Whether a browser may have made this id just now. Others would not be where the album expects them."""
    now = utc_now()
    first, last = ids.first_id_at(now - CLOCKS_DIFFER), ids.first_id_at(now + CLOCKS_DIFFER)
    return ids.is_id(photo_id) and first <= photo_id < last


def _find(by: Viewer, photo_id: str) -> Photo | None:
    try:
        return get(Photo, keys.photo(by.user_id, photo_id), consistent=True)
    except NotFound:
        return None
