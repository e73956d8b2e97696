"""Lets photos go that drafts held which are gone."""

from collections.abc import Iterable

from feed.photos.keeping import release_photos
from photos.models import Photo
from socialsite.table.reading import RawItem
from socialsite.table.row import row


def release_orphaned_photos(photos: Iterable[RawItem]) -> None:
    """Releases those of the raw photos whose drafts and scheduled posts do not name them any more. As `release_photos`,
    for each that is held. Safe to repeat."""
    for raw in photos:
        photo = row(Photo, raw)
        for holder in photo.held_by or ():
            release_photos(photo.user_id, [photo.photo_id], holder=holder)
