"""Letters that come regularly, where mail does not flow: what the site may send is used up, or its mail server is away,
or refuses someone."""

from datetime import datetime, timedelta
from smtplib import SMTPDataError

import pytest
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend

from accounts.mail.regular import forget_allowance
from accounts.mail.server import forget_away
from relations.own_choices.writes import favourite
from socialsite.clock import utc_now
from socialsite.due.models import Due
from socialsite.due.work import do_due
from tests.accounts.scenes import credentials
from tests.accounts.test_mail import FOLDER, server, tell
from tests.conftest import person, post
from tests.notifications.letters import choice_of, let_come, letters, news, planned, wish

__all__ = ["news", "server"]


def readers(of, count: int) -> list:
    """People whose digest is due, with something in it."""
    people = [person(f"reader{number}") for number in range(count)]
    for one in people:
        favourite(by=one, user_id=of.user_id)
        wish(one)
    post(of, "News for all")
    for one in people:
        let_come(one)
    return people


def test_digests_leave_room_for_the_letters_that_someone_waits_for(alice, carol, settings):
    settings.MAIL_A_DAY = 5
    people = readers(carol, 5)
    do_due()
    told = {address for letter in mail.outbox for address in letter.to}
    assert len(told) == 4
    tell(alice)
    do_due()
    assert mail.outbox[-1].subject == "Your password has changed"
    [left_out] = [one for one in people if f"{one.handle}@example.org" not in told]
    [due] = planned(left_out)
    assert "unseen" not in due.facts
    settings.MAIL_A_DAY = 50
    forget_allowance()
    [letter] = letters(left_out)
    assert "News for all" in letter.body


@pytest.fixture
def asked(monkeypatch) -> list[object]:
    """What a mail server was asked for that hangs."""
    asked: list[object] = []

    def hang(_: object, letters: list[object]) -> int:
        asked.extend(letters)
        raise TimeoutError("the mail server hangs")

    monkeypatch.setattr(EmailBackend, "send_messages", hang)
    return asked


def test_a_mail_server_that_hangs_holds_the_clock_up_once(carol, asked, measure, monkeypatch):
    people = readers(carol, 5)
    with measure() as spent:
        do_due()
    assert len(asked) == 1
    assert spent.read_units < 100  # of one letter, and of looking for what is due
    for one in people:
        [due] = planned(one)
        assert timedelta(0) < moment_of(due) - utc_now() < timedelta(minutes=6)
    monkeypatch.undo()
    forget_away()
    do_due(utc_now() + timedelta(minutes=6))
    # In the hour of digests somebody's next one can fall into these minutes, too.
    told = {address for letter in mail.outbox for address in letter.to}
    assert len(told) == 5


def test_what_cannot_be_sent_to_one_holds_nobody_else_up(carol, monkeypatch):
    def refuse(_: object, letters: list[object]) -> int:
        asked.extend(letters)
        raise SMTPDataError(554, b"5.6.7 no such letters")

    asked: list[object] = []
    monkeypatch.setattr(EmailBackend, "send_messages", refuse)
    readers(carol, 2)
    do_due()
    assert len(asked) == 2


def test_choosing_anew_while_the_mail_server_is_asked_keeps_the_new_choice(
    alice, news, monkeypatch
):
    def choose(*_: object) -> int:
        wish(alice)
        raise TimeoutError("the mail server hangs")

    monkeypatch.setattr(EmailBackend, "send_messages", choose)
    assert letters(alice) == []
    [due] = planned(alice)
    assert due.facts["stamp"] == choice_of(alice).stamp


@pytest.mark.parametrize(
    ("answer", "counts"),
    [
        (b"550 5.1.1 no such mailbox", True),
        (b"550 5.7.1 we do not relay for you", False),
        (b"550 who are you", False),
    ],
)
def test_a_mailbox_that_a_mail_server_does_not_know_counts_as_one_that_comes_back(
    alice, news, server, answer, counts
):
    server.answer = answer
    letters(alice)
    assert bool(credentials(alice).bounced) == counts
    [due] = planned(alice)
    assert due.facts["unseen"] == "1"


def test_the_log_says_what_a_kept_letter_is_and_not_whom_it_names(
    alice, news, settings, tmp_path, caplog
):
    settings.EMAIL_BACKEND, settings.DATA_DIR = FOLDER, tmp_path
    with caplog.at_level("INFO"):
        letters(alice)
    kept = [text for text in caplog.messages if "kept a letter" in text]
    assert kept == ["kept a letter (see /dev/mail in debug mode): digest"]


def moment_of(due: Due) -> datetime:
    return datetime.fromisoformat(due.moment)
