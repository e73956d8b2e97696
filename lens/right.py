"""Who may look through the lens: developers, in debug mode."""

from ipaddress import ip_address

from django.conf import settings
from django.http import HttpRequest

from socialsite.web.bounds.limits import client_address


def is_developer(request: HttpRequest) -> bool:
    """Whether the site is in debug mode, and the browser on this machine."""
    try:
        return settings.DEBUG and ip_address(client_address(request)).is_loopback
    except ValueError:
        return False


def may_look(request: HttpRequest) -> bool:
    """Whether the page may have a lens. Asks nothing of the table that the page has not asked."""
    return is_developer(request)


def is_wanted(request: HttpRequest) -> bool:
    """Whether to keep the calls of this request, before anyone knows who asks."""
    return is_developer(request)
