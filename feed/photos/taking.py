"""Takes the photos of a form that was sent: its files become photos, and stay so if the form is refused."""

from collections.abc import Callable, Mapping

from django.utils.translation import gettext as _

from accounts.viewer import Viewer
from feed.forms.photos import PhotosForm, Wished
from feed.forms.story import StoryForm
from feed.photos.attaching import CannotAttach
from feed.photos.tiles import tile_of
from photos.access_patterns import get_photos
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
    return _take_all(form, by, _take_described)


def take_photos_of_draft(form: PhotosForm, *, by: Viewer) -> bool:
    """The same for a draft, in whose transaction the descriptions are written (`save_draft`), and which is kept without
    the photos that are gone."""
    return _take_all(form, by, _take, of_draft=True)


Take = Callable[[PhotosForm, Viewer, Wished, Mapping[str, Photo]], Photo | None]


def _take_all(form: PhotosForm, by: Viewer, take: Take, *, of_draft: bool = False) -> bool:
    """Takes the photos of a form, and those of the further posts in it. A post that was left empty is none."""
    if not form.is_bound:
        return False
    further = getattr(form, "further", ())
    parts = [form, *(part for part in further if not part.is_left_empty)]
    for part in parts:
        part.is_valid()
    named = [one.photo_id for part in parts for one in part.wished if one.photo_id]
    there = {photo.photo_id: photo for photo in get_photos(by, named)}
    for part in parts:
        _take_part(part, by, take, there, of_draft=of_draft)
    if len(set(named)) < len(named) and not of_draft:
        form.add_error("photos", _("A photo can be in a post only once."))
    is_valid = form.is_valid()
    if is_valid and isinstance(form, StoryForm):
        form.cleaned_data["parts"] = form.parts()
    return is_valid


def _take_part(
    form: PhotosForm, by: Viewer, take: Take, there: Mapping[str, Photo], *, of_draft: bool
) -> None:
    named = [one.photo_id for one in form.wished if one.photo_id]
    photos = [(one, take(form, by, one, there)) for one in form.wished]
    if not of_draft and (gone := [one for one in named if one not in there]):
        form.add_error("photos", CannotAttach(gone).sentence)
    form.tiles = [
        tile_of(photo, by, one.description, one.error) for one, photo in photos if photo is not None
    ]
    shown = [tile.photo_id for tile in form.tiles]
    form.taken = tuple(dict.fromkeys([*named, *shown]) if of_draft else shown)
    if hasattr(form, "cleaned_data"):
        form.cleaned_data["photos"] = form.taken


def descriptions_in(form: PhotosForm) -> dict[str, str]:
    """Returns what is said of the photos of all posts in a form, by their ids."""
    parts = (form, *getattr(form, "further", ()))
    return {tile.photo_id: tile.description for part in parts for tile in part.tiles}


def refuse_photos(form: PhotosForm, refusal: CannotAttach) -> None:
    """Says which photos a post cannot have, beside it, and leaves them out."""
    refused = set(refusal.photo_ids)
    parts = [form, *getattr(form, "further", ())]
    for part in parts:
        left = [tile for tile in part.tiles if tile.photo_id not in refused]
        if len(left) < len(part.tiles) or (part is form and not refused):
            part.add_error("photos", refusal.sentence)
        part.tiles = left


def _take_described(
    form: PhotosForm, by: Viewer, one: Wished, there: Mapping[str, Photo]
) -> Photo | None:
    photo = _take(form, by, one, there)
    if photo is None or one.upload or photo.post_id or one.error:
        return photo
    if (photo.alt or "") != one.description:
        describe_photo(by=by, photo_id=one.photo_id, description=one.description)
    return photo


def _take(form: PhotosForm, by: Viewer, one: Wished, there: Mapping[str, Photo]) -> Photo | None:
    if one.upload is None:
        return there.get(one.photo_id)
    count_hits((PHOTOS, by.user_id))
    description = "" if one.error else one.description
    try:
        return upload_photo(by=by, upload=one.upload, description=description)
    except PictureRefused as refused:
        form.add_error("photos", ": ".join([one.upload.name or "", str(REFUSALS[refused.reason])]))
        return None
