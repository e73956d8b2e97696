"""Who may open a page of the staff: who has the permission, a second factor, and for changes has just proved it."""

from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from typing import ParamSpec
from urllib.parse import urlencode, urlsplit

from django.conf import settings
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect

from accounts.permissions import Permission, permissions_of
from accounts.second_factor import get_second_factor
from socialsite.table.errors import NotFound
from socialsite.web.requests import SiteRequest, View

P = ParamSpec("P")


def permission_required(permission: Permission) -> Callable[[View[P]], View[P]]:
    """Without the permission the page is not there.

    Where `STAFF_SECOND_FACTOR` is on, who has no second factor is sent to turn it on (0.5 read units to know), and a
    change is done only within `STAFF_PROOF_MINUTES` of a proof: else nothing is done, and they are sent to give one.
    """

    def guard(view: View[P]) -> View[P]:
        @wraps(view)
        def guarded(request: SiteRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            if permission not in permissions_of(request.user):
                raise NotFound("not permitted")
            missing = _missing_proof(request) if settings.STAFF_SECOND_FACTOR else ""
            return _send(request, missing) if missing else view(request, *args, **kwargs)

        return guarded

    return guard


def _missing_proof(request: SiteRequest) -> str:
    """Where somebody goes first, empty if all is there."""
    minutes = timedelta(minutes=settings.STAFF_PROOF_MINUTES)
    if request.user.has_proved_within(minutes, by_code=True):
        return ""
    if not get_second_factor(request.user.user_id).is_on:
        return "/settings/security"
    if request.method in ("GET", "HEAD"):
        return ""
    return f"/confirm?{urlencode({'next': _page_of(request), 'again': '1'})}"


def _page_of(request: SiteRequest) -> str:
    """The page from which a form was sent, as the browser says it, home if it is of another site."""
    address = urlsplit(
        request.htmx.current_url or "" if request.htmx else request.headers.get("Referer", "")
    )
    if address.netloc != request.get_host() or not address.path.startswith("/"):
        return "/"
    return f"{address.path}?{address.query}" if address.query else address.path


def _send(request: SiteRequest, address: str) -> HttpResponse:
    if request.htmx:
        response = HttpResponse(status=204)
        response["HX-Redirect"] = address
        return response
    return redirect(address)
