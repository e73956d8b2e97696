"""What a request's line says of what was asked for and from where, without naming anybody: the address with its names
left out, a keyed hash of it, and the network.

`manage.py who_asked` counts these lines (`operations/who_asked.py`). docs/security.md says what of it is personal data.
"""

import hmac
import re
from functools import cache
from ipaddress import IPv6Address, ip_address, ip_network

from django.conf import settings

from socialsite.table.ids import is_id

LEFT_OUT = "…"
VARIABLE = re.compile(r"<(?:\w+:)?(\w+)>")
# Who writes to whom is told by no line, and neither is what a secret link opens.
NEVER_TOLD = (
    "messages",
    "password/reset/",
    "email/confirm/",
    "email/undo/",
    "erased/",
    "u/",
    "media/",
    "m/",
    "pm/",
)
HASH_BYTES = 8
WIDTHS = {4: 24, 6: 48}
NO_NETWORK = "unknown"


def safe_path(route: str, found: dict[str, object]) -> str:
    """Returns the address that a route and its parts make, with ids, and "…" for everything that could name a person.
    Empty for routes whose addresses no line tells."""
    parts = _parts(route)
    if not parts:
        return ""
    told = [_told(found.get(part)) if number % 2 else part for number, part in enumerate(parts)]
    return "/" + "".join(told)


def target_of(path: str) -> str:
    """Returns a keyed hash of an address: lines about the same one have the same, and nobody reads it back without
    `SECRET_KEY`. Empty for addresses that no line tells."""
    if path.lstrip("/").startswith(NEVER_TOLD):
        return ""
    told = path.lower().encode(errors="replace")
    return hmac.digest(_key(settings.SECRET_KEY), told, "sha256")[:HASH_BYTES].hex()


def network_of(address: str) -> str:
    """Returns the network of a visitor's address: the /24 of IPv4, the /48 of IPv6, as many people share one."""
    try:
        ip = ip_address(address)
    except ValueError:
        return NO_NETWORK
    if isinstance(ip, IPv6Address):
        return str(ip_network((int(ip), WIDTHS[6]), strict=False))
    return f"{address.rpartition('.')[0]}.0/{WIDTHS[4]}"


@cache
def _parts(route: str) -> tuple[str, ...]:
    """Returns a route's fixed parts and, between them, the names of the others. Routes are few."""
    if route.startswith((*NEVER_TOLD, "<path:")) or "(?P" in route:
        return ()
    return tuple(VARIABLE.split("" if route == "/" else route))


def _told(value: object) -> str:
    text = str(value)
    return text if is_id(text) or isinstance(value, int) else LEFT_OUT


@cache
def _key(secret: str) -> bytes:
    return hmac.digest(secret.encode(), b"socialsite.web.asked", "sha256")
