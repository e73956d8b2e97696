"""People with an open conversation, as their pages behave: they ask for news as often as `static/js/chat.js` does, mark
what came as read, and some write. All of them are tasks of one process, over the few connections that a proxy keeps to
the site.
"""

import asyncio
import html
import random
import re
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

from benchmarks.site import CSRF_TOKEN
from socialsite.table import ids

END = b"\r\n\r\n"
SCRIPT = Path(__file__).resolve().parents[1] / "static" / "js" / "chat.js"
LIST = re.compile(r"const PAUSES = \[([\d_, ]+)\]")
PAUSES = re.compile(r"const pause = \(\) => 1000 \* \(([^;]+)\);")
PAUSE = re.compile(r"looks < (\d+) \? (\d+)")
MESSAGE = re.compile(r'data-message="(\w{26})"')
NEXT = re.compile(r'hx-get="(/messages/[^"]+/news\?[^"]+)"')
RECENT = re.compile(r'data-recent="(\w*)"')
COLD = 10  # times that a page may fail before it counts: the first ones of a server are slow
TYPES_FOR = 4  # seconds before a message is sent: keys that are pressed make the page ask often
BETWEEN = 10, 20  # seconds between two messages of someone who talks


def pauses() -> list[float]:
    """Returns the seconds that the page waits after each look that brings nothing, as its script says; the last of them
    from then on."""
    script = SCRIPT.read_text()
    if of_list := LIST.search(script):
        return [int(one) / 1000 for one in of_list[1].split(",")]
    written = PAUSES.search(script)
    if written is None:
        raise RuntimeError("static/js/chat.js does not say how long it waits")
    found: list[float] = []
    for looks, seconds in PAUSE.findall(written[1]):
        found += [int(seconds)] * (int(looks) - len(found))
    return [*found, int(written[1].rpartition(":")[2])]


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    body: str
    seconds: float


class Site:
    """The site behind a proxy that keeps so many connections to it."""

    def __init__(self, port: int, *, connections: int) -> None:
        self._port = port
        self._free: asyncio.Queue[tuple[asyncio.StreamReader, asyncio.StreamWriter] | None] = (
            asyncio.Queue()
        )
        for _ in range(connections):
            self._free.put_nowait(None)

    async def ask(
        self, address: str, cookies: str, *, form: Mapping[str, str] | None = None
    ) -> Answer:
        """Asks as htmx does, with a form if there is one."""
        asked = time.perf_counter()
        line, head = await self._free.get(), ""
        try:
            line = line or await asyncio.open_connection("127.0.0.1", self._port)
            line[1].write(_request(address, cookies, form))
            head = (await line[0].readuntil(END)).decode().lower()
            length = re.search(r"content-length: (\d+)", head)
            body = await line[0].readexactly(int(length[1])) if length else b""
        except (OSError, asyncio.IncompleteReadError):
            line = None
            raise
        finally:
            if line and "connection: close" in head:
                line[1].close()
                line = None
            self._free.put_nowait(line)
        return Answer(int(head.split(" ", 2)[1]), body.decode(), time.perf_counter() - asked)


def _request(address: str, cookies: str, form: Mapping[str, str] | None) -> bytes:
    body = urlencode(form).encode() if form is not None else b""
    lines = [
        f"{'GET' if form is None else 'POST'} {address} HTTP/1.1",
        "Host: localhost",
        "X-Forwarded-Proto: https",
        f"X-Forwarded-For: 203.0.113.{1 + hash(cookies) % 250}",
        "Accept-Language: en",
        "HX-Request: true",
        f"Cookie: {cookies}",
    ]
    if form is not None:
        lines += [
            "Origin: https://localhost",
            f"X-CSRFToken: {CSRF_TOKEN}",
            "Content-Type: application/x-www-form-urlencoded",
            f"Content-Length: {len(body)}",
        ]
    return "\r\n".join(lines).encode() + END + body


