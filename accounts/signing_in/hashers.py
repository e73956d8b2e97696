"""How passwords are hashed: Argon2id in OWASP's 19 MiB profile.

Django's own profile takes 100 MiB a hash, which a small machine cannot give to every sign-in. Two hashes run at once.
People who wait longer than a second are told that the site is busy.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from django.contrib.auth.hashers import Argon2PasswordHasher, check_password, make_password

from socialsite.table.errors import Unavailable

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
