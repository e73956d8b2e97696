"""Whoever reads a command's output may stop, as `head` does: the command ends without a word."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.injected.faults import share
from tests.operations.commands.test_runserver import ROOT
from tests.operations.test_restore_under_load import environment, manage

pytestmark = pytest.mark.engines("embedded", reason="it runs commands on an engine of its own")

PRINTING = [
    ["audit"],
    ["workbench", "export", "--sample", "0"],
    ["archive", "list"],
    ["help"],
    ["doctor"],
    ["create_table"],
]


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    assert manage(folder, "create_table").returncode == 0
    return folder


# A third of them a run: all go through one place, and each takes a process.
@pytest.mark.parametrize("command", share(PRINTING, one_of=3, salt="closed pipes"), ids=" ".join)
def test_a_command_whose_output_nobody_reads_ends_in_silence(data_dir, command):
    with subprocess.Popen(
        [sys.executable, "manage.py", *command],
        cwd=ROOT,
        env=environment(data_dir),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as run:
        assert run.stdout is not None
        run.stdout.close()
        _, told = run.communicate()
    assert "BrokenPipe" not in told
    assert "Broken pipe" not in told
    assert "Traceback" not in told
    assert run.returncode == 141
