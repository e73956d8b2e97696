"""How long a process waits for the table. Web processes wait briefly, because people wait for them. Others wait
longer."""

from dataclasses import dataclass

from django.conf import settings


@dataclass(frozen=True, slots=True)
class Patience:
    """The time limits of one process. `seconds` bounds the connecting and the answer of one try.

    A web process does not repeat a call after a timeout, because a page has no time for a second wait. It has a
    breaker.
    """

    seconds: float
    repeats_timeouts: bool
    has_breaker: bool


def ordinary_patience() -> Patience:
    """Returns the time limits of workers, commands and `runserver`."""
    return Patience(settings.DYNAMODB_SECONDS, repeats_timeouts=True, has_breaker=False)


def web_patience() -> Patience:
    return Patience(settings.DYNAMODB_WEB_SECONDS, repeats_timeouts=False, has_breaker=True)
