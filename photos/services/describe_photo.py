"""Saying what a photo shows, for those who cannot see it."""

from accounts.viewer import Viewer
from photos.attaching import describe
from photos.models import Photo
from photos.services.remove_photo import PhotoInUse
from socialsite.table import keys
from socialsite.table.errors import NotFound
from socialsite.table.meter import access_pattern
from socialsite.table.reading import get
from socialsite.table.writing import transact


@access_pattern
def describe_photo(*, by: Viewer, photo_id: str, description: str) -> None:
    """Sets the description of one of the signed-in person's own photos that no post shows yet.

    One TransactWriteItems of one action, 2 write units per KB. A photo in a post is described with the post, as readers
    see that (`attaching.describe`). Raises `NotFound` and `Frozen`, and `PhotoInUse` for a photo in a post.
    """
    by.must_have_voice()
    unused = Photo.post_id.does_not_exist()
    try:
        transact(describe(by.user_id, photo_id, description, condition=unused))
    except NotFound:
        get(Photo, keys.photo(by.user_id, photo_id), consistent=True)
        raise PhotoInUse(photo_id) from None
