"""Deleting a photo that no post shows."""

from django.utils.translation import gettext as _

from accounts.viewer import Viewer
from photos.models import Photo
from socialsite.table import keys
from socialsite.table.actions import Delete
from socialsite.table.as_read import Moved, write_as_read
from socialsite.table.errors import NotFound, TableError
from socialsite.table.meter import access_pattern
from socialsite.table.reading import get
from socialsite.table.writing import transact


class PhotoInUse(TableError):
    """A post shows the photo."""

    status, template = 409, "photos/in_use.html"

    def __init__(self, photo_id: str) -> None:
        super().__init__(photo_id)
        self.told = _("A post shows this photo. Delete the post, and the photo goes with it.")


@access_pattern
def remove_photo(*, by: Viewer, photo_id: str) -> None:
    """Deletes one of the signed-in person's own photos; safe to repeat. The stream worker then deletes its files.

    A consistent GetItem and one TransactWriteItems of one action, 2 write units. Raises `PhotoInUse`.
    """
    key = keys.photo(by.user_id, photo_id)

    def attempt() -> None:
        try:
            photo = get(Photo, key, consistent=True)
        except NotFound:
            return
        if photo.post_id:
            raise PhotoInUse(photo_id)
        transact(Delete(key, Photo.post_id.does_not_exist(), otherwise=Moved))

    write_as_read(attempt)
