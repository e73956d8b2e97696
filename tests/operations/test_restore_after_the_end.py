"""A post that ends by itself is in a backup, and its moment passes: restored, it is gone from every page.

Real commands on folders of their own. Only the time is the test's: `clock_at`, in the process that looks.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.operations.ending import PATHS
from tests.operations.test_restore_under_load import manage

pytestmark = [
    pytest.mark.engines("embedded", reason="it restores an engine of its own"),
    pytest.mark.timeout(180),
]


def run(data_dir: Path, *command: str) -> str:
    ran = manage(data_dir, *command)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.strip()


def play(data_dir: Path, what: str) -> str:
    return run(data_dir, "shell", "-c", f"from tests.operations import ending; ending.{what}()")


@pytest.fixture
def told(tmp_path: Path) -> list[dict[str, Any]]:
    site, new = tmp_path / "var", tmp_path / "new"
    run(site, "create_table")
    play(site, "publish")
    run(new, "restore", run(site, "backup"))
    return json.loads(play(new, "tell").splitlines()[-1])


def test_a_post_that_ended_after_its_backup_is_restored_as_ended(told):
    there, ended, worked, removed = told
    assert (sorted(there["on"]), there["at home"]) == (sorted(PATHS), True)
    assert (there["posts"], there["places of files"]) == (2, 2)
    assert there["broken"] == {}
    for look in (ended, worked, removed):
        assert (look["on"], look["at home"], look["posts"]) == ([], False, 1)
        assert look["broken"] == {}
    assert [look["places of files"] for look in (worked, removed)] == [0, 0]
