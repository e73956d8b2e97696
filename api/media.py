"""The person's own photos, before a post has them: each is private, and there for a day. And the files of photos that
are not for everyone, by addresses of `api/photo_addresses.py`."""

from typing import Any

from django.http import HttpResponseBase
from django.utils.datastructures import MultiValueDict
from django.views.decorators.http import require_safe

from accounts.access.reads import get_viewer_of_app
from accounts.people.viewer import Viewer
from api.access import ApiRequest, Refusal, answer_to, endpoint, here, refuse, refused_by, valid
from api.entities.media import attachment_of
from api.pages import pointer_to
from api.photo_addresses import OWN, PhotoAddress
from feed.cards.reads import get_posts
from feed.posts.reads import sight_keys
from photos.files import PRIVATE
from photos.forms import REFUSALS, DescriptionForm, UploadForm
from photos.reads import get_photos
from photos.views import file_of_photo
from photos.writes import describe_photo, upload_photo
from socialsite.engine.program import EngineError
from socialsite.pictures.decoding import PictureRefused
from socialsite.table import NotFound, TableError
from socialsite.web.limits import PHOTOS, count_hits
from socialsite.web.static_files import shown_elsewhere


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


@require_safe
def photo(
    request: ApiRequest, post: str, photo_id: str, secret: str, name: str
) -> HttpResponseBase:
    """Serves a photo that is not for everyone to the app for which the address was made. All is asked again: that
    the token lasts, that its person is not locked out, and that they may see the post, which still has this photo. So a
    block, a narrower audience, a deletion and a decision of moderators act at once, on copies of the address too.

    As `get_viewer` and `get_posts`, 2 calls and at most 6 read units, in an answer 3 and at most 9; no call for an
    address that the site did not make.
    """
    try:
        return _photo_of(PhotoAddress.asked(post, photo_id, secret, request.GET.dict()), name)
    except (TableError, EngineError, OSError) as error:
        answer = answer_to(request, error)
        if answer is None:
            raise
        return answer


def _photo_of(asked: PhotoAddress, name: str) -> HttpResponseBase:
    viewer, _access = get_viewer_of_app(asked.reader)
    if not viewer.is_authenticated or not _shows(asked, viewer):
        raise NotFound("not for this reader any more")
    response = file_of_photo(PRIVATE, asked.secret, name)
    response["Cache-Control"] = f"private, max-age={asked.seconds_left}, immutable"
    return shown_elsewhere(response)


def _shows(asked: PhotoAddress, viewer: Viewer) -> bool:
    """Whether the photo is the viewer's own, or in a post that they may see."""
    if asked.post == OWN:
        return bool(get_photos(viewer, [asked.photo_id]))
    pointer = pointer_to(asked.post)
    sight = sight_keys(viewer, [pointer.author_id])
    cards = get_posts([pointer], viewer=viewer, quiet=None, beforehand=sight)
    return any(one.photo_id == asked.photo_id for card in cards for one in card.photos)
