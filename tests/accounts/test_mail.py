"""Letters: posted with what they tell of, sent by the clock, over a mail server, Amazon SES, or a folder."""

import os
import socketserver
import stat
import threading
from collections.abc import Iterator
from datetime import timedelta
from smtplib import SMTPDataError, SMTPServerDisconnected

import boto3
import pytest
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.test import Client
from moto import mock_aws
from moto.core import DEFAULT_ACCOUNT_ID
from moto.ses.models import ses_backends

from accounts.mail.folder import MOST_KEPT, list_letters, mail_folder
from accounts.notices import NEW_SIGN_IN, PASSWORD_CHANGED
from accounts.profile.writes import save_preferences
from privacy.erasure.writes import close_account
from socialsite.clock import utc_now
from socialsite.due.models import Due, StreamHost
from socialsite.due.work import claim_due, do_due
from socialsite.table import get, keys, transact, write_batch
from socialsite.table.reading import scan
from socialsite.telling import Cause, Telling, kind_of
from socialsite.web.preferences import Preferences
from tests.accounts.scenes import html_of, link_in, send_whole_letters, subjects
from tests.accounts.test_passwords import send as change_password
from tests.conftest import PASSWORD
from tests.looks import due_items
from tests.together import together


def tell(viewer) -> None:
    transact(*Telling().add(viewer.user_id, PASSWORD_CHANGED).actions())


def waiting(days: int = 30) -> list[Due]:
    later = (utc_now() + timedelta(days=days)).isoformat()
    return [due for due in due_items() if due.moment <= later]


def test_a_change_is_told_to_the_owners_address(alice, log_in, settings):
    settings.SITE_URL = "https://example.org"
    change_password(log_in(alice))
    [letter] = send_whole_letters()
    assert letter.to == ["alice@example.org"]
    assert letter.subject == "Your password has changed"
    assert "@alice" in letter.body
    assert link_in(letter) == "https://example.org/password/forgot"
    assert link_in(letter) in html_of(letter)
    assert letter.extra_headers["Auto-Submitted"] == "auto-generated"


def test_a_letter_is_sent_once(alice):
    tell(alice)
    assert len(send_whole_letters()) == 1
    assert send_whole_letters(utc_now() + timedelta(days=2)) == []
    assert waiting() == []


def test_the_table_holds_neither_address_nor_words_of_a_letter(alice, log_in):
    change_password(log_in(alice))
    stored = str([raw for raw in scan() if raw["PK"]["S"].startswith("due#")])
    assert "password-changed" in stored
    assert "alice@" not in stored
    assert PASSWORD not in stored


@pytest.mark.parametrize(
    ("language", "subject"),
    [("de", "Dein Passwort wurde geändert"), ("zh-hans", "你的密码已更改")],
)
def test_a_letter_speaks_the_language_that_its_reader_chose(alice, language, subject):
    save_preferences(by=alice, preferences=Preferences(language=language))
    tell(alice)
    [letter] = send_whole_letters()
    assert letter.subject == subject
    assert f'lang="{language}"' in html_of(letter)


@pytest.mark.parametrize(
    ("letter", "facts", "words"),
    [
        ("second-factor-on", {}, "turned on"),
        ("second-factor-off", {}, "turned off"),
        ("second-factor-replaced", {}, "moved to another app"),
        ("codes-renewed", {}, "no longer work"),
        ("passkey-added", {"name": "Ada’s phone"}, "“Ada’s phone”"),
        ("passkey-removed", {}, "removed"),
        ("own-token-made", {"name": "Ada’s bot"}, "“Ada’s bot”"),
        ("app-allowed", {}, "An app was let in to @alice"),
        ("handle-changed", {"old": "alicia"}, "from @alicia to @alice"),
    ],
)
def test_a_letter_says_what_changed_in_whose_account(alice, letter, facts, words):
    transact(*Telling().add(alice.user_id, kind_of(letter), Cause(facts=facts)).actions())
    [sent] = send_whole_letters()
    assert words in sent.body
    assert "@alice" in sent.body


def test_what_someone_else_typed_stays_text(alice):
    facts = {"browser": "<b>Firefox</b>", "network": '"><script>alert(1)</script>'}
    transact(*Telling().add(alice.user_id, NEW_SIGN_IN, Cause(facts=facts)).actions())
    [letter] = send_whole_letters()
    assert "<script>" not in html_of(letter)
    assert "<script>alert(1)</script>" in letter.body


def test_a_letter_waits_for_a_mail_server_that_is_away(alice, monkeypatch):
    tell(alice)
    with monkeypatch.context() as away:
        away.setattr(EmailBackend, "send_messages", _fail)
        assert send_whole_letters() == []
        assert len(waiting()) == 1
    assert send_whole_letters() == []  # not yet
    assert len(send_whole_letters(utc_now() + timedelta(minutes=1, seconds=1))) == 1


def _fail(*_: object) -> int:
    raise SMTPServerDisconnected("the mail server is away")


