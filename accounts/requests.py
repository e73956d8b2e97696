"""What a view may expect of a request: its viewer, and the guards that require a sign-in."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec
from urllib.parse import urlencode

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect

from accounts.middleware import People
from accounts.viewer import Viewer
from socialsite.web.requests import HtmxRequest

P = ParamSpec("P")


class SiteRequest(HtmxRequest):
    """A request with its viewer and the people of its address."""

    user: Viewer  # type: ignore[assignment]
    people: People


View = Callable[Concatenate[SiteRequest, P], HttpResponseBase]


def sign_in_required(view: View[P]) -> View[P]:
    """Sends visitors to the sign-in page, and back to the same page afterwards. People who are locked out get their
    account status instead."""

    @wraps(view)
    def guarded(request: SiteRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if request.user.is_authenticated:
            return view(request, *args, **kwargs)
        return send_to_sign_in(request)

    return guarded


def account_required(view: View[P]) -> View[P]:
    """Like `sign_in_required`, for pages that people who are locked out can open too. `request.user.account_id` says
    who they are."""

    @wraps(view)
    def guarded(request: SiteRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if request.user.account_id:
            return view(request, *args, **kwargs)
        return send_to_sign_in(request)

    return guarded


def send_to_sign_in(request: SiteRequest) -> HttpResponse:
    """Leads to the sign-in page and back, people who are locked out to their account status."""
    target = request.get_full_path() if request.method == "GET" else "/"
    sign_in = f"/login?{urlencode({'next': target})}"
    address = "/standing" if request.user.locked_out else sign_in
    if request.htmx:
        response = HttpResponse(status=204)
        response["HX-Redirect"] = address
        return response
    return redirect(address)
