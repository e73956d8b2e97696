"""The copies of reported photos: made by the stream worker, and deleted with their items."""

from contextlib import suppress

from moderation.models import CasePhoto, Keeping
from photos.copies import delete_copy, keep_copy
from photos.files import PRIVATE, Place
from photos.models import READY, Photo
from socialsite.table import keys
from socialsite.table.errors import NotFound
from socialsite.table.keys import Key
from socialsite.table.meter import access_pattern
from socialsite.table.reading import RawItem, as_model, fetch, get, key_of
from socialsite.table.row import row
from socialsite.table.writing import change


class CannotCopy(Exception):
    """The photo is there, and its file cannot be read."""


@access_pattern
def copy_photo(key: Key) -> None:
    """Copies a reported photo, unless that was done, and notes whether it could. Safe to repeat, and after the photo or
    the case is gone.

    One consistent GetItem, 1 read unit, the file, then UpdateItem, 1 write unit for each KB. Of a photo that is gone
    one consistent BatchGetItem more. Raises `CannotCopy`: then the record is parked, and the photo is not given up.
    """
    try:
        photo = get(CasePhoto, key, consistent=True)
    except NotFound:
        return  # the case has ended
    if photo.state != Keeping.COMING:
        return
    try:
        size = keep_copy(_source(photo), photo.person_id, name_of(photo))
    except NotFound as error:
        if _is_there(photo):
            raise CannotCopy(photo.photo_id) from error
        changes = [CasePhoto.state.set(Keeping.GONE)]
    else:
        changes = [CasePhoto.state.set(Keeping.KEPT), CasePhoto.bytes.set(size)]
    try:
        change(CasePhoto, key, changes, condition=CasePhoto.secret == photo.secret)
    except NotFound:  # the case ended meanwhile, perhaps before the file was there
        forget_copy(photo)


def copy_again(raw: RawItem) -> None:
    """Copies a photo whose record the stream lost. Safe to repeat. Costs nothing for what was copied, otherwise as
    `copy_photo`."""
    if row(CasePhoto, raw).state == Keeping.COMING:
        with suppress(CannotCopy):
            copy_photo(key_of(raw))


def forget_copy(photo: CasePhoto) -> None:
    """Deletes the file. Safe to repeat."""
    delete_copy(photo.person_id, name_of(photo))


def name_of(photo: CasePhoto) -> str:
    """Returns the name of the file: it leads back to the item."""
    return f"{photo.photo_id}.{photo.version}.{photo.secret}"


def _source(photo: CasePhoto) -> Place:
    return Place(photo.person_id, photo.photo_id, PRIVATE, photo.source)


def _is_there(photo: CasePhoto) -> bool:
    key = keys.photo(photo.person_id, photo.photo_id)
    raw = fetch([key], consistent=True).get(key)
    return raw is not None and as_model(Photo, raw).state == READY
