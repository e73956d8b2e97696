"""A person's photos as the composer shows them."""

from collections.abc import Sequence

from accounts.viewer import Viewer
from feed.forms.photos import PhotosForm, Tile
from feed.photos.attaching import CannotAttach
from feed.photos.keeping import free_photos
from photos.addresses import WIDTHS, picture_url
from photos.models import Photo


def tile_of(photo: Photo, by: Viewer, description: str, error: str = "") -> Tile:
    return Tile(
        photo_id=photo.photo_id,
        preview_url=picture_url(photo.secret, WIDTHS[0], viewer_id=by.user_id),
        width=int(photo.width),
        height=int(photo.height),
        description=description,
        error=error,
    )


def show_kept(
    forms: Sequence[PhotosForm], photo_ids: Sequence[Sequence[str]], *, by: Viewer
) -> None:
    """Shows the photos of a draft or a scheduled post in empty forms, those of each of its posts in its own, and says
    so if some are gone. As `get_photos`."""
    found = free_photos(by, [one for of_form in photo_ids for one in of_form])
    photos = {photo.photo_id: photo for photo in found}
    for form, wanted in zip(forms, photo_ids, strict=True):
        there = [photos[one] for one in wanted if one in photos]
        form.tiles = [tile_of(photo, by, photo.alt or "") for photo in there]
        if len(there) < len(wanted):
            form.said_of_photos = CannotAttach(wanted).sentence
