"""Which push services are asked: the address that a browser gives is typed by a stranger, so its host must be one of
these, when it is kept and again when it is used. `PUSH_HOSTS` adds an operator's own."""

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.conf import settings

KNOWN = (
    "fcm.googleapis.com",
    "android.googleapis.com",
    "updates.push.services.mozilla.com",
    "*.push.services.mozilla.com",
    "*.push.apple.com",
    "*.notify.windows.com",
)
LONGEST = 1_000  # characters of an address
PLAIN = re.compile(r"[!#-\[\]-~]+")  # no space, quotation mark, backslash or control character
LABEL = re.compile(r"(?=.*[a-z])[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")
HTTPS = 443


class UnknownService(Exception):
    """The address is not one of a push service that this site asks."""


@dataclass(frozen=True, slots=True)
class Service:
    """Where an address leads. `name` is the entry of the list that allows it, so there are few: what one of them does
    is counted under it."""

    name: str
    host: str
    path: str
    port: int = HTTPS
    is_tls: bool = True

    @property
    def origin(self) -> str:
        """Returns what a token for it names as its audience."""
        if self.is_tls:
            return f"https://{self.host}"
        return f"http://{self.host}:{self.port}"


def service_of(endpoint: str) -> Service:
    """Returns where the address of a subscription leads. Raises `UnknownService` unless it is https at port 443,
    without a user, at most 1,000 characters long, on a host of the list."""
    if len(endpoint) > LONGEST or not PLAIN.fullmatch(endpoint):
        raise UnknownService("no address")
    try:
        parts = urlsplit(endpoint)
        port = parts.port
    except ValueError as error:
        raise UnknownService("no address") from error
    path = f"{parts.path or '/'}{parts.query and f'?{parts.query}'}"
    host = parts.hostname or ""
    if f"{parts.scheme}://{parts.netloc}" in settings.PUSH_TEST_ORIGINS:
        return Service(parts.netloc, host, path, port or 80, is_tls=False)
    if parts.scheme != "https" or "@" in parts.netloc or port not in (None, HTTPS):
        raise UnknownService("not https at port 443")
    return Service(_entry_of(host), host, path)


def _entry_of(host: str) -> str:
    for entry in (*KNOWN, *settings.PUSH_HOSTS):
        name = entry.lower()
        if host == name:
            return name
        label, _, rest = host.partition(".")
        if name.startswith("*.") and rest == name[2:] and LABEL.fullmatch(label):
            return name
    raise UnknownService("no push service of the list")
