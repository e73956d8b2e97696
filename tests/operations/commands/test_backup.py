"""`manage.py backup`: where its file goes, and what is refused before anything is written."""

from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from tests.operations.folders import make_site


@pytest.fixture
def site(tmp_path: Path, settings) -> Path:
    settings.DYNAMODB_ENGINE, settings.DATA_DIR = "embedded", make_site(tmp_path / "var")
    return settings.DATA_DIR


def backups(folder: Path) -> list[str]:
    return [path.name for path in folder.glob("socialsite-*.tar.gz")]


def test_a_backup_goes_into_the_folder_under_the_name_of_its_moment(site, tmp_path):
    (tmp_path / "disk").mkdir()
    call_command("backup", str(tmp_path / "disk"))
    assert len(backups(tmp_path / "disk")) == 1


def test_without_a_target_it_is_in_the_data_folder(site):
    call_command("backup")
    assert len(backups(site / "backups")) == 1


def test_a_file_may_be_named(site, tmp_path):
    call_command("backup", str(tmp_path / "monday.tar.gz"))
    assert (tmp_path / "monday.tar.gz").is_file()


@pytest.mark.parametrize("target", ["disk", "disk/backups", "disk/monday.tar.gz"])
def test_a_folder_that_is_missing_is_refused_and_nothing_takes_its_place(site, tmp_path, target):
    """Such as a disk that is not mounted: a file of that name would be in its way for ever."""
    with pytest.raises(CommandError, match=r"The folder .*/disk.* does not exist\. Create it or"):
        call_command("backup", str(tmp_path / target))
    assert [path.name for path in tmp_path.iterdir()] == ["var"]
