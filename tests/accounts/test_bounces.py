"""Letters that come back, and complaints: from the queue of Amazon SES, and as a mail server pipes them."""

import io
import json
from datetime import timedelta
from email import message_from_string
from email.message import Message

import boto3
import pytest
from django.core import mail
from django.core.management import CommandError, call_command
from django.test import Client
from moto import mock_aws

from accounts.addresses.writes import change_email, get_own_address
from accounts.encryption.emails import email_hmacs
from accounts.mail import bounces, events_queue
from accounts.mail.bounces import note_bounce, note_complaint, take_returned
from accounts.mail.choices import DAILY, Regular
from accounts.mail.events_queue import take_event
from accounts.mail.signed import return_address, unsubscribe_token
from accounts.models import Credentials, UserInfo
from accounts.people.reads import find_user_by_email
from accounts.people.viewer import Viewer
from moderation.log.writes import OPERATOR
from moderation.maintenance.writes import plan_read_only
from socialsite.checks import check_mail_return
from socialsite.clock import utc_now
from socialsite.due.work import do_due
from socialsite.process_state import reset_process_state
from socialsite.table import NotFound, change, keys, write_batch
from socialsite.web.limits import Limit
from tests.accounts.scenes import credentials, links, make_from_before, press, send_letters
from tests.accounts.test_mail import server, tell
from tests.looks import broken_invariants
from tests.notifications.letters import choice_of, wish

__all__ = ["server"]

MAILBOX = "alice@example.org"
DSN = """\
From: MAILER-DAEMON@mail.example.net
To: {to}
Subject: Undelivered Mail Returned to Sender
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="cut"

--cut
Content-Type: text/plain

It did not work.

--cut
Content-Type: message/delivery-status

Reporting-MTA: dns; mail.example.net
Arrival-Date: Sat, 28 Nov 2026 12:00:00 +0000

Final-Recipient: rfc822; alice@example.org
Action: {action}
Status: {status}
Diagnostic-Code: smtp; 550 5.1.1 unknown user

--cut
Content-Type: message/rfc822

Message-ID: <{number}@example.org>
Subject: Hello

Text
--cut--
"""
ARF = """\
From: abuse@mail.example.net
To: {to}
Subject: FW: Hello
MIME-Version: 1.0
Content-Type: multipart/report; report-type=feedback-report; boundary="cut"

--cut
Content-Type: text/plain

This is an abuse report.

--cut
Content-Type: message/feedback-report

Feedback-Type: {kind}
User-Agent: Reporter/1.0
Version: 1

--cut
Content-Type: message/rfc822

Subject: Hello

Text
--cut--
"""


@pytest.fixture(autouse=True)
def returns(settings) -> None:
    settings.MAIL_RETURN = "bounces@example.org"


def dsn(to: str, *, number: int = 1, action: str = "failed", status: str = "5.1.1") -> Message:
    text = DSN.format(to=to, number=number, action=action, status=status)
    return message_from_string(text)


def is_confirmed(person: Viewer) -> bool:
    return bool(get_own_address(person).confirmed)


def test_two_letters_that_came_back_take_the_confirmation_away(alice, log_in, drain_stream):
    to = return_address(alice.user_id, MAILBOX)
    assert take_returned(dsn(to, number=1), to=to) == "bounce"
    assert is_confirmed(alice)
    assert take_returned(dsn(to, number=2), to=to) == "bounce"
    own = get_own_address(alice)
    assert (own.confirmed, own.wished) == ("", MAILBOX)
    with pytest.raises(NotFound):
        find_user_by_email(email_hmacs(MAILBOX), consistent=True)
    page = log_in(alice).get("/").content.decode()
    assert "Letters to your email address come back" in page
    drain_stream()
    assert broken_invariants() == {}


def test_the_same_report_counts_once(alice):
    to = return_address(alice.user_id, MAILBOX)
    for _ in range(3):
        take_returned(dsn(to), to=to)
    assert is_confirmed(alice)


def test_an_address_is_confirmed_again_as_the_first_time(alice, log_in, drain_stream):
    for event in ("one", "two"):
        note_bounce(user_id=alice.user_id, event=event)
    browser = log_in(alice)
    browser.post("/settings/email/send")
    [letter] = send_letters()
    assert letter.to == MAILBOX
    assert Client().post(letter.path).status_code == 302
    assert is_confirmed(alice)
    assert "come back" not in browser.get("/").content.decode()
    note_bounce(user_id=alice.user_id, event="three")  # it counts from the start
    assert is_confirmed(alice)
    drain_stream()
    assert broken_invariants() == {}


