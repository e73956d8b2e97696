"""What follows: a try to upload a blocked picture opens an urgent case, and photos get their files again when their
removal was undone."""

import io
import logging

from feed.publishing.photos import settle_photos
from moderation.cases.photos import name_of
from moderation.models import CaseKind, CasePhoto, Keeping
from moderation.pictures.writes import open_case_of_try
from photos.files import NAMES, PRIVATE, open_file, read_copy, save_files
from photos.models import COMING, READY, REMOVED, Photo
from photos.writes import private_place
from socialsite.blocked_pictures.uploads import TRIED
from socialsite.due.models import Due
from socialsite.due.work import due_work
from socialsite.pictures.decoding import PictureRefused, make_pictures
from socialsite.streams import Change, Ledger, on
from socialsite.table import NotFound, access_pattern, as_model, change, keys, query

log = logging.getLogger(__name__)


@due_work(TRIED)
def tell_of_try(due: Due) -> None:
    """Opens a case about someone who tried to upload a blocked picture, or makes it urgent. As `open_case_of_try`. Safe
    to run twice: the transaction ends the due item."""
    open_case_of_try(due)


@on(Photo, "MODIFY")
def restore_removed(record: Change, ledger: Ledger) -> None:
    """Makes the files of a photo anew whose removal was undone. Safe to run twice: the same files are written."""
    old, photo = record.old, record.new
    if not (isinstance(old, Photo) and isinstance(photo, Photo)):
        return
    if old.state == REMOVED and photo.state == COMING:
        ledger.note_effect()
        restore_photo(photo)


@access_pattern
def restore_photo(photo: Photo) -> None:
    """Makes the files of a photo of the copy that its case has, and shows it again where it was. Safe to repeat.

    One consistent Query of the copies, 1 read unit, a child process and the files, UpdateItem, 1 write unit, and for a
    post as `settle_photos`. In all 13 write units and 10 read units. Without a copy the photo stays away. What was
    undone before the worker came to it has its files still.
    """
    if not _has_files(photo) and not _made_of_copy(photo):
        return
    coming = Photo.state == COMING
    try:
        change(Photo, photo.key, [Photo.state.set(READY)], condition=coming)
    except NotFound:  # removed again, or erased: then its files go with it
        return
    if photo.post_id:
        settle_photos(photo.user_id, photo.post_id)


def _has_files(photo: Photo) -> bool:
    try:
        open_file(PRIVATE, photo.secret, NAMES[0]).close()
    except NotFound:
        return False
    return True


def _made_of_copy(photo: Photo) -> bool:
    content = _copy_of(photo)
    if content is None:
        log.warning("a removed photo has no copy to be made of: %s", photo.photo_id)
        return False
    try:
        made = make_pictures(io.BytesIO(content), "photo")
    except PictureRefused:
        log.warning("the copy of a removed photo cannot be read: %s", photo.photo_id)
        return False
    save_files(private_place(photo), made.files)
    return True


def _copy_of(photo: Photo) -> bytes | None:
    """Returns the picture as the case kept it, None if it did not."""
    partition = keys.case_partition(CaseKind.PERSON, photo.user_id)
    bounds = keys.bounds(f"{keys.case_photo('', '', photo.photo_id, '').sk}")
    for raw in query(partition, between=bounds, consistent=True):
        kept = as_model(CasePhoto, raw)
        if kept.source == photo.secret and kept.state == Keeping.KEPT:
            try:
                return read_copy(kept.person_id, name_of(kept))
            except NotFound:
                continue
    return None
