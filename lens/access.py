"""People who may look through the lens: developers, in debug mode, and staff with the permission who opened it; and
the middleware that keeps the calls of their requests and adds the drawer to their pages.

Developers have it open until they close it; staff have it closed until they open it. Both is a cookie of the browser
(`views.py`).
"""

import time
from collections.abc import Callable
from ipaddress import ip_address

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import override

from accounts.people.viewer import Viewer
from accounts.permissions import Permission, permissions_of
from accounts.requests import SiteRequest
from lens.sight import Sight, keep
from socialsite.clock import utc_now
from socialsite.observing import logs
from socialsite.table import NotFound, measure
from socialsite.web.limits import client_address
from socialsite.web.preferences import language_for, preferences_of

OPEN, CLOSED = "1", "0"
STAYS_OPEN = 8 * 3600  # seconds
STAYS_CLOSED = 365 * 86_400


def is_developer(request: HttpRequest) -> bool:
    """Whether the site is in debug mode, and the browser on this machine."""
    try:
        return settings.DEBUG and ip_address(client_address(request)).is_loopback
    except ValueError:
        return False


def is_wanted(request: HttpRequest) -> bool:
    """Whether to keep the calls of this request, before anyone knows who asks."""
    chosen = request.COOKIES.get(_cookie())
    return chosen == OPEN or (chosen != CLOSED and is_developer(request))


def may_look(request: HttpRequest) -> bool:
    """Whether this answer may have a lens. Does not ask who the viewer is if the page has not; the permissions of a
    role of the site's own cost 0.5 read units."""
    if is_developer(request):
        return True
    people = getattr(request, "people", None)  # missing if an earlier middleware answered
    return (
        request.COOKIES.get(_cookie()) == OPEN and people is not None and _may(people.known_viewer)
    )


def must_look(request: SiteRequest) -> str:
    """Returns the id of the person who looks, empty for visitors. Raises `NotFound` for everyone who may not."""
    viewer_id = str(request.user.user_id)  # read here, as `may_look` reads nothing
    if not may_look(request):
        raise NotFound("the lens is for developers and staff")
    return viewer_id


def keep_choice(response: HttpResponse, *, is_open: bool) -> None:
    """Sets the cookie."""
    response.set_cookie(
        _cookie(),
        OPEN if is_open else CLOSED,
        max_age=STAYS_OPEN if is_open else STAYS_CLOSED,
        secure=not settings.DEBUG,
        httponly=True,
        samesite="Lax",
    )


def _cookie() -> str:
    return "lens" if settings.DEBUG else "__Host-lens"


def _may(viewer: Viewer) -> bool:
    """Whether their role has the permission, and their sign-in proved what staff pages ask for."""
    if settings.STAFF_PASSKEY and not viewer.has_proved_by_passkey:
        return False
    if settings.STAFF_SECOND_FACTOR and not viewer.has_proved_by_code:
        return False
    return Permission.LENS in permissions_of(viewer)


END = b"</body>"
# Pages for developers are not looked at, nor the page that a browser keeps for bad moments.
OWN = ("/dev/", "/offline")


def look_through_lens(get_response: Callable[[HttpRequest], HttpResponse]) -> object:
    """Stands within compression, and around everything that asks the table. Costs nothing for everyone else."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if not is_wanted(request) or request.path.startswith(OWN):
            return get_response(request)
        began = time.perf_counter()
        with measure(keep=True) as meter:
            response = get_response(request)
        if not may_look(request):
            return response
        sight = Sight(
            request_id=logs.request_id.get(),
            viewer_id=viewer_of(request),
            method=request.method or "",
            address=request.get_full_path(),
            page=request.resolver_match.view_name if request.resolver_match else "",
            status=response.status_code,
            moment=utc_now(),
            began=began,
            ended=time.perf_counter(),
            made=tuple(meter.calls),
            is_masked=not is_developer(request),
            is_fragment=bool(getattr(request, "htmx", False)),
        )
        if sight.made:
            keep(sight)
        _add_drawer(request, response, sight)
        return response

    return middleware


def viewer_of(request: HttpRequest) -> str:
    """Returns the id of the person who asks, as far as the page knows them."""
    people = getattr(request, "people", None)
    return str(people.known_viewer.user_id) if people is not None else ""


def _add_drawer(request: HttpRequest, response: HttpResponse, sight: Sight) -> None:
    if response.streaming or not response.get("Content-Type", "").startswith("text/html"):
        return
    before, end, after = response.content.rpartition(END)
    if not end:
        return  # a fragment: its request is in the list of the page's lens
    with override(language_for(request, preferences_of(request))):
        drawer = render_to_string("lens/_drawer.html", {"sight": sight})
    response.content = before + drawer.encode() + end + after
    if response.has_header("Content-Length"):
        response["Content-Length"] = str(len(response.content))
