"""Slow clients, in a process of their own: `python -m tests.operations.serving.slow heads|bodies <port> <clients>`.

Prints a line when all are connected, and goes on until it is killed.
"""

import asyncio
import sys
from contextlib import suppress

from tests.operations.serving.crowd import LOST, Crowd

BYTE_EVERY = 1.0  # seconds


async def send_slowly(crowd: Crowd, kind: str, connected: asyncio.Semaphore) -> None:
    """Sends a head at one byte a second, or a body after a whole head; connects again when it is cut off."""
    head = crowd.head("/posts", "POST", **{"Content-Length": "10000"})
    at_once, slowly = (b"", head) if kind == "heads" else (head, b"x" * 10_000)
    is_first = True
    while True:
        with suppress(*LOST):
            _, writer = await crowd.connect()
            writer.write(at_once)
            if is_first:
                connected.release()
                is_first = False
            for byte in slowly:
                writer.write(bytes([byte]))
                await writer.drain()
                await asyncio.sleep(BYTE_EVERY)


async def main(kind: str, port: int, clients: int) -> None:
    connected = asyncio.Semaphore(0)
    crowd = Crowd(port)
    tasks = [asyncio.create_task(send_slowly(crowd, kind, connected)) for _ in range(clients)]
    for _ in range(clients):
        await connected.acquire()
    print(f"{clients} slow {kind} are connected", flush=True)
    await asyncio.gather(*tasks)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
