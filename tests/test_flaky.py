"""`make test-often` names each failure with what repeats it, and counts."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
pytestmark = pytest.mark.engines("embedded", reason="no engine is asked")

SAYS = """
echo "=== Tests on paper"
echo "Using --randomly-seed=12"
echo "FAULTS_SEED=77 repeats what this run draws by chance."
"""
FAILS = 'echo "FAILED tests/a/test_b.py::test_c[1] - AssertionError: no"; exit 1'


def often(tmp_path: Path, script: str) -> tuple[int, list[str]]:
    """The exit code and the lines of two runs of a script."""
    (tmp_path / "script.sh").write_text(SAYS + script)
    played = ["-n", "2", "--busy", "1", "sh", str(tmp_path / "script.sh")]
    ended = subprocess.run(
        [sys.executable, "tools/flaky.py", *played], cwd=ROOT, capture_output=True, text=True
    )
    assert not ended.stderr
    return ended.returncode, ended.stdout.splitlines()


def test_a_failure_is_told_with_its_step_and_seeds_and_counted_at_the_end(tmp_path):
    code, lines = often(tmp_path, FAILS)
    assert code == 1
    told = "  tests/a/test_b.py::test_c[1]  (Tests on paper --randomly-seed=12 FAULTS_SEED=77)"
    assert lines.count(told) == 2
    assert lines[-2].startswith("2 runs: 0 passed, 2 failed;")
    assert lines[-1] == "  2× tests/a/test_b.py::test_c[1]"


def test_where_all_is_well_the_runs_are_counted(tmp_path):
    code, lines = often(tmp_path, "exit 0")
    assert code == 0
    assert lines[-1].startswith("2 runs: 2 passed, 0 failed;")
