"""A machine of a test: the service below a folder, run by a small systemd, and people who post all the time."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPException
from itertools import pairwise
from pathlib import Path

from operations.installation.places import Places
from tests.operations.installation.systemd import Systemd
from tests.operations.serving.served import ROOT, Browser

# A version of a test shares the packages of this checkout.
SETUP = f"ln -s {ROOT}/.venv {ROOT}/node_modules ."


class Machine:
    def __init__(self, root: Path, systemd: Systemd) -> None:
        self.root, self.systemd = root, systemd
        self.shift = 12_000 + os.getpid() % 300 * 20  # below the ports that Linux gives out
        self.places = Places(root, self.shift)

    @property
    def port(self) -> int:
        return self.places.port(443)

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        path = f"{self.systemd.bin}:{os.environ['PATH']}:/usr/sbin"
        home = {name: os.environ[name] for name in ("HOME", "LANG") if name in os.environ}
        return subprocess.run(
            [
                *(sys.executable, "-m", "operations.installation"),
                *("--root", str(self.root), "--shift", str(self.shift), *arguments),
            ],
            cwd=ROOT,
            env=home | {"PATH": path, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=False,
        )

    def install(self, *more: str) -> subprocess.CompletedProcess[str]:
        return self.run("install", "--domain", "localhost", "--setup", SETUP, *more)

    def upgrade(self, *more: str) -> subprocess.CompletedProcess[str]:
        return self.run("upgrade", "--setup", SETUP, *more)

    def manage(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return self.run("manage", *arguments)

    def configure(self, **settings: str) -> None:
        with self.places.env.open("a") as file:
            file.writelines(f"{name}={value}\n" for name, value in settings.items())

    def posts(self) -> set[str]:
        said = self.manage("shell", "-c", LIST)
        assert said.returncode == 0, said.stderr
        return {line[5:] for line in said.stdout.splitlines() if line.startswith("post ")}

    def logs(self) -> str:
        files = sorted((self.root / "run").glob("*.log"))
        return "\n".join(f"== {file.name}\n{file.read_text()[-1500:]}" for file in files)


LIST = """
from socialsite.table.reading import scan
for raw in scan():
    if raw["type"]["S"] == "Post":
        print("post", raw["content"]["S"])
"""


@contextmanager
def machine(root: Path) -> Iterator[Machine]:
    with Systemd(root) as systemd:
        yield Machine(root, systemd)


PAUSE = 10.5  # seconds of each; more often would reach the limit of posts


@dataclass
class Storm:
    """People who post one after the other, whatever happens. What was answered by 302 was acknowledged."""

    port: int
    people: int = 8
    acknowledged: list[str] = field(default_factory=list)
    moments: list[float] = field(default_factory=list)
    refused: int = 0
    ends: threading.Event = field(default_factory=threading.Event)

    def __enter__(self) -> "Storm":
        self.threads = []
        for number in range(self.people):
            browser = Browser(self.port)
            browser.sign_up(f"person_{number}")
            thread = threading.Thread(target=self._post, args=(browser, number), daemon=True)
            self.threads.append(thread)
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.ends.set()
        for thread in self.threads:
            thread.join(60)

    def _post(self, browser: Browser, number: int) -> None:
        count = 0
        self.ends.wait(PAUSE * number / self.people)
        while not self.ends.wait(PAUSE):
            count += 1
            text = f"storm {number} {count}"
            try:
                browser.say(text)
            except (AssertionError, OSError, HTTPException, KeyError):
                self.refused += 1
                continue
            self.acknowledged.append(text)
            self.moments.append(time.monotonic())

    def wait_for(self, more: int) -> None:
        """Waits until so many more posts were acknowledged."""
        enough, until = len(self.acknowledged) + more, time.monotonic() + 60
        while len(self.acknowledged) < enough:
            assert time.monotonic() < until, (len(self.acknowledged), self.refused)
            time.sleep(0.05)

    @property
    def longest_silence(self) -> float:
        moments = sorted(self.moments)
        return max(
            (later - earlier for earlier, later in pairwise(moments)),
            default=0,
        )
