"""The real processes in the tests of the embedded engine: engines, and sites that use them."""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from socialsite.engine.choice import PROGRAMS
from socialsite.engine.dynoxide import database_path

PROJECT = Path(__file__).resolve().parents[2]
SITE_PROCESS = Path(__file__).with_name("site_process.py")


@dataclass(frozen=True)
class RunningTable:
    """An engine on a file of its own, with one table."""

    data_dir: Path
    url: str
    client: Any

    @property
    def database(self) -> Path:
        return database_path(self.data_dir)


class SiteProcess:
    """A process of `site_process.py`."""

    def __init__(self, data_dir: Path, where: str) -> None:
        self.popen = subprocess.Popen(
            [sys.executable, str(SITE_PROCESS), str(data_dir), where],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def endpoint(self) -> dict[str, Any]:
        """Wait until it has an engine and return which."""
        assert self.popen.stdout is not None
        line = self.popen.stdout.readline()
        assert line, self.popen.stderr and self.popen.stderr.read()
        answer: dict[str, Any] = json.loads(line)
        return answer

    def exit(self) -> None:
        """Let it end by itself, as after Ctrl-C."""
        _, errors = self.popen.communicate(timeout=20)
        assert self.popen.returncode == 0, errors
        assert not errors

    def kill(self) -> None:
        """End it without letting it do anything more, as `kill -9` does."""
        self.popen.kill()
        self.popen.communicate()


def engine_pids(data_dir: Path) -> list[int]:
    """Return the engines that run on the data folder."""
    listing = subprocess.run(["ps", "-ww", "-eo", "pid=,args="], capture_output=True, text=True)
    marks = [program.recognised_by(data_dir) for program in PROGRAMS]
    return [
        int(line.split()[0])
        for line in listing.stdout.splitlines()
        if any(mark in line for mark in marks)
    ]
