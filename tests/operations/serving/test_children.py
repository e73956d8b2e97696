"""A process of the site that ends at once is told apart from one that something else killed."""

import os
import signal
import sys
from pathlib import Path

import pytest

from operations.serving import children
from operations.serving.children import Child
from tests.faults.processes import wait_until

ENDS = {
    "raise SystemExit": True,
    "raise SystemExit('no such setting')": True,
    "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)": True,
    "import os, signal; os.kill(os.getpid(), signal.SIGKILL)": False,
    "import os, signal; os.kill(os.getpid(), signal.SIGTERM)": False,
}


@pytest.mark.parametrize(("program", "cannot_run"), ENDS.items())
def test_what_ends_by_itself_at_once_cannot_run_and_what_is_killed_may(
    program: str, cannot_run: bool, tmp_path: Path
) -> None:
    child = Child("a program", [sys.executable, "-c", program], {}, tmp_path)
    child.start()
    child.end()
    assert child.cannot_run is cannot_run


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells it")
def test_what_is_stopped_and_goes_on_is_left_alone_and_what_stays_so_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(children, "STOPPED_SECONDS", 0.5)
    program = [sys.executable, "-c", "import time; time.sleep(600)"]
    child = Child("a program", program, dict(os.environ), tmp_path)
    child.start()
    assert not child.is_stopped
    os.kill(child.process.pid, signal.SIGSTOP)
    wait_until(lambda: child.is_stopped or child.stopped_since is not None, seconds=30)
    os.kill(child.process.pid, signal.SIGCONT)
    wait_until(lambda: not child.is_stopped and child.stopped_since is None, seconds=30)
    os.kill(child.process.pid, signal.SIGSTOP)
    wait_until(lambda: child.is_stopped, seconds=30)
    child.end(0)
    assert child.has_ended
    assert not child.is_stopped
