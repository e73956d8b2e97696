"""One's circles: their names, and which of them a friend is in, with a private note."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.forms.circles import CirclesForm
from accounts.profiles import get_profile
from accounts.relation_lists import list_circles
from accounts.services.file_friend import file_friend
from accounts.views.answers import back_of, explain_refusals
from socialsite.table.errors import NotFound
from socialsite.web.requests import SiteRequest, sign_in_required


@require_safe
@sign_in_required
def circles(request: SiteRequest) -> HttpResponse:
    """All names, each with how many friends are in it."""
    context = {"circles": list_circles(request.user), "tab": "circles"}
    return render(request, "accounts/circles.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_required
@explain_refusals
def friend_circles(request: SiteRequest, handle: str) -> HttpResponse:
    """Shows and saves the circles that a friend is in, and the note; nobody but friends has either."""
    profile = get_profile(request.people.person_id, viewer=request.user)
    if not profile.bond.is_friend:
        raise NotFound("not a friend")
    typed = request.POST if request.method == "POST" else None
    initial = {"circles": profile.bond.circles, "note": profile.bond.note}
    form = CirclesForm(typed, initial=initial, existing=list_circles(request.user))
    if form.is_valid():
        file_friend(
            by=request.user,
            user_id=profile.person.user_id,
            circles=form.chosen,
            note=form.cleaned_data["note"],
        )
        messages.success(request, _("Saved. Only you see this."))
        return redirect(back_of(request))
    context = {"person": profile.person, "form": form, "back": back_of(request)}
    status = 422 if form.is_bound else 200
    return render(request, "accounts/friend_circles.html", context, status=status)
