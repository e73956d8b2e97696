"""The person's own photos, before a post has them. Each is private, and there for a day."""

from typing import Any

from django.utils.datastructures import MultiValueDict

from api.access import ApiRequest, Refusal, endpoint, here, refuse, refused_by, valid
from api.entities.media import attachment_of
from photos.forms import REFUSALS, DescriptionForm, UploadForm
from photos.reads import get_photos
from photos.writes import describe_photo, upload_photo
from socialsite.pictures.decoding import PictureRefused
from socialsite.table import NotFound
from socialsite.web.limits import PHOTOS, count_hits


@endpoint("write:media")
def upload(request: ApiRequest) -> Any:
    """Takes a photo, with its description. It is ready at once."""
    viewer, sent = request.user, request.sent
    files = [sent.files["file"]] if "file" in sent.files else []
    form = UploadForm({"description": sent.get("description")}, MultiValueDict({"photo": files}))
    if not form.is_valid():
        refused = refused_by(form)
        raise Refusal(413, refused.sentence) if form.has_error("photo", "bytes") else refused
    count_hits((PHOTOS, viewer.user_id))
    values = form.cleaned_data
    try:
        photo = upload_photo(by=viewer, upload=values["photo"], description=values["description"])
    except PictureRefused as refusal:
        raise refuse(str(REFUSALS[refusal.reason])) from refusal
    return attachment_of(photo, here(request), viewer)


def _told(request: ApiRequest, photo_id: str) -> Any:
    found = get_photos(request.user, [photo_id])
    if not found:
        raise NotFound("no photo of theirs")
    return attachment_of(found[0], here(request), request.user)


@endpoint("write:media")
def attachment(request: ApiRequest, photo_id: str) -> Any:
    """One of the person's own photos."""
    return _told(request, photo_id)


@endpoint("write:media")
def describe(request: ApiRequest, photo_id: str) -> Any:
    """Sets the description of a photo that nothing shows yet."""
    if "description" in request.sent:
        form = DescriptionForm({"description": request.sent.get("description")})
        description = valid(form)["description"]
        describe_photo(by=request.user, photo_id=photo_id, description=description)
    return _told(request, photo_id)
