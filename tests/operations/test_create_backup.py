"""A backup is the whole site in one file: database, keys, uploads and archive, of one moment."""

import os
import stat
import tarfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from operations.backup import create
from operations.backup.create import (
    MANIFEST,
    BackupError,
    backup_name,
    create_backup,
    remove_old_backups,
)
from socialsite.engine.database import back_up
from tests.operations.folders import PICTURE, back_up_to, make_site, manifest, write

SOON, LATE = "photos/private/soon/480.webp", "photos/private/late/480.webp"
NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture
def site(tmp_path: Path) -> Path:
    return make_site(tmp_path / "var")


def names(file: Path) -> list[str]:
    with tarfile.open(file) as archive:
        return archive.getnames()


def test_it_holds_database_keys_uploads_and_archive_and_last_a_manifest(site, tmp_path):
    assert names(back_up_to(tmp_path / "a.tar.gz", site)) == [
        "archive/2026-11-21/shard-1.jsonl.gz",
        "data_key.txt",
        "dynamodb.sqlite3",
        PICTURE,
        "secret_key.txt",
        MANIFEST,
    ]


def test_nobody_else_may_read_it(site, tmp_path):
    file = back_up_to(tmp_path / "a.tar.gz", site)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_nothing_is_left_beside_it(site, tmp_path):
    back_up_to(tmp_path / "a.tar.gz", site)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.tar.gz", "var"]
    assert list((site / "backups").iterdir()) == []


def test_a_picture_that_is_replaced_meanwhile_is_in_it(site, tmp_path):
    def replace_picture(done: int, total: int) -> None:
        (site / PICTURE).unlink(missing_ok=True)

    file = tmp_path / "a.tar.gz"
    create_backup(data_dir=site, target=file, manifest=manifest(), on_bytes=replace_picture)
    assert not (site / PICTURE).exists()
    assert PICTURE in names(file)


def test_what_comes_after_the_moment_of_the_copy_is_not_in_it(site, tmp_path, monkeypatch):
    """The item that names it is not in the copy, so nobody would ever delete it."""

    def copied_then_uploaded(*given: Any, **named: Any) -> int:
        size = back_up(*given, **named)
        write(site, LATE, "a photo of which the copy knows nothing")
        return size

    monkeypatch.setattr(create, "back_up", copied_then_uploaded)
    assert LATE not in names(back_up_to(tmp_path / "a.tar.gz", site))


def test_what_comes_while_the_moment_is_fixed_is_told_apart_by_its_time(
    site, tmp_path, monkeypatch
):
    """A photo whose item is in the copy has its files before; one that is newer has no item there."""

    def fixed_meanwhile(
        source: Path, target: Path, *, at_moment: Callable[[], None] = lambda: None
    ) -> int:
        def uploaded_meanwhile() -> None:
            write(site, LATE, "a photo of which the copy knows nothing")
            in_a_minute = time.time() + 60
            os.utime(site / LATE, (in_a_minute, in_a_minute))
            at_moment()

        write(site, SOON, "a photo that the copy names")
        return back_up(source, target, at_moment=uploaded_meanwhile)

    monkeypatch.setattr(create, "back_up", fixed_meanwhile)
    found = names(back_up_to(tmp_path / "a.tar.gz", site))
    assert (SOON in found, LATE in found) == (True, False)


def test_progress_ends_at_the_whole(site, tmp_path):
    told: list[tuple[int, int]] = []
    create_backup(
        data_dir=site,
        target=tmp_path / "a.tar.gz",
        manifest=manifest(),
        on_bytes=lambda done, total: told.append((done, total)),
    )
    assert len(told) == 5
    assert told[-1][0] == told[-1][1] > 0


def test_an_existing_file_is_never_overwritten(site, tmp_path):
    write(tmp_path, "precious", "precious")
    with pytest.raises(BackupError, match="already exists\\. Choose another name"):
        back_up_to(tmp_path / "precious", site)
    assert (tmp_path / "precious").read_text() == "precious"


def test_a_folder_without_a_site_is_one_sentence(tmp_path):
    (tmp_path / "var").mkdir()
    with pytest.raises(BackupError, match="There is no database in"):
        back_up_to(tmp_path / "a.tar.gz", tmp_path / "var")
    assert [path.name for path in tmp_path.iterdir()] == ["var"]


def test_keep_deletes_the_oldest_of_our_own_names_only(tmp_path):
    made = [backup_name(NOON + timedelta(hours=hour)) for hour in range(5)]
    for name in [*made, "socialsite-notes.txt", "monday.tar.gz"]:
        write(tmp_path, name, "")
    assert [path.name for path in remove_old_backups(tmp_path, keep=2)] == made[:3]
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {*made[3:], "socialsite-notes.txt", "monday.tar.gz"}
    assert remove_old_backups(tmp_path, keep=2) == []
