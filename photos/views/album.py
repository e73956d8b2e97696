"""The album: a person's own photos, and sending one more."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.requests import SiteRequest, sign_in_required
from photos.access_patterns import list_album
from photos.cards import PhotoCard
from photos.forms.photo import REFUSALS, UploadForm
from photos.services.upload_photo import upload_photo
from socialsite.pictures.decoding import PictureRefused
from socialsite.pictures.limits import MOST_BYTES
from socialsite.web.bounds.bodies import takes_upload
from socialsite.web.bounds.limits import PHOTOS, count_hits
from socialsite.web.fragments import cursor_of, neighbours, page_or_fragment


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
