"""Who may look through the lens: developers in debug mode, and staff with the permission."""

from ipaddress import ip_address

from django.conf import settings
from django.http import HttpRequest

from accounts.permissions import Permission, permissions_of
from socialsite.web.bounds.limits import client_address

COOKIE = "lens"  # staff of a site in production open the lens by a setting of their browser


def is_developer(request: HttpRequest) -> bool:
    """Whether the site is in debug mode, and the browser on this machine."""
    try:
        return settings.DEBUG and ip_address(client_address(request)).is_loopback
    except ValueError:
        return False


def may_look(request: HttpRequest) -> bool:
    """Whether the page may have a lens. Asks nothing of the table that the page has not asked."""
    if is_developer(request):
        return True
    people = getattr(request, "people", None)  # missing if an earlier middleware answered
    return people is not None and Permission.WORKER in permissions_of(people.known_viewer)


def is_wanted(request: HttpRequest) -> bool:
    """Whether to keep the calls of this request, before anyone knows who asks."""
    return is_developer(request) or request.COOKIES.get(COOKIE) == "1"
