"""Nothing in the data folder can be opened by another account of the machine."""

import errno
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from socialsite.engine.database import back_up
from socialsite.engine.running import ensure_running, stop_owned
from socialsite.private_files import create_private, exposed_paths, make_private, write_private
from tests.engine.processes import PROJECT, RunningTable


@pytest.fixture(autouse=True)
def usual_umask():
    """What most systems set: others may read what a program makes without thinking of it."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def modes(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): oct(stat.S_IMODE(path.lstat().st_mode))
        for path in (folder, *folder.rglob("*"))
    }


def assert_private(folder: Path) -> None:
    for name, mode in modes(folder).items():
        assert mode == ("0o700" if (folder / name).is_dir() else "0o600"), (name, mode)


def test_all_that_the_engine_makes_is_for_this_user_alone(tmp_path: Path) -> None:
    folder = tmp_path / "var"
    try:
        ensure_running(project=PROJECT, data_dir=folder, table_name="socialsite")
        made = set(modes(folder))
        assert {"dynamodb.sqlite3", "dynamodb.sqlite3-wal", "engine.json", "engine.log"} <= made
        assert_private(folder)
    finally:
        stop_owned()
    assert_private(folder)


def test_a_backup_is_for_this_user_alone(table: RunningTable, tmp_path: Path) -> None:
    target = tmp_path / "monday.backup"
    back_up(table.database, target)
    assert stat.S_IMODE(target.stat().st_mode) == 0o600


# What each entry point does first: it reads the settings.
ENTRY_POINTS = {
    "a command": ["manage.py", "help"],
    "the check": ["manage.py", "check"],
    "gunicorn": ["-c", "import socialsite.wsgi"],
    "Lambda": ["-c", "import socialsite.streams.lambda_handler"],
}


@pytest.mark.parametrize("arguments", ENTRY_POINTS.values(), ids=ENTRY_POINTS)
def test_every_entry_point_mends_a_folder_of_an_earlier_version(
    arguments: list[str], tmp_path: Path
) -> None:
    folder = tmp_path / "var"
    (folder / "media" / "avatars").mkdir(parents=True)
    for name in ("dynamodb.sqlite3", "data_key.txt", "secret_key.txt", "media/avatars/1.webp"):
        (folder / name).write_text("x" * 40)
    assert set(modes(folder).values()) == {"0o755", "0o644"}
    run(arguments, folder)
    assert_private(folder)


def test_secrets_that_a_laptop_makes_are_for_this_user_alone(tmp_path: Path) -> None:
    run(["manage.py", "check"], tmp_path / "var")
    assert {"data_key.txt", "secret_key.txt"} <= set(modes(tmp_path / "var"))
    assert_private(tmp_path / "var")


def test_uploads_and_the_archive_are_for_this_user_alone(tmp_path: Path) -> None:
    script = (
        "import django; django.setup()\n"
        "from django.core.files.base import ContentFile\n"
        "from django.core.files.storage import storages\n"
        "for name in ('default', 'archive'):\n"
        "    storages[name].save('archive/day/file', ContentFile(b'x'))\n"
    )
    run(["-c", script], tmp_path / "var")
    assert {"media/archive/day/file", "archive/day/file"} <= set(modes(tmp_path / "var"))
    assert_private(tmp_path / "var")


def test_a_folder_that_holds_something_else_keeps_its_mode_and_is_warned_about(
    tmp_path: Path,
) -> None:
    (tmp_path / "data_key.txt").write_text("x" * 40)
    (tmp_path / "holiday.jpg").write_text("")
    tmp_path.chmod(0o755)
    said = run(["manage.py", "check"], tmp_path)
    assert f"the data folder {tmp_path}, which also holds holiday.jpg" in said
    assert modes(tmp_path)["holiday.jpg"] == "0o644"
    assert modes(tmp_path)["data_key.txt"] == "0o600"
    assert exposed_paths(tmp_path) == [tmp_path]


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text("")
    folder = tmp_path / "var"
    folder.mkdir()
    (folder / "engine.log").symlink_to(elsewhere)
    make_private(folder)
    assert modes(tmp_path)["elsewhere"] == "0o644"


def test_a_missing_folder_is_not_made(tmp_path: Path) -> None:
    make_private(tmp_path / "var")
    assert not (tmp_path / "var").exists()


def test_a_secret_is_made_once_and_whole(tmp_path: Path) -> None:
    create_private(tmp_path / "data_key.txt", "first")
    create_private(tmp_path / "data_key.txt", "second")
    assert [path.read_text() for path in tmp_path.iterdir()] == ["first"]
    write_private(tmp_path / "data_key.txt", "third")
    assert [path.read_text() for path in tmp_path.iterdir()] == ["third"]


def run(arguments: list[str], data_dir: Path) -> str:
    environment = {"DATA_DIR": str(data_dir), "DJANGO_SETTINGS_MODULE": "socialsite.settings"}
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=PROJECT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return " ".join((done.stdout + done.stderr).split())


def test_a_read_only_disk_is_left_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The checks say so, or whatever has to write there."""
    (tmp_path / "data_key.txt").touch(mode=0o644)

    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(os, "chmod", refuse)
    make_private(tmp_path)
    assert exposed_paths(tmp_path)
