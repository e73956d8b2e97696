"""The process that pages listen to: `GET /live` is a stream of server-sent events (`text/event-stream`) that says what
is new, in one word, and never more. What apps listen to is in `streams.py`. Bare ASGI: no middleware,
no thread and no database connection for a connection.

nginx stands before it, or `runserver`. It takes datagrams of the stream worker (`socialsite/news.py`), or looks at the
bells of those who look (`LIVE_POLL`).
"""

import asyncio
import os
import random
import socket
import time
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from typing import Any
from urllib.parse import parse_qs, urlsplit

import uvicorn
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from notifications.live import streams
from notifications.live.readers import (
    Reader,
    Readers,
    TooMany,
    own_topics,
)
from notifications.live.sign_ins import Busy, SignIns, session_of
from socialsite.keys import user
from socialsite.news import News, Place, places, topic_of, unpack, watched
from socialsite.observing import metrics
from socialsite.web.limits import visitors_address

resource = import_module("resource") if find_spec("resource") else None

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]

KEEP_ALIVE_SECONDS = 15.0
LIVES_SECONDS, SPREAD_SECONDS = (
    600.0,
    60.0,
)  # so that a restart does not bring all back in one second
GAP_SECONDS = 1.0  # between two lines of news
PROOF_SECONDS = 0.5  # until an ended sign-in is gone wherever it may be read
SEND_SECONDS = 20.0  # that a reader may take for a line
MOST_TOKENS = 8
DATAGRAM = 65_536
STREAM = [
    (b"content-type", b"text/event-stream"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
    (b"x-content-type-options", b"nosniff"),
    (b"connection", b"close"),
]
OPEN, OPEN_FOR_BELLS = "open", "open-bell"  # the first word: what is heard here


class Live:
    """The application, and what it hears."""

    def __init__(self) -> None:
        self.readers = Readers(
            most=settings.LIVE_MOST,
            per_person=settings.LIVE_PER_PERSON,
            per_address=settings.LIVE_PER_ADDRESS,
        )
        self.sign_ins = SignIns()
        self.streams = streams.Streams()
        self.readers.when_doubted = self.sign_ins.doubt

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        if scope["path"] == "/healthz":
            await answer(send, 200, b"ok")
        elif scope["path"].startswith(streams.ADDRESS):
            await self.streams(scope, lambda: until_gone(receive), send)
        elif scope["path"] != "/live":
            await answer(send, 404)
        elif scope["method"] != "GET":
            await answer(send, 405, headers=[(b"allow", b"GET")])
        else:
            await self._admit(scope, receive, send)

    async def _admit(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = {
            name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]
        }
        if not is_from_here(headers):
            await answer(send, 403)
            return
        client = scope.get("client") or ("", 0)
        address = visitors_address(client[0], headers.get("x-forwarded-for", ""))
        user_id, secret_hash = session_of(headers.get("cookie", ""))
        if not user_id:
            await answer(send, 204)  # which also tells a browser not to come again
            return
        try:
            self.readers.must_have_room(address)
            if not await self.sign_ins.holds(user_id, secret_hash):
                await answer(send, 204)
                return
            self.readers.must_have_room(address)
        except TooMany:
            await answer(send, 429, headers=[(b"retry-after", b"60")])
            return
        except Busy:
            await answer(send, 503, headers=[(b"retry-after", b"10")])
            return
        ago, topics = read_query(user_id, scope["query_string"])
        reader = Reader(user_id, secret_hash, address, topics)
        self.readers.add(reader, ago=ago)
        gone = asyncio.ensure_future(until_gone(receive))
        gone.add_done_callback(lambda _: reader.end())
        try:
            await self._serve(reader, send)
        finally:
            gone.cancel()
            self.readers.remove(reader)

    async def _serve(self, reader: Reader, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": STREAM})
        await say(send, [OPEN_FOR_BELLS if settings.LIVE_POLL else OPEN])
        ends = time.monotonic() + LIVES_SECONDS + random.uniform(0, SPREAD_SECONDS)
        while not reader.is_over and (left := ends - time.monotonic()) > 0:
            with suppress(TimeoutError):
                async with asyncio.timeout(min(left, KEEP_ALIVE_SECONDS)):
                    await reader.wake.wait()
            reader.wake.clear()
            if not await self._still_holds(reader) or reader.is_over:
                break
            news = sorted(reader.news)
            reader.news.clear()
            await say(send, news)
            if news:
                await asyncio.sleep(GAP_SECONDS)
        with suppress(TimeoutError):
            await last(send)

    async def _still_holds(self, reader: Reader) -> bool:
        if reader.must_prove:
            reader.must_prove = False
            await asyncio.sleep(PROOF_SECONDS)
        try:
            return await self.sign_ins.holds(reader.user_id, reader.secret_hash)
        except Busy:
            return True  # asked again soon; meanwhile it hears that something is new, and the site answers nothing

    def hear(self, datagrams: Iterable[bytes]) -> None:
        for one in datagrams:
            told = list(unpack(one))
            self.readers.hear(told)
            self.streams.readers.hear(told)

    async def look_at_bells(self) -> None:
        """Looks at the bells of everyone who looks, again and again."""
        known: dict[str, str] = {}
        while True:
            await asyncio.sleep(settings.LIVE_POLL)
            try:
                everyone = [*self.readers, *self.streams.readers]
                found = await self.sign_ins.bells({one.user_id for one in everyone})
            except Busy:
                continue
            changed = [one for one, state in found.items() if known.get(one, state) != state]
            told = [(News.BELL, topic_of(News.BELL, user(one))) for one in changed]
            self.readers.hear(told)
            self.streams.readers.hear(told)
            known = found


def is_from_here(headers: dict[str, str]) -> bool:
    """Whether a page of this site asks. A browser tells; what tells nothing is none, and has no one's cookie."""
    if headers.get("sec-fetch-site", "same-origin") != "same-origin":
        return False
    origin = headers.get("origin")
    return origin is None or urlsplit(origin).netloc == headers.get("host")


def read_query(user_id: str, query: bytes) -> tuple[float, frozenset[bytes]]:
    """Returns how many seconds ago the page was drawn, and what it watches."""
    try:
        asked = parse_qs(b"&".join(query.split(b"&")[: MOST_TOKENS + 1]).decode("ascii"))
    except ValueError:
        asked = {}
    try:
        ago = max(0.0, float(asked.get("ago", ["0"])[0]))
    except ValueError:
        ago = 0.0
    tokens = asked.get("w", [])[:MOST_TOKENS]
    return ago, own_topics(user_id).union(*(watched(user_id, one) for one in tokens))


async def until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def answer(
    send: Send, status: int, body: bytes = b"", headers: Iterable[tuple[bytes, bytes]] = ()
) -> None:
    length = [] if status == 204 else [(b"content-length", str(len(body)).encode())]
    own = [(b"cache-control", b"no-store"), (b"connection", b"close"), *length, *headers]
    await send({"type": "http.response.start", "status": status, "headers": own})
    await send({"type": "http.response.body", "body": body})


async def say(send: Send, news: list[str]) -> None:
    """Sends a line of each of the news, or of none, which keeps the connection. Raises `TimeoutError` for a reader who
    takes nothing."""
    lines = b"".join(b"event: news\ndata: %s\n\n" % one.encode() for one in news) or b":\n\n"
    async with asyncio.timeout(SEND_SECONDS):
        await send({"type": "http.response.body", "body": lines, "more_body": True})
    for one in news:
        metrics.LIVE_NEWS.labels(one).inc()


async def last(send: Send) -> None:
    async with asyncio.timeout(SEND_SECONDS):
        await send({"type": "http.response.body", "body": b"", "more_body": False})


# ---- The process


class Server(uvicorn.Server):
    """Uvicorn, which also hears datagrams, and whose streams end when it is told to."""

    def __init__(self, live: Live, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.live = live
        self.polling: asyncio.Task[None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        loop = asyncio.get_running_loop()
        for place in places():
            heard = listen(place)
            loop.add_reader(heard, self._hear, heard)
        if settings.LIVE_POLL:
            self.polling = asyncio.create_task(self.live.look_at_bells())

    def _hear(self, heard: socket.socket) -> None:
        self.live.hear(waiting(heard))

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if self.polling:
            self.polling.cancel()
        self.live.readers.end_all()
        self.live.streams.readers.end_all()
        await super().shutdown(sockets=sockets)


def run() -> None:
    """Serves until it is told to stop. Raises `ImproperlyConfigured` where it cannot listen."""
    host, _, port = settings.LIVE_BIND.rpartition(":")
    config = uvicorn.Config(
        live := Live(),
        host=host.strip("[]"),
        port=int(port) if port.isdigit() else 0,
        loop="asyncio",
        http="h11",
        ws="none",
        lifespan="off",
        interface="asgi3",
        log_config=None,
        access_log=False,
        server_header=False,
        date_header=False,
        proxy_headers=False,
        backlog=2048,
        limit_concurrency=settings.LIVE_MOST
        + settings.LIVE_STREAMS
        + 64,  # those that are to be refused, and /healthz
        timeout_keep_alive=5,
        timeout_graceful_shutdown=3,
        h11_max_incomplete_event_size=16_384,
    )
    try:
        heard = config.bind_socket()
    except SystemExit as error:
        raise ImproperlyConfigured(
            f"LIVE_BIND is {settings.LIVE_BIND}, where nothing can listen. Stop the program that does, or set it to "
            "another address, such as 127.0.0.1:8013."
        ) from error
    allow_files(settings.LIVE_MOST + settings.LIVE_STREAMS + 512)
    Server(live, config).run(sockets=[heard])


def allow_files(number: int) -> None:
    """Lets the process have so many open connections, as far as the system lets it. Windows has no such bound."""
    if resource is None:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = number if hard == resource.RLIM_INFINITY else min(number, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def listen(place: Place) -> socket.socket:
    """Returns a socket for datagrams. That of the data folder takes the place of an earlier one in one step."""
    family, address = place
    heard = socket.socket(family, socket.SOCK_DGRAM)
    heard.setblocking(False)
    if isinstance(address, str):
        own = f"{address}.{os.getpid()}"
        with suppress(FileNotFoundError):
            os.unlink(own)
        heard.bind(own)
        os.chmod(own, 0o600)
        os.replace(own, address)
    else:
        host, port = address
        heard.bind((host if host in ("127.0.0.1", "::1") else "", port))
    return heard


def waiting(heard: socket.socket) -> Iterable[bytes]:
    """Yields the datagrams that wait, at most as many as a turn of the loop should take."""
    for _ in range(200):
        try:
            yield heard.recv(DATAGRAM)
        except OSError:
            return
