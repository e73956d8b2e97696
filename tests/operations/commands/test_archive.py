"""`manage.py archive`: listing, showing and restoring what TTL removed."""

import json
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from feed.saved.models import SavedPost
from socialsite.clock import utc_now
from socialsite.streams.worker import Worker
from socialsite.table import get
from tests.streams.expired import entry, expire, own_archive
from tests.streams.records import everything


@pytest.fixture(autouse=True)
def own_folder(settings, tmp_path: Path) -> None:
    own_archive(settings, tmp_path)


@pytest.fixture
def gone(alice, bob):
    """Two expired entries of Alice and one of Bob, archived."""
    items = expire(entry(alice), entry(alice), entry(bob))
    Worker().drain()
    return items


def said(capsys, *arguments: str) -> list[str]:
    call_command("archive", *arguments)
    return capsys.readouterr().out.splitlines()


def test_list_names_the_files_of_all_days_or_one(gone, capsys):
    today = utc_now().date().isoformat()
    (name,) = said(capsys, "list")
    assert name.startswith(f"archive/date={today}/")
    assert said(capsys, "list", "--day", today) == [name]
    assert said(capsys, "list", "--day", "2020-01-01") in ([], [""])


def test_an_empty_archive_lists_nothing(table, capsys):
    assert said(capsys, "list") in ([], [""])


def test_show_prints_a_json_line_for_each_removal(gone, capsys):
    lines = [json.loads(line) for line in said(capsys, "show")]
    assert [line["item"] for line in lines] == [item.serialize() for item in gone]


def test_show_can_be_held_to_a_partition(gone, bob, capsys):
    lines = [json.loads(line) for line in said(capsys, "show", "--pk", gone[2].pk)]
    assert [line["sk"] for line in lines] == [gone[2].sk]


def test_restore_creates_a_partitions_items_again_without_an_end(gone, capsys):
    assert said(capsys, "restore", "--pk", gone[0].pk) == ["2 items restored."]
    for item in gone[:2]:
        restored = get(SavedPost, item.key)
        assert restored.ttl is None
        assert restored.post_id == item.post_id
    assert str(gone[2].key) not in everything()


def test_restore_leaves_alone_what_is_there(gone, capsys):
    said(capsys, "restore", "--pk", gone[0].pk)
    before = everything()
    said(capsys, "restore", "--pk", gone[0].pk)
    assert everything() == before


def test_restoring_again_tells_that_nothing_was_restored(gone, capsys):
    said(capsys, "restore", "--pk", gone[0].pk)
    assert said(capsys, "restore", "--pk", gone[0].pk) == ["0 items restored."]


def test_restore_wants_to_know_the_partition(gone):
    with pytest.raises(CommandError, match="--pk"):
        call_command("archive", "restore")
