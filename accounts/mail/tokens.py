"""The secrets of links in letters: each does one thing, once, for a time.

A secret is derived from the id of the letter's reason and a key of the settings, so a letter that is sent again has the
same link, and neither the table nor the mail queue ever holds it.
"""

import base64
import hashlib
import hmac
from datetime import datetime, timedelta
from enum import StrEnum

from accounts.models import Token
from socialsite.clock import utc_now
from socialsite.data_keys import current_key
from socialsite.table import (
    AlreadyExists,
    Change,
    NotFound,
    TableError,
    access_pattern,
    create,
    get,
    keys,
)

USE = "tokens"  # of the key


class Purpose(StrEnum):
    """What a link is for."""

    RESET = "reset"  # a new password
    CONFIRM = "confirm"  # an email address is someone's own
    UNDO = "undo"  # the address from before a change


LASTS = {
    Purpose.RESET: timedelta(minutes=30),
    Purpose.CONFIRM: timedelta(days=3),
    Purpose.UNDO: timedelta(days=7),
}


class LinkGone(TableError):
    """The link was used, has expired or was altered, or what it was for has changed since."""


def secret_of(purpose: Purpose, token_id: str) -> str:
    """Returns the secret of a token: 43 letters, the same each time."""
    key = current_key().secret(USE)
    made = hmac.new(key, f"{purpose}|{token_id}".encode(), hashlib.sha256).digest()
    return base64.urlsafe_b64encode(made).rstrip(b"=").decode()


def new_token(
    purpose: Purpose, token_id: str, *, user_id: str, epoch: int = 0, until: datetime
) -> Token:
    secret_hash = _hash(secret_of(purpose, token_id))
    return Token.new(
        secret_hash=secret_hash, purpose=purpose, user_id=user_id, epoch=epoch, ttl=until
    )


@access_pattern
def issue_token(token: Token) -> bool:
    """Stores a token if it was not stored before. Returns whether its link still works. Safe to repeat.

    One PutItem, 1 write unit; if it was stored before, a consistent GetItem too, 1 read unit.
    """
    if token.ttl is None or token.ttl <= utc_now():
        return False
    try:
        create(token)
    except AlreadyExists:
        kept = get(Token, token.key, consistent=True)
        return not kept.used
    return True


@access_pattern
def read_token(purpose: Purpose, secret: str) -> Token:
    """Returns the token of a link. Raises `LinkGone` unless it is for this purpose, and neither used nor expired.

    GetItem consistent, 1 read unit.
    """
    try:
        token = get(Token, keys.token(_hash(secret)), consistent=True)
    except NotFound as error:
        raise LinkGone("no such token") from error
    if token.purpose != purpose or token.used:
        raise LinkGone("used, or for something else")
    return token


def use_token(token: Token) -> Change:
    """Returns the action that uses a token up, for the transaction that does what it is for. Raises `LinkGone` there if
    it was used or has expired meanwhile. 2 write units."""
    now = utc_now()
    can_be_used = (Token.purpose == token.purpose) & Token.used.does_not_exist()
    return Change(
        Token,
        token.key,
        [Token.used.set(now.isoformat(timespec="seconds"))],
        condition=can_be_used & (Token.ttl > now),
        otherwise=LinkGone,
    )


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
