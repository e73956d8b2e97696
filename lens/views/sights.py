"""The lens as pages: without a script, and for requests that were no pages."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from lens.middleware import viewer_of
from lens.right import may_look
from lens.sight import kept_of, kept_one
from socialsite.table.errors import NotFound


@require_safe
@never_cache
def list_sights(request: HttpRequest) -> HttpResponse:
    """Lists the last requests of the person. htmx gets the list alone."""
    _must_look(request)
    context = {"sights": kept_of(viewer_of(request))}
    template = "lens/_sights.html" if request.htmx else "lens/sights.html"  # type: ignore[attr-defined]
    return render(request, template, context)


@require_safe
@never_cache
def show_sight(request: HttpRequest, request_id: str) -> HttpResponse:
    """Shows the calls of one request."""
    _must_look(request)
    sight = kept_one(request_id, viewer_of(request))
    if sight is None:
        raise NotFound("no such request is kept")
    return render(request, "lens/sight.html", {"sight": sight})


def _must_look(request: HttpRequest) -> None:
    if not may_look(request):
        raise NotFound("the lens is for developers and staff")