@pytest.fixture
def came_back_before_keys(alice) -> Viewer:
    """The address of an account from before people had keys, whose letters came back."""
    make_from_before(alice)
    for event in ("one", "two"):
        note_bounce(user_id=alice.user_id, event=event)
    assert isinstance(credentials(alice).wished_email, str)
    return alice


def test_an_address_that_came_back_outlives_the_key_of_before(came_back_before_keys, settings):
    alice, old = came_back_before_keys, settings.DATA_KEY
    assert "private values are sealed with a key that is there" in broken_invariants()
    call_command("reencrypt")
    assert isinstance(credentials(alice).wished_email, bytes)
    settings.DATA_KEY_FALLBACKS, settings.DATA_KEY = [old], f"another {old}"
    call_command("reencrypt")
    settings.DATA_KEY_FALLBACKS = []
    reset_process_state()
    assert get_own_address(alice).wished == MAILBOX


def test_an_address_of_before_is_confirmed_again_too(came_back_before_keys, log_in, drain_stream):
    alice = came_back_before_keys
    log_in(alice).post("/settings/email/send")
    [letter] = send_letters()
    assert Client().post(letter.path).status_code == 302
    assert get_own_address(alice).confirmed == MAILBOX
    drain_stream()
    assert broken_invariants() == {}


def test_two_letters_that_came_back_in_two_years_are_none(alice):
    old = (utc_now() - timedelta(days=31)).date().isoformat()
    for before in (f"{old} one", "from-before-days-were-noted"):
        change(Credentials, keys.credentials(alice.user_id), [Credentials.bounced.set(before)])
        note_bounce(user_id=alice.user_id, event="two")
        assert is_confirmed(alice)
    note_bounce(user_id=alice.user_id, event="three")
    assert not is_confirmed(alice)


def test_a_fault_of_the_sites_own_mail_takes_few_addresses_a_day(alice, bob, monkeypatch, caplog):
    monkeypatch.setattr(bounces, "CAME_BACK_A_DAY", Limit("mail-came-back", 1, 86_400))
    for event in ("one", "two"):
        for one in (alice, bob):
            note_bounce(user_id=one.user_id, event=event)
    assert [is_confirmed(one) for one in (alice, bob)] == [False, True]
    assert "more letters come back than addresses can be wrong" in caplog.text


@pytest.mark.parametrize(
    ("action", "status"),
    [
        ("delayed", "4.4.7"),
        ("failed", "4.2.2"),
        ("failed", "5.2.2"),
        ("failed", "5.7.1"),
        ("failed", "5.1.7"),  # the site's own sender was refused, and so on
        ("failed", "5.1.8"),
        ("failed", "5.3.2"),
        ("failed", "5.4.6"),
        ("failed", "5.5.2"),
        ("failed", "5.6.0"),
        ("relayed", "2.0.0"),
    ],
)
def test_what_is_not_for_good_or_not_of_the_address_counts_nothing(alice, action, status):
    to = return_address(alice.user_id, MAILBOX)
    for number in range(3):
        assert take_returned(dsn(to, number=number, action=action, status=status), to=to) == ""
    assert is_confirmed(alice)


def test_one_complaint_takes_the_confirmation_away_and_ends_the_letters(alice, drain_stream):
    wish(alice, digest=DAILY, unread=True)
    to = return_address(alice.user_id, MAILBOX)
    assert take_returned(message_from_string(ARF.format(to=to, kind="abuse")), to=to) == "complaint"
    assert not is_confirmed(alice)
    assert not any(map(choice_of(alice).wants, Regular))
    note_complaint(user_id=alice.user_id)  # again
    drain_stream()
    assert broken_invariants() == {}


def test_a_suspended_person_keeps_their_address_so_that_it_can_be_barred(alice, drain_stream):
    """Else one press on “spam” would free it for the next account."""
    wish(alice, digest=DAILY)
    until = (utc_now() + timedelta(days=7)).isoformat()
    change(UserInfo, keys.user_info(alice.user_id), [UserInfo.suspended_until.set(until)])
    note_complaint(user_id=alice.user_id)
    for event in ("one", "two"):
        note_bounce(user_id=alice.user_id, event=event)
    assert is_confirmed(alice)
    assert find_user_by_email(email_hmacs(MAILBOX), consistent=True) == alice.user_id
    assert not choice_of(alice).digest  # no letter comes regularly any more
    drain_stream()
    assert broken_invariants() == {}


def test_it_was_no_spam_is_no_complaint(alice):
    to = return_address(alice.user_id, MAILBOX)
    assert take_returned(message_from_string(ARF.format(to=to, kind="not-spam")), to=to) == ""
    assert is_confirmed(alice)


