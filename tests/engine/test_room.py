"""A disk is full when the engine of its data folder can write nothing more."""

import shutil
from pathlib import Path

import pytest

from socialsite.engine.running import is_full

MB = 1_000_000


@pytest.mark.parametrize(
    ("engine", "free", "full"),
    [
        ("dynoxide", 2 * MB, False),
        ("dynoxide", MB // 2, True),
        ("dynamodb-local", 60 * MB, False),
        ("dynamodb-local", 40 * MB, True),
        ("no such engine", 2 * MB, False),
        ("no such engine", 0, True),
    ],
)
def test_the_engine_says_how_much_must_be_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, engine: str, free: int, full: bool
) -> None:
    """DynamoDB Local loses what it acknowledged on a full disk, so it is ended before that."""
    monkeypatch.setenv("ENGINE", engine)
    usage = shutil.disk_usage(tmp_path)._replace(free=free)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    assert is_full(tmp_path) is full


def test_without_a_folder_nothing_is_full(tmp_path: Path) -> None:
    assert not is_full(tmp_path / "none")
