"""Recognises browsers in which someone signed in before, so that other people's wrong passwords do not slow them down.

A cookie holds a mark for each account, newest first: a random id, signed for that account and its password. The mark
names nobody, cannot be forged, fits no other account, and expires when the password changes. It signs nobody in.
"""

import secrets
from ipaddress import ip_address, ip_network

from django.conf import settings
from django.core.signing import BadSignature, TimestampSigner
from django.http import HttpRequest, HttpResponse

MOST_MARKS = 5
SECONDS = 400 * 86_400  # browsers keep no cookie longer
BETWEEN = "."


def find_browser(request: HttpRequest, *, user_id: str, stamp: str) -> str:
    """Returns this browser's id for the account, empty if the account does not know it. `stamp` comes from the
    account's credentials."""
    return _find(_marks(request), _signer(user_id, stamp))


def remember_browser(
    request: HttpRequest, response: HttpResponse, *, user_id: str, stamp: str
) -> None:
    """Sets the cookie. A known browser keeps its id, so signing in again brings no new tries."""
    marks, signer = _marks(request), _signer(user_id, stamp)
    browser_id = _find(marks, signer) or secrets.token_urlsafe(16)
    others = [mark for mark in marks if not _find([mark], signer)]
    response.set_cookie(
        settings.DEVICE_COOKIE_NAME,
        BETWEEN.join([signer.sign(browser_id), *others][:MOST_MARKS]),
        max_age=SECONDS,
        secure=settings.DEVICE_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def network_of(address: str) -> str:
    """Returns the network of an address, as a letter names it: roughly where someone is, such as `192.0.0.0/16`."""
    try:
        size = 16 if ip_address(address).version == 4 else 48
    except ValueError:
        return address
    return str(ip_network(f"{address}/{size}", strict=False))


def _marks(request: HttpRequest) -> list[str]:
    cookie = request.COOKIES.get(settings.DEVICE_COOKIE_NAME, "")
    return cookie.split(BETWEEN)[:MOST_MARKS]


def _signer(user_id: str, stamp: str) -> TimestampSigner:
    return TimestampSigner(salt=f"known browser {user_id} {stamp}")


def _find(marks: list[str], signer: TimestampSigner) -> str:
    for mark in marks:
        try:
            return signer.unsign(mark, max_age=SECONDS)
        except BadSignature:
            continue
    return ""
