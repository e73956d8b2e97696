"""A process of the site that ends at once is told apart from one that something else killed."""

import sys
from pathlib import Path

import pytest

from operations.serving.children import Child

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
