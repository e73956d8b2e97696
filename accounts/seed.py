"""The items of demo people, as signing up would have written them."""

from collections.abc import Iterator

from accounts.encryption.emails import domain_hmacs, email_hmac, encrypt_email
from accounts.encryption.person_keys import OpenKey
from accounts.models import (
    Credentials,
    DomainEntry,
    EmailClaim,
    HandleClaim,
    UserCount,
    UserInfo,
    UserSettings,
)
from socialsite.models import Staff
from socialsite.site_settings.levels import Level
from socialsite.table import Create, Item


def person_items(
    info: UserInfo,
    count: UserCount,
    settings: UserSettings,
    *,
    password: str,
    new_key: tuple[OpenKey, Create],
) -> Iterator[Item]:
    """Returns all items of a person. `password` is already hashed, and `new_key` is from `new_person_key`."""
    user_id, email = info.user_id, f"{info.handle}@example.org"
    yield info
    yield count
    yield settings
    if info.role:
        yield Staff.new(user_id=user_id)
    key, create_key = new_key
    yield create_key.item
    encrypted = encrypt_email(email, key=key)
    yield Credentials.new(user_id=user_id, password=password, email=encrypted)
    yield HandleClaim.new(handle=info.handle, user_id=user_id)
    yield EmailClaim.new(email_hmac=email_hmac(email), user_id=user_id)
    yield DomainEntry.new(domain_hmac=domain_hmacs(email)[0], user_id=user_id)


# The levels of the people, each in turn, and whether they show it.
LEVELS = (
    (Level.REGULAR, True),
    (Level.MEMBER, True),
    (Level.NEW, True),
    (Level.MEMBER, False),
    (Level.REGULAR, True),
)


def demo_level(number: int) -> tuple[str, str]:
    """Returns the level of a person, and what they show of it."""
    level, shows = LEVELS[number % len(LEVELS)]
    return str(level), str(level) if shows else ""
