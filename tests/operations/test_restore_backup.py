"""A restore puts the whole backup in the place of the data, or changes nothing."""

import io
import os
import shutil
import sqlite3
import stat
import tarfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from operations.backup.create import MANIFEST, BackupError, _exchange_in_steps, exchange
from operations.backup.restore import Restored, restore_backup
from socialsite.data_keys import DataKey
from socialsite.engine import lock
from socialsite.engine.dynoxide import database_path
from tests.operations.folders import KEY, PICTURE, back_up_to, make_site, rows_of, write


@pytest.fixture
def site(tmp_path: Path) -> Path:
    return make_site(tmp_path / "var")


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