@dataclass
class Seen:
    """What a run saw: when each message was sent and when it stood on the other's page, and every answer's time."""

    sent: dict[str, float] = field(default_factory=dict)
    came: dict[str, float] = field(default_factory=dict)
    looks: list[float] = field(default_factory=list)
    sends: list[float] = field(default_factory=list)
    refused: int = 0

    @property
    def ages(self) -> list[float]:
        """Returns the seconds from pressing to the other's page, of messages that came."""
        return [self.came[one] - began for one, began in self.sent.items() if one in self.came]

    def lost(self, *, before: Sequence[tuple[float, float]]) -> int:
        """Returns how many messages that were sent within one of these spans never came."""
        missing = [began for one, began in self.sent.items() if one not in self.came]
        return sum(first <= began <= last for began in missing for first, last in before)


class OpenPage:
    """Someone's open conversation."""

    def __init__(self, site: Site, cookies: str, other: str, other_id: str) -> None:
        self._site, self._cookies, self._other_id = site, cookies, other_id
        self._address, self._news = f"/messages/@{other}", ""
        self._pauses, self._step = pauses(), 0
        self._stirred, self._shown, self._recent = asyncio.Event(), set[str](), ""
        self._busy = asyncio.Lock()

    async def open(self) -> None:
        """Opens the page, of which the script then takes where to ask for news."""
        for _ in range(COLD):
            answer = await self._site.ask(self._address, self._cookies)
            if answer.status == 200 and self._take_address(answer.body):
                return
            await asyncio.sleep(0.5)
        raise RuntimeError(f"{self._address} answered {answer.status}")

    def _take_address(self, body: str) -> bool:
        """Takes where to ask next, and from which message on the page says what it shows."""
        if found := NEXT.search(body):
            self._news = html.unescape(found[1])
            recent = RECENT.search(body)
            self._recent = recent[1] if recent else ""
        return bool(found)

    async def live(self, seen: Seen, *, until: float, talks: bool) -> None:
        """Asks for news until a moment; someone who talks also writes."""
        self._step = 0 if talks else len(self._pauses)
        tasks = [self._look_again(seen, until)]
        if talks:
            tasks.append(self._write_again(seen, until))
        await asyncio.gather(*tasks)

    @property
    def _pause(self) -> float:
        return self._pauses[min(self._step, len(self._pauses) - 1)]

    async def _look_again(self, seen: Seen, until: float) -> None:
        pause = random.uniform(0, self._pause)
        while time.perf_counter() + pause < until:
            self._stirred.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stirred.wait(), pause)
            self._step += 1
            async with self._busy:
                await self._look(seen)
            pause = self._pause

    async def _look(self, seen: Seen) -> None:
        known = ".".join(one for one in self._shown if one >= self._recent)
        answer = await self._site.ask(f"{self._news}&known={known}", self._cookies)
        seen.looks.append(answer.seconds)
        if answer.status not in (200, 204):
            seen.refused += 1
        if answer.status != 200:
            return
        now = time.perf_counter()
        came = [one for one in MESSAGE.findall(answer.body) if one not in self._shown]
        for one in came:
            seen.came.setdefault(one, now)
        self._shown |= set(came)
        self._take_address(answer.body)
        self._step = 0
        if came:
            await self._site.ask(f"{self._address}/read", self._cookies, form={"up_to": max(came)})

    async def _write_again(self, seen: Seen, until: float) -> None:
        pause = random.uniform(0, BETWEEN[1])
        while time.perf_counter() + pause + TYPES_FOR < until:
            await asyncio.sleep(max(0.0, pause - TYPES_FOR))
            self._stir()
            await asyncio.sleep(TYPES_FOR)
            async with self._busy:  # or a look would take the page's own message for another's
                await self._write(seen)
            pause = random.uniform(*BETWEEN)

    async def _write(self, seen: Seen) -> None:
        began = time.perf_counter()
        form = {
            "content": "The tram was late again, so I walked along the river.",
            "nonce": ids.new_id(),
            "to": self._other_id,
        }
        answer = await self._site.ask(self._address, self._cookies, form=form)
        seen.sends.append(answer.seconds)
        if answer.status != 200:
            seen.refused += 1
            return
        for one in MESSAGE.findall(answer.body)[:1]:
            seen.sent[one] = began
            self._shown.add(one)
        self._step = 0
        self._stirred.set()

    def _stir(self) -> None:
        """What a pressed key does."""
        was_quiet = self._pause > self._pauses[0]
        self._step = 0
        if was_quiet:
            self._stirred.set()
