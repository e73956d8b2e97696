"""Where someone signs in from: the network and the browser, so that staff find the accounts of one person.

The table holds neither. It holds keyed hashes, for 90 days after the last sign-in. The network is that of the address,
as wide as a household or a small company. The browser is a random id in a signed cookie of its own, which every account
that signs in there shares: the marks of `known_browsers.py` differ for each account on purpose.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from ipaddress import ip_address, ip_network

from django.conf import settings
from django.core.signing import BadSignature, TimestampSigner
from django.http import HttpRequest, HttpResponse

from accounts.encryption.encrypted_text import keyed_hashes
from accounts.models import Origin, OriginTrace
from socialsite.clock import utc_now
from socialsite.table.actions import Put
from socialsite.web.bounds.limits import client_address

DAYS = 90
SECONDS = DAYS * 86_400
WIDTH = {4: 24, 6: 64}  # bits of an address that name a network


class OriginKind(StrEnum):
    NETWORK = "net"
    BROWSER = "device"


@dataclass(frozen=True, slots=True)
class Origins:
    """The network and the browser's id of a request, readable. Each is empty if unknown. They are never stored so."""

    network: str = ""
    browser: str = ""


NOWHERE = Origins()  # of a command or a test


def origins_of(request: HttpRequest) -> Origins:
    """Returns where a request comes from. A browser without an id gets a new one, which `remember_origin` has it
    keep."""
    cookie = request.COOKIES.get(settings.ORIGIN_COOKIE_NAME, "")
    try:
        browser = _signer().unsign(cookie, max_age=SECONDS)
    except BadSignature:
        browser = secrets.token_urlsafe(16)
    return Origins(origin_network(client_address(request)), browser)


def remember_origin(response: HttpResponse, origins: Origins) -> None:
    """Has the browser keep its id for 90 more days."""
    response.set_cookie(
        settings.ORIGIN_COOKIE_NAME,
        _signer().sign(origins.browser),
        max_age=SECONDS,
        secure=settings.ORIGIN_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def origin_network(address: str) -> str:
    """Returns the network that counts as one origin, `203.0.113.0/24` or `2001:db8::/64`; empty for no address."""
    try:
        written = ip_address(address.partition("%")[0])  # without an IPv6 address's zone
    except ValueError:
        return ""
    found = getattr(written, "ipv4_mapped", None) or written
    return str(ip_network(f"{found}/{WIDTH[found.version]}", strict=False))


def origin_hmacs(kind: OriginKind, text: str) -> list[str]:
    """Returns the hash of a network or a browser's id under each `DATA_KEY` of the settings, the current one first."""
    return keyed_hashes(text, purpose=f"origin {kind}")


def noting_origins(origins: Origins, user_id: str) -> Sequence[Put]:
    """Returns the actions that note them for the account, in the transaction of its sign-in. Noting them again only
    moves their end. 4 write units for each of the two."""
    now = utc_now()
    until, seen = now + timedelta(days=DAYS), now.date().isoformat()
    known = {OriginKind.NETWORK: origins.network, OriginKind.BROWSER: origins.browser}
    noted: list[Put] = []
    for kind, text in known.items():
        if text:
            hmac = origin_hmacs(kind, text)[0]
            for model in (Origin, OriginTrace):
                noted.append(
                    Put(model.new(kind=kind, hmac=hmac, user_id=user_id, seen=seen, ttl=until))
                )
    return noted


def _signer() -> TimestampSigner:
    return TimestampSigner(salt="origin")
