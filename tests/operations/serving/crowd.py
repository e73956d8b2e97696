"""Many clients at once over https, which ask as soon as they are answered."""

import asyncio
import ssl
import statistics
import time
from collections.abc import Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TypeVar

from tests.operations.serving.served import UNVERIFIED

AFTER_A_REFUSAL = 1.0  # seconds until a client that got a 503 asks again
GIVEN_UP_AFTER = 30.0
CONNECTING_AT_ONCE = 50
T = TypeVar("T")
LOST = (OSError, TimeoutError, asyncio.IncompleteReadError, ssl.SSLError)


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
    is_counted: bool = False

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
        except LOST:
            return Answer(0, time.monotonic() - begun)
        return Answer(status, time.monotonic() - begun, retry_after)

    async def press(self, path: str, *, connections: int, seconds: float) -> None:
        """So many kept connections ask for so long, while `/healthz` is asked ten times a second on new ones.

        They ask from the moment at which they are connected, as nginx ends a connection that says nothing; what is
        asked before all are connected is not counted.
        """
        connecting = asyncio.Semaphore(CONNECTING_AT_ONCE)
        clients = [_Client(self, path, connecting) for _ in range(connections)]
        tasks = [asyncio.create_task(client.ask_again_and_again()) for client in clients]
        while not all(client.is_connected for client in clients):
            await asyncio.sleep(0.1)
        self.is_counted = True
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            self.health.append(await self.ask("/healthz"))
            await asyncio.sleep(0.1)
        for client in clients:
            client.goes_on = False
        await asyncio.gather(*tasks)

    async def ask_at_once(self, path: str, clients: int) -> list[Answer]:
        return list(await asyncio.gather(*(self.ask(path) for _ in range(clients))))


@dataclass
class _Client:
    """A kept connection that asks once answered, or a second after a refusal."""

    crowd: Crowd
    path: str
    connecting: asyncio.Semaphore
    is_connected: bool = False
    goes_on: bool = True

    async def ask_again_and_again(self) -> None:
        reader, writer = await self._connect()
        while self.goes_on:
            asked, is_counted = time.monotonic(), self.crowd.is_counted
            status, retry_after = 0, ""
            try:
                async with asyncio.timeout(GIVEN_UP_AFTER):
                    writer.write(self.crowd.head(self.path))
                    status, retry_after = await read_answer(reader)
            except LOST:
                writer.close()
                reader, writer = await self._connect()
            if is_counted:
                taken = time.monotonic() - asked
                self.crowd.answers.append(Answer(status, taken, retry_after))
            if status == 503:
                await asyncio.sleep(AFTER_A_REFUSAL)
        writer.close()

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        while True:
            with suppress(*LOST):
                async with self.connecting:
                    connection = await self.crowd.connect()
                self.is_connected = True
                return connection


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


def run(asked: Coroutine[None, None, T]) -> T:
    """Runs it in a thread of its own: browser tests of the same run keep a loop going in the main one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, asked).result()


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
