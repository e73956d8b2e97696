"""People who may look through the lens: developers, in debug mode, and staff with the permission who opened it.

Developers have it open until they close it; staff have it closed until they open it. Both is a cookie of the browser
(`views.py`).
"""

from ipaddress import ip_address

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from accounts.people.viewer import Viewer
from accounts.permissions import Permission, permissions_of
from accounts.requests import SiteRequest
from socialsite.table import NotFound
from socialsite.web.limits import client_address

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
