"""Real processes that a test may kill, freeze and start again: an engine, workers, a load. And what they work on."""

import os
import secrets
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from socialsite.engine import process
from socialsite.engine.dynoxide import DYNOXIDE, database_path
from socialsite.engine.running import stop_owned
from socialsite.table import Item
from socialsite.table.connection import disconnect
from socialsite.table.schema import create_table

ROOT = Path(__file__).resolve().parents[2]


@dataclass
class Child:
    """A Python process that can be killed and started again, with all that it said in one log."""

    arguments: list[str]
    environment: dict[str, str]
    log: Path

    def __post_init__(self) -> None:
        self.start()

    def start(self) -> None:
        clean = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("AWS_", "DYNAMODB_", "DJANGO_"))
        }
        self.process = subprocess.Popen(
            [sys.executable, *self.arguments],
            cwd=ROOT,
            env=clean | self.environment,
            stdin=subprocess.DEVNULL,
            stdout=self.log.open("a"),
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )

    def send(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def kill(self) -> None:
        """Kills it with the processes that it forked, which would hold its port and answer who asked before."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def end(self) -> None:
        """Asks it to end, as a deployment does."""
        self.send(signal.SIGTERM)
        self.process.wait(timeout=20)

    def said(self) -> str:
        return self.log.read_text()


@dataclass
class MortalEngine:
    """The embedded engine on a file and a port that it keeps when it is killed and started again."""

    data_dir: Path

    def __post_init__(self) -> None:
        self.running = process.start(DYNOXIDE, ROOT, self.data_dir, die_with_starter=False)
        DYNOXIDE.complete(database_path(self.data_dir))

    @property
    def url(self) -> str:
        return self.running.url

    def kill(self) -> None:
        self.running.process.kill()
        self.running.process.wait()

    def start(self) -> None:
        at = self.running.url
        self.running = process.start(DYNOXIDE, ROOT, self.data_dir, at=at, die_with_starter=False)

    def end(self) -> None:
        process.stop(self.running)


def environment_of(endpoint: str, table: str, data_dir: Path) -> dict[str, str]:
    """What a child needs to work on that table."""
    named = {"DYNAMODB_ENDPOINT": endpoint, "DYNAMODB_TABLE": table}
    return environment_in(data_dir) | named


def environment_in(data_dir: Path) -> dict[str, str]:
    """What a child needs to work on the table of a data folder, whose engine it starts or attaches to."""
    return {
        "DATA_DIR": str(data_dir),
        "DEBUG": "1",
        "DJANGO_SETTINGS_MODULE": "socialsite.settings",
        "SECRET_KEY": secrets.token_hex(32),
        "DATA_KEY": settings.DATA_KEY,  # the one that the table was made with
        "PYTHONUNBUFFERED": "1",
    }


@contextmanager
def own_engine() -> Iterator[tuple[MortalEngine, str]]:
    """An engine of the test's own, with a table that this process looks at too; then the session's again."""
    memory = Path("/dev/shm")
    parent = memory if os.access(memory, os.W_OK) else None
    before = settings.DYNAMODB_ENDPOINT, settings.DYNAMODB_ENGINE, Item.Meta.table_name
    with tempfile.TemporaryDirectory(prefix="socialsite-kills-", dir=parent) as folder:
        engine = MortalEngine(Path(folder))
        try:
            settings.DYNAMODB_ENDPOINT, settings.DYNAMODB_ENGINE = engine.url, "endpoint"
            Item.Meta.table_name = f"kills-{uuid.uuid4().hex[:16]}"
            disconnect()
            create_table()
            yield engine, Item.Meta.table_name
        finally:
            engine.end()
            settings.DYNAMODB_ENDPOINT, settings.DYNAMODB_ENGINE, Item.Meta.table_name = before
            disconnect()


@contextmanager
def own_folder(data_dir: Path) -> Iterator[None]:
    """This process works on the table of a data folder, as one more of the site's; then on the session's again."""
    before = settings.DYNAMODB_ENDPOINT, settings.DYNAMODB_ENGINE, settings.DATA_DIR
    table_before = Item.Meta.table_name
    try:
        settings.DYNAMODB_ENDPOINT, settings.DYNAMODB_ENGINE = None, "embedded"
        settings.DATA_DIR, Item.Meta.table_name = data_dir, settings.DYNAMODB_TABLE
        disconnect()
        yield
    finally:
        stop_owned()
        settings.DYNAMODB_ENDPOINT, settings.DYNAMODB_ENGINE, settings.DATA_DIR = before
        Item.Meta.table_name = table_before
        disconnect()


def wait_until(holds: Callable[[], bool], *, seconds: float) -> float:
    """Waits until something holds, and says how long that took."""
    begun = time.monotonic()
    while not holds():
        assert time.monotonic() - begun < seconds, f"not within {seconds} s"
        time.sleep(0.05)
    return time.monotonic() - begun
