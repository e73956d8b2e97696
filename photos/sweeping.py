"""Looks for files that no photo names, for each person in a night after they uploaded or published one.

The stream worker deletes files with their items (`stream_handlers/`). What a crash left beside that, such as a copy
that was still being written when its photo was deleted, is found here.
"""

from datetime import timedelta

from photos.files import PRIVATE, Place, delete_files, list_places
from photos.models import Photo
from socialsite.clock import utc_now
from socialsite.due.planning import plan
from socialsite.models import Due
from socialsite.table import keys
from socialsite.table.actions import Put
from socialsite.table.meter import access_pattern
from socialsite.table.reading import as_model, fetch

SWEEP = "sweep-photos"
NIGHTS = 3  # until what was never used has expired, and has really gone
HOUR = 3


def plan_sweep(user_id: str) -> Put:
    """Returns the action that plans the sweep, for the transaction after which files are written. One a night, however
    many plan it. 2 write units."""
    night = utc_now().replace(hour=HOUR, minute=0, second=0, microsecond=0)
    planned = plan(SWEEP, moment=night + timedelta(days=NIGHTS), subject=user_id)
    assert isinstance(planned.item, Due)
    return Put(planned.item)


@access_pattern
def sweep_photos(user_id: str) -> int:
    """Deletes a person's files that no photo of theirs names, and returns of how many places they were.

    A listing of their entries in the register, then a consistent BatchGetItem of their photos, 1 read unit each. Files
    are listed before items are read, and items are there before files. So a file that comes in between is never taken
    for one that was left behind.
    """
    places = list(list_places(user_id))
    found = fetch({keys.photo(user_id, one.photo_id) for one in places}, consistent=True)
    photos = {key: as_model(Photo, raw) for key, raw in found.items()}
    stray = [
        one for one in places if not _names(photos.get(keys.photo(user_id, one.photo_id)), one)
    ]
    for place in stray:
        delete_files(place)
    return len(stray)


def _names(photo: Photo | None, place: Place) -> bool:
    if photo is None:
        return False
    return place.secret == (photo.secret if place.folder == PRIVATE else photo.public_secret)
