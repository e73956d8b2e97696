"""Editing one's own profile."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.access_patterns import get_user_info
from accounts.avatars import BadImage
from accounts.forms import ProfileForm
from accounts.services import edit_profile as service
from socialsite.web.limits import UPLOADS, count_hits
from socialsite.web.requests import SiteRequest, sign_in_required


@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_required
def edit_profile(request: SiteRequest) -> HttpResponse:
    """Shows the form with what is there; saves it. What was typed stays if something is refused."""
    if request.method != "POST":
        person = get_user_info(request.user.user_id, viewer=request.user)
        initial = {"name": person.name, "bio": person.bio, "location": person.location}
        return _page(request, ProfileForm(initial=initial))
    form = ProfileForm(request.POST, request.FILES)
    if not form.is_valid():
        return _page(request, form)
    try:
        _save(request, form)
    except BadImage:
        form.add_error("avatar", _("This is not a picture that can be used. Try a JPEG or PNG."))
        return _page(request, form)
    messages.success(request, _("Your profile is saved."))
    return redirect(f"/@{request.user.handle}")


def _save(request: SiteRequest, form: ProfileForm) -> None:
    values = form.cleaned_data
    if values["avatar"]:
        count_hits((UPLOADS, request.user.user_id))
        service.change_avatar(by=request.user, upload=values["avatar"].read())
    elif values["remove_avatar"]:
        service.remove_avatar(by=request.user)
    service.edit_profile(
        by=request.user, name=values["name"], bio=values["bio"], location=values["location"]
    )


def _page(request: SiteRequest, form: ProfileForm) -> HttpResponse:
    status = 422 if form.is_bound else 200
    response = render(request, "accounts/edit_profile.html", {"form": form}, status=status)
    response["Cache-Control"] = "no-store"
    return response
