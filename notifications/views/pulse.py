"""What an open page asks again and again: what waits for its reader, and at home how many posts are new."""

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from accounts.requests import SiteRequest
from feed.newer import Pill, count_newer, has_newer
from notifications.access_patterns import get_waiting


@require_safe
def pulse(request: SiteRequest) -> HttpResponse:
    """Answers with the badges and the pill of new posts if they are no longer as the page shows them, else 204.

    The page says which badges it shows (`seen`) and, at home, what its pill has counted. Only what decides is read,
    until something is new.
    """
    if not request.htmx:
        return redirect("/")
    pill = _pill_of(request)
    follows_pulled = pill is not None and pill.follows_pulled
    viewer = get_waiting(*request.people.session, with_pulled=follows_pulled)
    if not viewer.is_authenticated:
        return _signed_out()
    is_newer = pill is not None and has_newer(viewer, pill)
    if is_newer and not request.user.is_authenticated:
        return _signed_out()
    if not is_newer and request.GET.get("seen") == viewer.waiting.state:
        return HttpResponse(status=204)
    if pill and is_newer:
        pill = count_newer(request.user, pill)
    context = {"waiting": viewer.waiting, "pill": pill, "is_newer": is_newer}
    return render(request, "notifications/_badges.html", context)


def _pill_of(request: SiteRequest) -> Pill | None:
    asked = request.GET
    if not asked.get("since"):
        return None
    return Pill(asked["since"], asked.get("counted", ""), follows_pulled="pulled" in asked)


def _signed_out() -> HttpResponse:
    response = HttpResponse(status=204)
    response["HX-Redirect"] = "/login"
    return response
