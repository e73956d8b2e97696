"""What Amazon SES says of letters that it took: which came back, and which someone called unwanted. It tells SNS, which
puts it into a queue of SQS (`MAIL_EVENTS_QUEUE`), and the clock looks there once a minute. Nothing is exposed for it.
"""

import json
import logging
import time
from collections.abc import Iterator, Mapping
from typing import Any

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from django.conf import settings

from accounts.encryption.emails import email_hmacs
from accounts.mail.bounces import OF_THE_ADDRESS, note_bounce, note_complaint
from accounts.people.reads import find_user_by_email
from socialsite.due.work import each_look
from socialsite.process_state import kept_by_process
from socialsite.table import NotFound

EVERY = 60.0  # seconds
AT_ONCE, ROUNDS = 10, 10  # messages of a call, and calls of a look
FOR_GOOD = "Permanent"
# Kinds of a permanent bounce that say nothing of the address. Where SES hands on a status, that counts too.
NOT_OF_THE_ADDRESS = {"MailboxFull", "MessageTooLarge", "ContentRejected", "AttachmentRejected"}
PATIENCE = Config(connect_timeout=2, read_timeout=5, retries={"max_attempts": 1})

log = logging.getLogger(__name__)
_looked_at = float("-inf")


@kept_by_process
def forget_look() -> None:
    """Lets the next look be at once."""
    global _looked_at
    _looked_at = float("-inf")


@each_look
def look_into_queue() -> None:
    """Takes what the queue holds, at most 100 messages. A queue that does not answer delays nothing but this. What
    could not be written stays in the queue, and comes again."""
    global _looked_at
    now = time.monotonic()
    if not settings.MAIL_EVENTS_QUEUE or now < _looked_at + EVERY:
        return
    _looked_at = now
    try:
        _take_all()
    except (BotoCoreError, ClientError) as error:
        log.warning("the queue of mail events cannot be read: %s", error)


def _take_all() -> None:
    sqs = boto3.client("sqs", region_name=settings.DYNAMODB_REGION, config=PATIENCE)
    queue = settings.MAIL_EVENTS_QUEUE
    for _ in range(ROUNDS):
        found = sqs.receive_message(QueueUrl=queue, MaxNumberOfMessages=AT_ONCE)
        messages = found.get("Messages", [])
        for message in messages:
            try:
                take_event(message["Body"])
            except (
                Exception
            ):  # of this person alone, such as a key that fits nothing; it comes again
                log.exception("a mail event could not be noted")
                continue
            sqs.delete_message(QueueUrl=queue, ReceiptHandle=message["ReceiptHandle"])
        if len(messages) < AT_ONCE:
            return


def take_event(body: str) -> None:
    """Does what one message says. Safe to repeat. One that this does not understand is dropped. As `note_bounce` or
    `note_complaint` for each address, and 0.5 read units to find whose it is."""
    try:
        event = _event_in(body)
        kind = str(event.get("notificationType") or event.get("eventType", ""))
        told = event.get(kind.lower(), {})
        addresses = list(_addresses(kind, told))
        name = str(told.get("feedbackId") or event.get("mail", {}).get("messageId", ""))
    except (ValueError, AttributeError, TypeError) as error:
        log.warning("a mail event that nobody understands: %s", error)
        return
    for address in addresses:
        try:
            user_id = find_user_by_email(email_hmacs(address), consistent=True)
        except NotFound:
            continue  # it has changed since
        if kind == "Complaint":
            note_complaint(user_id=user_id)
        else:
            note_bounce(user_id=user_id, event=name[:64])


def _event_in(body: str) -> Mapping[str, Any]:
    """Returns what SES said, with or without the envelope of SNS."""
    outer = json.loads(body)
    inner = json.loads(outer["Message"]) if "Message" in outer and "mail" not in outer else outer
    if not isinstance(inner, Mapping):
        raise ValueError("no object")
    return inner


def _addresses(kind: str, told: Mapping[str, Any]) -> Iterator[str]:
    if kind == "Complaint":
        if told.get("complaintFeedbackType") == "not-spam":
            return
        people = told.get("complainedRecipients", [])
    elif kind == "Bounce" and _is_final(told):
        people = told.get("bouncedRecipients", [])
    else:
        return
    for one in people:
        if one.get("status", "5.0.0") not in OF_THE_ADDRESS:
            continue
        if address := str(one.get("emailAddress", "")).rpartition("<")[2].rstrip("> "):
            yield address


def _is_final(told: Mapping[str, Any]) -> bool:
    is_of_address = told.get("bounceSubType") not in NOT_OF_THE_ADDRESS
    return told.get("bounceType") == FOR_GOOD and is_of_address
