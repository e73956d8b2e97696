"""Asking the site what is new for an app, as that app would: with its own token, over HTTP, at the site's own address
(`LIVE_SITE`). So who may see what is decided where it always is, and an answer that a token gets no more ends its
stream.

Each such question is signed, so that it is not counted among the calls of the app (`api/access.py`): how often is
asked, `streams.py` decides.
"""

import asyncio
import http.client
import json
import re
import ssl
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.signing import BadSignature, TimestampSigner

from accounts.sessions import hash_secret
from socialsite.observing import metrics

HEADER = "X-Asked-By-Stream"
SIGNED_FOR = 60  # seconds
THREADS = 4  # that wait for the site: it has some for others, too
MOST_ASKED = 400  # at once, waiting or asked
SECONDS = 10.0  # that an answer may take
LARGEST = 2_000_000  # bytes of an answer
NEWER = re.compile(r'[?&]min_id=([^>&]+)[^>]*>; rel="prev"')
LOOPBACK = ("127.0.0.1", "::1", "localhost")


def signed(token: str) -> str:
    return _signer().sign(hash_secret(token))


def is_signed(header: str, token: str) -> bool:
    """Whether a stream asks, which was opened with this token."""
    if not header or not token:
        return False
    try:
        return _signer().unsign(header, max_age=SIGNED_FOR) == hash_secret(token)
    except BadSignature:
        return False


def _signer() -> TimestampSigner:
    return TimestampSigner(salt="asked by a stream")


class Away(Exception):
    """The site does not answer now. `after` is for how many seconds it asks to be left alone."""

    def __init__(self, after: float = 0.0) -> None:
        super().__init__(after)
        self.after = after


@dataclass(frozen=True, slots=True)
class Asker:
    """An app that listens: its token, and what of its own request the site needs to answer as it would there."""

    token: str
    host: str
    language: str
    address: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What the site said. `newer` is from where a list goes on to what is newer, empty at its end."""

    status: int
    body: bytes
    newer: str = ""

    @property
    def content(self) -> Any:
        try:
            return json.loads(self.body)
        except ValueError as error:
            raise Away from error


class Site:
    """Asks with a few threads, each with a connection that it keeps."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="asks the site")
        self._own = threading.local()
        self._asked = 0

    async def ask(self, path: str, asker: Asker, *, is_counted: bool = False) -> Answer:
        """Returns the answer, whatever it says. `is_counted` spends a call of the app's. Raises `Away`."""
        if self._asked >= MOST_ASKED:
            raise Away
        self._asked += 1
        try:
            loop = asyncio.get_running_loop()
            found = await loop.run_in_executor(self._threads, self._get, path, asker, is_counted)
        finally:
            self._asked -= 1
        metrics.LIVE_ASKED.labels(str(found.status)).inc()
        return found

    def _get(self, path: str, asker: Asker, is_counted: bool) -> Answer:
        headers = {
            "Authorization": f"Bearer {asker.token}",
            "Host": asker.host,
            "X-Forwarded-For": asker.address,
            "Accept": "application/json",
        }
        if asker.language:
            headers["Accept-Language"] = asker.language
        if not is_counted:
            headers[HEADER] = signed(asker.token)
        if not settings.DEBUG:
            headers["X-Forwarded-Proto"] = "https"
        for connection, was_used in self._connections():
            try:
                connection.request("GET", path, headers=headers)
                response = connection.getresponse()
                body = response.read(LARGEST + 1)
            except (OSError, ValueError, http.client.HTTPException) as error:
                connection.close()
                if was_used:  # it may have been closed meanwhile
                    continue
                raise Away from error
            if len(body) > LARGEST:
                connection.close()
                raise Away
            if response.status == 429 or response.status >= 500:
                raise Away(_seconds(response.getheader("Retry-After", "")))
            found = NEWER.search(response.getheader("Link", ""))
            return Answer(response.status, body, found[1] if found else "")
        raise Away

    def _connections(self) -> list[tuple[http.client.HTTPConnection, bool]]:
        """Returns the thread's connection, and a new one if that turns out to be over."""
        own: http.client.HTTPConnection | None = getattr(self._own, "connection", None)
        if own is None or own.sock is None:
            self._own.connection = own = _connection()
            return [(own, False)]
        return [(own, True), (own, False)]  # which opens anew once it was closed


def _connection() -> http.client.HTTPConnection:
    parts = urlsplit(settings.LIVE_SITE)
    host, port = parts.hostname or "127.0.0.1", parts.port
    if parts.scheme != "https":
        return http.client.HTTPConnection(host, port, timeout=SECONDS)
    trusted = ssl.create_default_context()
    if (
        host in LOOPBACK
    ):  # this machine may have signed its certificate itself, and for another name
        trusted.check_hostname, trusted.verify_mode = False, ssl.CERT_NONE
    return http.client.HTTPSConnection(host, port, timeout=SECONDS, context=trusted)


def _seconds(text: str) -> float:
    with suppress(ValueError):
        return min(float(text), 300.0)
    return 0.0
