"""Files that S3 moved into Glacier: the search for erased people has them restored, and waits; commands say what to do.

moto restores at once what is asked for.
"""

from datetime import datetime, timedelta

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from privacy.erasure.search import keep_without_erased
from privacy.erasure.writes import close_account
from socialsite.clock import utc_now
from socialsite.due.models import Due
from socialsite.due.work import do_due
from socialsite.streams.archive import STORAGE, list_files, read_text
from socialsite.streams.joining import join_files
from socialsite.table.reading import scan
from tests.buckets import s3
from tests.privacy.lives import AFTER_THE_SEARCH
from tests.streams.records import archived
from tests.streams.removals import archive_days, day_before

THAWS = timedelta(days=30)  # past the night that a test makes of this moment


@pytest.fixture(autouse=True)
def waits_long(monkeypatch) -> None:
    monkeypatch.setattr("privacy.erasure.search.THAWS", THAWS)


@pytest.fixture
def bucket(in_bucket) -> str:
    return in_bucket(STORAGE)


def freeze(bucket: str, names: list[str], storage_class: str = "GLACIER") -> None:
    """What the lifecycle of the bucket does."""
    for name in names:
        where = {"Bucket": bucket, "Key": name}
        s3().copy_object(**where, CopySource=where, StorageClass=storage_class)


def classes(bucket: str) -> dict[str, str]:
    answer = s3().list_objects_v2(Bucket=bucket, Prefix="archive/")
    return {one["Key"]: one["StorageClass"] for one in answer["Contents"]}


def erase(person, drain_stream) -> datetime:
    """Closes the account, and returns when the search is due."""
    close_account(by=person, at_once=True)
    do_due()
    drain_stream()
    return utc_now() + AFTER_THE_SEARCH


def searches() -> list[datetime]:
    return [
        datetime.fromisoformat(raw["moment"]["S"])
        for raw in scan()
        if raw["type"]["S"] == Due.__name__ and raw["kind"]["S"] == "search-for-erased"
    ]


def test_the_search_asks_for_cold_files_and_goes_on_when_they_can_be_read(
    alice, bob, bucket, drain_stream
):
    archive_days(9, each=1, user_id=alice.user_id)
    archive_days(8, 7, each=1, user_id=bob.user_id, start=5)
    warm, *cold = list_files()
    freeze(bucket, cold)
    night = erase(alice, drain_stream)
    freeze(bucket, [warm])  # hers is cold too
    do_due(night)
    (again,) = searches()
    assert timedelta(0) < again - utc_now() <= THAWS
    assert len(archived()) == 3
    for name in classes(bucket):
        assert "ongoing-request" in s3().head_object(Bucket=bucket, Key=name)["Restore"]
    do_due(night + THAWS)
    assert searches() == []
    assert [line["item"]["user_id"]["S"] for line in archived()] == [bob.user_id] * 2
    assert warm not in classes(bucket)


def test_a_cold_file_that_names_someone_erased_is_written_anew_warm(
    alice, bob, bucket, drain_stream
):
    archive_days(9, each=2, user_id=alice.user_id)
    archive_days(9, each=2, user_id=bob.user_id, start=5)
    join_files()
    (name,) = list_files()
    freeze(bucket, [name])
    night = erase(alice, drain_stream)
    do_due(night)
    assert len(archived()) == 4
    do_due(night + THAWS)
    assert alice.user_id not in read_text(name)
    assert len(archived()) == 2
    assert classes(bucket) == {name: "STANDARD"}


def test_joining_leaves_out_who_was_erased_while_the_search_is_to_come(
    alice, bob, bucket, drain_stream
):
    archive_days(9, each=2, user_id=alice.user_id)
    archive_days(9, each=2, user_id=bob.user_id, start=5)
    erase(alice, drain_stream)
    join_files(mend=keep_without_erased())
    (name,) = list_files()
    assert alice.user_id not in read_text(name)
    assert {line["item"]["user_id"]["S"] for line in archived()} == {bob.user_id}


def test_a_file_that_was_joined_while_the_search_looked_at_it_holds_nobody_up(
    alice, bob, bucket, drain_stream, monkeypatch
):
    archive_days(9, 8, each=1, user_id=bob.user_id)
    gone = list(list_files())
    night = erase(alice, drain_stream)
    monkeypatch.setattr("privacy.erasure.search.list_files", lambda: iter(listed.pop(0)))
    listed = [gone, []]
    join_files(mend=keep_without_erased())
    do_due(night)
    assert searches() == []
    assert len(archived()) == 2


def test_commands_say_that_a_file_is_cold_and_how_to_ask_for_it(alice, bucket, capsys):
    archive_days(9, 8, each=1, user_id=alice.user_id)
    names = list(list_files())
    freeze(bucket, names, "DEEP_ARCHIVE")
    for action in (["show"], ["restore", "--pk", "u#1#shelf"]):
        with pytest.raises(CommandError, match=r"is in a cold class.*archive thaw"):
            call_command("archive", *action)
    capsys.readouterr()
    day = day_before(9).date().isoformat()
    call_command("archive", "thaw", "--day", day)
    assert capsys.readouterr().out.startswith("1 of 1 files are cold. S3 has copies of them in")
    call_command("archive", "show", "--day", day)
    assert capsys.readouterr().out.count("\n") == 1
    call_command("archive", "thaw", "--day", day)  # asking again changes nothing
    assert capsys.readouterr().out.startswith("1 of 1 files are cold")


def test_files_of_other_classes_are_not_asked_for(alice, bucket, capsys):
    archive_days(9, 8, each=1, user_id=alice.user_id)
    first, _ = list_files()
    freeze(bucket, [first], "STANDARD_IA")
    call_command("archive", "thaw")
    assert capsys.readouterr().out.startswith("0 of 2 files are cold")


def test_cold_files_are_not_joined_and_told_of(alice, bucket, capsys):
    archive_days(9, 8, 7, each=1, user_id=alice.user_id)
    first, *others = list_files()
    freeze(bucket, [first])
    call_command("archive", "join")
    told = capsys.readouterr()
    assert f"{first} cannot be read" in told.err
    assert "takes the place of 2 files." in told.out
    assert len(list(list_files())) == 2
    assert not set(others) & set(list_files())
