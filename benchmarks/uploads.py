"""How much memory do uploads take? `python -m benchmarks.uploads [--pictures N]`

Photos of 12 megapixels and 9.5 MB are sent to production's server, four at a time, each over a connection of its own.
Memory is the proportional share (PSS) of the web server's processes, and of the children that decode, as Linux counts
it. The exit status is 1 if a limit is passed.
"""

import argparse
import http.client
import io
import os
import ssl
import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from urllib.parse import urlsplit

import django
from PIL import Image
from rich.console import Console
from rich.progress import Progress

os.environ["DJANGO_SETTINGS_MODULE"] = "benchmarks.settings"
django.setup()

from django.conf import settings  # noqa: E402

from benchmarks import site, streaming  # noqa: E402
from benchmarks.bounds import Bound, conclude  # noqa: E402
from benchmarks.data import Society  # noqa: E402
from benchmarks.production import COOKIE, collect_static, served  # noqa: E402
from benchmarks.raw_client import RawClient  # noqa: E402
from socialsite.table.connection import table_name  # noqa: E402

AT_ONCE = 4
MEGABYTES = 9.5
PAUSE = 0.05  # seconds between two looks
TOKEN = "c" * 32
MIB = 1024 * 1024
CHILD = "socialsite.pictures.child"


def main() -> int:
    options = _options()
    console = Console()
    folder = Path(settings.DATA_DIR)
    with site.engine() as engine, Progress(console=console, transient=True) as progress:
        society = Society()
        site.make_table(table_name())
        streaming.fill(RawClient(engine.url), society.items())
        cookies = [site.Browser(user_id).session_key for user_id in society.viewers.values()]
        static_root = collect_static(folder / "production")
        task = progress.add_task("Uploading", total=options.pictures)
        with served(folder, static_root) as address:
            _upload(address, cookies[0])  # the first one imports what it needs
            before = _memory()
            watched = Watched()
            answers = _upload_all(
                address, cookies, options.pictures, lambda: progress.advance(task)
            )
            watched.stop()
            after = _memory()
    console.print(f"Answers: {dict(answers)}")
    bounds = [
        Bound("web processes before, MiB", before[0], "≤"),
        Bound("web processes at most, MiB", watched.web, "≤", before[0] + 48),
        Bound("web processes after, MiB", after[0], "≤", before[0] + 32),
        Bound("all children that decode, at most, MiB", watched.children, "≤", 2 * 704),
        Bound("children at once", watched.count, "≤", 2),
    ]
    status = conclude(console, bounds)
    return status if set(answers) <= {200, 503} else 1


class Watched:
    """The highest memory of the server and of its children, looked at in a thread."""

    def __init__(self) -> None:
        self.web = self.children = 0.0
        self.count = 0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()

    def stop(self) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._over.wait(PAUSE):
            web, children, count = _memory()
            self.web = max(self.web, web)
            self.children = max(self.children, children)
            self.count = max(self.count, count)


def _upload_all(address: str, cookies: list[str], pictures: int, on_done: object) -> Counter[int]:
    waiting: SimpleQueue[str] = SimpleQueue()
    for number in range(pictures):
        waiting.put(cookies[number % len(cookies)])
    answers: Counter[int] = Counter()

    def send() -> None:
        with suppress(Empty):
            while True:
                answers[_upload(address, waiting.get_nowait())] += 1
                assert callable(on_done)
                on_done()

    threads = [threading.Thread(target=send) for _ in range(AT_ONCE)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def _upload(address: str, cookie: str) -> int:
    """Sends the picture once more if both slots were taken all the time, as the composer does."""
    for _ in range(2):
        connection = http.client.HTTPSConnection(
            urlsplit(address).netloc, context=ssl._create_unverified_context(), timeout=120
        )
        boundary = "b" * 24
        headers = {
            "Cookie": f"{COOKIE}={cookie}; __Host-csrf={TOKEN}; {settings.CSRF_COOKIE_NAME}={TOKEN}",
            "Content-Type": f"multipart/form-data; boundary={boundary}",
            "Referer": f"{address}/photos",
            "HX-Request": "true",
            "X-CSRFToken": TOKEN,
        }
        connection.request("POST", "/photos", _body(boundary), headers)
        status = connection.getresponse().status
        connection.close()
        if status != 503:
            break
        time.sleep(1)
    return status


def _body(boundary: str) -> bytes:
    disposition = 'Content-Disposition: form-data; name="photo"; filename="a.jpg"'
    start = f"--{boundary}\r\n{disposition}\r\nContent-Type: image/jpeg\r\n\r\n"
    return start.encode() + PICTURE + f"\r\n--{boundary}--\r\n".encode()


def _picture() -> bytes:
    out = io.BytesIO()
    Image.effect_noise((4000, 3000), 120).convert("RGB").save(out, "JPEG", quality=88)
    return out.getvalue().ljust(int(MEGABYTES * MIB), b"\0")


def _memory() -> tuple[float, float, int]:
    """Returns the memory of the server and of all children in MiB, and how many children there are."""
    listed = subprocess.run(
        ["ps", "-eo", "pid,args"],
        capture_output=True,
        text=True,
        check=True,
    )
    web = children = 0.0
    count = 0
    for line in listed.stdout.splitlines():
        pid, _, command = line.strip().partition(" ")
        if CHILD in command:
            children, count = children + _share(pid), count + 1
        elif "gunicorn" in command and "socialsite.wsgi" in command:
            web += _share(pid)
    return web, children, count


def _share(pid: str) -> float:
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) / 1024
    return 0.0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.uploads", description=__doc__)
    parser.add_argument("--pictures", type=int, default=100)
    return parser.parse_args()


if __name__ == "__main__":
    PICTURE = _picture()
    sys.exit(main())
