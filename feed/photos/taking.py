"""Takes the photos of a form that was sent: its files become photos, and stay so if the form is refused."""

from collections.abc import Iterable

from accounts.viewer import Viewer
from feed.forms.photos import PhotosForm, Tile, Wished
from feed.photos.attaching import CannotAttach
from photos.access_patterns import get_photos
from photos.addresses import WIDTHS, picture_url
from photos.forms.photo import REFUSALS
from photos.models import Photo
from photos.services.describe_photo import describe_photo
from photos.services.upload_photo import upload_photo
from socialsite.pictures.decoding import PictureRefused
from socialsite.web.bounds.limits import PHOTOS, count_hits


def take_photos(form: PhotosForm, *, by: Viewer) -> bool:
    """Makes photos of the files in a form, and keeps what was typed about those that were there. Returns whether the
    form is valid, and shows all photos as its `tiles`, whether or not it is.

    A consistent BatchGetItem of the photos that were there, and what `upload_photo` and `describe_photo` take for each.
    """
    if not form.is_bound:
        return False
    form.is_valid()
    named = [one.photo_id for one in form.wished if one.photo_id]
    there = {photo.photo_id: photo for photo in get_photos(by, named)}
    photos = [(one, _take(form, by, one, there)) for one in form.wished]
    if len(there) < len(named):
        form.add_error("photos", CannotAttach(named).sentence)
    form.tiles = list(_tiles(photos, by))
    if form.is_valid():
        form.cleaned_data["photos"] = tuple(tile.photo_id for tile in form.tiles)
    return form.is_valid()


def refuse_photos(form: PhotosForm, refusal: CannotAttach) -> None:
    """Says which photos a post cannot have, and leaves them out."""
    form.add_error("photos", refusal.sentence)
    form.tiles = [tile for tile in form.tiles if tile.photo_id not in refusal.photo_ids]


def _take(form: PhotosForm, by: Viewer, one: Wished, there: dict[str, Photo]) -> Photo | None:
    description = "" if one.error else one.description
    if one.upload is None:
        photo = there.get(one.photo_id)
        if photo is None or photo.post_id or one.error:
            return photo
        if (photo.alt or "") != description:
            describe_photo(by=by, photo_id=one.photo_id, description=description)
        return photo
    count_hits((PHOTOS, by.user_id))
    try:
        return upload_photo(by=by, upload=one.upload, description=description)
    except PictureRefused as refused:
        form.add_error("photos", ": ".join([one.upload.name or "", str(REFUSALS[refused.reason])]))
        return None


def _tiles(photos: Iterable[tuple[Wished, Photo | None]], by: Viewer) -> Iterable[Tile]:
    for one, photo in photos:
        if photo is None:
            continue
        yield Tile(
            photo_id=photo.photo_id,
            preview_url=picture_url(photo.secret, WIDTHS[0], viewer_id=by.user_id),
            width=int(photo.width),
            height=int(photo.height),
            description=one.description,
            error=one.error,
        )
