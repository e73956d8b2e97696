"""The lens as pages: without a script, and for requests that were no pages."""

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.guards import permission_required
from accounts.permissions import Permission
from accounts.requests import SiteRequest
from lens.right import is_developer, is_wanted, must_look
from lens.sight import kept_of, kept_one
from socialsite.table.errors import NotFound


@require_safe
@never_cache
def list_sights(request: SiteRequest) -> HttpResponseBase:
    """Lists the last requests of the person, and opens or closes the lens. htmx gets the list alone."""
    return _list(request) if is_developer(request) else _list_for_staff(request)


@permission_required(Permission.LENS)
def _list_for_staff(request: SiteRequest) -> HttpResponse:
    return _list(request)


def _list(request: SiteRequest) -> HttpResponse:
    context = {
        "sights": kept_of(str(request.user.user_id)),
        "is_open": is_wanted(request),
        "is_developer": is_developer(request),
    }
    template = "lens/_sights.html" if request.htmx else "lens/sights.html"
    return render(request, template, context)


@require_safe
@never_cache
def show_sight(request: SiteRequest, request_id: str) -> HttpResponse:
    """Shows the calls of one request."""
    sight = kept_one(request_id, must_look(request))
    if sight is None:
        raise NotFound("no such request is kept")
    return render(request, "lens/sight.html", {"sight": sight})
