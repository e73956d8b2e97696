"""How many pushes a second does a pusher send, and what does one cost? `python -m benchmarks.pushes [--people N]`

Each of the people has one device and one new follower to hear of. The push service is a process of this machine that
takes everything at once. The exit status is 1 if a limit is passed. See docs/performance.md.
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import django
from rich.console import Console
from rich.table import Table

os.environ["DJANGO_SETTINGS_MODULE"] = "benchmarks.settings"
django.setup()

from cryptography.hazmat.primitives.asymmetric import ec  # noqa: E402
from django.conf import settings  # noqa: E402

from accounts.encryption.person_keys import new_person_key  # noqa: E402
from accounts.models import Bell, SignIn, UserInfo, UserSettings  # noqa: E402
from accounts.sessions import hash_secret, today  # noqa: E402
from benchmarks import streaming  # noqa: E402
from benchmarks.bounds import Bound, conclude  # noqa: E402
from benchmarks.data import SECRET  # noqa: E402
from notifications.models import Notification, PushSubscription, PushWork, group_of  # noqa: E402
from notifications.push.asking import Outcome  # noqa: E402
from notifications.push.encryption import CURVE, encoded, point_of  # noqa: E402
from notifications.push.sender import Pusher  # noqa: E402
from notifications.push.site_key import SiteKey, open_site_key  # noqa: E402
from notifications.push.writes import SEALED, device_of  # noqa: E402
from relations.models import Follower  # noqa: E402
from relations.notices import FOLLOW  # noqa: E402
from socialsite.clock import utc_now  # noqa: E402
from socialsite.table import Item, ids, keys, measure, write_batch  # noqa: E402

PEOPLE = 10_000
LEAST_A_SECOND = 50
MOST_READ_UNITS = 20.0
ANSWER = b"HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pushes", description=__doc__)
    parser.add_argument("--people", type=int, default=PEOPLE, help="each with a device")
    people: int = parser.parse_args().people
    with streaming.engine(), push_service() as origin:
        settings.PUSH_TEST_ORIGINS = [origin]
        key = open_site_key()
        follower, works = ids.new_id(), list[PushWork]()
        write_batch(puts=items_of(people, follower, origin, key, works))
        pusher = Pusher(key)
        with measure() as spent:
            pusher._requests(works[0])
        began = time.perf_counter()
        while pusher.answers.total() < people:
            pusher.look()
            time.sleep(0.05)
        pusher.finish()
        seconds = time.perf_counter() - began
    a_second = pusher.answers[Outcome.SENT] / seconds
    bounds = [
        Bound("pushes a second of one pusher", a_second, "≥", LEAST_A_SECOND),
        Bound("read units a push", spent.read_units, "≤", MOST_READ_UNITS),
        Bound("pushes that did not arrive", people - pusher.answers[Outcome.SENT], "≤", 0),
    ]
    table = Table("pushes", "seconds", "answers", title="Pushes")
    table.add_row(str(people), f"{seconds:.1f}", str(dict(pusher.answers)))
    return conclude(Console(), bounds, table)


def items_of(
    people: int, follower_id: str, origin: str, site_key: SiteKey, works: list[PushWork]
) -> Iterator[Item]:
    """Yields people whom one person has just followed, each with a device and with work that is due."""
    yield UserInfo.new(user_id=follower_id, handle="follower", name="Fan")
    browser = encoded(point_of(ec.generate_private_key(CURVE).public_key()))
    until, now = datetime.now(UTC) + timedelta(days=7), utc_now()
    group, time_of_line = group_of(FOLLOW), ids.new_id()[: keys.TIME]
    for number in range(people):
        user_id, endpoint = ids.new_id(), f"{origin}/{number}"
        device, person_key = device_of(endpoint), new_person_key(user_id)
        given = json.dumps({"endpoint": endpoint, "p256dh": browser, "auth": encoded(bytes(16))})
        place = keys.push_subscription(user_id, device)
        yield person_key[1].item
        yield UserInfo.new(user_id=user_id, handle=f"p{number}", name=f"Person {number}")
        yield UserSettings.new(user_id=user_id, seen=today())
        yield Follower.new(user_id=user_id, follower_id=follower_id, seen=today())
        yield SignIn.new(
            user_id=user_id,
            secret_hash=hash_secret(SECRET),
            browser="benchmark",
            seen=today(),
            ttl=until,
            epoch=0,
        )
        bell = Bell.new(user_id=user_id, unseen={group: f"{time_of_line}.1"}, asking=(), changes=1)
        bell.push_to = {device}
        yield bell
        yield Notification.new(
            user_id=user_id,
            place=f"{time_of_line}{group}",
            kind=FOLLOW.code,
            actors=[follower_id],
            people=1,
            ttl=until,
        )
        yield PushSubscription.new(
            user_id=user_id,
            device=device,
            sealed=person_key[0].seal(given, key=place, attribute=SEALED),
            service="benchmark",
            session=hash_secret(SECRET),
            key_id=site_key.key_id,
            browser="benchmark",
            language="en",
            made=today(),
            ttl=until,
        )
        since = ids.time_of(f"{time_of_line}{'0' * 16}")
        work = PushWork.new(user_id=user_id, moment=now, since=since, about=FOLLOW.name)
        works.append(work)
        yield work


@contextmanager
def push_service() -> Iterator[str]:
    """The address of a push service in a process of its own."""
    listening = socket.create_server(("127.0.0.1", 0), backlog=128)
    process = multiprocessing.get_context("fork").Process(
        target=_serve, args=(listening,), daemon=True
    )
    process.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        process.terminate()
        process.join()


def _serve(listening: socket.socket) -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while head := await reader.readuntil(b"\r\n\r\n"):
            length = head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0]
            await reader.readexactly(int(length))
            writer.write(ANSWER)

    async def serve() -> None:
        server = await asyncio.start_server(answer, sock=listening)
        await server.serve_forever()

    asyncio.run(serve())


if __name__ == "__main__":
    raise SystemExit(main())
