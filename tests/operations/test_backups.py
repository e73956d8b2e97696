"""A backup is the whole site in one file, and a restore puts all of it in place or changes nothing."""

import io
import json
import os
import shutil
import sqlite3
import stat
import tarfile
import time
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from operations.backup import create
from operations.backup.create import (
    MANIFEST,
    BackupError,
    Manifest,
    _exchange_in_steps,
    backup_name,
    create_backup,
    exchange,
    remove_old_backups,
)
from operations.backup.restore import Restored, restore_backup
from socialsite.data_keys import DataKey
from socialsite.engine import lock
from socialsite.engine.database import back_up
from socialsite.engine.dynoxide import database_path
from tests.operations.ending import PATHS
from tests.operations.test_restore_under_load import manage

KEY = "the-data-key-of-this-folder-that-is-long-enough"
PICTURE = "media/avatars/alice.webp"


def make_site(folder: Path, *, rows: int = 10) -> Path:
    """Makes a folder with everything that a site on one machine has."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with closing(sqlite3.connect(database_path(folder))) as database:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("CREATE TABLE posts (number INTEGER)")
        database.executemany("INSERT INTO posts VALUES (?)", [(n,) for n in range(rows)])
        database.commit()
    write(folder, "data_key.txt", KEY)
    write(folder, "secret_key.txt", "secret")
    write(folder, PICTURE, "a picture of alice")
    write(folder, "archive/2026-11-21/shard-1.jsonl.gz", "an expired item")
    write(folder, "engine.log", "not part of a backup")
    return folder


def write(folder: Path, name: str, text: str) -> None:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def rows_of(folder: Path) -> int:
    with closing(sqlite3.connect(database_path(folder))) as database:
        return int(database.execute("SELECT COUNT(*) FROM posts").fetchone()[0])


def manifest(*, data_version: int = 1, key: str = KEY) -> Manifest:
    return Manifest("2026-11-21T10:00:00+00:00", "socialsite", data_version, [DataKey(key).id])


def back_up_to(target: Path, folder: Path, **changes: object) -> Path:
    create_backup(
        data_dir=folder,
        target=target,
        manifest=manifest(**changes),  # type: ignore[arg-type]
        on_bytes=lambda done, total: None,
    )
    return target


# A backup is the whole site in one file: database, keys, uploads and archive, of one moment.

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


# A restore puts the whole backup in the place of the data, or changes nothing.


@pytest.fixture
def backup(site: Path, tmp_path: Path) -> Path:
    return back_up_to(tmp_path / "a.tar.gz", site)


def restore(
    file: Path, folder: Path, *, newest_version: int = 1, keys: tuple[str, ...] = ()
) -> Restored:
    given = [DataKey(key).id for key in keys]
    return restore_backup(file, data_dir=folder, newest_version=newest_version, given_keys=given)


def test_everything_comes_back(site, backup):
    write(site, PICTURE, "another picture")
    write(site, "data_key.txt", "another key")
    restored = restore(backup, site)
    assert rows_of(site) == 10
    assert (site / PICTURE).read_text() == "a picture of alice"
    assert (site / "data_key.txt").read_text() == KEY
    assert restored.manifest.made_at == "2026-11-21T10:00:00+00:00"


def test_the_data_of_before_are_kept_beside(site, backup):
    write(site, PICTURE, "another picture")
    before = restore(backup, site).before
    assert before.parent == site.parent
    assert before.name.startswith("var.before-")
    assert (before / PICTURE).read_text() == "another picture"


def test_it_works_into_a_folder_that_does_not_exist(backup, tmp_path):
    restore(backup, tmp_path / "new" / "var")
    assert rows_of(tmp_path / "new" / "var") == 10


def test_a_log_that_a_crash_left_does_not_play_over_the_backup(site, backup, tmp_path):
    crashed = sqlite3.connect(database_path(site))
    crashed.execute("INSERT INTO posts VALUES (11)")
    crashed.commit()
    log = site / f"{database_path(site).name}-wal"
    assert log.stat().st_size > 0
    shutil.copytree(site, tmp_path / "copy")  # as a crash leaves it: the connection is still open
    crashed.close()
    restore(backup, tmp_path / "copy")
    assert rows_of(tmp_path / "copy") == 10
    assert not (tmp_path / "copy" / log.name).exists()


def test_backups_and_what_is_not_the_sites_stay_in_the_folder(site, backup):
    write(site, "backups/socialsite-1.tar.gz", "a backup")
    write(site, "notes.txt", "mine")
    before = restore(backup, site).before
    assert (site / "backups" / "socialsite-1.tar.gz").read_text() == "a backup"
    assert (site / "notes.txt").read_text() == "mine"
    assert not (before / "backups").exists()


def test_what_is_restored_is_closed_to_other_accounts(site, backup):
    restore(backup, site)
    for path in (site, *site.rglob("*")):
        assert not stat.S_IMODE(path.stat().st_mode) & 0o077, path


def test_it_refuses_while_the_site_runs(site, backup):
    held = lock.try_lock(site)
    assert held is not None
    try:
        with pytest.raises(BackupError, match=r"is running on .*var\. Stop it, then try again"):
            restore(backup, site)
    finally:
        os.close(held)
    restore(backup, site)


def test_a_key_that_is_missing_is_named(site, tmp_path):
    (site / "data_key.txt").unlink()
    backup = back_up_to(tmp_path / "without_key.tar.gz", site)
    with pytest.raises(BackupError, match=f"needs the key {DataKey(KEY).id}"):
        restore(backup, site)
    with pytest.raises(BackupError, match="needs the key"):
        restore(backup, site, keys=("another key",))
    restore(backup, site, keys=("another key", KEY))


def test_data_of_newer_code_are_refused(site, tmp_path):
    backup = back_up_to(tmp_path / "newer.tar.gz", site, data_version=2)
    with pytest.raises(BackupError, match="data of version 2, but this code knows version 1"):
        restore(backup, site)
    restore(backup, site, newest_version=2)


def test_a_file_that_is_missing_is_one_sentence(site, tmp_path):
    with pytest.raises(BackupError, match=r"does not exist\. Check the path"):
        restore(tmp_path / "nothing.tar.gz", site)


# Damage


def cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-200])


def flip(file: Path) -> None:
    data = bytearray(file.read_bytes())
    middle = len(data) // 2
    data[middle : middle + 16] = bytes(byte ^ 0xFF for byte in data[middle : middle + 16])
    file.write_bytes(bytes(data))


def empty(file: Path) -> None:
    file.write_bytes(b"")


def text(file: Path) -> None:
    file.write_text("no archive")


def repacked(change: Callable[[dict[str, bytes]], None]) -> Callable[[Path], None]:
    """Writes the archive again with other members."""

    def damage(file: Path) -> None:
        with tarfile.open(file) as archive:
            members = {name: archive.extractfile(name).read() for name in archive.getnames()}  # type: ignore[union-attr]
        change(members)
        with tarfile.open(file, "w:gz") as archive:
            for name, content in members.items():
                member = tarfile.TarInfo(name)
                member.size = len(content)
                archive.addfile(member, io.BytesIO(content))

    return damage


def link(file: Path) -> None:
    with tarfile.open(file, "w:gz") as archive:
        member = tarfile.TarInfo("media/link")
        member.type, member.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(member)


DAMAGE: dict[str, Callable[[Path], None]] = {
    "cut off": cut,
    "bits flipped": flip,
    "empty": empty,
    "text": text,
    "a link": link,
    "no manifest": repacked(lambda members: members.pop(MANIFEST)),
    "a manifest of a later format": repacked(
        lambda members: members.update(
            {MANIFEST: members[MANIFEST].replace(b'"format": 1', b'"format": 2')}
        )
    ),
    "a manifest that is none": repacked(lambda members: members.update({MANIFEST: b"[]"})),
    "a file missing": repacked(lambda members: members.pop(PICTURE)),
    "a file altered": repacked(lambda members: members.update({PICTURE: b"another"})),
    "a file too many": repacked(lambda members: members.update({"media/more": b"more"})),
    "a file outside": repacked(lambda members: members.update({"media/../../outside": b"x"})),
    "an absolute path": repacked(lambda members: members.update({"/outside": b"x"})),
    "a strange file": repacked(lambda members: members.update({"engine.json": b"{}"})),
    "a broken database": repacked(lambda members: members.update({"dynamodb.sqlite3": b"SQLite"})),
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE.keys())
def test_a_damaged_backup_changes_nothing(site, backup, tmp_path, damage):
    damage(backup)
    write(site, PICTURE, "as it was")
    with pytest.raises(BackupError, match="Your data is unchanged"):
        restore(backup, site)
    assert (site / PICTURE).read_text() == "as it was"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.tar.gz", "var"]


def test_a_database_with_a_fault_is_found_also_where_its_hash_is_right(site, tmp_path):
    # As a disk would spoil it before the backup: the copy is checked when it is made, too.
    with closing(sqlite3.connect(database_path(site))) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        database.execute("CREATE TABLE filled AS SELECT randomblob(3000) FROM posts")
        database.commit()
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    spoilt = bytearray(database_path(site).read_bytes())
    spoilt[4096:4200] = b"\xff" * 104
    database_path(site).write_bytes(bytes(spoilt))
    with pytest.raises(BackupError, match=r"damaged|malformed"):
        back_up_to(tmp_path / "spoilt.tar.gz", site)


# The exchange


@pytest.mark.parametrize("way", [exchange, _exchange_in_steps], ids=["at once", "in steps"])
def test_two_folders_change_places(tmp_path, way):
    write(tmp_path, "one/name", "one")
    write(tmp_path, "other/name", "other")
    way(tmp_path / "one", tmp_path / "other")
    assert (tmp_path / "one" / "name").read_text() == "other"
    assert (tmp_path / "other" / "name").read_text() == "one"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one", "other"]


def test_a_mount_point_is_one_sentence(tmp_path):
    with pytest.raises(BackupError, match="mount point, which cannot be replaced"):
        exchange(Path("/proc"), tmp_path)


# A post that ends by itself is in a backup, and its moment passes: restored, it is gone from every page.
#
# Real commands on folders of their own. Only the time is the test's: `clock_at`, in the process that looks.

embedded_alone = pytest.mark.engines("embedded", reason="it restores an engine of its own")


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


@embedded_alone
@pytest.mark.timeout(180)
def test_a_post_that_ended_after_its_backup_is_restored_as_ended(told):
    there, ended, worked, removed = told
    assert (sorted(there["on"]), there["at home"]) == (sorted(PATHS), True)
    assert (there["posts"], there["places of files"]) == (2, 2)
    assert there["broken"] == {}
    for look in (ended, worked, removed):
        assert (look["on"], look["at home"], look["posts"]) == ([], False, 1)
        assert look["broken"] == {}
    assert [look["places of files"] for look in (worked, removed)] == [0, 0]


@pytest.fixture
def site_to_back_up(tmp_path: Path, settings) -> Path:
    settings.DYNAMODB_ENGINE, settings.DATA_DIR = "embedded", make_site(tmp_path / "var")
    return settings.DATA_DIR


# `manage.py backup`: where its file goes, and what is refused before anything is written.


def backups(folder: Path) -> list[str]:
    return [path.name for path in folder.glob("socialsite-*.tar.gz")]


def test_a_backup_goes_into_the_folder_under_the_name_of_its_moment(site_to_back_up, tmp_path):
    (tmp_path / "disk").mkdir()
    call_command("backup", str(tmp_path / "disk"))
    assert len(backups(tmp_path / "disk")) == 1


def test_without_a_target_it_is_in_the_data_folder(site_to_back_up):
    call_command("backup")
    assert len(backups(site_to_back_up / "backups")) == 1


def test_a_file_may_be_named(site_to_back_up, tmp_path):
    call_command("backup", str(tmp_path / "monday.tar.gz"))
    assert (tmp_path / "monday.tar.gz").is_file()


@pytest.mark.parametrize("target", ["disk", "disk/backups", "disk/monday.tar.gz"])
def test_a_folder_that_is_missing_is_refused_and_nothing_takes_its_place(
    site_to_back_up, tmp_path, target
):
    """Such as a disk that is not mounted: a file of that name would be in its way for ever."""
    with pytest.raises(CommandError, match=r"The folder .*/disk.* does not exist\. Create it or"):
        call_command("backup", str(tmp_path / target))
    assert [path.name for path in tmp_path.iterdir()] == ["var"]
