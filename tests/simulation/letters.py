"""Letters of a simulated site: counted, and gone. Now and then the mail server is away."""

from collections.abc import Sequence
from smtplib import SMTPServerDisconnected

from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend

from tests.simulation.clockwork import clock

sent: list[tuple[str, str]] = []  # to whom, and the subject
sent_at: list[tuple[float, str, str]] = []  # the same, with the moment first
is_away = False


class Backend(BaseEmailBackend):
    def send_messages(self, messages: Sequence[EmailMessage]) -> int:
        if is_away:
            raise SMTPServerDisconnected
        told = [(one.to[0] if one.to else "", str(one.subject)) for one in messages]
        sent.extend(told)
        sent_at.extend((clock.now, *one) for one in told)
        return len(messages)
