"""Keeps photos for as long as a draft or a scheduled post names them.

The transaction that writes the draft keeps its photos: they have no `ttl` from then on, and name it in `held_by`. What
ends that is of many kinds: a photo is taken out, the draft is published, deleted, or expires. So the stream worker
releases photos, whatever ended it (`stream_handlers/photos/release_photos.py`).
"""

from collections.abc import Collection, Mapping, Sequence

from accounts.viewer import Viewer
from feed.composing.scheduled import Slot
from feed.models import Draft
from photos.access_patterns import get_photos
from photos.attaching import keep, release
from photos.models import Photo
from socialsite.table import keys
from socialsite.table.actions import Change, Check
from socialsite.table.as_read import Moved, write_as_read
from socialsite.table.keys import Key
from socialsite.table.meter import access_pattern
from socialsite.table.reading import as_model, fetch
from socialsite.table.row import row
from socialsite.table.writing import transact


def free_photos(by: Viewer, photo_ids: Sequence[str]) -> list[Photo]:
    """Returns those of the person's photos that are there, and that no post shows. As `get_photos`."""
    return [photo for photo in get_photos(by, photo_ids) if not photo.post_id]


def keep_photos(
    photos: Sequence[Photo], *, holder: str, descriptions: Mapping[str, str] | None = None
) -> list[Change]:
    """Returns the actions that keep these photos for a holder, and set what is said of them, where that changes
    anything. 2 write units each, and per KB."""
    said = descriptions or {}
    return [
        keep(photo, holder=holder, description=said.get(photo.photo_id))
        for photo in photos
        if holder not in (photo.held_by or ())
        or said.get(photo.photo_id, photo.alt or "") != (photo.alt or "")
    ]


@access_pattern
def release_photos(user_id: str, photo_ids: Collection[str], *, holder: str) -> None:
    """Releases these photos, unless the holder, a draft's id or a scheduled post's slot, is there and names them. Safe
    to repeat, and for photos that are gone or that a post shows.

    A consistent BatchGetItem of the holder and the photos, 1 read unit each. If something is to change, one
    TransactWriteItems of the photos and a check of the holder, 2 write units each.
    """
    place = _place_of(user_id, holder)
    asked = [keys.photo(user_id, one) for one in photo_ids]

    def attempt() -> None:
        found = fetch([place, *asked], consistent=True)
        there = row(Draft, found.pop(place, {}))
        photos = [as_model(Photo, raw) for raw in found.values()]
        left = [
            release(photo, holder=holder)
            for photo in photos
            if holder in (photo.held_by or ()) and photo.photo_id not in (there.photos or ())
        ]
        if left:
            version = Draft.version
            same = version == int(there.version) if there.version else version.does_not_exist()
            transact(*left, Check(place, same, Moved))

    write_as_read(attempt)


def _place_of(user_id: str, holder: str) -> Key:
    slot = Slot.of(holder)
    return slot.key(user_id) if slot else keys.draft(user_id, holder)
