"""What a view may expect of a request."""

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django_htmx.middleware import HtmxDetails

from socialsite.table.errors import NotFound

if TYPE_CHECKING:
    from accounts.middleware import People
    from accounts.viewer import Viewer

P = ParamSpec("P")


class SiteRequest(HttpRequest):
    """A request with its viewer, the people of its address, and htmx's details."""

    user: "Viewer"  # type: ignore[assignment]
    people: "People"
    htmx: HtmxDetails
    POST: QueryDict  # type: ignore[assignment]


View = Callable[Concatenate[SiteRequest, P], HttpResponseBase]


def sign_in_required(view: View[P]) -> View[P]:
    """Sends visitors to the sign-in page, and back afterwards to the page they came from."""

    @wraps(view)
    def guarded(request: SiteRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if request.user.is_authenticated:
            return view(request, *args, **kwargs)
        target = request.get_full_path() if request.method == "GET" else "/"
        address = f"/login?{urlencode({'next': target})}"
        if request.htmx:
            response = HttpResponse(status=204)
            response["HX-Redirect"] = address
            return response
        return redirect(address)

    return guarded


def staff_required(view: View[P]) -> View[P]:
    """For moderators and admins; to everybody else the page is not there."""

    @wraps(view)
    def guarded(request: SiteRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if not request.user.is_staff:
            raise NotFound("staff only")
        return view(request, *args, **kwargs)

    return guarded
