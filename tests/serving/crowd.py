"""Many clients at once over https: those that ask as fast as they are answered, and those that hardly send anything."""

import asyncio
import ssl
import statistics
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from tests.serving.served import UNVERIFIED

AFTER_A_REFUSAL = 1.0  # seconds until a client that got a 503 asks again
GIVEN_UP_AFTER = 30.0
CONNECTING_AT_ONCE = 50


@dataclass(frozen=True)
class Answer:
    """What came back: status 0 if nothing did."""

    status: int
    seconds: float
    retry_after: str = ""


@dataclass
class Crowd:
    """Clients of one site, all with the same cookies."""

    port: int
    cookies: str = ""
    answers: list[Answer] = field(default_factory=list)
    health: list[Answer] = field(default_factory=list)

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection("127.0.0.1", self.port, ssl=UNVERIFIED)

    def head(self, path: str, method: str = "GET", **more: str) -> bytes:
        host = f"localhost:{self.port}"
        lines = {"Host": host, "Origin": f"https://{host}", "Cookie": self.cookies, **more}
        text = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        return f"{method} {path} HTTP/1.1\r\n{text}\r\n".encode()

    async def ask(self, path: str) -> Answer:
        """One request on a connection of its own; the time is that from the first byte to the last."""
        begun = time.monotonic()
        try:
            async with asyncio.timeout(GIVEN_UP_AFTER):
                reader, writer = await self.connect()
                writer.write(self.head(path))
                status, retry_after = await read_answer(reader)
                writer.close()
        except (OSError, TimeoutError, asyncio.IncompleteReadError, ssl.SSLError):
            return Answer(0, time.monotonic() - begun)
        return Answer(status, time.monotonic() - begun, retry_after)

    async def ask_again_and_again(
        self, path: str, begin: asyncio.Event, until: list[float]
    ) -> None:
        """A kept connection that asks once answered, or a second after a refusal. Connects before it begins."""
        reader, writer = await self.connect()
        await begin.wait()
        while time.monotonic() < until[0]:
            asked = time.monotonic()
            try:
                async with asyncio.timeout(GIVEN_UP_AFTER):
                    writer.write(self.head(path))
                    status, retry_after = await read_answer(reader)
            except (OSError, TimeoutError, asyncio.IncompleteReadError, ssl.SSLError):
                self.answers.append(Answer(0, time.monotonic() - asked))
                with suppress(OSError, ssl.SSLError):
                    reader, writer = await self.connect()
                continue
            self.answers.append(Answer(status, time.monotonic() - asked, retry_after))
            if status == 503:
                await asyncio.sleep(AFTER_A_REFUSAL)
        writer.close()

    async def press(self, path: str, *, connections: int, seconds: float) -> None:
        """So many kept connections ask for so long, while `/healthz` is asked ten times a second on new ones."""
        begin, until = asyncio.Event(), [0.0]
        connecting = asyncio.Semaphore(CONNECTING_AT_ONCE)

        async def one() -> None:
            async with connecting:
                client = asyncio.create_task(self.ask_again_and_again(path, begin, until))
                await asyncio.sleep(0)
            await client

        clients = [asyncio.create_task(one()) for _ in range(connections)]
        await asyncio.sleep(1 + connections / 200)  # for the handshakes
        until[0] = time.monotonic() + seconds
        begin.set()
        while time.monotonic() < until[0]:
            self.health.append(await self.ask("/healthz"))
            await asyncio.sleep(0.1)
        await asyncio.gather(*clients)

    async def ask_at_once(self, path: str, clients: int) -> list[Answer]:
        return list(await asyncio.gather(*(self.ask(path) for _ in range(clients))))

    async def trickle(self, request: bytes, stop: asyncio.Event) -> None:
        """Sends a request at one byte a second; connects again when it is cut off."""
        while not stop.is_set():
            with suppress(OSError, ssl.SSLError, ConnectionError):
                _, writer = await self.connect()
                for byte in request:
                    if stop.is_set():
                        break
                    writer.write(bytes([byte]))
                    await writer.drain()
                    await wait(stop, 1.0)
                writer.close()

    async def trickle_body(self, stop: asyncio.Event) -> None:
        """Sends a whole head at once, and a body at one byte a second."""
        with suppress(OSError, ssl.SSLError, ConnectionError):
            _, writer = await self.connect()
            writer.write(self.head("/posts", "POST", **{"Content-Length": "10000"}))
            while not stop.is_set():
                writer.write(b"x")
                await writer.drain()
                await wait(stop, 1.0)
            writer.close()


async def wait(stop: asyncio.Event, seconds: float) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await stop.wait()


async def read_answer(reader: asyncio.StreamReader) -> tuple[int, str]:
    """Status and Retry-After of an answer, whose body is read too."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head.split("\r\n")
    headers = {
        name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)
    }
    if headers.get("transfer-encoding") == "chunked":
        while size := int(await reader.readuntil(b"\r\n"), 16):
            await reader.readexactly(size + 2)
        await reader.readexactly(2)
    else:
        await reader.readexactly(int(headers.get("content-length", 0)))
    return int(first.split()[1]), headers.get("retry-after", "")


def summed_up(name: str, answers: Sequence[Answer]) -> str:
    """Counts, and the time in which half and 99 % came."""
    parts = []
    for status in sorted({answer.status for answer in answers}):
        times = sorted(answer.seconds for answer in answers if answer.status == status)
        last = times[min(len(times) - 1, int(len(times) * 0.99))]
        what = status or "unanswered"
        parts.append(
            f"{len(times)} × {what} (p50 {statistics.median(times):.2f} s, p99 {last:.2f} s)"
        )
    return f"{name}: {', '.join(parts)}"
