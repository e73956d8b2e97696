"""`manage.py export`: the archive of a person for a request by letter, in a file for the operator alone, in the log,
and told to the person."""

import stat
from zipfile import ZipFile

import pytest
from django.core import mail
from django.core.management import CommandError, call_command

from accounts.people.restrictions import Restriction
from moderation.log.writes import OPERATOR
from privacy.erasure.writes import close_account
from privacy.export.parts import exports_with_files
from privacy.export.writes import ask_for_export, get_export
from socialsite.due.work import do_due
from tests.buckets import in_bucket as in_bucket
from tests.buckets import objects
from tests.conftest import post
from tests.moderation.cases import logged, restrict

WHY = "Her letter of 3 November"


def write(tmp_path, *options: str, name: str = "alice.zip"):
    file = tmp_path / name
    call_command("export", "@alice", "--to", str(file), "--reason", WHY, *options)
    return file


def said_in(file) -> str:
    with ZipFile(file) as archive:
        return "".join(
            archive.read(name).decode() for name in archive.namelist() if name.endswith(".json")
        )


def test_it_is_the_archive_for_the_operator_alone(alice, tmp_path, drain_stream):
    post(alice, "What I wrote")
    drain_stream()
    file = write(tmp_path)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "What I wrote" in said_in(file)
    assert exports_with_files(alice.user_id) == []  # nothing stays beside the file


def test_its_parts_go_through_the_bucket_of_exports_and_leave_it(alice, tmp_path, in_bucket):
    bucket = in_bucket("exports")
    assert "Alice" in said_in(write(tmp_path))
    assert objects(bucket) == []


def test_the_log_has_it_and_the_person_is_told(alice, tmp_path, capsys):
    mail.outbox.clear()
    write(tmp_path)
    do_due()
    [entry] = [one for one in logged() if one.action == "export person"]
    assert (entry.moderator_id, entry.person_id) == (OPERATOR, alice.user_id)
    assert entry.detail == {"text": WHY, "silent": False}
    assert [one.subject for one in mail.outbox if "copy of your data" in one.subject]
    assert "told by letter" in capsys.readouterr().out


def test_silent_tells_the_log_alone(alice, tmp_path):
    mail.outbox.clear()
    write(tmp_path, "--silent")
    do_due()
    [entry] = [one for one in logged() if one.action == "export person"]
    assert entry.detail["silent"] is True
    assert mail.outbox == []


def test_of_people_who_are_suspended_or_leaving_too(alice, tmp_path):
    post(alice, "What I wrote")
    restrict(alice, Restriction.SUSPENDED)
    assert "What I wrote" in said_in(write(tmp_path))
    close_account(by=alice)
    assert "What I wrote" in said_in(write(tmp_path, name="again.zip"))


def test_their_own_export_is_left_alone(alice, tmp_path):
    write(tmp_path)
    assert get_export(alice.user_id) is None
    ask_for_export(by=alice, site="http://localhost", language="en", zone="UTC")
    write(tmp_path, name="again.zip")
    assert get_export(alice.user_id)


def test_no_file_is_written_over_and_none_is_left_for_nobody(alice, tmp_path):
    there = tmp_path / "alice.zip"
    there.write_text("mine")
    with pytest.raises(CommandError, match="there already"):
        write(tmp_path)
    assert there.read_text() == "mine"
    with pytest.raises(CommandError, match="Nobody has the handle"):
        call_command("export", "nobody", "--to", str(tmp_path / "x.zip"), "--reason", WHY)
    assert not (tmp_path / "x.zip").exists()
    for options in (["--reason", " "], ["--reason", WHY, "--language", "xx"]):
        with pytest.raises(CommandError):
            call_command("export", "alice", "--to", str(tmp_path / "x.zip"), *options)
    with pytest.raises(CommandError):
        call_command("export", "alice", "--to", str(tmp_path / "no" / "x.zip"), "--reason", WHY)
