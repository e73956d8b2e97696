"""The ways of a letter: a mail server, Amazon SES, or a folder."""

import os
import socketserver
import stat
import threading
from collections.abc import Iterator
from datetime import timedelta

import boto3
import pytest
from moto import mock_aws
from moto.core import DEFAULT_ACCOUNT_ID
from moto.ses.models import ses_backends

from accounts.mail.folder import MOST_KEPT, list_letters, mail_folder
from accounts.notices import NEW_SIGN_IN
from privacy.erasure.writes import close_account
from socialsite.clock import utc_now
from socialsite.due.work import do_due
from socialsite.table import transact
from socialsite.telling import Cause, Telling
from tests.accounts.mail.test_send_letters import tell, waiting

SMTP = "django.core.mail.backends.smtp.EmailBackend"
SES = "anymail.backends.amazon_ses.EmailBackend"
FOLDER = "accounts.mail.folder.FolderBackend"


class MailServer(socketserver.ThreadingTCPServer):
    """Speaks as much SMTP as a letter needs, and answers to recipients as it is told."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Conversation)
        self.answer = b"250 ok"
        self.letters: list[str] = []


class Conversation(socketserver.StreamRequestHandler):
    server: MailServer

    def handle(self) -> None:
        self.wfile.write(b"220 here\r\n")
        while line := self.rfile.readline():
            command = line[:4].upper()
            if command == b"DATA":
                self.wfile.write(b"354 go on\r\n")
                self.server.letters.append(b"".join(iter(self.rfile.readline, b".\r\n")).decode())
            answer = self.server.answer if command == b"RCPT" else b"250 ok"
            self.wfile.write((b"221 bye" if command == b"QUIT" else answer) + b"\r\n")


@pytest.fixture
def server(settings) -> Iterator[MailServer]:
    with MailServer() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        settings.EMAIL_BACKEND = SMTP
        settings.EMAIL_HOST, settings.EMAIL_PORT = server.server_address
        settings.EMAIL_USE_TLS = False
        yield server
        server.shutdown()


def test_a_mail_server_gets_the_letter(alice, server):
    tell(alice)
    do_due()
    [letter] = server.letters
    assert "To: alice@example.org" in letter
    assert "multipart/alternative" in letter
    assert waiting() == []


def test_a_mail_server_that_refuses_for_now_is_asked_again(alice, server):
    server.answer = b"450 busy"
    tell(alice)
    do_due()
    assert len(waiting()) == 1
    server.answer = b"250 ok"
    do_due(utc_now() + timedelta(minutes=1, seconds=1))
    assert len(server.letters) == 1


def test_a_mail_server_that_refuses_for_good_is_not_asked_again(alice, server):
    server.answer = b"550 no such mailbox"
    tell(alice)
    do_due()
    assert waiting() == []
    assert server.letters == []


def test_ses_gets_the_letter(alice, settings):
    """From the clock, whose role may send it."""
    with mock_aws(config={"core": {"passthrough": {"urls": [r"http://127\..*"]}}}):
        boto3.client("ses", settings.DYNAMODB_REGION).verify_email_identity(
            EmailAddress="no-reply@localhost"
        )
        settings.EMAIL_BACKEND = SES
        tell(alice)
        do_due()
        assert not waiting()
        sent = ses_backends[DEFAULT_ACCOUNT_ID][settings.DYNAMODB_REGION].sent_messages
        assert len(sent) == 1


def test_without_a_mail_server_letters_are_private_files_of_which_the_newest_stay(
    alice, settings, tmp_path
):
    settings.EMAIL_BACKEND, settings.DATA_DIR = FOLDER, tmp_path
    mail_folder().mkdir()
    for number in range(MOST_KEPT):
        (mail_folder() / f"00{number:03}.eml").write_text("Subject: old\n\n")
    tell(alice)
    do_due()
    letters = list_letters()
    assert len(letters) == MOST_KEPT
    assert letters[0][1]["To"] == "alice@example.org"
    [newest] = mail_folder().glob(f"{letters[0][0]}.eml")
    assert stat.S_IMODE(newest.stat().st_mode) == 0o600


def age(letter_id: str, days: int) -> None:
    then = (utc_now() - timedelta(days=days)).timestamp()
    os.utime(mail_folder() / f"{letter_id}.eml", (then, then))


@pytest.mark.parametrize(("days", "left"), [(29, 1), (31, 0)])
def test_a_kept_letter_ends_after_30_days_without_another_one(kept, days, left):
    age(kept, days)
    do_due(utc_now() + timedelta(days=32))
    assert len(list_letters()) == left


def test_one_of_an_earlier_version_ends_with_the_next_letter(kept, alice):
    (mail_folder() / "old.eml").write_text("Subject: old\nTo: alice@example.org\n\n")
    age("old", 31)
    tell(alice)
    do_due()
    assert "old" not in [letter_id for letter_id, _ in list_letters()]


def test_the_clock_is_asked_once_a_day(kept, alice):
    tell(alice)
    do_due()
    assert [due.kind for due in waiting(60)] == ["end-letters"]


def test_letters_to_a_person_go_with_their_account(kept, alice, bob):
    tell(bob)
    do_due()
    (mail_folder() / "before.eml").write_text("Subject: old\nTo: alice@example.org\n\n")
    assert len(list_letters()) == 3
    close_account(by=alice, at_once=True)
    do_due()
    assert [letter["To"] for _, letter in list_letters()] == ["bob@example.org"]


@pytest.fixture
def kept(alice, settings, tmp_path) -> str:
    """A letter to alice in the folder: its id."""
    settings.EMAIL_BACKEND, settings.DATA_DIR = FOLDER, tmp_path
    facts = {"browser": "<b>", "network": "<script>alert(1)</script>"}
    transact(*Telling().add(alice.user_id, NEW_SIGN_IN, Cause(facts=facts)).actions())
    do_due()
    [(letter_id, _)] = list_letters()
    return letter_id


def test_developers_read_letters_on_a_page(kept, client, settings):
    settings.DEBUG = True
    listed = client.get("/dev/mail").content.decode()
    assert f"/dev/mail/{kept}" in listed
    page = client.get(f"/dev/mail/{kept}")
    assert "frame-src 'self'" in page["Content-Security-Policy"]
    assert "<script>alert" not in page.content.decode()
    framed = client.get(f"/dev/mail/{kept}/html")
    assert framed["Content-Security-Policy"].startswith("sandbox; default-src 'none'")
    assert framed["X-Frame-Options"] == "SAMEORIGIN"
    assert client.get(f"/dev/mail/{'0' * 26}").status_code == 404


@pytest.mark.parametrize(("debug", "address"), [(False, "127.0.0.1"), (True, "192.0.2.1")])
def test_nobody_else_reads_letters(kept, client, settings, debug, address):
    settings.DEBUG = debug
    for path in ("/dev/mail", f"/dev/mail/{kept}", f"/dev/mail/{kept}/html"):
        assert client.get(path, REMOTE_ADDR=address).status_code == 404
