"""The first of two steps of a sign-in, which the signed session keeps until the second."""

import time
from typing import NamedTuple

from django.contrib.sessions.backends.base import SessionBase

SESSION_HALF = "half"
SECONDS_FOR_CODE = 300


class Half(NamedTuple):
    """The account whose password was right, and the second until which its code may follow. `browser_id` is empty if
    the account does not know the browser."""

    user_id: str = ""
    until: int = 0
    browser_id: str = ""
    stamp: str = ""
    epoch: int = 0
    has_passkeys: bool = False

    @property
    def is_over(self) -> bool:
        return self.until <= time.time()


def half_of(session: SessionBase) -> Half:
    """Returns what the password proved in this browser, an account without an id if nothing."""
    return Half(*session.get(SESSION_HALF, ())[:6])


def keep_half(
    session: SessionBase, user_id: str, browser_id: str, stamp: str, epoch: int, has_passkeys: bool
) -> None:
    """Notes in a new session that the password was right."""
    session.flush()
    until = int(time.time()) + SECONDS_FOR_CODE
    session[SESSION_HALF] = list(Half(user_id, until, browser_id, stamp, epoch, has_passkeys))
