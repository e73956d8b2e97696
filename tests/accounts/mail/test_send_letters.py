"""Letters: posted with what they tell of, sent by the clock, neither lost nor doubled, and to their owner alone."""

from datetime import timedelta
from smtplib import SMTPServerDisconnected

import pytest
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.test import Client

from accounts.notices import NEW_SIGN_IN, PASSWORD_CHANGED
from accounts.profile.writes import save_preferences
from socialsite.clock import utc_now
from socialsite.due.models import Due
from socialsite.due.work import claim_due, do_due, list_due
from socialsite.table import keys, transact, write_batch
from socialsite.table.reading import scan
from socialsite.telling import Cause, Telling, kind_of
from socialsite.web.preferences import Preferences
from tests.accounts.mail.letters import html_of, link_in, send_letters, subjects
from tests.accounts.test_change_password import send as change_password
from tests.conftest import PASSWORD
from tests.together import together


def tell(viewer) -> None:
    transact(*Telling().add(viewer.user_id, PASSWORD_CHANGED).actions())


def waiting(days: int = 30) -> list[Due]:
    later = utc_now() + timedelta(days=days)
    return [due for shard in range(keys.DUE_SHARDS) for due in list_due(shard, later)]


def test_a_change_is_told_to_the_owners_address(alice, log_in, settings):
    settings.SITE_URL = "https://example.org"
    change_password(log_in(alice))
    [letter] = send_letters()
    assert letter.to == ["alice@example.org"]
    assert letter.subject == "Your password has changed"
    assert "@alice" in letter.body
    assert link_in(letter) == "https://example.org/password/forgot"
    assert link_in(letter) in html_of(letter)
    assert letter.extra_headers["Auto-Submitted"] == "auto-generated"


def test_a_letter_is_sent_once(alice):
    tell(alice)
    assert len(send_letters()) == 1
    assert send_letters(utc_now() + timedelta(days=2)) == []
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
    [letter] = send_letters()
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
        ("handle-changed", {"old": "alicia"}, "from @alicia to @alice"),
    ],
)
def test_a_letter_says_what_changed_in_whose_account(alice, letter, facts, words):
    transact(*Telling().add(alice.user_id, kind_of(letter), Cause(facts=facts)).actions())
    [sent] = send_letters()
    assert words in sent.body
    assert "@alice" in sent.body


def test_what_someone_else_typed_stays_text(alice):
    facts = {"browser": "<b>Firefox</b>", "network": '"><script>alert(1)</script>'}
    transact(*Telling().add(alice.user_id, NEW_SIGN_IN, Cause(facts=facts)).actions())
    [letter] = send_letters()
    assert "<script>" not in html_of(letter)
    assert "<script>alert(1)</script>" in letter.body


def test_a_letter_waits_for_a_mail_server_that_is_away(alice, monkeypatch):
    tell(alice)
    with monkeypatch.context() as away:
        away.setattr(EmailBackend, "send_messages", _fail)
        assert send_letters() == []
        assert len(waiting()) == 1
    assert send_letters() == []  # not yet
    assert len(send_letters(utc_now() + timedelta(minutes=1, seconds=1))) == 1


def _fail(*_: object) -> int:
    raise SMTPServerDisconnected("the mail server is away")


def test_a_letter_that_came_too_late_is_dropped(alice):
    tell(alice)
    [due] = waiting()
    old = {**due.facts, "posted": (utc_now() - timedelta(days=4)).isoformat()}
    transact(*Telling().add(alice.user_id, PASSWORD_CHANGED).actions())
    write_batch(deletes=[due.key])
    write_batch(puts=[Due.new(kind="mail", moment=utc_now(), subject="late", facts=old)])
    assert len(send_letters()) == 1
    assert waiting() == []


def test_a_letter_that_is_sent_twice_after_a_crash_is_the_same_message(alice):
    tell(alice)
    [due] = waiting()
    [first] = send_letters()
    write_batch(
        puts=[Due.new(kind=due.kind, moment=utc_now(), subject=due.subject, facts=due.facts)]
    )
    [again] = send_letters()
    assert again.extra_headers["Message-ID"] == first.extra_headers["Message-ID"]


def test_a_process_that_died_before_sending_loses_no_letter(alice):
    tell(alice)
    [due] = waiting()
    claim_due(due, utc_now())  # and dies
    assert send_letters() == []
    assert len(send_letters(utc_now() + timedelta(minutes=2))) == 1


def test_nobody_fills_a_mailbox_with_one_kind_of_letter(alice):
    for _ in range(5):
        tell(alice)
    assert len(send_letters()) == 3
    assert waiting() == []


def test_the_site_sends_no_more_in_a_day_than_it_may(alice, bob, settings):
    settings.MAIL_A_DAY = 1
    tell(alice)
    tell(bob)
    assert len(send_letters()) == 1


def test_a_letter_to_an_account_that_is_gone_is_dropped(alice):
    tell(alice)
    write_batch(deletes=[keys.user_info(alice.user_id), keys.credentials(alice.user_id)])
    assert send_letters() == []
    assert waiting() == []


def test_a_browser_that_the_account_does_not_know_is_told_of(alice):
    sign_in = {"account": "alice", "password": PASSWORD}
    firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
    browser = Client(REMOTE_ADDR="192.0.2.77", HTTP_USER_AGENT=firefox)
    browser.post("/login", sign_in)
    [letter] = send_letters()
    assert letter.subject == "New sign-in to your account"
    assert "Firefox on Linux" in letter.body
    assert "192.0.0.0/16" in letter.body  # roughly where, not an address
    browser.post("/logout")
    browser.post("/login", sign_in)
    assert send_letters() == []  # it is known now


def test_a_wrong_password_tells_nobody(alice):
    Client().post("/login", {"account": "alice", "password": "not hers at all"})
    assert send_letters() == []


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
