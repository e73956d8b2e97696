"""The lens as pages: without a script, and for requests that were no pages."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.requests import SiteRequest
from lens.right import may_look
from lens.sight import kept_of, kept_one
from socialsite.table.errors import NotFound


@require_safe
@never_cache
def list_sights(request: SiteRequest) -> HttpResponse:
    """Lists the last requests of the person. htmx gets the list alone."""
    _must_look(request)
    context = {"sights": kept_of(str(request.user.user_id))}
    template = "lens/_sights.html" if request.htmx else "lens/sights.html"
    return render(request, template, context)


@require_safe
@never_cache
def show_sight(request: SiteRequest, request_id: str) -> HttpResponse:
    """Shows the calls of one request."""
    _must_look(request)
    sight = kept_one(request_id, str(request.user.user_id))
    if sight is None:
        raise NotFound("no such request is kept")
    return render(request, "lens/sight.html", {"sight": sight})


def _must_look(request: SiteRequest) -> None:
    if not may_look(request):
        raise NotFound("the lens is for developers and staff")