def test_while_the_mail_server_hangs_only_the_first_of_a_batch_waits_for_it(
    alice, bob, carol, monkeypatch, worker
):
    """It takes ten seconds a letter, and the clock has other work."""
    worker.step()
    asked: list[object] = []

    def hang(*_: object) -> int:
        asked.append(_)
        raise TimeoutError("timed out")

    for one in (alice, bob, carol):
        tell(one)
    with monkeypatch.context() as away:
        away.setattr(EmailBackend, "send_messages", hang)
        assert send_whole_letters() == []
    assert len(asked) == 1
    assert len(waiting()) == 3
    assert sorted(int(due.tries) for due in waiting()) == [0, 0, 1]  # two were not tried
    assert get(StreamHost, keys.stream_host()).letters_fail_since
    later = utc_now() + timedelta(minutes=1, seconds=2)
    assert len(send_whole_letters(later)) == 3
    assert get(StreamHost, keys.stream_host()).letters_fail_since is None


def test_that_one_letter_was_refused_holds_up_no_other(alice, bob, monkeypatch):
    asked: list[object] = []

    def refuse(*_: object) -> int:
        asked.append(_)
        raise SMTPDataError(554, b"5.6.7 not this one")

    tell(alice)
    tell(bob)
    monkeypatch.setattr(EmailBackend, "send_messages", refuse)
    send_whole_letters()
    assert len(asked) == 2


def test_a_letter_that_came_too_late_is_dropped(alice):
    tell(alice)
    [due] = waiting()
    old = {**due.facts, "posted": (utc_now() - timedelta(days=4)).isoformat()}
    transact(*Telling().add(alice.user_id, PASSWORD_CHANGED).actions())
    write_batch(deletes=[due.key])
    write_batch(puts=[Due.new(kind="mail", moment=utc_now(), subject="late", facts=old)])
    assert len(send_whole_letters()) == 1
    assert waiting() == []


def test_a_letter_that_is_sent_twice_after_a_crash_is_the_same_message(alice):
    tell(alice)
    [due] = waiting()
    [first] = send_whole_letters()
    write_batch(
        puts=[Due.new(kind=due.kind, moment=utc_now(), subject=due.subject, facts=due.facts)]
    )
    [again] = send_whole_letters()
    assert again.extra_headers["Message-ID"] == first.extra_headers["Message-ID"]


def test_a_process_that_died_before_sending_loses_no_letter(alice):
    tell(alice)
    [due] = waiting()
    claim_due(due, utc_now())  # and dies
    assert send_whole_letters() == []
    assert len(send_whole_letters(utc_now() + timedelta(minutes=2))) == 1


def test_nobody_fills_a_mailbox_with_one_kind_of_letter(alice):
    for _ in range(5):
        tell(alice)
    assert len(send_whole_letters()) == 3
    assert waiting() == []


def test_the_site_sends_no_more_in_a_day_than_it_may(alice, bob, settings):
    settings.MAIL_A_DAY = 1
    tell(alice)
    tell(bob)
    assert len(send_whole_letters()) == 1


def test_a_letter_to_an_account_that_is_gone_is_dropped(alice):
    tell(alice)
    write_batch(deletes=[keys.user_info(alice.user_id), keys.credentials(alice.user_id)])
    assert send_whole_letters() == []
    assert waiting() == []


def test_a_browser_that_the_account_does_not_know_is_told_of(alice):
    sign_in = {"account": "alice", "password": PASSWORD}
    firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
    browser = Client(REMOTE_ADDR="192.0.2.77", HTTP_USER_AGENT=firefox)
    browser.post("/login", sign_in)
    [letter] = send_whole_letters()
    assert letter.subject == "New sign-in to your account"
    assert "Firefox on Linux" in letter.body
    assert "192.0.0.0/16" in letter.body  # roughly where, not an address
    browser.post("/logout")
    browser.post("/login", sign_in)
    assert send_whole_letters() == []  # it is known now


def test_a_wrong_password_tells_nobody(alice):
    Client().post("/login", {"account": "alice", "password": "not hers at all"})
    assert send_whole_letters() == []


def test_two_processes_send_a_letter_once(alice):
    tell(alice)
    mail.outbox.clear()
    together(do_due, do_due, do_due)
    assert len(mail.outbox) == 1


@pytest.mark.engines("embedded", reason="units are measured there")
def test_posting_costs_two_units_and_sending_eleven_more(alice, measure):
    with measure() as posting:
        tell(alice)
    assert posting.write_units == 2
    with measure() as sending:
        assert subjects() == ["Your password has changed"]
    # A claim, four limits, the end; a read of each shard, and of the person.
    assert (sending.write_units, sending.read_units) == (4 + 8 + 1, 4 * 0.5 + 0.5 + 3.5)


# The ways of a letter: a mail server, Amazon SES, or a folder.

SMTP = "django.core.mail.backends.smtp.EmailBackend"
SES = "anymail.backends.amazon_ses.EmailBackend"
FOLDER = "accounts.mail.folder.FolderBackend"


class MailServer(socketserver.ThreadingTCPServer):
    """Speaks as much SMTP as a letter needs, and answers to recipients as it is told."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Conversation)
        self.answer = b"250 ok"
        self.letters: list[str] = []
        self.senders: list[str] = []


class Conversation(socketserver.StreamRequestHandler):
    server: MailServer

    def handle(self) -> None:
        self.wfile.write(b"220 here\r\n")
        while line := self.rfile.readline():
            command = line[:4].upper()
            if command == b"MAIL":
                self.server.senders.append(line.decode().partition("<")[2].partition(">")[0])
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
