"""Each fault really made, seen at `/metrics` by the rule of its alarm, and mended by what the line of the runbook says,
word for word. Only time is not waited for: what is noted with a time is moved back."""

import os
import shlex
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from socket import socket

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from django.core.management import call_command
from django.test import Client
from django.utils.html import escape

from accounts.mail.server import forget_away
from accounts.notices import PASSWORD_CHANGED
from moderation.models import ActionKind, Queue, WaitingCount
from moderation.staff.waiting import partition_of_place
from operations.alarms.rules import BY_NAME
from operations.alarms.runbook import runbook_lines
from operations.alarms.vitals import LAST_BACKUP
from socialsite.clock import utc_now
from socialsite.due.models import PushHost, StreamHost
from socialsite.due.work import do_due
from socialsite.process_state import reset_process_state
from socialsite.site_settings.site_setup import URGENT
from socialsite.streams.models import Lease
from socialsite.streams.shards import Stream
from socialsite.table import change, keys, transact, write_batch
from socialsite.telling import Telling
from tests.accounts.test_mail import SMTP, MailServer
from tests.conftest import person
from tests.faults.processes import (
    ROOT,
    Child,
    environment_in,
    environment_of,
    own_engine,
    wait_until,
)
from tests.moderation.cases import about, decide, report_by_each
from tests.streams.records import broken_post
from tests.web.conftest import NOBODY_LISTENS, table_at


def figures() -> dict[str, float]:
    """What Prometheus reads of the site."""
    reset_process_state()  # so that a minute need not pass
    lines = Client().get("/metrics").content.decode().splitlines()
    parts = (line.split(" ") for line in lines if not line.startswith("#") and "{" not in line)
    return {name: float(value) for name, value, *_ in parts}


def holds(name: str) -> bool:
    found = BY_NAME[name].holds(figures())
    assert found is not None, f"{name} cannot be told"
    return found


def says(name: str, words: str) -> str:
    """Returns a command or setting that the line of an alarm names in these words."""
    assert f"<code>{escape(words)}</code>" in "".join(runbook_lines()[name]), words
    return words


def command_of(name: str, words: str) -> list[str]:
    return shlex.split(says(name, words))


# The table and the processes


def test_the_table_is_away(worker):
    with table_at(NOBODY_LISTENS):
        assert holds("TableAway")
    assert not holds("TableAway")


def let_pass(minutes: int) -> None:
    """So long ago worker, clock and pusher were last heard of."""
    before = utc_now() - timedelta(minutes=minutes)
    moment = before.isoformat(timespec="seconds")
    for shard in Stream().shards():
        change(Lease, keys.lease(shard.shard_id), [Lease.beaten_at.set(moment)])
    change(StreamHost, keys.stream_host(), [StreamHost.clock_beaten_at.set(moment)])
    change(PushHost, keys.push_host(), [PushHost.until.set(before.isoformat())])


AWAY = {
    "WorkerAway": "manage.py run_worker",
    "ClockAway": "manage.py run_worker --only clock",
    "PusherAway": "manage.py run_pusher",
}
BEHIND = ("WorkerBehind", "ClockBehind", "PusherBehind")


def test_worker_clock_and_pusher_are_killed_and_started_as_the_runbook_says(tmp_path):
    with own_engine() as (engine, table):
        own = environment_of(engine.url, table, tmp_path)

        def running(words: str) -> Child:
            return Child(words.split(), own, tmp_path / "processes.log")

        first = [running("manage.py run_worker"), running("manage.py run_pusher")]
        everything = [*AWAY, *BEHIND]
        try:
            wait_until(lambda: figures().get("pusher_up") == 1, seconds=60)
            wait_until(lambda: not any(map(holds, everything)), seconds=60)
            for child in first:
                child.kill()
            let_pass(minutes=20)
            assert [name for name in everything if holds(name)] == everything
            first = [running(says(name, words)) for name, words in AWAY.items()]
            wait_until(lambda: not any(map(holds, everything)), seconds=60)
        finally:
            for child in first:
                child.kill()


def test_a_record_is_parked(carol, worker):
    write_batch(puts=[broken_post(carol)])
    worker.drain()
    assert holds("RecordsParked")
    call_command(*command_of("RecordsParked", "manage.py redrive --discard")[1:])
    assert not holds("RecordsParked")


def test_records_are_lost(alice, worker):
    worker.step()
    next(iter(worker.readers.values())).lease.note_gap()
    assert holds("RecordsLost")
    worker.give_up()
    call_command(*command_of("RecordsLost", "manage.py reconcile")[1:])
    assert not holds("RecordsLost")


# Letters


@pytest.fixture
def mail_server(settings) -> Iterator[MailServer]:
    with MailServer() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        settings.EMAIL_BACKEND, settings.EMAIL_USE_TLS = SMTP, False
        settings.EMAIL_HOST, settings.EMAIL_PORT = server.server_address
        yield server
        server.shutdown()


