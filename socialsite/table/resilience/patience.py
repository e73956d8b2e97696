"""How long a process waits for the table: a web process briefly, as people wait behind it, every other one longer."""

from dataclasses import dataclass

from django.conf import settings


@dataclass(frozen=True, slots=True)
class Patience:
    """`seconds` bounds the connecting and the answer of one try.

    A web process asks once after a timeout, as a second wait would pass what a page may take, and has a breaker.
    """

    seconds: float
    repeats_timeouts: bool
    has_breaker: bool


def ordinary_patience() -> Patience:
    """Of workers, commands and `runserver`."""
    return Patience(settings.DYNAMODB_SECONDS, repeats_timeouts=True, has_breaker=False)


def web_patience() -> Patience:
    return Patience(settings.DYNAMODB_WEB_SECONDS, repeats_timeouts=False, has_breaker=True)
