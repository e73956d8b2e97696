"""A backup goes to a bucket of S3 and comes back from it: streamed, checked, whole or not at all."""

from collections.abc import Iterator
from pathlib import Path

import botocore.session
import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from moto import mock_aws

from operations.backup import bucket
from operations.backup.create import BackupError
from operations.backup.restore import Restored, restore_backup
from tests.buckets import REGION, one_loader
from tests.operations.test_backups import back_up_to, make_site, rows_of


@pytest.fixture
def away(settings, monkeypatch, tmp_path) -> Iterator[str]:
    """A bucket with credentials of its own, empty."""
    settings.BACKUP_ENDPOINT, settings.BACKUP_REGION = "", REGION
    settings.DYNAMODB_ENGINE, settings.DATA_DIR = "embedded", tmp_path / "own"
    settings.BACKUP_KEY_ID, settings.BACKUP_SECRET = "of-backups", "secret"
    monkeypatch.setattr(botocore.session, "create_loader", one_loader)
    with mock_aws():
        bucket._client().create_bucket(Bucket="backups")
        yield "s3://backups/site/"


def restored(address: str, folder: Path) -> Restored:
    return restore_backup(address, data_dir=folder, newest_version=1, given_keys=[])


def saved(away: str, folder: Path, number: int) -> str:
    file = back_up_to(folder / f"socialsite-2026112{number}-100000.tar.gz", folder / "var")
    return bucket.upload(file, away, lambda _: None)


def test_the_whole_site_goes_there_and_comes_back(away, tmp_path):
    make_site(tmp_path / "var", rows=7)
    address = saved(away, tmp_path, 1)
    assert address == f"{away}socialsite-20261121-100000.tar.gz"
    made = restored(address, tmp_path / "new")
    assert rows_of(tmp_path / "new") == 7
    assert made.manifest.data_version == 1
    assert not list(tmp_path.glob("new.restoring-*"))


def test_a_folder_means_its_newest_backup(away, tmp_path):
    make_site(tmp_path / "var")
    saved(away, tmp_path, 1)
    newest = saved(away, tmp_path, 3)
    saved(away, tmp_path, 2)
    assert bucket.newest(away) == bucket.newest(away.rstrip("/")) == newest


def test_only_the_newest_are_kept(away, tmp_path):
    make_site(tmp_path / "var")
    names = [saved(away, tmp_path, number) for number in (1, 2, 3)]
    bucket._client().put_object(Bucket=bucket.split(away)[0], Key="site/other.tar.gz", Body=b"x")
    gone = bucket.remove_old(away, keep=1)
    assert [f"s3://{bucket.split(away)[0]}/{key}" for key in gone] == names[:2]
    assert bucket.newest(away) == names[2]


def test_a_damaged_one_changes_nothing(away, tmp_path):
    make_site(tmp_path / "var", rows=3)
    address = saved(away, tmp_path, 1)
    name, key = bucket.split(address)
    whole = bucket._client().get_object(Bucket=name, Key=key)["Body"].read()
    bucket._client().put_object(Bucket=name, Key=key, Body=whole[: len(whole) // 2])
    make_site(tmp_path / "site", rows=5)
    with pytest.raises(BackupError, match="cannot be restored"):
        restored(address, tmp_path / "site")
    assert rows_of(tmp_path / "site") == 5


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("s3://", "names no bucket"),
        ("s3://no-such-bucket/site/", "does not exist"),
        ("s3://no-such-bucket/site/a.tar.gz", "does not exist"),
    ],
)
def test_what_is_not_there_is_one_sentence(away, tmp_path, address, sentence):
    with pytest.raises(CommandError, match=sentence):
        call_command("restore", address)


def test_an_empty_folder_and_a_bucket_that_is_away_are_one_sentence(away, settings):
    with pytest.raises(CommandError, match="holds no backup"):
        call_command("restore", away)
    settings.BACKUP_ENDPOINT = "http://127.0.0.1:9"
    with pytest.raises(CommandError, match="cannot be reached or read"):
        call_command("restore", f"{away}socialsite-20261121-100000.tar.gz")