def test_nobody_can_take_the_confirmation_of_someone_else_away(alice, bob):
    """Anyone may write a report. The address that it comes to is the site's own word."""
    of_bob = return_address(bob.user_id, "bob@example.org")
    for to in (
        "bounces@example.org",
        of_bob.replace(bob.user_id.lower(), alice.user_id.lower()),
        return_address(alice.user_id, "old@example.org"),  # an address of before
        return_address(alice.user_id, MAILBOX).replace("example.org", "example.com"),
        "x",
        "",
    ):
        assert take_returned(dsn(to), to=to) == ""
        assert take_returned(message_from_string(ARF.format(to=to, kind="abuse")), to=to) == ""
    assert is_confirmed(alice)
    assert credentials(alice).bounced is None


def test_mail_servers_may_change_the_case_of_an_address(alice):
    to = return_address(alice.user_id, MAILBOX)
    assert len(to.partition("@")[0]) <= 64
    assert take_returned(dsn(to), to=f"<{to.upper()}>") == "bounce"


def test_a_mail_server_is_told_an_address_of_ones_own_to_send_back_to(alice, server, settings):
    settings.MAIL = "smtp"
    tell(alice)
    do_due()
    assert server.senders == [return_address(alice.user_id, MAILBOX)]
    [letter] = server.letters
    assert settings.DEFAULT_FROM_EMAIL in letter


def test_the_command_reads_what_a_mail_server_pipes(alice):
    to = return_address(alice.user_id, MAILBOX)
    for number in range(2):
        said = io.StringIO()
        stdin = io.BytesIO(dsn(to, number=number).as_bytes())
        call_command("take_bounce", to, stdin=stdin, stdout=said)
        assert said.getvalue() == "bounce\n"
    assert not is_confirmed(alice)


def test_while_the_site_is_only_read_the_mail_server_keeps_the_letter(alice):
    to = return_address(alice.user_id, MAILBOX)
    plan_read_only(by=OPERATOR)
    with pytest.raises(CommandError, match="not now") as refused:
        call_command("take_bounce", to, stdin=io.BytesIO(dsn(to).as_bytes()))
    assert refused.value.returncode == 75
    assert is_confirmed(alice)


@pytest.mark.parametrize(
    "garbage", [b"", b"\x00\xff" * 99, b"Content-Type: multipart/report; boundary=x\n\n--x"]
)
def test_the_command_takes_garbage_for_what_it_is(alice, garbage):
    said = io.StringIO()
    call_command("take_bounce", "bounces@example.org", stdin=io.BytesIO(garbage), stdout=said)
    assert said.getvalue() == "nothing\n"


def test_a_letter_that_cannot_be_read_is_dropped_and_said_to_the_log_alone(caplog):
    """Mail servers would send a trace to whoever wrote it."""
    nested = b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(1500)
    )
    said = io.StringIO()
    call_command("take_bounce", "bounces@example.org", stdin=io.BytesIO(nested), stdout=said)
    assert said.getvalue() == "nothing\n"
    assert "cannot be read" in caplog.text


@pytest.mark.parametrize(
    ("address", "is_wrong"),
    [
        ("", False),
        ("bounces@example.org", False),
        (f"{'b' * 21}@example.org", False),
        (f"{'b' * 22}@example.org", True),
        ("example.org", True),
        ("bounces@", True),
    ],
)
def test_an_address_to_which_nothing_can_come_back_is_refused(alice, settings, address, is_wrong):
    settings.MAIL_RETURN = address
    assert bool(check_mail_return(None)) == is_wrong
    if address and not is_wrong:
        assert len(return_address(alice.user_id, MAILBOX).partition("@")[0]) <= 64


def test_a_letter_to_the_address_of_the_header_ends_letters_too(alice):
    wish(alice, digest=DAILY)
    token = unsubscribe_token(Regular.DIGEST, alice.user_id)
    letter = message_from_string(f"Subject: unsubscribe {token}\n\n")
    assert take_returned(letter, to="bounces@example.org") == "unsubscribe"
    assert not choice_of(alice).digest
    wrong = message_from_string(f"Subject: unsubscribe {token[:-1]}\n\n")
    assert take_returned(wrong, to="bounces@example.org") == ""


def test_someone_who_is_gone_has_nothing_to_take_away(alice):
    to = return_address(alice.user_id, MAILBOX)
    write_batch(deletes=[keys.credentials(alice.user_id)])
    take_returned(dsn(to), to=to)
    note_bounce(user_id=alice.user_id, event="one")
    note_complaint(user_id=alice.user_id)


# The queue of Amazon SES.


