"""Which browser and network a sign-in comes from, and so which tries are counted together.

Browsers in which someone signed in before are recognised, so that other people's wrong passwords do not slow them
down: a cookie holds a mark for each account, newest first, a random id that is signed for that account and its
password. The mark names nobody, cannot be forged, fits no other account, and expires when the password changes. It
signs nobody in. Such a browser has a lane of its own. All others share the lanes of the account, of their address,
and of both together.

Origins let staff find the accounts of one person. The table holds neither network nor browser, but keyed hashes, for
90 days after the last sign-in. The network is that of the address, as wide as a household or a small company. The
browser is a random id in a signed cookie of its own, which every account that signs in there shares: the marks differ
for each account on purpose.
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

from accounts.encryption.emails import email_hmac
from accounts.encryption.site_keys import keyed_hashes
from accounts.models import Origin, OriginTrace
from socialsite.clock import utc_now
from socialsite.table import Put
from socialsite.web.limits import Lane, Slowdown, client_address

MOST_MARKS = 5
MARK_SECONDS = 400 * 86_400  # browsers keep no cookie longer
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
        max_age=MARK_SECONDS,
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
            return signer.unsign(mark, max_age=MARK_SECONDS)
        except BadSignature:
            continue
    return ""


DAYS = 90
COOKIE_SECONDS = DAYS * 86_400
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
        browser = _origin_signer().unsign(cookie, max_age=COOKIE_SECONDS)
    except BadSignature:
        browser = secrets.token_urlsafe(16)
    return Origins(origin_network(client_address(request)), browser)


def remember_origin(response: HttpResponse, origins: Origins) -> None:
    """Has the browser keep its id for 90 more days."""
    response.set_cookie(
        settings.ORIGIN_COOKIE_NAME,
        _origin_signer().sign(origins.browser),
        max_age=COOKIE_SECONDS,
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


def _origin_signer() -> TimestampSigner:
    return TimestampSigner(salt="origin")


HOUR, DAY = 3600, 86_400  # seconds

PASSWORD_BY_BROWSER = Slowdown("password-browser", free=10, longest=300, seconds=DAY)
PASSWORD_BY_ACCOUNT = Slowdown("password-account", free=20, longest=600, seconds=DAY)
PASSWORD_BY_BOTH = Slowdown("password-both", free=5, longest=600, seconds=DAY)
PASSWORD_BY_ADDRESS = Slowdown("password-address", free=25, longest=60, seconds=HOUR)
CODE_BY_BROWSER = Slowdown("code-browser", free=5, longest=1800, seconds=DAY)
CODE_BY_ACCOUNT = Slowdown("code-account", free=5, longest=1800, seconds=DAY)
CODE_BY_ADDRESS = Slowdown("code-address", free=25, longest=60, seconds=HOUR)

PASSKEY_BY_ADDRESS = Slowdown("passkey-address", free=25, longest=60, seconds=HOUR)


def passkey_lanes(address: str) -> list[Lane]:
    """Returns the lane of a try with a passkey. Nobody guesses one: it bounds what a stranger makes us read."""
    return [(PASSKEY_BY_ADDRESS, address)]


def password_lanes(account_name: str, *, address: str, browser_id: str) -> list[Lane]:
    """Returns the lanes of a try for the account name as typed, even if it does not exist. `browser_id` is empty if the
    account does not know the browser."""
    if browser_id:
        return [(PASSWORD_BY_BROWSER, browser_id)]
    account = email_hmac(account_name)
    return [
        (PASSWORD_BY_ACCOUNT, account),
        (PASSWORD_BY_BOTH, f"{account} {address}"),
        (PASSWORD_BY_ADDRESS, address),
    ]


def code_lanes(user_id: str, *, address: str, browser_id: str) -> list[Lane]:
    """Returns the lanes of a try with a code, after the password was right."""
    if browser_id:
        return [(CODE_BY_BROWSER, browser_id)]
    return [(CODE_BY_ACCOUNT, user_id), (CODE_BY_ADDRESS, address)]
