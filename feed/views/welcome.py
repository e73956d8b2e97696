"""First steps after sign-up: a picture, a bio, people to follow. All can be skipped."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.access_patterns import get_user_info
from accounts.forms.profile import FirstStepsForm
from accounts.requests import SiteRequest, sign_in_required
from accounts.views.profile import save_profile
from feed.suggested.suggest_people import suggest_people
from socialsite.pictures.limits import MOST_BYTES
from socialsite.web.bounds.bodies import takes_upload

GOAL = 3  # people, so that a timeline is worth reading
SHOWN = 6


@takes_upload(MOST_BYTES)
@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_required
def welcome(request: SiteRequest) -> HttpResponse:
    """Shows the steps, and saves the first one. htmx gets how many people the viewer follows by now."""
    person = get_user_info(request.user.user_id, viewer=request.user)
    form = FirstStepsForm(request.POST or None, request.FILES or None, initial={"bio": person.bio})
    if request.method == "POST" and form.is_valid() and save_profile(request, form):
        messages.success(request, _("Profile saved."))
        return redirect("/welcome")
    context = {
        "form": form,
        "goal": GOAL,
        "done": min(GOAL, person.following or 0),
        "people": suggest_people(viewer=request.user, size=SHOWN),
    }
    status = 422 if form.errors else 200
    return render(request, "feed/welcome.html", context, status=status)


@require_safe
@sign_in_required
def progress(request: SiteRequest) -> HttpResponse:
    """Shows how many people the viewer follows by now, after each press of a follow button."""
    if not request.htmx:
        return redirect("/welcome")
    person = get_user_info(request.user.user_id, viewer=request.user)
    context = {"goal": GOAL, "done": min(GOAL, person.following or 0)}
    return render(request, "feed/_welcome_progress.html", context)
