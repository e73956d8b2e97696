"""How does a process of the site start, end, and never outlive the one that started it?

Each leads its own process group. So a terminal's Ctrl-C reaches only the starter, which ends them in order, and the
rest of a killed leader's group is killed with it. On Linux the kernel ends them if the starter is killed.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from socialsite.engine import exec_with_owner
from socialsite.environment import BESIDE_OWNER

STOP_SECONDS = 25  # longer than gunicorn's own patience
SHORT_LIFE = 5.0  # seconds; a process that ends sooner cannot run at all
STOPPED_SECONDS = 10.0  # after which one that something stopped (SIGSTOP) is not waited for


@dataclass
class Child:
    """A process that runs until it is told to end. Start it from a thread that lasts."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str]
    folder: Path
    stop_signal: signal.Signals = signal.SIGTERM
    is_needed: bool = True  # the site cannot do without it
    began: float = field(default=0.0, init=False)
    process: subprocess.Popen[bytes] = field(init=False)
    stopped_since: float | None = field(default=None, init=False)

    def start(self) -> None:
        command = list(self.command)
        if sys.platform == "linux":
            script = str(exec_with_owner.__file__)
            command = [sys.executable, "-I", "-S", script, "TERM", str(os.getpid()), *command]
        self.began, self.stopped_since = time.monotonic(), None
        self.process = subprocess.Popen(  # noqa: S603 - a command of our own
            command,
            cwd=self.folder,
            env={**self.environment, BESIDE_OWNER: "1"},
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )

    @property
    def has_ended(self) -> bool:
        return self.process.poll() is not None

    @property
    def cannot_run(self) -> bool:
        """Whether it ended by itself as soon as it had started. Being killed proves nothing, a crash does."""
        was_killed = self.process.returncode in (-signal.SIGKILL, -signal.SIGTERM)
        return not was_killed and time.monotonic() - self.began < SHORT_LIFE

    @property
    def rests(self) -> bool:
        """Whether it is too early to start it anew: nothing waits for one that is not needed."""
        return not self.is_needed and time.monotonic() - self.began < SHORT_LIFE

    @property
    def is_stopped(self) -> bool:
        """Whether something stopped it (SIGSTOP) and let it stand. It would hold its port or its work for ever."""
        now = time.monotonic()
        if not self._stands():
            self.stopped_since = None
        elif self.stopped_since is None:
            self.stopped_since = now
        return self.stopped_since is not None and now - self.stopped_since > STOPPED_SECONDS

    def _stands(self) -> bool:
        if sys.platform != "linux":
            return False
        with suppress(ChildProcessError):  # it has ended
            # WNOWAIT: it is told again at the next look, for as long as it stands.
            how = os.WSTOPPED | os.WNOHANG | os.WNOWAIT
            return os.waitid(os.P_PID, self.process.pid, how) is not None
        return False

    def ask_to_end(self) -> None:
        if not self.has_ended:
            self.process.send_signal(self.stop_signal)

    def end(self, seconds: float = STOP_SECONDS) -> None:
        """Waits for it to end, then kills what is left of its group."""
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(seconds)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def end_all(children: Sequence[Child]) -> None:
    """Ends them in this order: each is asked when the one before has ended."""
    for child in children:
        child.ask_to_end()
        child.end()
