"""The album: a person's own photos, sending one more, describing and deleting them. And the photos' files, with headers
that make browsers treat them only as pictures: what everyone may see asks the table nothing, the rest whether the
viewer is still signed in and no block came. What is unknown, expired or for somebody else is not found, without a
difference."""

from typing import IO

from django.contrib import messages
from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.requests import SiteRequest, sign_in_required
from photos.files import NAMES, PRIVATE, PUBLIC, open_file
from photos.forms import REFUSALS, DescriptionForm, UploadForm
from photos.reads import (
    PhotoCard,
    get_photos,
    is_signed,
    list_album,
    may_open,
    seconds_left,
    signed_name,
)
from photos.writes import describe_photo, remove_photo, upload_photo
from socialsite.pictures.decoding import PictureRefused
from socialsite.pictures.limits import MOST_BYTES
from socialsite.table import NotFound
from socialsite.web.bodies import takes_upload
from socialsite.web.fragments import cursor_of, neighbours, page_or_fragment
from socialsite.web.limits import PHOTOS, count_hits
from socialsite.web.static_files import shown_elsewhere


def picture_response(file: IO[bytes], name: str) -> FileResponse:
    kind = "image/jpeg" if name.endswith(".jpg") else "image/webp"
    response = FileResponse(file, content_type=kind)
    response["Content-Security-Policy"] = "default-src 'none'; sandbox"
    response["X-Content-Type-Options"] = "nosniff"
    return response


@takes_upload(MOST_BYTES)
@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_required
def album(request: SiteRequest) -> HttpResponse:
    """Shows the photos, newest first, or takes another one. htmx gets its tile, others go back to the album."""
    if request.method != "POST":
        return _show(request, UploadForm())
    form = UploadForm(request.POST, request.FILES)
    if not form.is_valid():
        return _refused(request, form)
    count_hits((PHOTOS, request.user.user_id))
    try:
        photo = upload_photo(
            by=request.user,
            upload=form.cleaned_data["photo"],
            photo_id=form.cleaned_data["photo_id"],
            description=form.cleaned_data["description"],
        )
    except PictureRefused as refusal:
        form.add_error("photo", REFUSALS[refusal.reason])
        return _refused(request, form)
    if request.htmx:
        return render(request, "photos/_tile.html", {"photo": PhotoCard.of(photo, request.user)})
    messages.success(request, _("Photo added. Only you can see it until you post it."))
    return redirect("/photos")


def _refused(request: SiteRequest, form: UploadForm) -> HttpResponse:
    if request.htmx:
        return render(request, "photos/_refused.html", {"form": form}, status=422)
    return _show(request, form, status=422)


def _show(request: SiteRequest, form: UploadForm, *, status: int = 200) -> HttpResponse:
    page = list_album(request.user, cursor=cursor_of(request))
    photos = [PhotoCard.of(photo, request.user) for photo in page.items]
    context = {"form": form, "photos": photos, **neighbours(request, page)}
    return page_or_fragment(
        request, "photos/album.html", "photos/_album_page.html", context, status=status
    )


@require_POST
@sign_in_required
def describe(request: SiteRequest, photo_id: str) -> HttpResponse:
    """Saves the description. htmx gets the photo's row of the album again, others go back to it."""
    form = DescriptionForm(request.POST)
    if form.is_valid():
        description = form.cleaned_data["description"]
        describe_photo(by=request.user, photo_id=photo_id, description=description)
        messages.success(request, _("Description saved."))
        if not request.htmx:
            return redirect("/photos")
    found = get_photos(request.user, [photo_id])
    if not found:
        raise NotFound("no such photo")
    context = {"photo": PhotoCard.of(found[0], request.user), "form": form}
    status = 200 if form.is_valid() else 422
    template = "photos/_album_photo.html" if request.htmx else "photos/describe.html"
    return render(request, template, context, status=status)


@require_POST
@sign_in_required
def remove(request: SiteRequest, photo_id: str) -> HttpResponse:
    """Deletes the photo. htmx gets nothing in its place, others go back to the album."""
    remove_photo(by=request.user, photo_id=photo_id)
    messages.success(request, _("Photo deleted."))
    if request.htmx:
        return HttpResponse()
    return redirect("/photos")


A_DAY = 86_400  # seconds; what is deleted shall be gone everywhere after that


@require_safe
def public_photo(request: HttpRequest, secret: str, name: str) -> HttpResponseBase:
    """Serves what everyone may see. The same address always has the same picture."""
    response = file_of_photo(PUBLIC, secret, name)
    response["Cache-Control"] = f"public, max-age={A_DAY}, immutable"
    return shown_elsewhere(response)


@require_safe
def private_photo(request: SiteRequest, secret: str, name: str) -> HttpResponseBase:
    """Serves a picture to the viewer for whom the address was made, while their sign-in lasts: a copy of the cookie
    opens nothing once it has ended. Costs as `may_open`, and nothing for an address that is not theirs."""
    asked = request.GET
    hour, owner_id, until = asked.get("e", ""), asked.get("o", ""), asked.get("u", "")
    viewer_id, secret_hash = request.people.session
    signature, name_signed = asked.get("s", ""), signed_name(secret, owner_id, until)
    if not is_signed(name_signed, hour=hour, signature=signature, viewer_id=viewer_id):
        raise NotFound("not for this viewer")
    if not (left := seconds_left(hour, until)):
        raise NotFound("its message has ended")
    if not may_open(viewer_id, secret_hash, owner_id=owner_id):
        raise NotFound("signed out, or blocked")
    response = file_of_photo(PRIVATE, secret, name)
    response["Cache-Control"] = f"private, max-age={left}, immutable"
    return response


def file_of_photo(folder: str, secret: str, name: str) -> FileResponse:
    """Answers with a file, and raises `NotFound` if there is none. Its caller has asked who may see it."""
    if name not in NAMES:
        raise NotFound("no such size")
    return picture_response(open_file(folder, secret, name), name)