def nobodys_port() -> int:
    with closing(socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_letters_fail(alice, worker, mail_server, settings):
    worker.step()
    settings.EMAIL_PORT = nobodys_port()
    transact(*Telling().add(alice.user_id, PASSWORD_CHANGED).actions())
    do_due()
    assert not holds("LettersFail")  # for a moment
    since = (utc_now() - timedelta(minutes=11)).isoformat(timespec="seconds")
    change(StreamHost, keys.stream_host(), [StreamHost.letters_fail_since.set(since)])
    assert holds("LettersFail")
    says("LettersFail", "EMAIL_PORT")
    settings.EMAIL_PORT = mail_server.server_address[1]
    forget_away()  # the clock is started anew
    do_due(utc_now() + timedelta(minutes=1, seconds=1))
    assert len(mail_server.letters) == 1
    assert not holds("LettersFail")


# The machine


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk in memory with room for 1.1 GB, of which little is used."""
    folder = tmp_path / "data"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1100m", "tmpfs", str(folder)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("this user may not mount a disk")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def fill(folder: Path, name: str, *, leaving: int) -> Path:
    room = os.statvfs(folder)
    file = folder / name
    with file.open("wb") as opened:
        os.posix_fallocate(opened.fileno(), 0, room.f_bavail * room.f_frsize - leaving)
    return file


def test_the_disk_fills(worker, small_disk, settings):
    settings.DATA_DIR = small_disk
    assert not holds("DiskLow")
    (small_disk / "backups").mkdir()
    old = fill(small_disk, "backups/old", leaving=990_000_000)
    assert (holds("DiskLow"), holds("DiskFull")) == (True, False)
    used = old.stat().st_size // 1_000_000 + 80
    subprocess.run(["mount", "-o", f"remount,size={used}m", str(small_disk)], check=True)
    assert holds("DiskFull")
    words = says("DiskFull", 'du -xh --max-depth=2 "$DATA_DIR" | sort -h')
    told = subprocess.run(
        ["bash", "-c", words],
        env=os.environ | {"DATA_DIR": str(small_disk)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert any(line.endswith("/backups") for line in told.stdout.splitlines()[-2:])
    old.unlink()
    assert not holds("DiskFull")


def test_the_last_backup_is_old(tmp_path):
    environment = os.environ | environment_in(tmp_path)
    # Nothing of buckets that other tests made, nor of the engine of this run.
    elsewhere = ("AWS_", "DYNAMODB_")
    environment = {name: one for name, one in environment.items() if not name.startswith(elsewhere)}

    def run(words: str) -> str:
        done = subprocess.run(
            [sys.executable, *words.split()],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        return done.stdout + done.stderr

    run("manage.py create_table")
    assert "BackupOld" not in run("manage.py alarms")  # a site of today needs none yet
    (tmp_path / LAST_BACKUP).touch()
    old = (utc_now() - timedelta(days=8)).timestamp()
    os.utime(tmp_path / LAST_BACKUP, (old, old))
    assert "look: BackupOld." in run("manage.py alarms")
    run(f"{says('BackupOld', 'manage.py backup')} {tmp_path / 'kept.tar.gz'}")
    assert "BackupOld" not in run("manage.py alarms")


def certificate(days: int) -> bytes:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "example.org")])
    made = (
        x509.CertificateBuilder(name, name, key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(utc_now() - timedelta(days=80))
        .not_valid_after(utc_now() + timedelta(days=days))
        .sign(key, hashes.SHA256())
    )
    return made.public_bytes(serialization.Encoding.PEM)


def test_the_certificate_ends_soon(worker, tmp_path, monkeypatch):
    file = tmp_path / "fullchain.pem"
    monkeypatch.setenv(says("CertificateEnds", "TLS_CERTIFICATE"), str(file))
    file.write_bytes(certificate(13))
    assert holds("CertificateEnds")
    file.write_bytes(certificate(90))
    assert not holds("CertificateEnds")


# People


def test_an_urgent_case_waits(alice, bob, carol, mod, worker):
    def count() -> None:
        worker.drain()
        do_due(utc_now() + timedelta(minutes=2, seconds=1))

    report_by_each(bob, by=[carol], rule="violence", severity=URGENT)
    report_by_each(alice, by=[carol])
    count()
    assert not holds("UrgentCaseWaits")
    assert figures()["urgent_case_seconds"] > 0
    key = keys.waiting_count(partition_of_place(Queue.REPORTS))
    before = (utc_now() - timedelta(hours=2, seconds=5)).isoformat()
    change(WaitingCount, key, [WaitingCount.oldest_urgent.set(before)])
    assert holds("UrgentCaseWaits")
    says("UrgentCaseWaits", "/moderation/queue")
    decide(mod, about(bob), ActionKind.DISMISS)
    count()
    assert figures()["urgent_case_seconds"] == 0
    assert not holds("UrgentCaseWaits")


def test_many_people_sign_up(worker, settings):
    settings.ALARM_SIGN_UPS = 3
    for handle in ("dora", "emil", "fred"):
        person(handle)
    worker.drain()
    assert not holds("SignUpFlood")
    person("gina")
    worker.drain()
    assert holds("SignUpFlood")
    setattr(settings, says("SignUpFlood", "ALARM_SIGN_UPS"), 100)
    assert not holds("SignUpFlood")


def test_the_site_spends_more_than_it_may(alice, log_in, settings, measured, add_up):
    assert "budget_dollars" not in figures()
    log_in(alice).get("/")
    add_up()
    settings.BUDGET_A_DAY = 1e-9
    assert holds("OverBudget")
    setattr(settings, says("OverBudget", "BUDGET_A_DAY"), 10.0)
    assert not holds("OverBudget")
