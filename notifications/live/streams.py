"""Streams of apps: `GET /api/v1/streaming/user` and `/user/notification`, as Mastodon has them, in server-sent events.

An app is told what is new itself, not only that something is. When something came for its person, the site is asked
with the app's own token (`asking.py`), and what is new of the answer is passed on (`lists.py`). A burst is one
question, a stream has one under way at most, and all of them share a few threads: it is the site that sets the pace.
"""

import asyncio
import random
import time
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs

from django.conf import settings

from accounts.access.reads import Secret
from notifications.live import lists
from notifications.live.asking import Answer, Asker, Away, Site
from notifications.live.lists import List, as_event, resumed_at
from notifications.live.readers import Reader, Readers, TooMany, own_topics
from socialsite.keys import timeline
from socialsite.news import News, topic_of, watched
from socialsite.observing import metrics
from socialsite.web.limits import visitors_address

Scope = dict[str, Any]
Send = Callable[[dict[str, Any]], Awaitable[None]]
Gone = Callable[[], Coroutine[Any, Any, None]]  # waits until the reader has hung up

ADDRESS = "/api/v1/streaming"
STREAMS = {"user": (lists.home, lists.notifications), "user/notification": (lists.notifications,)}
HEARTBEAT_SECONDS = 15.0
LIVES_SECONDS, SPREAD_SECONDS = 43_200.0, 7_200.0
LOOKED_AFTER = 300.0  # seconds without news, as one may be lost
LOOKED_AFTER_UNHEARD = 60.0  # where homes are told of to nobody (`LIVE_POLL`)
AT_ONCE, REGAINED_SECONDS = (
    5,
    10.0,
)  # questions of a stream: so many one after the other, then one each ten seconds
GAP_SECONDS = 1.0
PROOF_SECONDS = 0.5
SEND_SECONDS = 20.0
PER_TOKEN = 4
MOST_BEGUN, BEGUN_SECONDS = 20, 60.0  # of a token
MOST_REFUSED = 40  # of an address, in that time
MOST_PAGES = 3  # of a list at once
MOST_CHANGES = 100  # posts of which a stream hears
MOST_LOOKED_AT = 5  # of them at once; each is a question
RETRIES = (2.0, 5.0, 15.0, 60.0)  # seconds, while the site is away
HEARTBEAT = b":)\n\n"
CORS = [(b"access-control-allow-origin", b"*"), (b"cross-origin-resource-policy", b"cross-origin")]
STREAM = [
    (b"content-type", b"text/event-stream"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
    (b"x-content-type-options", b"nosniff"),
    (b"connection", b"close"),
    *CORS,
]
PREFLIGHT = [
    (b"access-control-allow-methods", b"GET, OPTIONS"),
    (b"access-control-allow-headers", b"Authorization, Cache-Control, Last-Event-ID"),
    (b"access-control-max-age", b"86400"),
]


class Ended(Exception):
    """The site answers this token no more."""


@dataclass(slots=True, eq=False)
class Stream(Reader):
    """An app that listens. `due` are the lists that must be asked, `changed` the posts that must be looked at again,
    `left` how many questions it has at once."""

    asker: Asker = field(default_factory=lambda: Asker("", "", "", ""))
    lists: tuple[List, ...] = ()
    due: set[str] = field(default_factory=set)
    changed: set[str] = field(default_factory=set)
    posts: "OrderedDict[str, Shown]" = field(default_factory=OrderedDict)
    left: float = AT_ONCE
    counted_at: float = 0.0
    waits_until: float = 0.0  # with questions
    away_until: float = 0.0  # is the site left alone, which did not answer
    failures: int = 0

    @property
    def until(self) -> float:
        return min(one.until for one in self.lists)


@dataclass(slots=True)
class Shown:
    """A post that a stream passed on: the names under which it did, and when it was last edited."""

    post: str
    names: list[str]
    edited: str


class Streams:
    """The application for apps' streams."""

    def __init__(self, site: Site | None = None) -> None:
        self.site = site or Site()
        self.readers = Readers(
            most=settings.LIVE_STREAMS,
            per_person=settings.LIVE_PER_PERSON,
            per_address=settings.LIVE_PER_ADDRESS,
            counted=metrics.LIVE_STREAMS,
        )
        self._begun: OrderedDict[str, deque[float]] = OrderedDict()

    async def __call__(self, scope: Scope, gone: Gone, send: Send) -> None:
        name = scope["path"].removeprefix(ADDRESS).strip("/")
        if scope["method"] == "OPTIONS":
            await answer(send, 204, b"", PREFLIGHT)
        elif scope["method"] != "GET":
            await answer(send, 405, _error("Method not allowed"), [(b"allow", b"GET")])
        elif name == "health":
            await answer(send, 200, b"OK", [(b"content-type", b"text/plain")])
        elif name not in STREAMS:
            await answer(send, 404, _error("Record not found"))
        else:
            await self._admit(name, scope, gone, send)

    async def _admit(self, name: str, scope: Scope, gone: Gone, send: Send) -> None:
        headers = {
            key.decode("latin-1"): value.decode("latin-1") for key, value in scope["headers"]
        }
        client = scope.get("client") or ("", 0)
        address = visitors_address(client[0], headers.get("x-forwarded-for", ""))
        token = _token_in(headers, scope["query_string"])
        secret = Secret.of(token)
        if secret is None or not token.isascii() or not token.isprintable():
            await answer(send, 401, _error("The access token is invalid"))
            return
        asker = Asker(
            token, headers.get("host", ""), headers.get("accept-language", "")[:200], address
        )
        try:
            self.readers.must_have_room(address)
            self._must_not_rush(secret.secret_hash, MOST_BEGUN)
            self._must_not_rush(address, MOST_REFUSED, counts=False)
            allowed = await self._ask_whether_allowed(name, asker, is_counted=True)
            if allowed.status != 200:
                self._must_not_rush(address, MOST_REFUSED)
                await answer(send, allowed.status, allowed.body)
                return
            self.readers.must_have_room(address)
        except TooMany:
            await answer(send, 429, _error("Too many requests"), [(b"retry-after", b"60")])
            return
        except Away as away:
            wait = str(int(away.after) or 10).encode()
            told = _error("The site can’t do this right now.")
            await answer(send, 503, told, [(b"retry-after", wait)])
            return
        stream = _stream_of(name, secret, asker, allowed.content, headers.get("last-event-id", ""))
        self.readers.make_room(stream, PER_TOKEN)
        self.readers.add(stream, ago=0)
        watching = asyncio.ensure_future(gone())
        watching.add_done_callback(lambda _: stream.end())
        try:
            await self._serve(name, stream, send)
        finally:
            watching.cancel()
            self.readers.remove(stream)

    def _must_not_rush(self, subject: str, most: int, *, counts: bool = True) -> None:
        """Raises `TooMany` for a token that begins one stream after the other, and for an address whose tokens are
        refused, as made-up ones are many: each beginning asks the site."""
        now = time.monotonic()
        begun = self._begun.setdefault(subject, deque())
        self._begun.move_to_end(subject)
        while begun and begun[0] < now - BEGUN_SECONDS:
            begun.popleft()
        if len(begun) >= most:
            raise TooMany
        if counts:
            begun.append(now)
        if len(self._begun) > 2 * settings.LIVE_STREAMS:
            self._begun.popitem(last=False)

    async def _ask_whether_allowed(
        self, name: str, asker: Asker, *, is_counted: bool = False
    ) -> Answer:
        path = f"{ADDRESS}/watching?stream={name.replace('/', ':')}"
        return await self.site.ask(path, asker, is_counted=is_counted)

    async def _serve(self, name: str, stream: Stream, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": STREAM})
        await say(send, HEARTBEAT)
        now = time.monotonic()
        ends = now + LIVES_SECONDS + random.uniform(0, SPREAD_SECONDS)
        asked_at = now
        said_at = now - HEARTBEAT_SECONDS  # so a line says when the first look is over
        stream.due.update(one.path for one in stream.lists)
        while not stream.is_over and (now := time.monotonic()) < ends:
            _take_news(stream)
            if now - asked_at > _looked_after():
                stream.due.update(one.path for one in stream.lists)
            try:
                if stream.must_prove and now >= stream.away_until:
                    await self._prove(name, stream)
                if _may_ask(stream, now):
                    asked_at = now
                    if await self._pass_on(stream, send):
                        said_at = time.monotonic()
                    stream.failures = 0
            except Ended:
                break
            except Away as away:
                retry = RETRIES[min(stream.failures, len(RETRIES) - 1)]
                stream.failures += 1
                wait = max(away.after, retry) * random.uniform(1, 1.5)
                stream.away_until = stream.waits_until = time.monotonic() + wait
            now = time.monotonic()
            if now - said_at >= HEARTBEAT_SECONDS:
                await say(send, HEARTBEAT)
                said_at = now
            await _until_something(stream, said_at + HEARTBEAT_SECONDS - now)
        with suppress(TimeoutError):
            async with asyncio.timeout(SEND_SECONDS):
                await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _prove(self, name: str, stream: Stream) -> None:
        """Raises `Ended` if the site answers this token no more: a sign-in of the person has ended, or they were locked
        out."""
        stream.must_prove = False
        await asyncio.sleep(PROOF_SECONDS)
        try:
            _must_be_answered(await self._ask_whether_allowed(name, stream.asker))
        except Away:
            stream.must_prove = True
            raise

    async def _pass_on(self, stream: Stream, send: Send) -> bool:
        """Asks for what is due and passes on what is new. Returns whether there was something. Raises `Ended`,
        `Away`."""
        has_said = False
        for post_id in list(stream.changed)[:MOST_LOOKED_AT]:
            events = await self._look_again(stream, post_id)
            stream.changed.discard(post_id)
            has_said |= await _say_all(send, events)
        for one in stream.lists:
            if one.path in stream.due:
                stream.due.discard(one.path)
                try:
                    has_said |= await self._follow(stream, one, send)
                except Away:
                    stream.due.add(one.path)
                    raise
        return has_said

    async def _follow(self, stream: Stream, one: List, send: Send) -> bool:
        """Passes on what is new of a list, page after page, a few at once."""
        began, has_said = time.time(), False
        for _ in range(MOST_PAGES):
            found = await self.site.ask(one.query, stream.asker)
            _must_be_answered(found)
            items = found.content
            new = list(one.take(items))
            goes_on = one.goes_on(items, found.newer)
            self._note_posts(stream, one, new)
            events = [(one.event, as_event(one.event, item, until=stream.until)) for item in new]
            has_said |= await _say_all(send, events)
            if not goes_on:
                one.end_at(began)
                return has_said
        stream.due.add(one.path)
        stream.wake.set()
        return has_said

    def _note_posts(self, stream: Stream, one: List, items: Iterable[dict[str, Any]]) -> None:
        """Has the stream hear when one of these posts is edited or deleted."""
        for item in items if one.is_home else ():
            post = item.get("reblog") or item
            post_id = str(post.get("id", ""))
            shown = stream.posts.setdefault(
                post_id, Shown(post_id, [], str(post.get("edited_at") or ""))
            )
            shown.names.append(str(item["id"]))
            self.readers.watch(stream, topic_of(News.CHANGED, post_of(post_id)))
        while len(stream.posts) > MOST_CHANGES:
            gone, _shown = stream.posts.popitem(last=False)
            self.readers.unwatch(stream, topic_of(News.CHANGED, post_of(gone)))

    async def _look_again(self, stream: Stream, topic: str) -> list[tuple[str, bytes]]:
        """Returns the events of a post that has changed: it was edited, or the person may not see it any more."""
        shown = next(
            (
                one
                for one in stream.posts.values()
                if topic_of(News.CHANGED, post_of(one.post)).hex() == topic
            ),
            None,
        )
        if shown is None:
            return []
        found = await self.site.ask(f"/api/v1/statuses/{shown.post}", stream.asker)
        if found.status == 404:
            del stream.posts[shown.post]
            self.readers.unwatch(stream, bytes.fromhex(topic))
            names = dict.fromkeys([*shown.names, shown.post])
            return [("delete", as_event("delete", one, until=stream.until)) for one in names]
        _must_be_answered(found)
        edited = str(found.content.get("edited_at") or "")
        if edited == shown.edited:
            return []
        shown.edited = edited
        name = "status.update"
        return [(name, as_event(name, found.content, until=stream.until))]


def post_of(name: str) -> str:
    """Returns the id of a post alone, of what it is called here."""
    return name[:26]


def _token_in(headers: dict[str, str], query: bytes) -> str:
    """Returns the token: of the header, else of the address, as browsers send no header of one's own for an
    `EventSource`. Nothing here or before it writes addresses down."""
    kind, _space, token = headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer":
        return token.strip()
    with suppress(ValueError):
        asked = parse_qs(query.decode("ascii"), max_num_fields=20)
        return asked.get("access_token", [""])[-1]
    return ""


def _stream_of(name: str, secret: Secret, asker: Asker, allowed: Any, last_event: str) -> Stream:
    """Returns the stream as the site allows it: which lists the token may read, and what their person's home watches
    beside what is their own."""
    now = time.time()
    missed = resumed_at(last_event, now)
    wanted = [make(now, missed) for make in STREAMS[name]]
    followed = tuple(one for one in wanted if one.event in allowed["events"])
    topics = own_topics(secret.user_id) | watched(secret.user_id, str(allowed["watch"]))
    topics |= {topic_of(News.OWN, timeline(secret.user_id))}
    return Stream(
        secret.user_id,
        secret.secret_hash,
        asker.address,
        topics,
        asker=asker,
        lists=followed,
        counted_at=time.monotonic(),
    )


EVENT_OF = {
    News.HOME: "update",
    News.OWN: "update",
    News.POSTS: "update",
    News.BELL: "notification",
}


def _take_news(stream: Stream) -> None:
    """Notes what must be asked because of what was heard."""
    stream.wake.clear()
    for heard in stream.news:
        if heard.startswith(f"{News.CHANGED} "):
            stream.changed.add(heard.partition(" ")[2])
        elif heard in EVENT_OF:
            event = EVENT_OF[News(heard)]
            stream.due.update(one.path for one in stream.lists if one.event == event)
    stream.news.clear()


def _looked_after() -> float:
    return LOOKED_AFTER_UNHEARD if settings.LIVE_POLL else LOOKED_AFTER


def _may_ask(stream: Stream, now: float) -> bool:
    """Whether something is due, and it is the stream's turn: then one of its questions is spent."""
    if not (stream.due or stream.changed) or now < stream.waits_until:
        return False
    regained = (now - stream.counted_at) / REGAINED_SECONDS
    stream.left, stream.counted_at = min(float(AT_ONCE), stream.left + regained), now
    if stream.left < 1:
        stream.waits_until = now + (1 - stream.left) * REGAINED_SECONDS
        return False
    stream.left -= 1
    stream.waits_until = now + GAP_SECONDS
    return True


async def _until_something(stream: Stream, longest: float) -> None:
    """Waits until something was heard, until what is due may be asked, or until a sign of life must be given."""
    now = time.monotonic()
    if stream.due or stream.changed or stream.must_prove:
        at = stream.away_until if stream.must_prove else stream.waits_until
        waits = min(1.0, at - now, longest)  # it may be over meanwhile
        await asyncio.sleep(max(0.01, waits))
        return
    with suppress(TimeoutError):
        async with asyncio.timeout(max(longest, 0.01)):
            await stream.wake.wait()


def _must_be_answered(found: Answer) -> None:
    if found.status in (401, 403, 404):
        raise Ended
    if found.status != 200:
        raise Away


async def _say_all(send: Send, events: Iterable[tuple[str, bytes]]) -> bool:
    has_said = False
    for name, event in events:
        await say(send, event)
        metrics.LIVE_EVENTS.labels(name).inc()
        has_said = True
    return has_said


async def say(send: Send, text: bytes) -> None:
    """Raises `TimeoutError` for a reader who takes nothing."""
    async with asyncio.timeout(SEND_SECONDS):
        await send({"type": "http.response.body", "body": text, "more_body": True})


def _error(sentence: str) -> bytes:
    return b'{"error": "%s"}' % sentence.encode()


async def answer(
    send: Send, status: int, body: bytes, headers: Iterable[tuple[bytes, bytes]] = ()
) -> None:
    own = [(b"cache-control", b"no-store"), (b"connection", b"close"), *CORS, *headers]
    if status != 204:
        own.append((b"content-length", str(len(body)).encode()))
    if not any(name == b"content-type" for name, _ in own):
        own.append((b"content-type", b"application/json"))
    await send({"type": "http.response.start", "status": status, "headers": own})
    await send({"type": "http.response.body", "body": body})