def bounced(address: str = MAILBOX, *, name: str = "one", **how: object) -> dict:
    bounce = {
        "bounceType": "Permanent",
        "bounceSubType": "General",
        "bouncedRecipients": [{"emailAddress": address}],
        "feedbackId": name,
        **how,
    }
    return {"notificationType": "Bounce", "bounce": bounce, "mail": {"messageId": "m"}}


def complained(address: str = MAILBOX, **how: str) -> dict:
    complaint = {"complainedRecipients": [{"emailAddress": address}], "feedbackId": "c", **how}
    return {"eventType": "Complaint", "complaint": complaint, "mail": {"messageId": "m"}}


def in_sns(event: dict) -> str:
    return json.dumps({"Type": "Notification", "Message": json.dumps(event)})


@pytest.fixture
def queue(settings):
    events_queue.forget_look()
    with mock_aws(config={"core": {"passthrough": {"urls": [r"http://127\..*"]}}}):
        sqs = boto3.client("sqs", settings.DYNAMODB_REGION)
        settings.MAIL_EVENTS_QUEUE = sqs.create_queue(QueueName="mail-events")["QueueUrl"]
        yield lambda body: sqs.send_message(QueueUrl=settings.MAIL_EVENTS_QUEUE, MessageBody=body)


def left_in_queue(settings) -> int:
    sqs = boto3.client("sqs", settings.DYNAMODB_REGION)
    asked = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"]
    found = sqs.get_queue_attributes(QueueUrl=settings.MAIL_EVENTS_QUEUE, AttributeNames=asked)
    return sum(map(int, found["Attributes"].values()))


def test_the_clock_reads_what_ses_says(alice, bob, queue, settings):
    queue(in_sns(bounced(name="one")))
    queue(json.dumps(bounced(name="one")))  # SQS delivers twice
    queue("no JSON")
    queue("[]")
    do_due()
    assert is_confirmed(alice)
    queue(in_sns(bounced(name="two")))
    queue(in_sns(complained("bob@example.org")))
    events_queue.forget_look()
    do_due()
    assert [is_confirmed(one) for one in (alice, bob)] == [False, False]
    assert left_in_queue(settings) == 0


def test_a_message_that_cannot_be_noted_holds_up_no_other(alice, bob, queue, settings, caplog):
    sealed = Credentials.email.set(b"what no key opens")
    change(Credentials, keys.credentials(alice.user_id), [sealed])
    queue(json.dumps(complained()))
    queue(json.dumps(complained("bob@example.org")))
    do_due()
    assert not is_confirmed(bob)
    assert left_in_queue(settings) == 1
    assert "a mail event could not be noted" in caplog.text


def test_the_queue_is_looked_into_once_a_minute(alice, queue, settings):
    do_due()
    queue(in_sns(complained()))
    do_due()
    assert left_in_queue(settings) == 1


def test_a_queue_that_is_away_delays_nothing_else(alice, settings):
    events_queue.forget_look()
    with mock_aws(config={"core": {"passthrough": {"urls": [r"http://127\..*"]}}}):
        settings.MAIL_EVENTS_QUEUE = "https://sqs.us-east-1.amazonaws.com/1/none"
        tell(alice)
        mail.outbox.clear()
        do_due()
    assert len(mail.outbox) == 1


@pytest.mark.parametrize(
    "event",
    [
        bounced(bounceType="Transient"),
        bounced(bounceSubType="MailboxFull"),
        bounced(bouncedRecipients=[{"emailAddress": MAILBOX, "status": "5.1.8"}]),
        bounced("nobody@example.org"),
        bounced("<>"),
        complained(complaintFeedbackType="not-spam"),
        {"notificationType": "Delivery", "delivery": {}},
        {"notificationType": "Bounce", "bounce": "x"},
        {
            "notificationType": "Bounce",
            "bounce": {"bounceType": "Permanent", "bouncedRecipients": 3},
        },
        {"notificationType": 3},
        {},
    ],
)
def test_what_says_nothing_of_an_address_changes_nothing(alice, event):
    for _ in range(2):
        take_event(in_sns(event))
    assert is_confirmed(alice)
    assert credentials(alice).bounced is None


def test_the_undo_of_a_change_works_after_letters_to_the_new_address_came_back(alice):
    change_email(by=alice, email="new@example.org")
    [confirm] = links("new@example.org")
    assert press(confirm).status_code == 302
    [undo] = links(MAILBOX)
    for event in ("one", "two"):
        note_bounce(user_id=alice.user_id, event=event)
    assert press(undo).status_code == 302
    assert get_own_address(alice).confirmed == MAILBOX
