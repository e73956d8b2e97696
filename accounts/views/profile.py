"""Editing a profile, in place of its header or on its own page."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.access_patterns import get_user_info
from accounts.forms.profile import FirstStepsForm, ProfileForm
from accounts.profile_pictures import BadImage, Kind
from accounts.requests import SiteRequest, sign_in_required
from accounts.services import edit_profile as service
from accounts.services.change_pictures import change_pictures, remove_picture
from socialsite.pictures.limits import MOST_BYTES
from socialsite.web.bounds.bodies import takes_upload
from socialsite.web.bounds.limits import UPLOADS, count_hits
from socialsite.web.fragments import form_page


@takes_upload(2 * MOST_BYTES)
@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_required
def edit_profile(request: SiteRequest) -> HttpResponse:
    """Shows the filled form, and saves it. If something is refused, what was typed stays."""
    if request.method != "POST":
        person = get_user_info(request.user.user_id, viewer=request.user)
        initial = {name: getattr(person, name) for name in ("name", "bio", "location", "gender")}
        return _page(request, ProfileForm(initial=initial))
    form = ProfileForm(request.POST, request.FILES)
    if not form.is_valid() or not save_profile(request, form):
        return _page(request, form)
    messages.success(request, _("Profile saved."))
    return own_header(request, is_fresh=True)


@require_safe
@sign_in_required
def show_header(request: SiteRequest) -> HttpResponse:
    """Shows the header again, for people who cancelled."""
    return own_header(request)


def own_header(request: SiteRequest, *, is_fresh: bool = False) -> HttpResponse:
    """Answers with the viewer's own header: htmx gets the fragment, others are sent to the page."""
    if not request.htmx:
        return redirect(f"/@{request.user.handle}")
    person = get_user_info(request.user.user_id, viewer=request.user, consistent=is_fresh)
    return render(request, "accounts/_own_header.html", {"person": person})


def save_profile(request: SiteRequest, form: ProfileForm | FirstStepsForm) -> bool:
    """Saves a valid form. Returns False, with a message beside the picture, if a picture cannot be used."""
    values = form.cleaned_data
    uploads = {kind: values[kind] for kind in Kind if values.get(kind)}
    try:
        if uploads:
            count_hits((UPLOADS, request.user.user_id))
            change_pictures(by=request.user, uploads=uploads)
    except BadImage as bad:
        form.add_error(bad.kind, _("We couldn’t use that picture. Try a JPEG or PNG."))
        return False
    for kind in Kind:
        if kind not in uploads and values.get(f"remove_{kind}"):
            remove_picture(by=request.user, kind=kind)
    service.edit_profile(
        by=request.user,
        name=values.get("name"),
        bio=values["bio"],
        location=values.get("location"),
        gender=values.get("gender"),
    )
    return True


def _page(request: SiteRequest, form: ProfileForm) -> HttpResponse:
    response = form_page(
        request,
        "accounts/edit_profile.html",
        {"form": form},
        fragment="accounts/_profile_form.html",
    )
    response["Cache-Control"] = "no-store"
    return response
