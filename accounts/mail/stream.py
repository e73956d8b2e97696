"""Sends the letters that are due. A letter is claimed before it is sent, and gone when the mail server has taken it.

A process that dies in between leaves the letter for another try, a minute later: it may come twice, with the same
Message-ID, and it is never lost. Letters that outlive their use are dropped.
"""

import logging
from datetime import datetime
from smtplib import SMTPRecipientsRefused

from django.conf import settings
from django.core.mail import EmailMultiAlternatives

from accounts.encryption.emails import email_hmac
from accounts.mail.delivery import MAIL
from accounts.mail.letters import LETTERS, LetterKind, Recipient, write_message
from accounts.mail.server import left_alone_until, note_failure, note_success
from socialsite.clock import utc_now
from socialsite.due.models import Due
from socialsite.due.work import due_work
from socialsite.web.limits import Limit, LimitReached, count_hits

HOUR, DAY = 3600, 86_400  # seconds
PERMANENT = 500  # replies of a mail server from here on are final

log = logging.getLogger(__name__)


@due_work(MAIL, waits_until=left_alone_until)
def send_letter(due: Due) -> None:
    """Sends one letter. Safe to run twice: then it comes twice. Raises if the mail server cannot be reached, which then
    is left alone for a minute, with all letters that are due meanwhile.

    Reads what finding its recipient reads, and counts 4 limits at the first try, 8 write units.
    """
    kind = LETTERS[due.facts["letter"]]
    to = kind.find(due.facts)
    if to is None or _is_too_late(kind, due):
        return
    message = write_message(kind, to, due)
    if message and _may_be_sent(due, to):
        _hand_over(message, due)


def _is_too_late(kind: LetterKind, due: Due) -> bool:
    is_late = utc_now() > datetime.fromisoformat(due.facts["posted"]) + kind.life
    if is_late:
        log.error("dropped a letter (%s) that could not be sent in time", due.facts["letter"])
    return is_late


def _may_be_sent(due: Due, to: Recipient) -> bool:
    """Whether no limit is reached. Nobody can fill a stranger's mailbox by asking again and again, and no fault can
    send more in a day than the site has paid for."""
    if due.tries > 1:  # counted at the first try
        return True
    name, mailbox = due.facts["letter"], email_hmac(to.address)
    try:
        count_hits(
            (Limit("mail-hour", 3, HOUR), f"{name} {mailbox}"),
            (Limit("mail-day", LETTERS[name].a_day, DAY), f"{name} {mailbox}"),
            (Limit("mail-mailbox", max(20, LETTERS[name].a_day), DAY), mailbox),
            (Limit("mail-site", settings.MAIL_A_DAY, DAY), "all"),
        )
    except LimitReached as error:
        log.warning("dropped a letter (%s): %s", name, error)
        return False
    return True


def _hand_over(message: EmailMultiAlternatives, due: Due) -> None:
    try:
        message.send()
    except SMTPRecipientsRefused as error:
        if min(code for code, _ in error.recipients.values()) < PERMANENT:
            raise
        log.warning("the mail server refused a letter (%s) for good", due.facts["letter"])
    except Exception as error:  # each way of mail has its own errors
        note_failure(error)
        raise
    else:
        note_success(was_tried=due.tries > 1)
