"""Saying what a photo shows."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.requests import SiteRequest, sign_in_required
from photos.access_patterns import get_photos
from photos.cards import PhotoCard
from photos.forms.photo import DescriptionForm
from photos.services.describe_photo import describe_photo
from socialsite.table.errors import NotFound


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
