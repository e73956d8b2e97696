"""A letter as a message that knows whose it is. Mail servers are not told."""

from django.core.mail import EmailMultiAlternatives


class LetterMessage(EmailMultiAlternatives):
    user_id = ""
