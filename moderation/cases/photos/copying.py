"""The copies of reported photos and of pictures of reported profiles: made by the stream worker, and deleted with their
items."""

from contextlib import suppress
from functools import partial

from django.core.files.storage import default_storage

from accounts.models import UserInfo
from accounts.profile_pictures import files_of
from moderation.models import CasePhoto, Keeping
from photos.copies import delete_copy, keep_content, keep_copy
from photos.files import PRIVATE, Place, open_stored
from photos.models import READY, Photo
from socialsite.table import keys
from socialsite.table.errors import NotFound, translated
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
        size = _keep(photo)
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


@access_pattern
def withdraw_picture(photo: CasePhoto) -> None:
    """Deletes the files of a picture of a profile that everyone could see, once the case has its copy. Safe to repeat:
    no later picture has their name. Costs and raises as `copy_photo`."""
    copy_photo(photo.key)
    for path in files_of(photo.source).values():
        with translated():
            default_storage.delete(path)


def copy_again(raw: RawItem) -> None:
    """Copies a photo, or deletes the public files of a picture, if the stream lost the record. Safe to repeat. Costs
    nothing for what was copied and stays, otherwise as `copy_photo`."""
    with suppress(CannotCopy):
        if row(CasePhoto, raw).withdrawn:
            withdraw_picture(as_model(CasePhoto, raw))
        elif row(CasePhoto, raw).state == Keeping.COMING:
            copy_photo(key_of(raw))


def forget_copy(photo: CasePhoto) -> None:
    """Deletes the files. Safe to repeat."""
    for name in names_of(photo):
        delete_copy(photo.person_id, name)


def name_of(photo: CasePhoto) -> str:
    """Returns the name of the file that moderators see: it leads back to the item."""
    return f"{photo.photo_id}.{photo.version}.{photo.secret}"


def names_of(photo: CasePhoto) -> list[str]:
    """Returns the names of all files of a copy. A wide picture of a profile has one in each size, the largest first."""
    smaller = len(files_of(photo.source)) - 1 if photo.part else 0
    return [name_of(photo), *(f"{name_of(photo)}-{number}" for number in range(1, smaller + 1))]


def _keep(photo: CasePhoto) -> int:
    """Copies all files, and returns how many bytes the largest has. Raises `NotFound`."""
    if not photo.part:
        return keep_copy(_source(photo), photo.person_id, name_of(photo))
    files = zip(files_of(photo.source).values(), names_of(photo), strict=True)
    return max(keep_content(partial(_read, path), photo.person_id, name) for path, name in files)


def _read(path: str) -> bytes:
    with open_stored(default_storage, path) as file, translated():
        return file.read()


def _source(photo: CasePhoto) -> Place:
    return Place(photo.person_id, photo.photo_id, PRIVATE, photo.source)


def _is_there(photo: CasePhoto) -> bool:
    if photo.part:
        info_key = keys.user_info(photo.person_id)
        info = row(UserInfo, fetch([info_key], consistent=True).get(info_key, {}))
        return bool(getattr(info, photo.part) == photo.source)
    key = keys.photo(photo.person_id, photo.photo_id)
    raw = fetch([key], consistent=True).get(key)
    return raw is not None and as_model(Photo, raw).state == READY
