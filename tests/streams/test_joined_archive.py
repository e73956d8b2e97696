"""The archive's small files are joined: nothing is lost, nothing is there twice, whenever the run is killed."""

import gzip
import json
import os
import time
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest

from socialsite.streams import archive, joining
from socialsite.streams.archive import (
    DRAFT_SECONDS,
    archive_records,
    list_files,
    read_lines,
    size_of,
)
from socialsite.streams.joining import LEAST, join_files
from tests.streams.records import archived, own_archive
from tests.streams.removals import SHARD, archive_days, removal

MID_MONTH = datetime(2026, 11, 25, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def folder(settings, tmp_path: Path, monkeypatch) -> Path:
    """An archive of its own, on a day whose days before are in one month."""
    own_archive(settings, tmp_path)
    for module in ("socialsite.streams.joining", "tests.streams.removals"):
        monkeypatch.setattr(f"{module}.utc_now", lambda: MID_MONTH)
    return tmp_path


def places() -> Counter[tuple[str, str]]:
    """Each line of each file, as often as it is there, whatever readers leave out."""
    return Counter((line["pk"], line["sk"]) for name in list_files() for line in read_lines([name]))


def test_small_files_of_a_month_become_one():
    archive_days(9, 7, 5)
    before = places()
    joined = join_files()
    (name,) = list_files()
    assert joined.files == {name: 9}
    assert name.startswith("archive/date=2026-11-16/whole/2026-11-16_2026-11-20_")
    assert places() == before
    assert set(before.values()) == {1}


def test_lines_say_their_own_day_in_a_file_of_several():
    archive_days(9, 7, each=1)
    join_files()
    assert [line["removed_on"] for line in archived()] == ["2026-11-16", "2026-11-18"]
    (name,) = list_files()
    assert list(list_files(day="2026-11-18")) == [name]
    (line,) = read_lines([name], day="2026-11-18")
    assert line["removed_on"] == "2026-11-18"
    assert list(list_files(day="2026-11-17")) == [name]
    assert list(read_lines([name], day="2026-11-17")) == []
    assert list(list_files(day="2026-11-21")) == list(list_files(day="2026-10-16")) == []


def test_files_of_another_month_stay_apart():
    archive_days(40, 30, 9, 7, each=1)
    join_files()
    months = [archive.day_of_file(name)[:7] for name in list_files()]
    assert months == ["2026-10", "2026-11"]


def test_files_grow_to_what_a_cold_class_takes():
    for number in range(8):
        removals = [
            removal(2_000 * number + one, at=datetime(2026, 11, number + 1, tzinfo=UTC))
            for one in range(1_500)
        ]
        archive_records(removals, shard_id=SHARD)
    assert max(map(size_of, list_files())) < LEAST
    before = places()
    join_files()
    sizes = [size_of(name) for name in list_files()]
    assert len([size for size in sizes if size < LEAST]) <= 1
    assert len([size for size in sizes if size >= LEAST]) >= 2
    assert max(sizes) < 3 * LEAST
    assert places() == before


def test_a_second_run_finds_nothing_to_do(folder):
    archive_days(9, 7, 5)
    join_files()
    before = {name: (folder / name).stat().st_mtime_ns for name in list_files()}
    assert join_files().files == {}
    assert {name: (folder / name).stat().st_mtime_ns for name in list_files()} == before


def test_the_last_two_days_are_left_to_the_stream():
    archive_days(2, 1, 0)
    before = list(list_files())
    assert join_files().files == {}
    assert list(list_files()) == before


def test_what_comes_late_is_joined_by_the_next_run():
    start = archive_days(9, 7)
    join_files()
    archive_days(8, each=1, start=start)
    before = places()
    (name,) = join_files().files
    assert list(list_files()) == [name]
    assert places() == before
    assert len(before) == 7


def test_a_removal_that_a_frozen_worker_archived_again_is_in_it_once():
    at = datetime(2026, 11, 16, tzinfo=UTC)
    records = [removal(number, at=at) for number in range(4)]
    archive_records(records[:2], shard_id=SHARD)
    archive_records(records, shard_id=SHARD)
    join_files()
    assert set(places().values()) == {1}
    assert len(places()) == 4


class Killed(BaseException):
    """The process ends here."""


def kill_at(step: int, monkeypatch) -> None:
    """From now on the process dies before its so many-th write or deletion in the archive."""
    count = 0

    def counted(do):
        def act(*arguments):
            nonlocal count
            count += 1
            if count > step:
                raise Killed
            do(*arguments)

        return act

    for name in ("save_file", "delete_file"):
        monkeypatch.setattr(joining, name, counted(getattr(archive, name)))


@pytest.mark.parametrize("step", range(9))
def test_a_run_that_is_killed_loses_nothing_and_the_next_one_ends_it(step, monkeypatch, folder):
    archive_days(9, 7, each=3)  # a note, a file, six to delete, and the note
    before = places()
    with monkeypatch.context() as patch:
        kill_at(step, patch)
        with pytest.raises(Killed):
            join_files()
    assert len(archived()) == len(before)
    assert set(places()) == set(before)
    join_files()
    assert places() == before
    assert len(list(list_files())) == 1
    assert list((folder / "archive" / "joining").iterdir()) == []


@pytest.mark.parametrize("step", range(3, 8))
def test_what_comes_after_a_run_was_killed_is_kept_too(step, monkeypatch):
    start = archive_days(9, 7, each=3)
    with monkeypatch.context() as patch:
        kill_at(step, patch)
        with pytest.raises(Killed):
            join_files()
    archive_days(6, each=2, start=start)
    join_files()
    assert len(places()) == 8
    assert set(places().values()) == {1}


def test_readers_never_meet_half_a_file(folder, monkeypatch):
    archive_days(9, each=2)
    before = {name: (folder / name).read_bytes() for name in list_files()}

    def die(*_: object) -> None:
        raise Killed

    monkeypatch.setattr(Path, "replace", die)
    with pytest.raises(Killed):
        join_files()
    assert {name: (folder / name).read_bytes() for name in list_files()} == before


def test_what_a_killed_process_left_of_a_file_goes_an_hour_later(folder):
    archive_days(9, each=1)
    (name,) = list_files()
    drafts = [folder / f"{name}.{process}.draft" for process in (1, 2)]
    for draft in drafts:
        draft.write_bytes(b"half")
    long_ago = time.time() - DRAFT_SECONDS - 60
    os.utime(drafts[0], (long_ago, long_ago))
    assert list(list_files()) == [name]
    join_files()
    assert [draft.exists() for draft in drafts] == [False, True]


def test_a_file_that_cannot_be_read_stays_and_is_named(folder):
    archive_days(9, 7)
    broken = next(iter(list_files()))
    (folder / broken).write_bytes((folder / broken).read_bytes()[:-20])
    joined = join_files()
    assert joined.left == [broken]
    assert len(joined.files) == 1
    assert (folder / broken).exists()


def test_lines_of_people_who_were_erased_are_not_written_anew(folder):
    archive_days(9, each=2, user_id="GONE")
    archive_days(7, each=2, start=10)
    join_files(mend=lambda line: "" if "GONE" in line else line)
    assert len(archived()) == 2
    text = "".join(gzip.decompress((folder / name).read_bytes()).decode() for name in list_files())
    assert "GONE" not in text


def test_files_of_which_nothing_may_stay_are_deleted():
    archive_days(9, 7, user_id="GONE")
    join_files(mend=lambda line: "")
    assert list(list_files()) == []


def test_a_file_holds_lines_in_order_and_its_name_is_of_what_it_holds(folder):
    archive_days(9, 7)
    join_files()
    (name,) = list_files()
    lines = gzip.decompress((folder / name).read_bytes()).decode().splitlines()
    order = [
        (line["removed_on"], line["shard"], line["sequence"]) for line in map(json.loads, lines)
    ]
    assert order == sorted(order)
