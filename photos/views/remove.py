"""Deleting a photo that no post shows."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.requests import SiteRequest, sign_in_required
from photos.services.remove_photo import remove_photo


@require_POST
@sign_in_required
def remove(request: SiteRequest, photo_id: str) -> HttpResponse:
    """Deletes the photo. htmx gets nothing in its place, others go back to the album."""
    remove_photo(by=request.user, photo_id=photo_id)
    messages.success(request, _("Photo deleted."))
    if request.htmx:
        return HttpResponse()
    return redirect("/photos")
